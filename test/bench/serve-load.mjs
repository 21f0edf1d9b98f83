/**
 * Imported ahead of `icon-catalog serve`: tells the parent its memory twice a second, and what it holds after a collection when asked.
 * `load <url> <seconds> <connections>`: calls of every kind over so many kept connections, never more than one at a time on each.
 * Both run the built package as a user has it. The key is made up for the run.
 */
import { createHmac, randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import process from 'node:process';
import { Agent, request } from 'undici';

const { BENCH_KEY: key, BENCH_SECRET: secret } = process.env;
const [, , role, ...values] = process.argv;

if (role === 'load') await load(values);
else reportMemory();

/** Runs ahead of the command that is measured, in its process. */
function reportMemory() {
  setInterval(() => process.send({ rss: process.memoryUsage.rss() }), 500).unref();
  process.on('message', () => {
    globalThis.gc();
    process.send({ held: process.memoryUsage().heapUsed });
  });
}

async function load([base, seconds, connections]) {
  const agent = new Agent({ connections: Number(connections), pipelining: 1 });
  const paths = await findPaths(base, agent);
  const until = performance.now() + Number(seconds) * 1000;
  const times = new Map(paths.map(([kind]) => [kind, []]));
  const errors = new Map();
  let turn = 0;

  async function work() {
    while (performance.now() < until) {
      const [kind, make] = paths[turn++ % paths.length];
      const started = performance.now();
      const status = await call(base, make(turn), agent);
      times.get(kind).push(performance.now() - started);
      if (status !== 200) errors.set(status, (errors.get(status) ?? 0) + 1);
    }
  }
  await Promise.all(Array.from({ length: Number(connections) }, work));
  await agent.close();
  process.send({ times: [...times], errors: [...errors] });
}

/** One path of each kind of call; searches and ids differ from call to call. */
async function findPaths(base, agent) {
  const { icons } = await read(base, '/v2/icon?query=arrow&limit=1000', agent);
  const { collections } = await read(base, '/v2/collection?limit=1', agent);
  const ids = icons.map(({ id }) => id);
  const words = ['arrow', 'house', 'heart', 'bus', 'dragon head', 'user', 'mail', 'clock', 'tree'];
  const idAt = (turn) => ids[(turn * 7) % ids.length];
  const wordAt = (turn) => encodeURIComponent(words[turn % words.length]);
  return [
    ['icon', (turn) => `/v2/icon/${idAt(turn)}`],
    ['svg', (turn) => `/v2/icon/${idAt(turn)}/download?color=ff0000&filetype=svg`],
    ['png', (turn) => `/v2/icon/${idAt(turn)}/download?filetype=png&size=64`],
    ['search', (turn) => `/v2/icon?query=${wordAt(turn)}&limit=20`],
    ['styles', (turn) => `/v2/icon?query=${wordAt(turn)}&styles=line&line_weight=1-60&limit=20`],
    ['collection', () => `/v2/collection/${collections[0].id}?limit=20`],
    ['suggestions', (turn) => `/v2/icon/autocomplete?query=${wordAt(turn).slice(0, 3)}`],
    ['v1 icons', (turn) => `/icons/${wordAt(turn)}?limit=20`],
    ['usage', () => '/v2/client/usage'],
  ];
}

async function read(base, path, dispatcher) {
  const url = `${base}${path}`;
  const { body } = await request(url, { dispatcher, headers: { authorization: sign(url) } });
  return body.json();
}

/** The status, once the whole answer is there; a code where there is none. */
async function call(base, path, dispatcher) {
  const url = `${base}${path}`;
  try {
    const { statusCode, body } = await request(url, {
      dispatcher,
      headers: { authorization: sign(url) },
    });
    await body.arrayBuffer();
    return statusCode;
  } catch (error) {
    return error.code ?? 'failed';
  }
}

function sign(url) {
  const { origin, pathname, searchParams } = new URL(url);
  const protocol = {
    oauth_consumer_key: key,
    oauth_nonce: randomUUID(),
    oauth_signature_method: 'HMAC-SHA1',
    oauth_timestamp: String(Math.floor(Date.now() / 1000)),
  };
  const pairs = [...searchParams, ...Object.entries(protocol)]
    .map((pair) => pair.map(encodeURIComponent).join('='))
    .sort();
  const base = ['GET', `${origin}${pathname}`, pairs.join('&')].map(encodeURIComponent).join('&');
  const signature = createHmac('sha1', `${secret}&`).update(base).digest('base64');
  return `OAuth ${Object.entries({ ...protocol, oauth_signature: signature })
    .map(([name, value]) => `${name}="${encodeURIComponent(value)}"`)
    .join(', ')}`;
}
