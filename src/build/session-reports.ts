import { toDefaultId } from '../request/key.ts';
import type { Credit, ManifestBuild } from '../types.ts';
import type { Attribution } from './attribution-files.ts';
import { type MissingIcons, settled } from './failures.ts';
import { createFolderLists } from './folder-lists.ts';
import { warningsOfOutputs } from './importers.ts';
import { broughtLists } from './libraries.ts';
import { isBelow } from './list-files.ts';
import type { LoadedIcons } from './modules.ts';
import { reportBuild, type ReportPorts, shippedUsages } from './report-build.ts';
import { type EmittedFile, readOutputs } from './search-outputs.ts';
import type { ReportOptions, Session } from './session-interface.ts';
import type { SessionState } from './session-state.ts';
import { type CreditedIcons, CREDITS_SLOT, type FoundUsage } from './session-types.ts';

export type SessionReports = Pick<
  Session,
  | 'creditsCode'
  | 'creditsText'
  | 'present'
  | 'attributionFiles'
  | 'attributionNames'
  | 'expectFiles'
  | 'expectFolder'
  | 'emptied'
  | 'settle'
> & {
  begin(): void;
  /** The attribution files that this build reported for a folder, absolute, and the builds that its list still lacks. */
  reported(): { paths: readonly string[]; waiting: readonly string[] };
};

/** What a session says of the icons that ship: `icon:credits`, and the attribution files. */
export function createSessionReports({
  ready,
  attribution,
  missing,
  loaded,
  request,
}: {
  ready(): Pick<SessionState, 'shared' | 'resolved' | 'log'>;
  attribution: Attribution;
  missing: Pick<MissingIcons, 'leaveOut'>;
  loaded: Pick<LoadedIcons, 'add' | 'all'>;
  request: ReportPorts['request'];
}): SessionReports {
  const lists = createFolderLists();
  let paths = new Set<string>();
  let waiting: readonly string[] = [];

  function ports(): ReportPorts {
    const { shared, resolved } = ready();
    const { pipeline, contributed } = shared;
    const isRedrawn = resolved.svg.transform !== undefined;
    const about = { attribution, pipeline, request, contributed, lists, resolved };
    return { ...about, isRedrawn, loaded: loaded.all(), ships };
  }

  function ships(usages: readonly FoundUsage[]): void {
    for (const { id } of usages) loaded.add(toDefaultId(id));
  }

  const attributionFiles: SessionReports['attributionFiles'] = async (
    usages,
    build,
    options = {},
  ) => {
    for (const warning of warningsOfOutputs(options.outputs ?? [], build))
      ready().log.warn(warning);
    // A bundler with a warm cache never called `load` for what it ships.
    ships([...usages, ...ready().shared.contributed]);
    const made = await reportBuild(usages, build, options, ports());
    if (options.folder !== undefined) paths = new Set([...paths, ...made.paths]);
    waiting = made.waiting;
    return made.files;
  };

  return {
    async creditsCode(icons, complete) {
      const { ids, brought } = 'ids' in icons ? icons : { ids: icons, brought: [] };
      ready().shared.pipeline.build.creditsAreShown();
      return creditsCode(await attribution.credits(missing.leaveOut(ids), brought), complete);
    },
    async creditsText(icons) {
      const { shared } = ready();
      const contributed = shared.contributed.map(({ id }) => id);
      shared.pipeline.build.creditsAreShown();
      const { ids, brought } =
        'ids' in icons ? icons : { ids: [...icons, ...contributed], brought: [] };
      return toSlotText(await attribution.credits(missing.leaveOut(ids), brought), true);
    },
    present: (usages, build, files) => present(usages, build, { ...ports(), ...files }),
    attributionFiles,
    attributionNames: attribution.names,
    begin() {
      paths = new Set();
      waiting = [];
      lists.begin();
    },
    reported: () => ({ paths: [...paths], waiting }),
    settle: lists.settle,
    async expectFolder(folder) {
      const { site, attribution: names } = ready().resolved;
      const target = site.folder ?? folder;
      const isEmptied = target === folder || isBelow(target, folder);
      if (names !== false && isEmptied) await lists.readAhead(target, names, folder);
    },
    emptied: lists.emptied,
    expectFiles: (build) => void settled(attribution.expect(build, loaded.all())),
  };
}

/** The icons that the finished files hold. */
async function present(
  usages: readonly FoundUsage[],
  build: ManifestBuild,
  {
    outputs: files,
    modules,
    ...ports
  }: ReportPorts & { outputs: Iterable<EmittedFile> } & Pick<ReportOptions, 'modules'>,
): Promise<CreditedIcons> {
  const outputs = readOutputs(files);
  // Files of icons need not be there yet.
  const isFile = ({ kind }: FoundUsage): boolean => kind === 'asset' || kind === 'sprite-symbol';
  const inCode = await shippedUsages(
    usages.filter((usage) => !isFile(usage)),
    build,
    { ...ports, outputs },
  );
  const { root } = ports.resolved;
  const search = { ...ports, root, outputs, folder: undefined, build };
  return {
    ids: [...new Set([...inCode, ...usages.filter(isFile)].map(({ id }) => id))],
    brought: await broughtLists(modules?.() ?? [], search),
  };
}

/** The module while the shipped icons are not known: `CREDITS_SLOT` once, alone in a string literal. */
export function pendingCreditsCode(): string {
  return moduleCode(CREDITS_SLOT);
}

export function creditsCode(credits: readonly Credit[], complete: boolean): string {
  return moduleCode(toSlotText(credits, complete));
}

/**
 * Percent-encoded JSON: letters, digits and `-_.!~*()%` only, so that it stands unchanged in any quotes that a minifier
 * chooses, also in a string within a string (webpack's eval devtools).
 */
export function toSlotText(credits: readonly Credit[], complete: boolean): string {
  return encodeURIComponent(JSON.stringify({ credits, complete })).replaceAll("'", '%27');
}

function moduleCode(text: string): string {
  return [
    `const payload = /* @__PURE__ */ JSON.parse(/* @__PURE__ */ decodeURIComponent("${text}"));`,
    'const credits = payload.credits;',
    'export default credits;',
    'export const complete = payload.complete;',
    '',
  ].join('\n');
}

/** What the decoded text of `icon:credits` begins with, its quotes escaped or not. */
const BEGINNING = /(["'`])(?=\{\\?"credits\\?":)/g;

/**
 * A script with other credits in it than were filled in when it was rendered. Minifiers may have decoded the text since
 * (Rolldown's does), and have chosen the quotes around it.
 *
 * @param before what was filled in, as `creditsText` makes it
 * @param after likewise
 */
export function replaceCredits(code: string, before: string, after: string): string {
  if (code.includes(before)) return code.replaceAll(before, () => after);
  const decoded = decodeURIComponent(before);
  let replaced = '';
  let rest = 0;
  for (const { 1: quote = '', index } of code.matchAll(BEGINNING)) {
    const end = endOf(code, index + 1, quote);
    if (index < rest || end === undefined || unquote(code.slice(index + 1, end)) !== decoded)
      continue;
    replaced += code.slice(rest, index + 1) + requote(decodeURIComponent(after), quote);
    rest = end;
  }
  return replaced + code.slice(rest);
}

/** Where a literal ends. */
function endOf(code: string, start: number, quote: string): number | undefined {
  for (let at = start; at < code.length; at += 1) {
    if (code[at] === '\\') at += 1;
    else if (code[at] === quote) return at;
  }
  return undefined;
}

const ESCAPE = /\\(?:u\{([\da-fA-F]+)\}|u([\da-fA-F]{4})|x([\da-fA-F]{2})|([^]))/g;

/** JSON in one line has no ends of lines; all other letters stand for themselves. */
function unquote(literal: string): string {
  return literal.replace(ESCAPE, (_, long?: string, short?: string, byte?: string, letter = '') => {
    const digits = long ?? short ?? byte;
    return digits === undefined ? letter : String.fromCodePoint(Number.parseInt(digits, 16));
  });
}

function requote(text: string, quote: string): string {
  return text
    .replaceAll('\\', '\\\\')
    .replaceAll(quote, `\\${quote}`)
    .replaceAll('${', '\\${')
    .replace(/<\/(?=script)/gi, '<\\/')
    .replace(/[\u2028\u2029]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16)}`);
}
