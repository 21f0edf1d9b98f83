// One cold run that keeps nothing of what it loads. Arguments: file with JSON of { root, options, specifiers, every }.
// Result: JSON of { milliseconds, cpu, icons, peak, held, live }: `cpu` is of all threads in milliseconds, the last three
// are bytes. `live` is the most that was in use
// when it was looked at, every so many milliseconds after a collection, which takes time; without `every` it is `held`.
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
const { root, options, specifiers, every } = JSON.parse(readFileSync(file, 'utf8'));
let live = 0;
const look = () => {
  live = Math.max(live, held());
};
const startedAt = performance.now();
const icons = createIcons(options, { root, env: {} });
const looks = every === undefined ? undefined : setInterval(look, every);
const { loaded, failed } = await icons.sync(specifiers);
const milliseconds = performance.now() - startedAt;
const { user, system } = process.cpuUsage();
const cpu = (user + system) / 1000;
if (failed.length > 0) throw failed[0].error;
clearInterval(looks);
look();
const result = { milliseconds, cpu, icons: loaded.length, held: held(), live };
await icons.close();
const peak = process.resourceUsage().maxRSS * 1024;
process.stdout.write(JSON.stringify({ ...result, peak }));
