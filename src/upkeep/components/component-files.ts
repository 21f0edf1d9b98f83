import { renderMarkdown } from '../../attribution/render-markdown.ts';
import { renderJson } from '../../attribution/render-json.ts';
import type { Framework } from '../../component.ts';
import { componentCode, runtimeCode } from '../../emit/component/component-code.ts';
import { RUNTIME_SPECIFIER, UNIQUE_SPECIFIER } from '../../emit/component/component-types.ts';
import { recordExports, type ModuleParts } from '../../emit/module-code.ts';
import type { Manifest } from '../../types.ts';

/** A component that goes into a file of its own. */
export interface WrittenIcon {
  /** `ThemeLight` */
  name: string;
  parts: ModuleParts;
}

const FILES = { [RUNTIME_SPECIFIER]: 'runtime.js', [UNIQUE_SPECIFIER]: 'unique.js' };
/** Frameworks whose developer tools call a component by its `displayName`. */
const WITH_DISPLAY_NAME: ReadonlySet<Framework> = new Set(['react', 'preact', 'vue']);
const NOTE =
  '// Written by `icon-catalog emit`, which also takes it away again: changes here are lost.\n';

/**
 * A folder of components that needs no plugin: one file an icon, an index that bundlers shake, types, credits.
 *
 * @returns text by file name
 */
export function componentFiles(
  icons: readonly WrittenIcon[],
  { framework, manifest }: { framework: Framework; manifest: Manifest },
): Map<string, string> {
  const sorted = icons.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const names = sorted.map(({ name }) => name);
  const files = new Map<string, string>();
  for (const { name, parts } of sorted) {
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

/** All icons of a framework have one type. */
function typesOf(names: readonly string[], framework: Framework): string {
  return `import type Icon from 'unplugin-icon-catalog/types/${framework}';

${names.map((name) => `export declare const ${name}: typeof Icon;\n`).join('')}`;
}

/** Shared modules are files beside the icons here. */
function own(code: string): string {
  return Object.entries(FILES).reduce(
    (text, [specifier, file]) => text.replaceAll(`"${specifier}"`, `"./${file}"`),
    code,
  );
}
