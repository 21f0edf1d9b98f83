import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createManifest } from '../attribution/manifest/create-manifest.ts';
import { renderJson, renderMarkdown } from '../attribution/render/text.ts';
import type { Framework } from '../component.ts';
import {
  componentCode,
  type ModuleParts,
  recordExports,
  runtimeCode,
} from '../emit/module-code.ts';
import { RUNTIME_SPECIFIER, UNIQUE_SPECIFIER } from '../emit/component/shared.ts';
import { IconCatalogError, isIconCatalogError } from '../errors.ts';
import type { ResolvedOptions } from '../options/resolve-options.ts';
import { licenseTexts } from '../pipeline/credits.ts';
import { loadIcon } from '../pipeline/load-icon.ts';
import { ICON_PREFIX } from '../request/key.ts';
import { parseRequest } from '../request/parse-request.ts';
import { nameOfId } from '../request/reference.ts';
import type { Credit, IconRequest, Manifest } from '../types.ts';
import { GENERATOR } from '../version.ts';
import type { ProjectTools } from './open.ts';
import { readText, writeChanged, writeWhole } from '../store/files.ts';
import { sha256Hex } from '../store/hash.ts';

/**
 * An icon that becomes a component; without an alias or a name of its own, it gets the name that
 * the catalog states.
 */
interface WantedComponent {
  request: IconRequest;
  alias: string | undefined;
}

/**
 * An icon as it is written on a command line: `house`, `123`, `icon:house?color=f00`.
 *
 * @throws IconCatalogError SPECIFIER_INVALID, also for a form that is not a component
 */
export function wantedComponent(written: string, options: ResolvedOptions): WantedComponent {
  const specifier = written.startsWith(ICON_PREFIX) ? written : `${ICON_PREFIX}${written}`;
  const request = parseRequest(specifier, options);
  const [reference = ''] = specifier.slice(ICON_PREFIX.length).split('?');
  const isNamed =
    Object.hasOwn(options.aliases, reference) ||
    nameOfId(request.id, options.catalog) === reference;
  if (request.as === 'component') return { request, alias: isNamed ? reference : undefined };
  throw new IconCatalogError('SPECIFIER_INVALID', {
    message: `\`${specifier}\` asks for ${request.filetype === 'png' ? 'a PNG' : `\`as=${request.as}\``}, and only svg icons become components.`,
    remedy: 'Leave `as` and `filetype` out.',
    icon: request.id,
  });
}

interface EmittedComponents {
  files: Map<string, string>;
  icons: { name: string; credit: Credit }[];
  failed: IconCatalogError[];
}

/** @throws IconCatalogError SPECIFIER_INVALID if two icons would have the same name */
export async function emitComponents(
  wanted: readonly WantedComponent[],
  { options, pipeline }: ProjectTools,
  { framework, advance }: { framework: Framework; advance: () => void },
): Promise<EmittedComponents> {
  const loaded: (WrittenIcon & { credit: Credit; written: string })[] = [];
  const failed: IconCatalogError[] = [];
  await Promise.all(
    wanted.map(async ({ request, alias }) => {
      try {
        const { module, credit, icon } = await loadIcon(request, { pipeline, options });
        if (module.kind !== 'code' || module.parts === undefined)
          throw new TypeError('a component was loaded as something else');
        const name = componentName(alias ?? `${icon.term} ${icon.id}`);
        loaded.push({ name, parts: module.parts, credit, written: alias ?? icon.id });
      } catch (error) {
        if (!isIconCatalogError(error)) throw error;
        failed.push(error);
      } finally {
        advance();
      }
    }),
  );
  await pipeline.flush();
  const icons = loaded.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  refuseTwins(icons);
  const manifest = createManifest({
    credits: icons.map(({ name: component, credit }) => ({
      credit,
      usedIn: [{ build: 'emit', file: `${component}.js`, kind: 'inline-js' }],
    })),
    builds: [{ id: 'emit', bundler: 'icon-catalog', consumer: 'client', precision: 'requested' }],
    complete: failed.length === 0,
    catalog: (await pipeline.open()).catalog,
    generator: GENERATOR,
    texts: await licenseTexts(
      icons.map(({ credit }) => credit),
      pipeline.iconLock,
    ),
  });
  return { files: componentFiles(icons, { framework, manifest }), icons, failed };
}

/** Names that differ only in case are one file on many machines. */
function refuseTwins(icons: readonly { name: string; written: string }[]): void {
  const seen = new Map<string, { name: string; written: string }>();
  for (const icon of icons) {
    const other = seen.get(icon.name.toLowerCase());
    if (other === undefined) seen.set(icon.name.toLowerCase(), icon);
    else
      throw new IconCatalogError('SPECIFIER_INVALID', {
        message: `\`${other.written}\` and \`${icon.written}\` would both become a component named \`${icon.name}\`.`,
        remedy: 'Give one of them another name in `aliases`, or leave one out.',
      });
  }
}

interface WrittenIcon {
  /** `ThemeLight` */
  name: string;
  parts: ModuleParts;
}

const FILES = { [RUNTIME_SPECIFIER]: 'runtime.js', [UNIQUE_SPECIFIER]: 'unique.js' };
/** Frameworks whose developer tools call a component by its `displayName`. */
const WITH_DISPLAY_NAME: ReadonlySet<Framework> = new Set(['react', 'preact', 'vue']);
const NOTE =
  '// Written by `icon-catalog emit`, which overwrites and removes it: changes here are lost.\n';

/**
 * A folder of components that needs no plugin: one file an icon, an index that bundlers shake, types, credits.
 *
 * @returns text by file name
 */
function componentFiles(
  icons: readonly WrittenIcon[],
  { framework, manifest }: { framework: Framework; manifest: Manifest },
): Map<string, string> {
  const names = icons.map(({ name }) => name);
  const files = new Map<string, string>();
  for (const { name, parts } of icons) {
    const displayName = WITH_DISPLAY_NAME.has(framework) ? name : undefined;
    files.set(
      `${name}.js`,
      NOTE + own(componentCode(parts.value, displayName) + recordExports(parts)),
    );
  }
  const all = [...files.values()].join('');
  for (const [specifier, file] of Object.entries(FILES).toReversed()) {
    const isAsked = [...files.values(), all].some((code) => code.includes(`"./${file}"`));
    if (isAsked) files.set(file, NOTE + own(runtimeCode(specifier, framework) ?? ''));
  }
  files.set(
    'index.js',
    NOTE + names.map((name) => `export { default as ${name} } from './${name}.js';\n`).join(''),
  );
  files.set('index.d.ts', NOTE + typesOf(names, framework));
  files.set('credits.json', renderJson(manifest));
  files.set('CREDITS.md', renderMarkdown(manifest));
  return files;
}

/** All icons of a framework have the same type. */
function typesOf(names: readonly string[], framework: Framework): string {
  return `import type Icon from 'unplugin-icon-catalog/types/${framework}';

${names.map((name) => `export declare const ${name}: typeof Icon;\n`).join('')}`;
}

/** Modules that icons share are files beside the icons here. */
function own(code: string): string {
  return Object.entries(FILES).reduce(
    (text, [specifier, file]) => text.replaceAll(`"${specifier}"`, `"./${file}"`),
    code,
  );
}

/** Names the files that this command wrote, with their digests at that time. */
const LEDGER = '.icon-catalog.json';

export interface Settled {
  written: string[];
  removed: string[];
  /** Files of this command that were changed since: they block the write and are kept. */
  foreign: string[];
}

/**
 * Updates a folder to these files: writes what differs, removes files of an earlier run that are
 * not needed any more, and leaves everything else alone. A file that this command did not write is
 * never overwritten.
 * @param isTrial reports what would be done, and does nothing
 */
export async function settleFolder(
  folder: string,
  files: ReadonlyMap<string, string>,
  { isTrial = false }: { isTrial?: boolean } = {},
): Promise<Settled> {
  const ledger = await readLedger(folder);
  const settled: Settled = { written: [], removed: [], foreign: [] };
  for (const [name, text] of files) {
    const present = await readText(join(folder, name));
    if (present === text) continue;
    const isOurs = present === undefined || ledger.get(name) === hash(present);
    settled[isOurs ? 'written' : 'foreign'].push(name);
  }
  for (const [name, digest] of ledger) {
    if (files.has(name)) continue;
    const present = await readText(join(folder, name));
    if (present !== undefined) settled[digest === hash(present) ? 'removed' : 'foreign'].push(name);
  }
  if (isTrial || settled.foreign.length > 0) return settled;
  const digests = [...files].map(([name, text]) => [name, hash(text)] as const);
  const lines = Object.fromEntries(digests.toSorted(([a], [b]) => (a < b ? -1 : 1)));
  const record = `${JSON.stringify({ version: 1, files: lines }, undefined, 2)}\n`;
  for (const name of settled.written) await writeWhole(join(folder, name), files.get(name) ?? '');
  for (const name of settled.removed) await rm(join(folder, name), { force: true });
  await writeChanged(join(folder, LEDGER), record);
  return settled;
}

async function readLedger(folder: string): Promise<Map<string, string>> {
  try {
    const { files } = JSON.parse((await readText(join(folder, LEDGER))) ?? '{}') as {
      files?: object;
    };
    return new Map(
      Object.entries(files ?? {}).filter(
        (entry): entry is [string, string] =>
          typeof entry[1] === 'string' && /^[^/\\]+$/.test(entry[0]),
      ),
    );
  } catch {
    return new Map();
  }
}

function hash(text: string): string {
  return sha256Hex(text).slice(0, 16);
}

/**
 * Names that a component cannot have: the files beside the components use them, or Windows, where no file may be named as a
 * device is.
 */
const TAKEN = /^(?:Icon|Index|Runtime|Unique|Aux|Con|Nul|Prn|(?:Com|Lpt)\d)$/i;

/** `theme-light` → `ThemeLight`, `3d` → `Icon3d`: a name for a component, in every language that imports it. */
export function componentName(alias: string): string {
  const name = alias
    .normalize('NFKD')
    .replaceAll(/\p{Mark}/gu, '')
    .split(/[^A-Za-z\d]+/)
    .filter((word) => word !== '')
    .map((word) => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`)
    .join('');
  return /^[A-Z]/.test(name) && !TAKEN.test(name) ? name : `Icon${name}`;
}
