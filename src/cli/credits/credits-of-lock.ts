import { creditProject, type ProjectCredits } from '../../upkeep/credit-project.ts';
import { withUpkeep } from '../../upkeep/open-upkeep.ts';
import type { Cli, Given } from '../command.ts';
import type { OpenProject } from '../project/open-project.ts';
import { counted, tellReferences } from '../project/tell-references.ts';

/**
 * The credits of the project as its lock file has them, and on standard error which list that is.
 * @throws Error where nothing is pinned
 */
export async function creditsOfLock(
  given: Given,
  { cli, options, log }: { cli: Cli } & OpenProject,
): Promise<ProjectCredits> {
  const onlyUsed = given.flag('used');
  const references = await tellReferences(given, cli, options);
  const { credits, isEmpty } = await withUpkeep(
    options,
    { mode: 'offline', log },
    async (upkeep) => ({
      credits: await creditProject(references, upkeep, { onlyUsed }),
      isEmpty: upkeep.corridor.pins.all().entries.size === 0,
    }),
  );
  const { name } = options.lockfile;
  if (isEmpty)
    throw new Error(
      `${name} has no icons: run \`npx icon-catalog sync\`, or name the folder of a finished build (\`icon-catalog attribution dist\`).`,
    );
  tellList(credits, { cli, lockfile: name, onlyUsed });
  return credits;
}

function tellList(
  { manifest: { icons }, unused, absent }: ProjectCredits,
  { cli, lockfile, onlyUsed }: { cli: Cli; lockfile: string; onlyUsed: boolean },
): void {
  const rest =
    unused.length === 0
      ? ''
      : onlyUsed
        ? `; ${unused.length} that no source refers to left out`
        : `, ${unused.length} of them referred to by no source (--used leaves them out)`;
  cli.note(
    `${counted(icons.length, 'icon')} of ${lockfile}${rest}. What a build ships, its own list says: attribution <folder>.`,
  );
  if (absent.length > 0)
    cli.note(
      `${counted(absent.length, 'icon')} not on this machine, credited without drawing and digest: ${absent.slice(0, 10).join(', ')}${absent.length > 10 ? ', …' : ''}. \`npx icon-catalog sync\` fetches them.`,
    );
  const vague = icons.filter(
    ({ license: { status, version } }) => status === 'attribution' && version === null,
  );
  if (vague.length > 0)
    cli.note(
      `${counted(vague.length, 'icon')} under Creative Commons Attribution in a version that the catalog does not state: their credits link to no licence text.`,
    );
}
