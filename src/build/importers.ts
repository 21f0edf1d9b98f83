import { readFileSync } from 'node:fs';
import type { ModulePart } from '../emit/module-code.ts';
import { shortPath } from './failures.ts';
import { decode, type EmittedFile } from './search-outputs.ts';
import type { ManifestBuild } from '../types.ts';
import { isDefaultId, toDefaultId, toIconId } from '../request/key.ts';
import type { Session } from './session-interface.ts';

const QUOTED = /["'`]icon:/g;
const SPECIFIER = /(["'`])(icon:[^"'`\\\n]*)\1/g;
/** A default import and nothing besides, as transforms write it. */
const DEFAULT_IMPORT = /\bimport\s+[\w$]+\s*from\s*(["'])(icon:[^"'`\\\n]*)\1/g;

/**
 * True if a module certainly uses no more than the default exports of the icons that it imports. Whatever else
 * holds the word `icon:` in quotes, be it a string or a comment, makes it uncertain.
 *
 * @param code as it is parsed, after all transforms
 */
export function importsDefaultsOnly(code: string): boolean {
  return count(code, QUOTED) === count(code, DEFAULT_IMPORT);
}

/** How compiled templates (JSX, Svelte, Solid) and their sources write an attribute with an address. */
const ADDRESS = /\b(?:src|href|poster)["']? ?[:=] ?["'`]?(icon:[^"'`\\\s<>,)}]+)/g;
/** What is rendered ahead has its addresses replaced in the finished pages. */
const IN_PAGES = /\.(?:astro|mdx?|html?)(?:\?|$)/;

/**
 * Warnings about addresses of icons that a script hands to browsers as they are: only HTML, CSS and, with
 * Vite, Vue's templates have theirs replaced.
 *
 * @param id of the module, with its path
 * @param isOnRequest its pages are rendered for each request
 */
export function warningsOfAddresses(code: string, id: string, isOnRequest: boolean): string[] {
  if (!isOnRequest && IN_PAGES.test(id)) return [];
  const found = new Set(Array.from(code.matchAll(ADDRESS), ([, address = '']) => address));
  return [...found].map((address) => {
    // General types know a form where it is the last parameter.
    const isUrl = /[?&](?:as=)?url(?:&|$)/.test(address);
    const url = isUrl ? address : `${address}${address.includes('?') ? '&' : '?'}url`;
    return `\`${address}\` in ${shortPath(id.replace(/\?.*$/, ''))} is an address that no browser can load. Addresses are replaced in HTML, in style sheets and, with Vite, in templates of Vue; anywhere else, import the icon (\`import address from '${url}'\`) and write the name of the import.`;
  });
}

/** Bundlers that show a plugin no modules on their way, or at a cost that is above the gain. */
const WITHOUT_MODULES: ReadonlySet<string> = new Set(['bun', 'esbuild', 'farm', 'rspack']);

/** Images of a page of Vite's. */
const IMAGE =
  /<(?:img|link|source|video|input|use|image)\b[^>]*?\s(?:src|href|xlink:href|poster)\s*=\s*["']?\s*(icon:[^"'\s>]+)/gi;

/** The same warnings for finished scripts, where the modules were not seen, and for what was added to finished pages. */
export function warningsOfOutputs(
  outputs: Iterable<EmittedFile>,
  { bundler }: Pick<ManifestBuild, 'bundler'>,
): string[] {
  if (bundler === 'vite')
    return [...outputs].flatMap(({ fileName, content }) => {
      const html = fileName.endsWith('.html') ? decode(content) : '';
      const found = html.includes('icon:') ? html.matchAll(IMAGE) : [];
      return [...new Set(Array.from(found, ([, address = '']) => address))].map(
        (address) =>
          `\`${address}\` in ${fileName} is an address that no browser can load: it was put into the page after addresses were replaced. Let what adds it come earlier, in Vite's hook \`transformIndexHtml\` with \`order: 'pre'\`.`,
      );
    });
  if (!WITHOUT_MODULES.has(bundler)) return [];
  return [...outputs].flatMap(({ fileName, content }) => {
    const code = /\.[cm]?js$/.test(fileName) ? decode(content) : '';
    return code.includes('icon:') ? warningsOfAddresses(code, fileName, true) : [];
  });
}

function count(code: string, pattern: RegExp): number {
  let found = 0;
  pattern.lastIndex = 0;
  while (pattern.test(code)) found += 1;
  return found;
}

export interface ImporterScan {
  /** A build begins: files may have changed. */
  begin(): void;
  /**
   * The id of the module for an import: that of the default export alone if the importer's file shows that it uses no
   * more of this icon.
   *
   * @param icon what `Session.resolve` gave
   * @param importer a path, or whatever names a module that is no file
   */
  idOf(icon: string, specifier: string, importer: string): string;
}

/** For bundlers that do not say which exports an import uses, and show no plugin the code that they parse. */
export function createImporterScan(session: Pick<Session, 'isSplittable'>): ImporterScan {
  let defaults = new Map<string, ReadonlySet<string>>();

  function defaultsOf(importer: string): ReadonlySet<string> {
    const known = defaults.get(importer) ?? defaultImports(readCode(importer));
    defaults.set(importer, known);
    return known;
  }

  return {
    begin() {
      defaults = new Map();
    },
    idOf(icon, specifier, importer) {
      const isEnough = defaultsOf(importer).has(specifier) && session.isSplittable(icon);
      return isEnough ? toDefaultId(icon) : icon;
    },
  };
}

/** Specifiers that stand in quotes in default imports and nowhere else. */
export function defaultImports(code: string): ReadonlySet<string> {
  const counts = new Map<string, number>();
  for (const [, , specifier = ''] of code.matchAll(DEFAULT_IMPORT))
    counts.set(specifier, (counts.get(specifier) ?? 0) + 1);
  if (counts.size === 0) return new Set();
  for (const [, , specifier = ''] of code.matchAll(SPECIFIER)) {
    const count = counts.get(specifier);
    if (count !== undefined) counts.set(specifier, count - 1);
  }
  return new Set([...counts].flatMap(([specifier, others]) => (others === 0 ? [specifier] : [])));
}

function readCode(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** The arguments of `Session.load` for a module of a build in which importers were scanned. */
export function toLoad(id: string): { icon: string; part: ModulePart } {
  return { icon: toIconId(id), part: isDefaultId(id) ? 'value' : { valueFrom: toDefaultId(id) } };
}
