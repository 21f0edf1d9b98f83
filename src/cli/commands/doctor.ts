import type { Check } from '../../project/doctor.ts';
import type { ProjectShape } from '../../project/detect.ts';
import {
  type Cli,
  type CliBody,
  defineCliCommand,
  type Given,
  PROJECT_ARGS,
  counted,
  type OpenProject,
} from '../command.ts';
import { openProject } from '../open-project.ts';
import { padText, toPlainText, widthOf, wrapText } from '../terminal.ts';

export const doctorCommand: CliBody = defineCliCommand({
  args: {
    offline: { type: 'boolean', description: 'Ask the catalog nothing: no clock, key and quota' },
    ...PROJECT_ARGS,
  },
  examples: ['doctor', 'doctor --json', 'doctor --offline'],
  async run(given, cli) {
    const { detectProject } = await import('../../project/detect.ts');
    const { checkFiles, checkInstallation, failed } = await import('../../project/doctor.ts');
    const shape = await detectProject(cli.host.cwd);
    const checks = await checkInstallation(shape);
    try {
      const project = await openProject(given, cli);
      checks.push(configurationOf(project));
      checks.push(...(await checkCatalog(given, { cli, project, shape })));
      checks.push(...(await checkFiles(project.options, project.log)));
    } catch (error) {
      checks.push(failed('options', error));
    }
    const problems = checks.filter(({ status }) => status === 'problem');
    const failure =
      problems.length === 0
        ? undefined
        : new Error(
            `${counted(problems.length, 'problem')}: ${problems.map(({ name }) => name).join(', ')}.`,
          );
    cli.result({ ok: failure === undefined, checks }, () => renderChecks(checks, cli), failure);
    const warnings = checks.filter(({ status }) => status === 'warning').length;
    if (failure !== undefined) throw failure;
    cli.note(warnings === 0 ? 'All is well.' : `No problem, and ${counted(warnings, 'warning')}.`);
  },
});

function configurationOf({ options }: OpenProject): Check {
  const { source = '', mode } = options;
  return { name: 'options', status: 'ok', message: `${source}; the mode is ${mode}` };
}

interface Context {
  cli: Cli;
  project: OpenProject;
  shape: ProjectShape;
}

async function checkCatalog(given: Given, { cli, project, shape }: Context): Promise<Check[]> {
  const { catalog, mode } = project.options;
  if (catalog.kind === 'none')
    return [
      {
        name: 'catalog',
        status: 'problem',
        message: `No catalog is configured: ${catalog.missing.join(', ')} ${catalog.missing.length === 1 ? 'is' : 'are'} not set.`,
        remedy:
          "Set them in .env.local, or use installed icon sets: `catalog: 'embedded'` in the options, or --embedded.",
      },
    ];
  if (catalog.kind === 'embedded') return [await checkSets(project, shape)];
  const address: Check = {
    name: 'catalog',
    status: 'ok',
    message: new URL(catalog.baseUrl).origin,
  };
  if (given.flag('offline') || mode === 'offline') {
    const message = mode === 'offline' ? 'The mode is offline.' : 'Left out by --offline.';
    return [
      address,
      ...['clock', 'key'].map((name): Check => ({ name, status: 'not checked', message })),
    ];
  }
  return [address, await checkClock(catalog.baseUrl, cli), ...(await checkKey(cli))];
}

async function checkSets({ options }: OpenProject, { manager }: ProjectShape): Promise<Check> {
  const { installLine } = await import('../../project/detect.ts');
  const { findIconifySets } = await import('../../server/installed-sets.ts');
  const name = 'catalog';
  const embedded = options.catalog.kind === 'embedded' ? options.catalog.embedded : {};
  const installed = [...findIconifySets(embedded.root ?? options.root).keys()];
  const missing = (embedded.sets ?? [])
    .map((set) => set.replace(/^@iconify-json\//, ''))
    .filter((set) => !installed.includes(set));
  const wanted = missing.length > 0 ? missing : ['tabler'];
  if (missing.length > 0 || (installed.length === 0 && (embedded.folders ?? []).length === 0))
    return {
      name,
      status: 'problem',
      message: `The embedded catalog has no icons: ${missing.length > 0 ? `${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} not installed` : 'no icon set is installed'}.`,
      remedy: `Run \`${installLine(
        manager,
        wanted.map((set) => `@iconify-json/${set}`),
      )}\`.`,
    };
  const sets = embedded.sets?.length ?? installed.length;
  return {
    name,
    status: 'ok',
    message: `embedded, ${counted(sets, 'icon set')}: ${(embedded.sets ?? installed).slice(0, 8).join(', ')}`,
  };
}

/** Signatures are refused if the clocks differ by more; services allow about five minutes. */
const SKEW = 120_000;
const TIMEOUT = 5000;

async function checkClock(baseUrl: string, { host }: Cli): Promise<Check> {
  const { createUndiciWire } = await import('../../catalog/undici-wire.ts');
  const wire = await createUndiciWire({ concurrency: 1, env: host.env });
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
    if (Number.isNaN(there))
      return { name, status: 'not checked', message: 'The catalog states no time.' };
    const off = Math.round((before - there) / 1000);
    if (Math.abs(off) * 1000 < SKEW)
      return {
        name,
        status: 'ok',
        message: `${counted(Math.abs(off), 'second')} from the catalog's`,
      };
    return {
      name,
      status: 'problem',
      message: `This machine's clock is ${counted(Math.abs(off), 'second')} ${off > 0 ? 'ahead of' : 'behind'} that of the catalog, which then refuses signatures.`,
      remedy: 'Set the clock, or turn on its synchronisation.',
    };
  } catch {
    return {
      name,
      status: 'problem',
      message: 'The catalog cannot be reached.',
      remedy: 'Check the network, a proxy (HTTPS_PROXY), and ICON_CATALOG_URL.',
    };
  } finally {
    await wire.close();
  }
}

/** Of the calls of a month, what is left when it is time to look. */
const LOW = 0.05;

async function checkKey(cli: Cli): Promise<Check[]> {
  const { failed } = await import('../../project/doctor.ts');
  try {
    const { client } = await cli.catalog();
    const { monthly } = await client.usage();
    const { limit, usage } = monthly;
    const key: Check = { name: 'key', status: 'ok', message: 'The catalog accepts it.' };
    if (typeof usage !== 'number' || limit === undefined || !Number.isFinite(limit))
      return [key, { name: 'quota', status: 'ok', message: 'The catalog states no limit.' }];
    const message = `${usage} of ${limit} calls made this month`;
    return limit - usage > limit * LOW
      ? [key, { name: 'quota', status: 'ok', message }]
      : [
          key,
          {
            name: 'quota',
            status: 'warning',
            message: `${message}.`,
            remedy: 'Builds with a committed lock and a kept cache need no calls.',
          },
        ];
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
