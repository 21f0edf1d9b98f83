import { type CliBody, type CliCommand, defineCliCommand, UsageError } from '../command.ts';
import type { Host } from '../host.ts';
import { renderBash, renderFish, renderPowerShell, renderZsh } from '../completion.ts';
import { findIconifySets, readSetNames } from '../../server/installed-sets.ts';

const RENDERERS: Readonly<Record<string, (root: CliCommand) => string>> = {
  bash: renderBash,
  zsh: renderZsh,
  fish: renderFish,
  powershell: renderPowerShell,
};
const SHELLS = Object.keys(RENDERERS);

export const completionCommand: CliBody = defineCliCommand({
  args: {
    shell: {
      type: 'positional',
      values: SHELLS,
      description: `One of ${SHELLS.join(', ')}; or \`icons\`, which the scripts ask for names`,
    },
    beginning: {
      type: 'positional',
      required: false,
      description: 'With `icons`: what aliases and names of installed sets begin with',
    },
  },
  examples: [
    'completion bash >> ~/.bashrc',
    'completion zsh > ~/.zfunc/_icon-catalog',
    'completion fish > ~/.config/fish/completions/icon-catalog.fish',
    'completion powershell >> $PROFILE',
  ],
  async run(given, cli) {
    const shell = given.text('shell') ?? '';
    if (shell === 'icons') {
      const beginning = given.text('beginning') ?? '';
      const names = [
        ...(await aliasesLike(beginning, cli.host)),
        ...namesLike(beginning, cli.host.cwd),
      ];
      cli.result(names, () => names.join('\n'));
      return;
    }
    const render = Object.hasOwn(RENDERERS, shell) ? RENDERERS[shell] : undefined;
    if (render === undefined) {
      const written = JSON.stringify(shell);
      throw new UsageError(`<shell> must be one of ${SHELLS.join(', ')}; ${written} is not.`);
    }
    const script = render(await cli.tree());
    cli.result({ shell, script }, () => script.trimEnd());
    cli.next('Put this script where your shell reads it: --help shows how.');
  },
});

/** Aliases of the project; none if its options cannot be read, which is not the moment to report it. */
async function aliasesLike(beginning: string, host: Host): Promise<string[]> {
  if (beginning.includes('/')) return [];
  try {
    const { loadProject } = await import('../load-project.ts');
    const { options } = await loadProject(host, undefined);
    return Object.keys(options.aliases ?? {})
      .filter((name) => name.startsWith(beginning))
      .toSorted();
  } catch {
    return [];
  }
}

/** `tabler/` for `ta`, and `tabler/home` for `tabler/ho`, of the sets that are installed here. */
function namesLike(beginning: string, root: string): string[] {
  const [set = '', name] = beginning.split('/');
  const installed = findIconifySets(root);
  if (name === undefined)
    return [...installed.keys()].filter((one) => one.startsWith(set)).map((one) => `${one}/`);
  const folder = installed.get(set);
  if (folder === undefined) return [];
  return readSetNames(folder)
    .filter((one) => one.startsWith(name))
    .toSorted()
    .map((one) => `${set}/${one}`);
}
