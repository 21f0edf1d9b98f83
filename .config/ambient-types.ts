import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';

/** Forms that are no components are recognised by the end of the specifier. */
const TEXTS = [
  'as=svg',
  'as=url',
  'as=data',
  'as=sprite',
  '?raw',
  '&raw',
  '?url',
  '&url',
  '?inline',
  '&inline',
  '?sprite',
  '&sprite',
  'filetype=png',
];
const CREDIT = `export const credit: import('unplugin-icon-catalog/client').Credit;`;
const ICON = `export const icon: import('unplugin-icon-catalog/client').IconInfo;`;

const textModule = (ending: string): string => `
declare module 'icon:*${ending}' {
  const content: string;
  export default content;
  ${CREDIT}
  ${ICON}
}
`;

/** Stands at the top of the types of one framework, whose own part is in `src/types`. */
const header = (framework: string): string => `/// <reference path="./ambient/${framework}.d.ts" />

/**
 * Ambient types of \`icon:\` imports with \`framework: '${framework}'\`, in place of \`unplugin-icon-catalog/types\`. In tsconfig.json:
 *
 *     { "compilerOptions": { "types": ["unplugin-icon-catalog/types/${framework}"] } }
 */
`;

const ambient = (framework: string): string => `/// <reference path="./forms.d.ts" />
/// <reference path="./texts.d.ts" />

declare module 'icon:set?*' {
  /** Components by the names in \`ids\`. \`icon-catalog sync\` and Vite's dev server write exact types. */
  const icons: Readonly<
    Record<string, typeof import('unplugin-icon-catalog/types/${framework}').default | undefined>
  >;
  export default icons;
}

declare module 'icon:*' {
  /** A component of the option \`framework: '${framework}'\`. */
  const component: typeof import('unplugin-icon-catalog/types/${framework}').default;
  export default component;
  /** The icon's credit. Costs nothing where it is not used. */
  ${CREDIT}
  /** Id, name, creator, licence and address of the icon. Costs nothing where it is not used. */
  ${ICON}
}
`;

/** The published declaration files, by their paths in `dist`. */
export function ambientTypes(): Record<string, string> {
  const read = (path: string): string => readFileSync(path, 'utf8');
  const names = readdirSync('src/types')
    .filter((name) => name.endsWith('.d.ts'))
    .map((name) => basename(name, '.d.ts'));
  const files: Record<string, string> = {
    'types/ambient/forms.d.ts': read('src/types/ambient/forms.d.ts'),
    'types/ambient/texts.d.ts': `/** Forms that are no components: recognised where they end the specifier. */\n${TEXTS.map(textModule).join('')}`,
  };
  for (const name of names) {
    const isFramework = name !== 'index' && name !== 'credits';
    const own = read(`src/types/${name}.d.ts`);
    files[`types/${name}.d.ts`] = isFramework ? header(name) + own : own;
    if (isFramework) files[`types/ambient/${name}.d.ts`] = ambient(name);
  }
  return files;
}
