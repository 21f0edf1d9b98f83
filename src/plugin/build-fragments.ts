import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { KeptReports } from '../corridor/kept-reports.ts';
import { choosePartners } from './choose-partners.ts';
import { contentOf, fromText, keyOf, toText, type BuildReport, type Fragment } from './fragment.ts';
import { publishAgain } from './published-files.ts';
import { relocate } from './relocate.ts';
import type { OutputBytes } from './report-types.ts';
import { sizesOf, stillShipped, withoutOverwritten, type LookAgain } from './still-shipped.ts';

/** What only the session of a build can do for it. */
export interface FragmentPorts {
  /** The attribution files of all of these; `own` comes first. */
  render(
    reports: readonly [own: BuildReport, ...BuildReport[]],
    complete: boolean,
  ): Promise<OutputBytes[]>;
  lookAgain: LookAgain;
  /** Told where this build's credits had to be made without those of the others. */
  alone(own: BuildReport, others: readonly BuildReport[], error: unknown): void;
}

/**
 * What the builds of one project ship that belong together (client and server, environments, compilers side by side, in
 * this process or another), so that each of their credits pages tells of all of them. A build that runs again replaces
 * its own; what is left of one whose output was changed, by whomever, is looked at anew.
 */
export interface BuildFragments {
  /** A build has begun that will report; `builder` is whose. */
  begin(builder: object): void;
  /** It has reported, or never will. */
  finish(builder: object): void;
  /** The attribution files for this build's folder. */
  report(builder: object, report: BuildReport, ports: FragmentPorts): Promise<OutputBytes[]>;
  /** The output of this builder's reports is written: every folder whose files tell less than is known gets new ones. */
  settle(builder: object): Promise<void>;
}

/** What the files of one folder say. */
interface Told {
  reports: [own: Fragment, ...Fragment[]];
  complete: boolean;
  /** Digest of both. */
  told: string;
}

interface Known {
  /** What is left of each. */
  found: Fragment[];
  /** As they were reported, by key. */
  written: ReadonlyMap<string, Fragment>;
}

export function createBuildFragments({
  kept,
  root,
  identity,
}: {
  kept: KeptReports;
  /** The project's, absolute. */
  root: string;
  /** Hash of whatever makes equal icons into different credits. */
  identity: string;
}): BuildFragments {
  /** Reported here, and not written yet as far as we know. */
  const fresh = new Map<string, Fragment>();
  /** What no other process will know, since it cannot be kept. */
  const unkept = new Map<string, Fragment>();
  const portsByBuilder = new WeakMap<object, { keys: Set<string>; ports: FragmentPorts }>();
  const building = new Set<object>();

  /** All that ship, by what is on disk. */
  async function known(
    lookAgain: LookAgain,
    { except, own = new Map() }: { except?: string; own?: ReadonlyMap<string, Fragment> },
  ): Promise<Known> {
    const written = new Map([...unkept, ...own]);
    const skipped = [...own.keys(), ...(except === undefined ? [] : [except])];
    for (const [key, text] of await kept.all(skipped)) {
      const fragment = fromText(text, { root, identity });
      if (fragment !== undefined) written.set(key, fragment);
    }
    const found: Fragment[] = [];
    for (const [key, fragment] of written) {
      if (key === except || fresh.has(key)) continue;
      // What was built this moment need not be looked for, and some bundlers write it later.
      const left = own.has(key) ? fragment : await stillShipped(fragment, lookAgain);
      if (left !== undefined) found.push(left);
      else await forget(key);
    }
    for (const [key, fragment] of fresh) if (key !== except) found.push(fragment);
    return { found, written };
  }

  function tell(own: Fragment, all: readonly Fragment[]): Told {
    const partners = choosePartners(own, all);
    const reports: [Fragment, ...Fragment[]] = [own, ...partners];
    const ids = new Set(reports.map(({ build }) => build.id));
    const complete =
      building.size === 0 &&
      reports.every((each) => each.complete && each.expected.every((id) => ids.has(id)));
    const contents = reports.map(contentOf).toSorted();
    const told = createHash('sha256')
      .update(JSON.stringify([complete, contents]))
      .digest('hex');
    return { reports, complete, told };
  }

  return {
    begin: (builder) => void building.add(builder),
    finish: (builder) => void building.delete(builder),
    async report(builder, report, ports) {
      const key = keyOf(report, root);
      building.delete(builder);
      const { found: others } = await known(ports.lookAgain, { except: key });
      const order = Math.max(0, ...others.map((each) => each.order)) + 1;
      const fragment: Fragment = { ...report, order, sizes: {}, published: {}, told: '' };
      const [own = fragment, ...rest] = withoutOverwritten([fragment, ...others]);
      const { files, told } = await made(tell(own, rest), ports);
      const keys = portsByBuilder.get(builder)?.keys ?? new Set();
      portsByBuilder.set(builder, { keys: keys.add(key), ports });
      fresh.set(key, { ...fragment, published: digestsOf(files), told });
      return files;
    },
    async settle(builder) {
      const { keys, ports } = portsByBuilder.get(builder) ?? {};
      if (keys === undefined || ports === undefined) return;
      const { lookAgain, render } = ports;
      await kept.inTurn(async () => {
        const own = new Map<string, Fragment>();
        for (const key of keys) {
          const fragment = fresh.get(key);
          if (fragment === undefined || Object.keys(fragment.published).length === 0) continue;
          const placed = { ...fragment, usages: await relocate(fragment, lookAgain) };
          const settled = { ...placed, sizes: await sizesOf(placed) };
          own.set(key, settled);
          // In one of the two at any time: another build may be asking.
          await keep(settled);
          fresh.delete(key);
        }
        if (own.size === 0) return;
        const { found, written } = await known(lookAgain, { own });
        const all = withoutOverwritten(found);
        const rendered = new Map<string, OutputBytes[]>();
        for (const fragment of all) {
          if (fresh.has(keyOf(fragment, root))) continue;
          const { reports, complete, told } = tell(fragment, all);
          if (told === fragment.told || fragment.isLate === true) continue;
          const files = rendered.get(told) ?? (await render(reports, complete).catch(() => []));
          rendered.set(told, files);
          if (files.length === 0) continue;
          await publish(fragment, files);
          const whole = written.get(keyOf(fragment, root)) ?? fragment;
          await keep({ ...whole, published: digestsOf(files), told });
        }
      });
    },
  };

  async function keep(fragment: Fragment): Promise<void> {
    const key = keyOf(fragment, root);
    const isKept = await kept.put(key, toText(fragment, { root, identity }));
    if (isKept) unkept.delete(key);
    else unkept.set(key, fragment);
  }

  async function forget(key: string): Promise<void> {
    unkept.delete(key);
    await kept.remove(key);
  }
}

/** An icon of another build that cannot be had any more must not fail this one. */
async function made(
  { reports, complete, told }: Told,
  { render, alone }: FragmentPorts,
): Promise<{ files: OutputBytes[]; told: string }> {
  const [own, ...others] = reports;
  try {
    return { files: await render(reports, complete), told };
  } catch (error) {
    if (others.length === 0) throw error;
    const files = await render([own], false);
    alone(own, others, error);
    return { files, told: '' };
  }
}

async function publish(
  { folder, published }: Fragment,
  files: readonly OutputBytes[],
): Promise<void> {
  for (const { fileName, source } of files) {
    const digest = published[fileName];
    if (digest !== undefined) await publishAgain(join(folder, fileName), { digest, source });
  }
}

function digestsOf(files: readonly OutputBytes[]): Record<string, string> {
  return Object.fromEntries(files.map(({ fileName, digest }) => [fileName, digest]));
}
