import { resolve } from 'node:path';
import {
  ATTRIBUTION_FORMATS,
  renderAttribution,
  type AttributionFormat,
} from '../../attribution/render-attribution.ts';
import { checkSite } from '../../attribution/check-site.ts';
import type { Manifest } from '../../types.ts';
import { knownArtwork } from '../../upkeep/known-artwork.ts';
import { withUpkeep } from '../../upkeep/open-upkeep.ts';
import { defineCliCommand, type Cli, type CliCommand, type Given } from '../command.ts';
import { openProject, PROJECT_ARGS } from '../project/open-project.ts';
import { readSite } from '../read-site.ts';
import { UsageError } from '../usage-error.ts';

const MANIFEST = 'icon-attribution.json';

export const attributionCommand: CliCommand = defineCliCommand({
  name: 'attribution',
  description:
    'Write the credits of a finished build in any format; `attribution check <folder>` compares a site with its credits',
  args: {
    what: {
      type: 'positional',
      required: false,
      multiple: true,
      path: true,
      description: `A folder with ${MANIFEST}, or that file (default: dist); \`check\` and a folder`,
    },
    format: {
      type: 'string',
      valueHint: 'format',
      values: ATTRIBUTION_FORMATS,
      default: 'text',
      description: `One of ${ATTRIBUTION_FORMATS.join(', ')}`,
    },
    template: {
      type: 'string',
      path: true,
      valueHint: 'file',
      description: 'With --format html: a page that holds <!-- icon-credits -->',
    },
    output: {
      type: 'string',
      alias: 'o',
      path: true,
      valueHint: 'file',
      description: 'Write this file instead of standard output',
    },
    ...PROJECT_ARGS,
  },
  examples: [
    'attribution dist --format markdown',
    'attribution dist --format html-fragment --output src/credits.html',
    'attribution check dist',
  ],
  async run(given, cli) {
    const format = formatOf(given.text('format'));
    const [first = 'dist', ...rest] = given.all('what');
    if (first === 'check') return check(rest[0] ?? 'dist', given, cli);
    if (rest.length > 0) throw new UsageError(`There is one folder too many: ${rest.join(', ')}.`);
    const { manifest } = await readManifest(first, cli);
    const template = given.text('template');
    const text = renderAttribution(manifest, format, {
      template:
        template === undefined
          ? undefined
          : await cli.host.readFile(resolve(cli.host.cwd, template)),
    });
    const output = given.text('output');
    if (output === undefined) return cli.result({ format, text }, () => text.replace(/\n$/, ''));
    const bytes = new TextEncoder().encode(text);
    await cli.host.writeFile(resolve(cli.host.cwd, output), bytes, { overwrite: true });
    cli.result({ format, file: output }, () => '');
    cli.note(`${output}: ${manifest.icons.length} icons.`);
  },
});

function formatOf(asked = 'text'): AttributionFormat {
  const format = ATTRIBUTION_FORMATS.find((each) => each === asked);
  if (format !== undefined) return format;
  throw new UsageError(`There is no format ${asked}. Formats: ${ATTRIBUTION_FORMATS.join(', ')}.`);
}

async function check(folder: string, given: Given, cli: Cli): Promise<void> {
  const { manifest, path } = await readManifest(folder, cli);
  const { options, log } = await openProject(given, cli);
  const files = await readSite(resolve(cli.host.cwd, folder));
  const fingerprints = await withUpkeep(options, { mode: 'offline', log }, (upkeep) =>
    knownArtwork(manifest, upkeep),
  );
  const site = checkSite(files, { manifest, manifestPath: path, fingerprints });
  cli.result(site, () => site.problems.map(({ message }) => message).join('\n'));
  if (site.unknown.length > 0) {
    cli.note(
      `${site.unknown.length} credited icons are not on this machine and cannot be looked for: ${site.unknown.slice(0, 10).join(', ')}.`,
    );
  }
  cli.note(`${files.length} files, ${site.found.length} icons, ${site.problems.length} problems.`);
  if (site.problems.length > 0) throw new Error(`${folder} and its credits do not agree.`);
}

async function readManifest(
  named: string,
  { host }: Cli,
): Promise<{ manifest: Manifest; path: string }> {
  const path = named.endsWith('.json') ? named : `${named.replace(/[/\\]$/, '')}/${MANIFEST}`;
  let read: Partial<Manifest>;
  try {
    read = JSON.parse(await host.readFile(resolve(host.cwd, path))) as Partial<Manifest>;
  } catch (cause) {
    throw new Error(
      `${path} cannot be read: build the project first, or name the folder of its output.`,
      { cause },
    );
  }
  if (read.schemaVersion !== 1 || !Array.isArray(read.icons))
    throw new Error(`${path} is no list of credits that this version can read.`);
  return { manifest: read as Manifest, path: named.endsWith('.json') ? named : MANIFEST };
}
