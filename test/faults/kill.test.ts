import { spawnSync } from 'node:child_process';
import { watch } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { createIcons } from '../../src/icons.ts';
import type { Options } from '../../src/options/options.ts';
import { startCountingCatalog, type CountingCatalog } from '../support/counting-catalog.ts';
import { iconIds } from '../support/icon-ids.ts';
import { recordingLog } from '../support/recording-log.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { createRandom } from '../store/support.ts';
import { bundleBuild } from './support/bundle-build.ts';
import { leftovers, LOCK, VENDOR, wholeState, type ProjectState } from './support/project-state.ts';
import { waitingBuild, type BuildJob, type WaitingBuild } from './support/run-build.ts';

/** FAULT_SEED runs other moments, FAULT_KILLS more or fewer of them. */
const SEED = Number(process.env['FAULT_SEED'] ?? 20_261);
const KILLS = Number(process.env['FAULT_KILLS'] ?? 50);
/** Builds that run at a time, each of icons of its own. */
const LANES = 4;
const ICONS = 6;
const CALLS = 2 * ICONS;
const IDS = iconIds('tabler', LANES * ICONS);

interface Lane {
  ids: readonly number[];
  specifiers: readonly string[];
}

function lanesOf(forms: readonly string[]): Lane[] {
  return forms.map((form, lane) => {
    const ids = IDS.slice(lane * ICONS, (lane + 1) * ICONS);
    return { ids, specifiers: ids.map((id) => `icon:${id}${form}`) };
  });
}

const SVG = '?color=0a0';
/** Asks, keeps and writes just as much, and loads nothing that draws: neither here nor in the catalog. */
const PNG = '?filetype=png&size=32';
const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

let catalog: CountingCatalog;
let script: string;
beforeAll(async () => {
  script = await bundleBuild();
  catalog = await startCountingCatalog({ sets: ['tabler'], latency: 5 });
  catalog.intercept = (path, response) => {
    if (!path.includes('filetype=png')) return false;
    const file = Buffer.concat([PNG_SIGNATURE, Buffer.from(path.split('?')[0] ?? '')]);
    const body = { base64_encoded_file: file.toString('base64'), content_type: 'image/png' };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    return true;
  };
  return () => catalog.close();
});

async function newJob({ specifiers }: Pick<Lane, 'specifiers'>): Promise<BuildJob> {
  const { url: baseUrl, key, secret } = catalog;
  const options: Options = {
    catalog: { baseUrl, key, secret },
    vendor: true,
    mode: 'online',
    concurrency: 4,
    cacheDir: await temporaryFolder(),
  };
  return { root: await temporaryFolder(), options, specifiers };
}

/** The build after a kill, in this process. */
async function buildAgain({ root, options, specifiers }: BuildJob): Promise<string[]> {
  const log = recordingLog();
  const env = {
    ICON_CATALOG_SITE_URL: 'https://icons.example',
    // The key of the cache is that of the builds that are killed.
    XDG_CONFIG_HOME: process.env['XDG_CONFIG_HOME'],
  };
  const icons = createIcons(options, { root, env, log });
  const modules = await Promise.all(specifiers.map((specifier) => icons.load(specifier)));
  await icons.close();
  expect(log.lines.filter((line) => !line.startsWith('info '))).toEqual([]);
  return modules.map(({ code }) => code);
}

/** Signed calls for icons of this lane since the call of that number. */
function callsOf({ ids }: Lane, since: number): number {
  const paths = ids.map((id) => `/v2/icon/${id}`);
  const isOwn = (call: string): boolean =>
    paths.some((path) => call.endsWith(path) || call.includes(`${path}/`));
  return catalog.calls.slice(since).filter(isOwn).length;
}

/** Answers that the cache holds: whole lines of its file, but for the catalog's description, which costs no call. */
async function keptAnswers({ options: { cacheDir = '' } }: BuildJob): Promise<number> {
  const pack = await readFile(join(cacheDir, 'content/icons-1.pack'), 'utf8').catch(() => '');
  return pack.match(/^[0-9a-f]{64}\t(?:record|bytes):.*\n/gm)?.length ?? 0;
}

/** Numbers from `from` to `to`, in rounds of so many. */
function roundsOf(size: number): number[][] {
  const all = Array.from({ length: KILLS }, (_, kill) => kill);
  return Array.from({ length: Math.ceil(KILLS / size) }, (_, round) =>
    all.slice(round * size, (round + 1) * size),
  );
}

describe(`a build that is killed (FAULT_SEED=${SEED}, ${KILLS} moments)`, () => {
  const random = createRandom(SEED);

  it('leaves lock, vendor file and cache from which the next build is right, and pays for nothing twice', async () => {
    const lanes = lanesOf([SVG, PNG, PNG, PNG]);
    // The catalog reads its set before anything is timed.
    for (const lane of lanes.slice(0, 1)) await buildAgain(await newJob(lane));
    const begun = catalog.calls.length;
    const prepare = (): Promise<{ lane: Lane; job: BuildJob; build: WaitingBuild }[]> =>
      Promise.all(
        lanes.map(async (lane) => {
          const job = await newJob(lane);
          return { lane, job, build: await waitingBuild(job, script) };
        }),
      );
    const first = await prepare();
    const durations = await Promise.all(first.map(({ build }) => build.finish()));
    const right: { codes: string[]; whole: ProjectState }[] = [];
    for (const { lane, job } of first) {
      expect(callsOf(lane, begun)).toBe(CALLS);
      const whole = await wholeState(job.root);
      expect(whole.keys).toHaveLength(ICONS);
      right.push({ codes: await buildAgain(job), whole });
    }

    const seen = new Set<string>();
    let next = prepare();
    for (const round of roundsOf(LANES)) {
      const builds = await next;
      const begun = catalog.calls.length;
      const kills = round.map((kill, at) => {
        const { build, job, lane } = builds[at] ?? builds[0]!;
        const moment = random() * (durations[at] ?? 0);
        return { job, lane, right: right[at], moment, kill, gone: build.killAfter(moment) };
      });
      await Promise.all(kills.map(({ gone }) => gone));
      for (const { build } of builds.slice(round.length)) await build.killAfter(0);
      // While these are looked at, those of the next round load.
      next = round.at(-1) === KILLS - 1 ? Promise.resolve([]) : prepare();
      for (const { job, lane, right, moment, kill } of kills) {
        const about = `kill ${kill}, after ${moment.toFixed(1)} ms`;
        const { lock } = await wholeState(job.root);
        expect(['', right?.whole.lock], about).toContain(lock);
        const kept = await keptAnswers(job);
        const paid = callsOf(lane, begun);
        const before = catalog.calls.length;
        seen.add(lock !== '' ? 'lock written' : paid === 0 ? 'no call' : 'in the middle');

        expect(await buildAgain(job), about).toEqual(right?.codes);
        expect(await wholeState(job.root), about).toEqual(right?.whole);
        expect(await leftovers(job.root), about).toEqual([]);
        const again = callsOf(lane, before);
        expect(again, about).toBeLessThanOrEqual(Math.max(0, CALLS - kept));
      }
    }
    // The moments were spread over all of the build.
    if (KILLS >= 50) expect([...seen]).toContain('in the middle');
  }, 300_000);

  it('while it writes leaves every line that it had written, whole, and delays no other build', async () => {
    const lanes = lanesOf([SVG, SVG, SVG, SVG]);
    const pairs = [lanes.slice(0, 2), lanes.slice(2)];
    const projects = await Promise.all(
      pairs.map(async (pair) => {
        const job = await newJob({ specifiers: pair.flatMap(({ specifiers }) => specifiers) });
        const codes = await buildAgain(job);
        const whole = await wholeState(job.root);
        // Two write into one project, from its two ends.
        const writers = pair.map(({ specifiers }) => ({ ...job, specifiers, oneByOne: true }));
        return { job, codes, whole, writers, lines: new Set(whole.lock.split('\n')) };
      }),
    );
    const prepare = async (): Promise<WaitingBuild[]> => {
      for (const { job } of projects)
        for (const name of [LOCK, VENDOR]) await rm(join(job.root, name), { force: true });
      return Promise.all(
        projects.flatMap(({ writers }) => writers.map((job) => waitingBuild(job, script))),
      );
    };
    const timed = await prepare();
    const longest = Math.max(...(await Promise.all(timed.map((build) => build.finish()))));
    const before = catalog.calls.length;

    const sizes = new Set<number>();
    for (const round of roundsOf(LANES)) {
      const builds = await prepare();
      const moments = builds.map(() => random() * longest);
      const said = await Promise.all(builds.map((build, at) => build.killAfter(moments[at] ?? 0)));
      for (const [at, { job, codes, whole, lines }] of projects.entries()) {
        const about = `kills ${round.join(', ')} of ${longest.toFixed(0)} ms: ${moments.map((moment) => moment.toFixed(1)).join(', ')}`;
        const { lock, keys } = await wholeState(job.root);
        sizes.add(keys.length);
        // Each line is one of the whole file: nothing was cut off, nothing was mixed.
        for (const line of lock.split('\n')) expect(lines, about).toContain(line);
        const written =
          said
            .slice(2 * at, 2 * at + 2)
            .join('')
            .match(/(?<=icon:)\d+(?=\?color=0a0\n)/g) ?? [];
        for (const id of written) expect(keys, about).toContain(`${id}:svg`);

        expect(await buildAgain(job), about).toEqual(codes);
        expect(await wholeState(job.root), about).toEqual(whole);
        expect(await leftovers(job.root), about).toEqual([]);
      }
    }
    expect(catalog.calls.slice(before)).toEqual([]);
    if (KILLS >= 50) expect(sizes.size).toBeGreaterThan(3);
  }, 300_000);

  it('leaves no lock behind, though the next build has nothing to write; that of who still writes stays', async () => {
    const [lane = { specifiers: [] }] = lanesOf([SVG]);
    const job = await newJob(lane);
    const codes = await buildAgain(job);
    const whole = await wholeState(job.root);
    const ended = spawnSync(process.execPath, ['--version']).pid;
    const put = async (pid: number): Promise<void> => {
      const text = JSON.stringify({ host: hostname(), pid, token: 'x' });
      for (const name of [LOCK, VENDOR]) await writeFile(join(job.root, `${name}.lock`), text);
    };
    await put(ended);
    const names = new Set<string>();
    const watcher = watch(job.root, (_event, name) => void names.add(name ?? ''));
    expect(await buildAgain(job)).toEqual(codes);
    expect(await leftovers(job.root)).toEqual([]);
    await expect.poll(() => names.size).toBe(2);
    watcher.close();
    // The lock has no other name on its way out, which a second kill would leave behind.
    expect([...names].toSorted()).toEqual([`${LOCK}.lock`, `${VENDOR}.lock`]);
    await put(process.ppid);
    expect(await buildAgain(job)).toEqual(codes);
    expect((await leftovers(job.root)).toSorted()).toEqual([`${LOCK}.lock`, `${VENDOR}.lock`]);
    expect(await wholeState(job.root)).toEqual(whole);
  });
});
