import { detectProject, isNamed, isWorkspace, type ProjectShape } from '../../project/detect.ts';
import { installLine, RUNNERS } from '../../project/package-manager.ts';
import type { InitStep } from '../../project/init-steps.ts';
import { idOfName } from '../../request/reference.ts';
import { Cancelled } from '../host.ts';
import {
  flag,
  value,
  type Cli,
  type CliBody,
  type Given,
  refused,
  UsageError,
} from '../command.ts';
import { padText, widthOf } from '../terminal.ts';

export const initCommand: CliBody = {
  args: {
    remote: flag('Use a catalog with an account instead of installed icon sets'),
    set: value('prefix', 'The icon set of the example (default: one that is installed, or tabler)'),
    icon: value('icon', 'The icon of the example: tabler/star, or an id of the catalog'),
    'no-example': flag('Add no icon to a source file'),
    yes: flag('Ask nothing', 'y'),
    'dry-run': flag('Show the changes, and write nothing'),
  },
  examples: ['init', 'init --yes', 'init --remote', 'init --icon tabler/heart --dry-run'],
  async run(given, cli) {
    const { initProject } = await import('../../project/init.ts');
    const { findIconifySets } = await import('../../server/installed-sets.ts');
    const shape = await detectProject(cli.host.cwd);
    if (shape.manifest.text === undefined && shape.config === undefined)
      throw new Error(
        'There is no package.json in this folder.\n  Run `icon-catalog init` in the folder of a project, or make one: npm create vite@latest.',
      );
    if (!isBuiltHere(shape) && (await isWorkspace(shape.root)))
      throw new Error(
        'This folder is the root of a workspace, and no bundler is configured in it. Nothing was written.\n  Run `icon-catalog init` in the folder of the package that a bundler builds.',
      );
    const icon = readIcon(given.text('icon'));
    cli.note(describeShape(shape));
    const isRemote = await wantsRemote(given, cli);
    const installed = findIconifySets(cli.host.cwd);
    const set = isRemote
      ? ''
      : await chooseSet(given, cli, { icon, installed: [...installed.keys()] });
    const specifier =
      icon ?? (isRemote ? undefined : `${set}/${await sampleOf(installed.get(set))}`);
    const isShown = specifier !== undefined && (await wantsExample(given, cli, specifier));
    const isDry = given.flag('dry-run');
    const steps = await initProject(shape, {
      isRemote,
      isDry,
      example: isShown
        ? { specifier: `icon:${specifier}`, name: componentName(specifier) }
        : undefined,
    });
    const missing = [
      ...(isNamed(shape.manifest, 'unplugin-icon-catalog') ? [] : ['unplugin-icon-catalog']),
      ...(isRemote || installed.has(set) ? [] : [`@iconify-json/${set}`]),
    ];
    const next = nextCommands(shape, {
      isRemote,
      example: isShown ? specifier : undefined,
      missing,
    });
    cli.result({ steps, next: next.map(([command]) => command), dryRun: isDry }, () =>
      renderSteps(steps, cli),
    );
    const todo = steps.filter(({ status }) => status === 'by hand').length;
    cli.note(
      steps.every(({ status }) => status === 'unchanged')
        ? 'Nothing had to change. Next:'
        : todo === 0
          ? 'Next:'
          : 'The files marked “by hand” were left as they are: add their lines yourself. Next:',
    );
    const width = Math.max(...next.map(([command]) => widthOf(command)));
    for (const [command, why] of next)
      cli.host.stderr.write(`  ${padText(command, width)}  ${cli.paint('dim', why)}\n`);
  },
};

/** The root of a workspace has the bundlers of its packages as dependencies, too, and no configuration of them. */
function isBuiltHere({ tool, config, pluginless, manifest, files }: ProjectShape): boolean {
  if (config !== undefined || files.has('index.html')) return true;
  const scripts = Object.values(manifest.scripts).join('\n');
  return (
    pluginless !== undefined || (tool && new RegExp(`\\b${tool.id}\\b`).test(scripts)) === true
  );
}

function nextCommands(
  { manager, manifest, tool, pluginless }: ProjectShape,
  {
    isRemote,
    example,
    missing,
  }: {
    isRemote: boolean;
    example: string | undefined;
    missing: readonly string[];
  },
): [command: string, why: string][] {
  const script = ['dev', 'start', 'build'].find((name) => manifest.scripts[name] !== undefined);
  const install: [string, string][] =
    missing.length === 0 ? [] : [[installLine(manager, missing), 'to install what is missing']];
  // Commands read the file all the same.
  const hint =
    tool !== undefined && WITHOUT_ENV.has(tool.id)
      ? `; ${tool.title} does not read them there: set them in the environment of the build`
      : '';
  const secrets: [string, string][] = isRemote
    ? [['cp .env.example .env.local', `and fill in address, key and secret${hint}`]]
    : [];
  const run: [string, string][] =
    script === undefined || tool === undefined || example === undefined
      ? []
      : [[`${manager} run ${script}`, 'to see the icon']];
  const runner = `${RUNNERS[manager]} icon-catalog`;
  const files: [string, string][] =
    pluginless === undefined || example === undefined
      ? []
      : [
          [
            `${runner} emit ${example} --out src/icons`,
            `to write the icon as a file: ${pluginless} takes no plugins`,
          ],
        ];
  return [
    ...install,
    ...secrets,
    ...run,
    ...files,
    [`${runner} browse`, `to see ${example === undefined ? 'icons' : 'others'} and take them`],
    [`${runner} search heart`, 'to find them in the terminal'],
    [`${runner} attribution check`, 'after a build, to check its credits'],
  ];
}

/** Tools that read no `.env` files. */
const WITHOUT_ENV: ReadonlySet<string> = new Set([
  'rollup',
  'rolldown',
  'webpack',
  'rspack',
  'docusaurus',
  'rspress',
  'esbuild',
  'tsup',
  'tsdown',
]);

function readIcon(written: string | undefined): string | undefined {
  const icon = written?.replace(/^icon:/, '');
  if (icon === undefined || /^\d{1,16}$/.test(icon) || idOfName(icon) !== undefined) return icon;
  throw refused('--icon', 'a name such as tabler/star or an id', written);
}

function describeShape({
  tool,
  pluginless,
  framework,
  usesTypeScript,
  manager,
}: ProjectShape): string {
  const parts = [
    tool?.title ?? pluginless ?? 'no known bundler',
    framework === undefined || pluginless !== undefined || framework === tool?.id
      ? ''
      : titleOf(framework),
    usesTypeScript ? 'TypeScript' : 'JavaScript',
    manager,
  ];
  return `Found: ${parts.filter(Boolean).join(', ')}.`;
}

const mayAsk = (given: Given, { host }: Cli): boolean => host.canAsk && !given.flag('yes');

/** @throws Cancelled if there is no answer: what is written depends on it */
async function ask({ host }: Cli, question: string): Promise<string> {
  const answer = await host.ask(question);
  if (answer === undefined) throw new Cancelled('The input has ended.');
  return answer;
}

async function wantsRemote(given: Given, cli: Cli): Promise<boolean> {
  if (given.flag('remote')) return true;
  const asked = given.text('set') !== undefined || given.text('icon') !== undefined;
  if (asked || !mayAsk(given, cli)) return false;
  const answer = await ask(
    cli,
    'Icons from (1) icon sets that are installed here, or (2) a catalog with an account? [1]',
  );
  if (/^[12]?$/.test(answer)) return answer === '2';
  throw new UsageError(
    `The answer is 1 or 2, and not ${JSON.stringify(answer)}. Nothing was written.`,
  );
}

/** Sets of the usual kind of drawing, the ones that most people mean first. */
const USUAL = ['tabler', 'lucide', 'mdi', 'ph', 'heroicons', 'bi', 'carbon'];

async function chooseSet(
  given: Given,
  cli: Cli,
  { icon, installed }: { icon: string | undefined; installed: readonly string[] },
): Promise<string> {
  const named = given.text('set') ?? icon?.split('/')[0];
  if (named !== undefined) return named.replace(/^@iconify-json\//, '');
  const usual = USUAL.find((set) => installed.includes(set)) ?? installed[0] ?? 'tabler';
  if (!mayAsk(given, cli)) return usual;
  const answer = await ask(cli, `Which icon set? [${usual}]`);
  return /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(answer) ? answer : usual;
}

const SAMPLES = ['star', 'heart', 'home', 'house', 'bell', 'sun'];

async function sampleOf(folder: string | undefined): Promise<string> {
  const { readSetNames } = await import('../../server/installed-sets.ts');
  const names = folder === undefined ? SAMPLES : readSetNames(folder).listed;
  return SAMPLES.find((name) => names.includes(name)) ?? names[0] ?? 'star';
}

async function wantsExample(given: Given, cli: Cli, specifier: string): Promise<boolean> {
  if (given.flag('no-example')) return false;
  if (!mayAsk(given, cli)) return true;
  return !/^n/i.test(await ask(cli, `Put ${specifier} into a page as an example? [Y/n]`));
}

const titleOf = (word: string): string => `${word.charAt(0).toUpperCase()}${word.slice(1)}`;

/** `Star` for tabler/star, `Icon123` for 123. */
function componentName(specifier: string): string {
  const [name = ''] = specifier.split('/').slice(-1);
  const words = name.split(/[^\p{L}\p{N}]+/u).filter(Boolean);
  const joined = words.map(titleOf).join('');
  return /^\p{L}/u.test(joined) ? joined : `Icon${joined}`;
}

function renderSteps(steps: readonly InitStep[], { paint }: Pick<Cli, 'paint'>): string {
  const [status, file] = [
    Math.max(...steps.map((step) => widthOf(step.status))),
    Math.max(...steps.map((step) => widthOf(step.file))),
  ];
  return steps
    .map((step) => {
      const color =
        step.status === 'by hand' ? 'yellow' : step.status === 'unchanged' ? 'dim' : 'green';
      const head = `  ${paint(color, padText(step.status, status))}  ${padText(step.file, file)}  ${step.what}`;
      const lines = (step.lines ?? []).map((line) => `${' '.repeat(status + 6)}${line}`);
      return [head.trimEnd(), ...(step.status === 'by hand' ? lines : [])].join('\n');
    })
    .join('\n');
}
