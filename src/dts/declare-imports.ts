import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ResolvedOptions } from '../options/resolve-options.ts';
import type { LoadContext } from '../pipeline/load.ts';
import type { Pipeline } from '../pipeline/pipeline.ts';
import type { IconSource } from '../pipeline/sources.ts';
import { isCreditsSpecifier } from '../request/key.ts';
import { parseRequest } from '../request/parse-request.ts';
import { isSetSpecifier, parseSet } from '../request/query.ts';
import { replacePackFile } from '../store/files.ts';
import { renderSvg } from '../svg/render-svg.ts';
import type { IconRequest } from '../types.ts';
import {
  type Declaration,
  type DeclaredValue,
  parseBlocks,
  renderDeclarations,
  toBlocks,
} from './render-declarations.ts';

/**
 * Declares imports for TypeScript, spelled as written, if the project uses it. An icon that is unavailable is left out:
 * the error appears at its import.
 * @param options.keep keeps existing declarations. @default true
 * @returns true if `icon-catalog.d.ts` was written
 */
export async function declareImports(
  specifiers: Iterable<string>,
  context: LoadContext,
  { keep = true }: { keep?: boolean } = {},
): Promise<boolean> {
  const path = await declarationsPath(context.options.root);
  if (path === undefined) return false;
  const described = await Promise.all(
    [...new Set(specifiers)]
      .filter((specifier) => !isCreditsSpecifier(specifier))
      .map((specifier) => describe(specifier, context).catch(() => undefined)),
  );
  const known = described.filter((one) => one !== undefined);
  return writeDeclarations(path, known, { keep });
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
  const { id, term, creator, license_description } = source.record;
  return {
    specifier,
    form: formOf(request, options),
    about: {
      id,
      term,
      creator: creator.name,
      license: license_description,
      preview: previewOf(request, source),
    },
  };
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

/**
 * The path of a project's declarations; `undefined` if nothing would read them. A configuration of TypeScript includes
 * `src` if there is such a folder, and often nothing else. An existing file keeps its place.
 */
async function declarationsPath(root: string): Promise<string | undefined> {
  const inRoot = join(root, DECLARATIONS_FILE);
  const inSources = join(root, 'src', DECLARATIONS_FILE);
  if (await isReadable(inRoot)) return inRoot;
  const names = ['tsconfig.json', 'jsconfig.json', `src/${DECLARATIONS_FILE}`];
  const readable = await Promise.all(names.map((name) => isReadable(join(root, name))));
  if (!readable.includes(true)) return undefined;
  return (await isReadable(join(root, 'src'))) ? inSources : inRoot;
}

function isReadable(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

/**
 * Writes `icon-catalog.d.ts` if it would change.
 * @param path as `declarationsPath` returns it
 * @param options.keep keeps what the file already declares: a dev server knows only the imports it has seen
 * @returns true if the file was written
 */
async function writeDeclarations(
  path: string,
  declarations: readonly Declaration[],
  { keep }: { keep: boolean },
): Promise<boolean> {
  const blocks = toBlocks(declarations);
  const render = (before: string): string =>
    renderDeclarations(keep ? new Map([...parseBlocks(before), ...blocks]) : blocks);
  const before = await readFile(path, 'utf8').catch(() => '');
  if (render(before) === before || (before === '' && blocks.size === 0)) return false;
  await replacePackFile(path, (present) => Buffer.from(render(present?.toString() ?? '')));
  return true;
}
