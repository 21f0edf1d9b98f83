// One cold run of the pipeline. Arguments: JSON of { root, options, specifiers }. Result: { milliseconds, icons }.
import { readFileSync } from 'node:fs';
import { createIcons } from 'unplugin-icon-catalog';

const [, , file] = process.argv;
const { root, options, specifiers } = JSON.parse(readFileSync(file, 'utf8'));
const startedAt = performance.now();
const icons = createIcons(options, { root, env: {} });
const loaded = await Promise.all(specifiers.map((specifier) => icons.load(specifier)));
await icons.close();
const milliseconds = performance.now() - startedAt;
process.stdout.write(JSON.stringify({ milliseconds, icons: loaded.length }));
