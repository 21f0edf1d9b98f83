import { dirname, relative } from 'node:path';
import type * as Doctor from '../../project/doctor.ts';
import type { ProjectShape } from '../../project/detect.ts';
import {
  flag,
  type Cli,
  type CliBody,
  type Given,
  PROJECT_ARGS,
  counted,
  type OpenProject,
} from '../command.ts';
import { openProject } from '../open-project.ts';
import { padText, toPlainText, widthOf, wrapText } from '../terminal.ts';

export const doctorCommand: CliBody = {
  args: {
    offline: flag('Ask the catalog nothing: clock, key and quota are not checked'),
    ...PROJECT_ARGS,
  },
  examples: ['doctor', 'doctor --json', 'doctor --offline'],
  async run(given, cli) {
    const { detectProject } = await import('../../project/detect.ts');
    const doctor = await import('../../project/doctor.ts');
    const { checkFiles, checkInstallation, failed } = doctor;
    const opening = openProject(given, cli);
    const shape = await detectProject(await folderOf(opening, cli.host.cwd));
    const checks = await checkInstallation(shape);
    try {
      const project = await opening;
      checks.push(checkOptions(project, doctor));
      checks.push(...(await checkCatalog(given, { cli, project, shape, doctor })));
      checks.push(...(await checkFiles(project.options, project.log)));
    } catch (error) {
      checks.push(failed('options', error));
    }
    const problems = checks.filter(({ status }) => status === 'problem');
    const failure =
      problems.length === 0
        ? undefined
        : new Error(
            `${counted(problems.length, 'check')} found a problem: ${problems.map(({ name }) => name).join(', ')}.\n  Do what stands below each problem, and run \`npx icon-catalog doctor\` again.`,
          );
    cli.result({ ok: failure === undefined, checks }, () => renderChecks(checks, cli), failure);
    const warnings = checks.filter(({ status }) => status === 'warning').length;
    if (failure === undefined)
      cli.note(
        warnings === 0 ? 'All is well.' : `No problem, and ${counted(warnings, 'warning')}.`,
      );
    if (failure === undefined) cli.next('Find an icon: npx icon-catalog search home');
  },
};

type Check = Doctor.Check;

interface Context {
  cli: Cli;
  project: OpenProject;
  shape: ProjectShape;
  doctor: typeof Doctor;
}

/** The folder of the command, or that of the package around it which has the options. */
async function folderOf(opening: Promise<OpenProject>, cwd: string): Promise<string> {
  const config = await opening.then(
    (project) => project.config,
    () => undefined,
  );
  return config !== undefined && relative(cwd, config).startsWith('..') ? dirname(config) : cwd;
}

function checkOptions(
  { options: { source = '', mode }, config }: OpenProject,
  doctor: Context['doctor'],
): Check {
  const said = source.charAt(0).toUpperCase() + source.slice(1);
  if (config === undefined)
    return doctor.warning(
      'options',
      `${said}.`,
      'Run `npx icon-catalog init`, or name the file with --config.',
    );
  return doctor.ok('options', `${said}; the mode is ${mode}.`);
}

async function checkCatalog(given: Given, context: Context): Promise<Check[]> {
  const { problem, ok, notChecked } = context.doctor;
  const { catalog, mode } = context.project.options;
  if (catalog.kind === 'none')
    return [
      problem(
        'catalog',
        catalog.reason,
        "Set them in .env.local, or use installed icon sets: `catalog: 'embedded'` in the options, or --embedded.",
      ),
    ];
  if (catalog.kind === 'embedded') return [await checkSets(context)];
  const address = ok('catalog', new URL(catalog.baseUrl).origin);
  if (given.flag('offline') || mode === 'offline') {
    const message = mode === 'offline' ? 'The mode is offline.' : 'Left out by --offline.';
    return [address, notChecked('clock', message), notChecked('key', message)];
  }
  return [address, await checkClock(catalog.baseUrl, context), ...(await checkKey(context))];
}

async function checkSets({
  project: { options },
  shape: { manager },
  doctor: { ok, problem },
}: Context): Promise<Check> {
  const { installLine } = await import('../../project/package-manager.ts');
  const { findIconifySets } = await import('../../server/installed-sets.ts');
  const name = 'catalog';
  const embedded = options.catalog.kind === 'embedded' ? options.catalog.embedded : {};
  const installed = [...findIconifySets(embedded.root ?? options.root).keys()];
  const missing = (embedded.sets ?? [])
    .map((set) => set.replace(/^@iconify-json\//, ''))
    .filter((set) => !installed.includes(set));
  const folders = (embedded.folders ?? []).map((one) => (typeof one === 'string' ? one : one.path));
  const wanted = missing.length > 0 ? missing : ['tabler'];
  if (missing.length > 0 || (installed.length === 0 && folders.length === 0))
    return problem(
      name,
      `The embedded catalog has no icons: ${missing.length > 0 ? `${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} not installed` : 'no icon set is installed'}.`,
      `Run \`${installLine(
        manager,
        wanted.map((set) => `@iconify-json/${set}`),
      )}\`.`,
    );
  const sets = [...(embedded.sets ?? installed), ...folders];
  return ok(name, `embedded, ${counted(sets.length, 'icon set')}: ${sets.slice(0, 8).join(', ')}`);
}

/** Signatures are refused if the clocks differ by more; services allow about five minutes. */
const SKEW = 120_000;
const TIMEOUT = 5000;

async function checkClock(
  baseUrl: string,
  { cli: { host }, doctor: { ok, problem, notChecked } }: Context,
): Promise<Check> {
  const { createHttpWire } = await import('../../catalog/wire.ts');
  const wire = createHttpWire({ concurrency: 1, env: host.env });
  const name = 'clock';
  try {
    const before = host.now();
    const response = await wire.send({
      method: 'GET',
      url: new URL(baseUrl),
      headers: {},
      body: undefined,
      signal: AbortSignal.timeout(TIMEOUT),
    });
    const there = Date.parse(response.header('date') ?? '');
    if (Number.isNaN(there)) return notChecked(name, 'The catalog states no time.');
    const off = Math.round((before - there) / 1000);
    const seconds = counted(Math.abs(off), 'second');
    if (Math.abs(off) * 1000 < SKEW) return ok(name, `${seconds} from the catalog's`);
    return problem(
      name,
      `This machine's clock is ${seconds} ${off > 0 ? 'ahead of' : 'behind'} that of the catalog, which then refuses signatures.`,
      'Set the clock, or turn on its synchronisation.',
    );
  } catch {
    return problem(
      name,
      'The catalog cannot be reached.',
      'Check the network, a proxy (HTTPS_PROXY), and ICON_CATALOG_URL.',
    );
  } finally {
    await wire.close();
  }
}

/** Of the calls of a month, what is left when it is time to look. */
const LOW = 0.05;

async function checkKey({ cli, doctor: { ok, warning, failed } }: Context): Promise<Check[]> {
  try {
    const { client } = await cli.catalog();
    const { monthly } = await client.usage();
    const { limit, usage } = monthly;
    const key = ok('key', 'The catalog accepts it.');
    if (typeof usage !== 'number' || limit === undefined || !Number.isFinite(limit))
      return [key, ok('quota', 'The catalog states no limit.')];
    const message = `${usage} of ${limit} calls made this month`;
    if (limit - usage > limit * LOW) return [key, ok('quota', message)];
    const remedy = 'Builds with a committed lock and a kept cache need no calls.';
    return [key, warning('quota', `${message}.`, remedy)];
  } catch (error) {
    return [failed('key', error)];
  }
}

const MARKS = { ok: 'ok', warning: 'warning', problem: 'problem', 'not checked': '–' } as const;
const COLORS = { ok: 'green', warning: 'yellow', problem: 'red', 'not checked': 'dim' } as const;

function renderChecks(
  checks: readonly Check[],
  { paint, width }: Pick<Cli, 'paint' | 'width'>,
): string {
  const [first, second] = [
    Math.max(...checks.map(({ status }) => widthOf(MARKS[status]))),
    Math.max(...checks.map(({ name }) => widthOf(name))),
  ];
  const indent = ' '.repeat(first + second + 4);
  return checks
    .map(({ name, status, message, remedy }) => {
      const texts = [message, ...(remedy === undefined ? [] : [remedy])].map(toPlainText);
      const lines = texts.flatMap((text) => wrapText(text, Math.max(20, width - indent.length)));
      const head = `${paint(COLORS[status], padText(MARKS[status], first))}  ${padText(name, second)}  `;
      return `${head}${lines.join(`\n${indent}`)}`;
    })
    .join('\n');
}
