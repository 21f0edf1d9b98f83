// One build in a process of its own. Arguments: JSON of { root, options, specifiers, oneByOne }.
// Standard output: JSON of { codes, failed, log }, the codes by specifier. With `oneByOne`, `ready` before it begins.
import { createIcons } from '../../../dist/index.js';

const { root, options, specifiers, oneByOne } = JSON.parse(process.argv[2]);
const log = [];
const keep = (level) => (message) => void log.push(`${level} ${message}`);
const icons = createIcons(options, {
  root,
  env: {},
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
if (oneByOne) {
  process.stdout.write('ready\n');
  // Each writes lock, vendor file and render pack anew.
  for (const specifier of specifiers) await icons.sync([specifier]);
}
await Promise.all(specifiers.map(load));
try {
  await icons.close();
} catch (error) {
  failed.push(`${error.code}: ${error.message}`);
}
process.stdout.write(JSON.stringify({ codes, failed, log }));
