// The embedded catalog on a port of its own, in a process of its own. Arguments: JSON of { latency, key, secret, root, sets }.
// Standard output: one line of JSON { url }; then, for each line on standard input, one with { calls, peak, bytes }.
import { createServer } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { createCatalogServer } from 'unplugin-icon-catalog/server';

const { latency, key, secret, root, sets = ['tabler'] } = JSON.parse(process.argv[2]);
const catalog = createCatalogServer({
  root,
  sets,
  keys: [{ key, secret, monthlyLimit: Number.MAX_SAFE_INTEGER }],
});
const tell = (value) => process.stdout.write(`${JSON.stringify(value)}\n`);
let url = '';
let open = 0;
const seen = { calls: 0, peak: 0, bytes: 0 };

async function answer(request, response) {
  seen.calls += 1;
  open += 1;
  seen.peak = Math.max(seen.peak, open);
  const { method, headers } = request;
  // The answer is made while the time passes, so that the latency is what the client sees.
  const passed = wait(latency);
  const answered = await catalog.fetch(new Request(url + request.url, { method, headers }));
  const body = Buffer.from(await answered.arrayBuffer());
  await passed;
  seen.bytes += body.length;
  open -= 1;
  response.writeHead(answered.status, Object.fromEntries(answered.headers)).end(body);
}

const server = createServer((request, response) => {
  answer(request, response).catch(() => response.destroy());
});
await catalog.ready();
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
url = `http://127.0.0.1:${server.address().port}`;
process.stdin.on('data', () => {
  tell(seen);
  Object.assign(seen, { calls: 0, peak: 0, bytes: 0 });
});
process.stdin.on('end', () => process.exit());
tell({ url });
