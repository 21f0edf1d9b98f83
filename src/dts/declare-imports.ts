import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ResolvedOptions } from '../options/resolve-options.ts';
import type { LoadContext } from '../pipeline/load-icon.ts';
import type { Pipeline } from '../pipeline/pipeline.ts';
import type { IconSource } from '../pipeline/sources.ts';
import { ICON_PREFIX, isCreditsSpecifier, keyOfRequest, parseLockKey } from '../request/key.ts';
import { parseRequest } from '../request/parse-request.ts';
import { isSetSpecifier, parseSet } from '../request/query.ts';
import { nameOfId } from '../request/reference.ts';
import { isThere, replacePackFile } from '../store/files.ts';
import { renderSvg } from '../svg/render-svg.ts';
import type { IconRecord, IconRequest } from '../types.ts';
import { declarationsFolder } from './declarations-folder.ts';
import {
  type Declaration,
  type DeclaredValue,
  parseBlocks,
  renderDeclarations,
  toBlocks,
} from './render-declarations.ts';

/**
 * Declares imports for TypeScript, spelled as written, and all aliases of the project, so that editors complete names that
 * no source imports yet. Nothing is written in a project without TypeScript. An icon that is unavailable is left out: the
 * error appears at its import.
 * @param options.keep keeps existing declarations, but for those of aliases that are gone. @default true
 * @returns true if `icon-catalog.d.ts` was written
 */
export async function declareImports(
  specifiers: Iterable<string>,
  context: LoadContext,
  { keep = true }: { keep?: boolean } = {},
): Promise<boolean> {
  const { options } = context;
  const path = await declarationsPath(options.root);
  if (path === undefined) return false;
  const kept = (text: string): Map<string, string> =>
    keep
      ? new Map([...parseBlocks(text)].filter(([one]) => isKnown(one, options)))
      : new Map<string, string>();
  const imports = [...new Set(specifiers)].filter((one) => !isCreditsSpecifier(one));
  const present = kept(await readFile(path, 'utf8').catch(() => ''));
  // A dev server does not describe hundreds of aliases again for each import that it sees.
  const aliases = Object.keys(options.aliases)
    .map((name) => `${ICON_PREFIX}${name}`)
    .filter((one) => !imports.includes(one) && !isAbout(present.get(one), one, options));
  const described = await Promise.all([
    ...imports.map((one) => describe(one, context).catch(() => undefined)),
    ...aliases.map((one) => describeAlias(one, context).catch(() => undefined)),
  ]);
  const blocks = toBlocks(described.filter((one) => one !== undefined));
  return writeDeclarations(path, (text) => new Map([...kept(text), ...blocks]));
}

/** Whether a declaration is about the icon for which an alias stands now. */
function isAbout(block: string | undefined, specifier: string, options: ResolvedOptions): boolean {
  const id = options.aliases[specifier.slice(ICON_PREFIX.length)];
  return block !== undefined && new RegExp(`icon ${id}\\b`).test(block);
}

function isKnown(specifier: string, options: ResolvedOptions): boolean {
  try {
    if (isSetSpecifier(specifier))
      for (const member of parseSet(specifier).members) parseRequest(member.specifier, options);
    else parseRequest(specifier, options);
    return true;
  } catch {
    return false;
  }
}

async function describe(specifier: string, context: LoadContext): Promise<Declaration> {
  if (!isSetSpecifier(specifier))
    return describeImport(specifier, parseRequest(specifier, context.options), context);
  const map = parseSet(specifier).members.map(({ key, specifier: member }) => {
    const value = formOf(parseRequest(member, context.options), context.options);
    return [key, value] as const;
  });
  return { specifier, form: { map } };
}

/** An alias that no source need import yet. It costs no call, and pins nothing. */
async function describeAlias(
  specifier: string,
  { pipeline, options }: LoadContext,
): Promise<Declaration> {
  const request = parseRequest(specifier, options);
  const form = formOf(request, options);
  const { iconLock } = pipeline;
  await iconLock.open();
  const key = keyOfRequest(request);
  const iconKey = iconLock.find(key) && parseLockKey(key);
  const isHere = iconKey && (await (await pipeline.assets()).hasBytes(iconKey));
  if (isHere) return describeImport(specifier, request, { pipeline, options });
  const record = iconLock.record(request.id);
  const name = nameOfId(request.id, options.catalog);
  const about =
    record === undefined
      ? {
          note: `${name === undefined ? '' : `${name}, `}icon ${request.id}, not in the lock file yet`,
        }
      : aboutOf(record);
  return { specifier, form, about };
}

/** This grey is visible on light and dark backgrounds. */
const PREVIEW_COLOR = '808080';
const PREVIEW_SIZE = '48';
/** The limit of a picture in bytes; editors show a comment as a whole. */
const LARGEST_PREVIEW = 6 * 1024;

/** An import with what the catalog knows about its icon, for the editor. It costs nothing if the icon was loaded. */
async function describeImport(
  specifier: string,
  request: IconRequest,
  { pipeline, options }: { pipeline: Pipeline; options: ResolvedOptions },
): Promise<Declaration> {
  const source = await pipeline.source(request);
  const about = aboutOf(source.record, previewOf(request, source));
  return { specifier, form: formOf(request, options), about };
}

function aboutOf(
  { id, term, creator, license_description: license }: IconRecord,
  preview?: string,
): NonNullable<Declaration['about']> {
  return { id, term, creator: creator.name, license, preview };
}

/** The type of the default export. */
function formOf(
  { as }: Pick<IconRequest, 'as'>,
  { framework }: Pick<ResolvedOptions, 'framework'>,
): DeclaredValue {
  if (as === 'meta') return 'record';
  if (as !== 'component') return 'text';
  // Only the project's own types can describe what the project's own function returns.
  if (typeof framework !== 'string') throw new TypeError('not known');
  return { component: `typeof import('unplugin-icon-catalog/types/${framework}').default` };
}

function previewOf({ id, color }: IconRequest, source: IconSource): string | undefined {
  if (source.kind === 'meta') return undefined;
  if (source.kind === 'png') return toDataUri('image/png', source.bytes);
  const markup = renderSvg(source.master, {
    id,
    color: color === 'currentColor' ? PREVIEW_COLOR : (color ?? PREVIEW_COLOR),
    size: PREVIEW_SIZE,
    title: null,
    class: null,
    isFile: true,
  });
  return toDataUri('image/svg+xml', Buffer.from(markup));
}

/** Base64 has no character that could end a comment or a picture in Markdown. */
function toDataUri(type: string, bytes: Uint8Array): string | undefined {
  if (bytes.length > LARGEST_PREVIEW) return undefined;
  return `data:${type};base64,${Buffer.from(bytes).toString('base64')}`;
}

const DECLARATIONS_FILE = 'icon-catalog.d.ts';

/** The path of a project's declarations; `undefined` if nothing would read them. An existing file keeps its place. */
async function declarationsPath(root: string): Promise<string | undefined> {
  const inRoot = join(root, DECLARATIONS_FILE);
  if (isThere(inRoot)) return inRoot;
  const names = ['tsconfig.json', 'jsconfig.json', `src/${DECLARATIONS_FILE}`];
  if (!names.some((name) => isThere(join(root, name)))) return undefined;
  const usual = isThere(join(root, 'src')) ? 'src/' : '';
  return join(root, await declarationsFolder(root, DECLARATIONS_FILE, usual), DECLARATIONS_FILE);
}

/**
 * Writes `icon-catalog.d.ts` if it would change.
 * @param path as `declarationsPath` returns it
 * @param blocksAfter the declarations, by the text of the file
 * @returns true if the file was written
 */
async function writeDeclarations(
  path: string,
  blocksAfter: (before: string) => Map<string, string>,
): Promise<boolean> {
  const before = await readFile(path, 'utf8').catch(() => '');
  const blocks = blocksAfter(before);
  if (renderDeclarations(blocks) === before || (before === '' && blocks.size === 0)) return false;
  await replacePackFile(path, (present) =>
    Buffer.from(renderDeclarations(blocksAfter(present?.toString() ?? ''))),
  );
  return true;
}
