// Fills the caches of a project as its first build would. Arguments: project. Result: JSON of the icons' markup.
import { readFileSync } from 'node:fs';
import { createIcons } from 'unplugin-icon-catalog';

const [, , root] = process.argv;
const { options, ids } = JSON.parse(readFileSync(`${root}/load.json`, 'utf8'));
const icons = createIcons(options, { root, env: {} });
const loaded = await Promise.all(ids.map((id) => icons.load(`icon:${id}`)));
await icons.close();
process.stdout.write(JSON.stringify(loaded.map(({ svg }) => svg)));
