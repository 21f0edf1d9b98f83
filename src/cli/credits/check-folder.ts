import { resolve } from 'node:path';
import { checkSite } from '../../attribution/check-site.ts';
import type { CreditedWords } from '../../attribution/find-drift.ts';
import { knownArtwork } from '../../upkeep/known-artwork.ts';
import { withUpkeep } from '../../upkeep/open-upkeep.ts';
import type { Cli, Given } from '../command.ts';
import { openProject } from '../project/open-project.ts';
import { counted } from '../project/tell-references.ts';
import { readSite } from '../read-site.ts';
import { readManifest } from './read-manifest.ts';
import { attributionFileNames } from '../../resolve-attribution.ts';

/** `attribution check`: what a finished site shows against what it credits. */
export async function checkFolder(named: string, given: Given, cli: Cli): Promise<void> {
  const { options, log } = await openProject(given, cli);
  const { manifest, folder, file } = await readManifest(named, { cli, options });
  const files = await readSite(resolve(cli.host.cwd, folder));
  // Installed sets are on this machine, and reading them opens no socket.
  const mode = options.catalog.kind === 'embedded' ? 'locked' : 'offline';
  const known = await withUpkeep(options, { mode, log }, async (upkeep) => {
    const artwork = await knownArtwork(manifest, upkeep);
    const locked = new Map<string, CreditedWords>();
    for (const { id } of manifest.icons) {
      const record = upkeep.corridor.pins.record(Number(id));
      if (record !== undefined) locked.set(id, record);
    }
    return { ...artwork, locked };
  });
  const { attribution } = options;
  const names = attribution === false ? [] : attributionFileNames(attribution);
  const creditsFiles = [file, ...names];
  const language = attribution === false ? undefined : attribution.page.language;
  const site = checkSite(files, { manifest, creditsFiles, language, ...known });
  const { absent } = known;
  cli.result({ ...site, absent }, () =>
    site.problems.map(({ message, remedy }) => `${message} ${remedy}`).join('\n'),
  );
  const unknown = site.unknown.filter((id) => !absent.includes(id));
  if (absent.length > 0)
    cli.note(
      `${counted(absent.length, 'icon')} of ${options.lockfile.name} cannot be looked for, because their files are not on this machine: ${few(absent)}. Run \`npx icon-catalog sync\` before the check, or commit a vendor file.`,
    );
  if (unknown.length > 0)
    cli.note(
      `${counted(unknown.length, 'credited icon')} cannot be looked for, because the project changes the drawing or its file is not on this machine: ${few(unknown)}.`,
    );
  cli.note(`${files.length} files, ${site.found.length} icons, ${site.problems.length} problems.`);
  if (site.problems.length > 0) throw new Error(`${folder} and its credits do not agree.`);
  if (absent.length > 0 && given.flag('require-bytes'))
    throw new Error(`${counted(absent.length, 'icon')} could not be looked for in ${folder}.`);
}

function few(ids: readonly string[]): string {
  return `${ids.slice(0, 10).join(', ')}${ids.length > 10 ? ', …' : ''}`;
}
