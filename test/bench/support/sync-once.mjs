// One cold run that keeps nothing of what it loads. Arguments: file with JSON of { root, options, specifiers }.
// Result: JSON of { milliseconds, icons, peak, held }, the last two in bytes.
import { readFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createIcons } from 'unplugin-icon-catalog';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');
const held = () => {
  collect();
  // What the first finds dead of buffers is given back beside the program, and no longer counted after the next.
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};
const [, , file] = process.argv;
const { root, options, specifiers } = JSON.parse(readFileSync(file, 'utf8'));
const startedAt = performance.now();
const icons = createIcons(options, { root, env: {} });
const { loaded, failed } = await icons.sync(specifiers);
const milliseconds = performance.now() - startedAt;
if (failed.length > 0) throw failed[0].error;
const result = { milliseconds, icons: loaded.length, held: held() };
await icons.close();
const peak = process.resourceUsage().maxRSS * 1024;
process.stdout.write(JSON.stringify({ ...result, peak }));
