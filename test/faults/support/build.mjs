// One build in a process of its own. Arguments: JSON of { root, options, specifiers, waits, oneByOne }.
// Standard output: JSON of { codes, failed, log }, the codes by specifier. With `waits`, `ready` before it begins, which
// it does when something arrives on standard input. With `oneByOne`, a line with its specifier for each lock written.
import { once } from 'node:events';
import { createIcons } from '../../../dist/index.js';

const { root, options, specifiers, waits, oneByOne } = JSON.parse(process.argv[2]);
const log = [];
const keep = (level) => (message) => void log.push(`${level} ${message}`);
const icons = createIcons(options, {
  root,
  // The catalog is on this machine, which a build warns of.
  env: {
    ICON_CATALOG_SITE_URL: 'https://icons.example',
    XDG_CONFIG_HOME: process.env.XDG_CONFIG_HOME,
  },
  log: { info: keep('info'), warn: keep('warn'), error: keep('error') },
});
const codes = {};
const failed = [];
const load = async (specifier) => {
  try {
    codes[specifier] = (await icons.load(specifier)).code;
  } catch (error) {
    failed.push(`${error.code}: ${error.message}`);
  }
};
if (waits) {
  // What takes a cold build longest to load: the moments of a kill are then moments of work.
  const isDrawn = specifiers.some((specifier) => !specifier.includes('filetype=png'));
  if (isDrawn && !oneByOne) await import('svgo');
  process.stdout.write('ready\n');
  await once(process.stdin, 'data');
  process.stdin.destroy();
}
if (oneByOne) {
  // Each writes lock, vendor file and packs anew.
  for (const specifier of specifiers) {
    await icons.sync([specifier]);
    process.stdout.write(`${specifier}\n`);
  }
}
await Promise.all(specifiers.map(load));
try {
  await icons.close();
} catch (error) {
  failed.push(`${error.code}: ${error.message}`);
}
process.stdout.write(JSON.stringify({ codes, failed, log }));
