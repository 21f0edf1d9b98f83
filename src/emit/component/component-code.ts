import type { Framework } from '../../component.ts';
import { astro, lit, solid, svelte, webComponent } from './markup-runtimes.ts';
import { type ComponentRuntime, RUNTIME_SPECIFIER, UNIQUE_SPECIFIER } from './component-types.ts';
import { preact, qwik, react, vue } from './tree-runtimes.ts';

/** True for the value of a component, as `emitComponent` writes it: values of other forms are no arrays. */
export function isComponentValue(value: string): boolean {
  return value.startsWith('[');
}

/**
 * The default export of a component's module.
 * @param displayName what developer tools call it
 */
export function componentCode(value: string, displayName?: string): string {
  const isUnique = value.startsWith('[1');
  const [name, from] = isUnique
    ? ['createUniqueIcon', UNIQUE_SPECIFIER]
    : ['createIcon', RUNTIME_SPECIFIER];
  const made = call(name, value);
  const named =
    displayName === undefined
      ? made
      : `/* @__PURE__ */ Object.assign(${made}, ${JSON.stringify({ displayName })})`;
  return `import { ${name} } from "${from}";\nexport default ${named};\n`;
}

/** Code of a module that components share; `undefined` for every other specifier. */
export function runtimeCode(specifier: string, framework: Framework): string | undefined {
  const { base, unique } = runtimeByFramework[framework];
  if (specifier === RUNTIME_SPECIFIER) return base;
  return specifier === UNIQUE_SPECIFIER ? unique : undefined;
}

/**
 * The module of a component that shares nothing.
 * @param code of a module whose first lines are those of `componentCode`
 */
export function withRuntime(code: string, framework: Framework): string {
  const { base, unique } = runtimeByFramework[framework];
  const shared = [base, ...(code.includes(UNIQUE_SPECIFIER) ? [unique] : [])].join('');
  const lines = [...shared.split('\n'), ...code.split('\n')].filter(
    (line) => !line.includes(`"${RUNTIME_SPECIFIER}"`) && !line.includes(`"${UNIQUE_SPECIFIER}"`),
  );
  const isImport = (line: string): boolean => line.startsWith('import ');
  const body = lines.filter((line) => !isImport(line));
  return [
    ...joinImports(lines.filter(isImport)),
    ...body.map((line) => line.replace(/^export const (?!credit |icon )/, 'const ')),
  ].join('\n');
}

/** One import a module, of each name once: a script that imports a name twice is none. */
function joinImports(lines: readonly string[]): string[] {
  const namesByModule = new Map<string, Set<string>>();
  for (const line of lines) {
    const [, names, from] = /^import \{ (.+) \} from '(.+)';$/.exec(line) ?? [];
    if (names === undefined || from === undefined)
      throw new TypeError(`A runtime imports in a form that is not known: ${line}`);
    const known = namesByModule.get(from) ?? new Set();
    namesByModule.set(from, known);
    for (const name of names.split(', ')) known.add(name);
  }
  return [...namesByModule].map(
    ([from, names]) => `import { ${[...names].join(', ')} } from '${from}';`,
  );
}

function call(name: string, value: string): string {
  // The array's first item says which of the two functions it is for.
  return `/* @__PURE__ */ ${name}(${value.slice('[0,'.length, -1)})`;
}

export const runtimeByFramework: Readonly<Record<Framework, ComponentRuntime>> = {
  react,
  preact,
  vue,
  solid,
  svelte,
  lit,
  'web-component': webComponent,
  astro,
  qwik,
};
