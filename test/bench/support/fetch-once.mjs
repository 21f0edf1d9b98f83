// One cold run of the pipeline. Arguments: JSON of { root, options, specifiers }. Result: { milliseconds, cpu, icons }.
import { readFileSync } from 'node:fs';
import { createIcons } from 'unplugin-icon-catalog';

const [, , file] = process.argv;
const { root, options, specifiers } = JSON.parse(readFileSync(file, 'utf8'));
const startedAt = performance.now();
const icons = createIcons(options, { root, env: {} });
const loaded = await Promise.all(specifiers.map((specifier) => icons.load(specifier)));
await icons.close();
const milliseconds = performance.now() - startedAt;
const { user, system } = process.cpuUsage();
const cpu = (user + system) / 1000;
process.stdout.write(JSON.stringify({ milliseconds, cpu, icons: loaded.length }));
