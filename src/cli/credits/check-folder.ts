import { resolve } from 'node:path';
import { checkSite } from '../../attribution/check-site.ts';
import { knownArtwork } from '../../upkeep/known-artwork.ts';
import { withUpkeep } from '../../upkeep/open-upkeep.ts';
import type { Cli, Given } from '../command.ts';
import { openProject } from '../project/open-project.ts';
import { readSite } from '../read-site.ts';
import { readManifest } from './read-manifest.ts';
import { attributionFileNames } from '../../resolve-attribution.ts';

/** `attribution check`: what a finished site shows against what it credits. */
export async function checkFolder(named: string, given: Given, cli: Cli): Promise<void> {
  const { options, log } = await openProject(given, cli);
  const { manifest, folder, file } = await readManifest(named, { cli, options });
  const files = await readSite(resolve(cli.host.cwd, folder));
  const fingerprints = await withUpkeep(options, { mode: 'offline', log }, (upkeep) =>
    knownArtwork(manifest, upkeep),
  );
  const { attribution } = options;
  const names = attribution === false ? [] : attributionFileNames(attribution);
  const creditsFiles = [file, ...names];
  const site = checkSite(files, { manifest, creditsFiles, fingerprints });
  cli.result(site, () => site.problems.map(({ message }) => message).join('\n'));
  if (site.unknown.length > 0) {
    cli.note(
      `${site.unknown.length} credited icons are not on this machine and cannot be looked for: ${site.unknown.slice(0, 10).join(', ')}.`,
    );
  }
  cli.note(`${files.length} files, ${site.found.length} icons, ${site.problems.length} problems.`);
  if (site.problems.length > 0) throw new Error(`${folder} and its credits do not agree.`);
}
