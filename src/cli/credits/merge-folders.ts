import { posix, relative, resolve } from 'node:path';
import { disagreements, moveUses, uniteManifests } from '../../attribution/merge-manifests.ts';
import { slug } from '../../attribution/plain-text.ts';
import { renderAttribution } from '../../attribution/render-attribution.ts';
import type { Manifest } from '../../types.ts';
import { drawCredited } from '../../upkeep/draw-credited.ts';
import { withUpkeep } from '../../upkeep/open-upkeep.ts';
import type { Cli, Given } from '../command.ts';
import { openProject } from '../project/open-project.ts';
import { counted } from '../project/tell-references.ts';
import { UsageError } from '../usage-error.ts';
import { readManifest } from './read-manifest.ts';

/** Options of `attribution` that say nothing here. */
const OTHERS = ['format', 'template', 'used', 'require-bytes'];

/** `attribution merge`: the lists of jobs that ran apart as one list for the folder that holds all of their files. */
export async function mergeFolders(
  folders: readonly string[],
  given: Given,
  cli: Cli,
): Promise<void> {
  const { cwd } = cli.host;
  const output = given.text('output') ?? given.text('out');
  if (folders.length === 0) throw new UsageError('Name the folders whose lists belong together.');
  if (output === undefined)
    throw new UsageError('--output is needed: the folder that holds the files of all of them.');
  for (const name of OTHERS)
    if (given.flag(name) || given.text(name) !== undefined)
      throw new UsageError(`--${name} is not accepted with merge.`);
  const { options, log } = await openProject(given, cli);
  const names = options.attribution;
  if (names === false)
    throw new UsageError('The options say `attribution: false`, and so name no file to write.');
  const lists: Manifest[] = [];
  for (const named of folders) {
    const { manifest, folder } = await readManifest(named, { cli, options });
    lists.push(placedIn(manifest, relative(resolve(cwd, output), resolve(cwd, folder))));
  }
  const different = disagreements(lists);
  if (different.length > 0) {
    const icons = different.slice(0, 10).map(({ id, field, said, lists: [one, other] }) => {
      const [before = '', after = ''] = [folders[one], folders[other]];
      return `icon ${id}: ${field} is ${said[0]} in ${before} and ${said[1]} in ${after}`;
    });
    throw new Error(
      `The lists do not agree about ${counted(different.length, 'icon')}: ${icons.join('; ')}. They were made with different lock files: build all of them with the same one, then merge again.`,
    );
  }
  const [first, ...others] = lists as [Manifest, ...Manifest[]];
  const builds = lists.flatMap((list) => list.builds);
  const ids = builds.flatMap(({ id }) => [id, ...id.split('.')]);
  const waiting = options.site.builds.filter((id) => !ids.includes(id));
  const isWhole = options.site.builds.length > 0 || lists.every((list) => list.complete);
  const complete =
    isWhole && waiting.length === 0 && builds.every((build) => build.complete !== false);
  const manifest = uniteManifests(first, others, { complete });
  const artwork = await withUpkeep(options, { mode: 'offline', log }, (upkeep) =>
    drawCredited(manifest, upkeep),
  );
  const { sourceDateEpoch } = options;
  const written: string[] = [];
  for (const kind of ['json', 'html', 'markdown', 'text', 'spdx', 'cyclonedx'] as const) {
    const name = names[kind];
    if (name === false) continue;
    const text = renderAttribution(manifest, kind, { artwork, sourceDateEpoch, ...names.page });
    const path = resolve(cwd, output, name);
    await cli.host
      .writeFile(path, new TextEncoder().encode(text), { overwrite: true })
      .catch((cause: unknown) => {
        throw new Error(`${output} cannot be written to: copy the files of all jobs there first.`, {
          cause,
        });
      });
    written.push(`${output.replace(/[/\\]$/, '')}/${name}`);
  }
  const told = { icons: manifest.icons.length, complete, waiting, files: written };
  cli.result(told, () => written.join('\n'));
  const missing = waiting.length === 0 ? '' : ` These builds are missing: ${waiting.join(', ')}.`;
  cli.note(
    `${counted(manifest.icons.length, 'icon')} of ${counted(lists.length, 'list')}.${missing}`,
  );
}

/**
 * Files of a folder below the output are named from there, and its builds are called as a build that writes into the
 * output would call them. The files of another folder are copied into the output.
 */
function placedIn(list: Manifest, way: string): Manifest {
  if (way === '' || way.startsWith('..')) return list;
  const folders = new Map(
    list.builds.map(({ id, folder = '' }) => [id, posix.join(way.replaceAll('\\', '/'), folder)]),
  );
  const isOutside = (folder: string): boolean => folder.startsWith('..');
  const idOf = (id: string): string => `${slug(way)}.${id}`;
  return moveUses(list, {
    use({ build, file, ...use }) {
      const folder = folders.get(build) ?? way;
      return [
        { ...use, build: idOf(build), file: isOutside(folder) ? file : posix.join(folder, file) },
      ];
    },
    build({ folder: _folder, ...build }) {
      const folder = folders.get(build.id) ?? way;
      return { ...build, id: idOf(build.id), ...(isOutside(folder) && { folder }) };
    },
  });
}
