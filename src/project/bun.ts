import { SECTION_OF_PAGES } from './build-tools.ts';
import type { ProjectShape } from './detect.ts';
import type { Folder, InitStep } from './init-steps.ts';
import { quoted, type Spliced } from './splice-config.ts';

const ENTRY = 'unplugin-icon-catalog/bun';
const BUNFIG = 'bunfig.toml';

/** Lets the pages that Bun serves have icons. */
export async function addToBunfig(project: Folder, what: string): Promise<InitStep> {
  const lines = [`[${SECTION_OF_PAGES}]`, `plugins = ["${ENTRY}"]`];
  const source = await project.read(BUNFIG);
  if (source === undefined) return project.create(BUNFIG, what, `${lines.join('\n')}\n`);
  return project.save(BUNFIG, what, addToPages(source), lines);
}

/** Only one line is new. A list of plugins over several lines, and every other way to write a section, is left as it is. */
function addToPages(source: string): Spliced {
  if (source.includes('unplugin-icon-catalog')) return { text: source, isNew: false };
  const lines = source.split('\n');
  const start = lines.findIndex((line) => line.trim() === `[${SECTION_OF_PAGES}]`) + 1;
  if (start === 0) {
    if (/^\s*(?:serve\b|static\b|\[\s*serve\b)/m.test(source)) return undefined;
    const before = source.trim() === '' ? '' : `${source.trimEnd()}\n\n`;
    return { text: `${before}[${SECTION_OF_PAGES}]\nplugins = ["${ENTRY}"]\n`, isNew: true };
  }
  const next = lines.findIndex((line, at) => at >= start && line.trimStart().startsWith('['));
  const end = next === -1 ? lines.length : next;
  const at = lines.findIndex(
    (line, index) => index >= start && index < end && /^\s*plugins\s*=/.test(line),
  );
  if (at === -1) lines.splice(start, 0, `plugins = ["${ENTRY}"]`);
  else {
    const [, head = '', items = '', tail = ''] =
      /^(\s*plugins\s*=\s*\[)([^[\]]*)(\]\s*(?:#.*)?)$/.exec(lines[at] ?? '') ?? [];
    if (head === '') return undefined;
    const others = items.trim().replace(/,$/, '');
    lines[at] = `${head}${others === '' ? '' : `${others}, `}"${ENTRY}"${tail}`;
  }
  return { text: lines.join('\n'), isNew: true };
}

/** What is left to do where Bun serves pages, or builds from the command line, which takes no plugins. */
export async function addToBun(
  { tool, files, manifest, usesTypeScript }: ProjectShape,
  project: Folder,
): Promise<InitStep[]> {
  const steps: InitStep[] = [];
  const bunfig = tool?.isToml ? undefined : await project.read(BUNFIG);
  if (bunfig?.includes(`[${SECTION_OF_PAGES}]`))
    steps.push(await addToBunfig(project, 'the plugin, for pages that Bun serves'));
  const [name, command = ''] =
    Object.entries(manifest.scripts).find(([, text]) => /\bbun build\s/.test(text)) ?? [];
  if (name === undefined) return steps;
  const script = usesTypeScript ? 'build.ts' : 'build.mjs';
  const what = `\`Bun.build\` in place of \`bun build\`, which takes no plugins`;
  const text = buildScript(command);
  // As it stands in package.json.
  const [before, after] = [command, `bun ${script}`].map((each) => JSON.stringify(each));
  const { text: whole = '' } = manifest;
  const changed = whole.replace(`"${name}": ${before}`, () => `"${name}": ${after}`);
  if (text === undefined || files.has(script) || changed === whole) {
    const lines = [`import iconCatalog from '${ENTRY}';`, 'plugins: [iconCatalog()],'];
    return [...steps, { file: script, what, status: 'by hand', lines }];
  }
  steps.push(await project.create(script, what, text));
  const spliced = { text: changed, isNew: true };
  return [...steps, await project.save('package.json', `runs ${script}`, spliced, [])];
}

const STYLE = { quote: "'", end: ';', indent: '  ' };
const literal = (value: string): string =>
  quoted(value.replaceAll(/['\\]/g, String.raw`\$&`), STYLE);

/** Options of `Bun.build` by the flags of `bun build`, which have a value, may have one, or have none. */
const WITH_VALUE: Readonly<Record<string, string>> = {
  outdir: 'outdir',
  target: 'target',
  format: 'format',
  env: 'env',
  root: 'root',
  'public-path': 'publicPath',
};
const WITHOUT_VALUE: ReadonlySet<string> = new Set(['minify', 'splitting']);

/** @returns `undefined` for flags that are not known, and for more than one command */
function buildScript(command: string): string | undefined {
  const [bun, build, ...words] = wordsOf(command) ?? [];
  if (bun !== 'bun' || build !== 'build') return undefined;
  const entries: string[] = [];
  const define: string[] = [];
  const options = new Map<string, string>();
  while (words.length > 0) {
    const word = words.shift() ?? '';
    if (!word.startsWith('-')) {
      entries.push(word);
      continue;
    }
    const [, flag = '', given] = /^--([\w-]+)(?:[=:](.*))?$/s.exec(word) ?? [];
    const name = WITH_VALUE[flag];
    if (name !== undefined) options.set(name, literal(given ?? words.shift() ?? ''));
    else if (flag === 'sourcemap') options.set(flag, literal(given ?? 'linked'));
    else if (WITHOUT_VALUE.has(flag) && given === undefined) options.set(flag, 'true');
    else if (flag === 'define' && given?.includes('=')) {
      const [key = '', ...value] = given.split('=');
      define.push(`${literal(key)}: ${literal(value.join('='))}`);
    } else return undefined;
  }
  if (entries.length === 0 || !options.has('outdir')) return undefined;
  if (define.length > 0) options.set('define', `{ ${define.join(', ')} }`);
  const lines = [
    `entrypoints: [${entries.map(literal).join(', ')}]`,
    ...Array.from(options, ([name, value]) => `${name}: ${value}`),
    'plugins: [iconCatalog()]',
  ];
  const body = lines.map((line) => `  ${line},\n`).join('');
  return `import iconCatalog from '${ENTRY}';\n\nawait Bun.build({\n${body}});\n`;
}

/** The words of one command without variables, as a shell takes them. */
function wordsOf(command: string): string[] | undefined {
  if (/[&|;<>$`\n]/.test(command.replaceAll(/'[^']*'/g, ''))) return undefined;
  return Array.from(command.matchAll(/(?:'[^']*'|"(?:\\.|[^"\\])*"|\\.|[^\s'"\\])+/g), ([word]) =>
    word.replaceAll(/'([^']*)'|"((?:\\.|[^"\\])*)"|\\(.)/g, (_, plain, double, escaped) =>
      String(plain ?? double?.replaceAll(/\\(.)/g, '$1') ?? escaped),
    ),
  );
}
