import { defineCliCommand, type CliCommand } from '../command.ts';
import { renderBash } from '../completion/render-bash.ts';
import { renderFish } from '../completion/render-fish.ts';
import { renderZsh } from '../completion/render-zsh.ts';
import { UsageError } from '../usage-error.ts';

const RENDERERS: Readonly<Record<string, (root: CliCommand) => string>> = {
  bash: renderBash,
  zsh: renderZsh,
  fish: renderFish,
};
const SHELLS = Object.keys(RENDERERS);

/** @param root the whole tree, which this command is part of */
export function createCompletionCommand(root: () => CliCommand): CliCommand {
  return defineCliCommand({
    name: 'completion',
    description: 'Print the completion script of a shell',
    args: {
      shell: {
        type: 'positional',
        values: SHELLS,
        description: `One of ${SHELLS.join(', ')}`,
      },
    },
    examples: [
      'completion bash >> ~/.bashrc',
      'completion zsh > ~/.zfunc/_icon-catalog',
      'completion fish > ~/.config/fish/completions/icon-catalog.fish',
    ],
    run(given, cli) {
      const shell = given.text('shell') ?? '';
      const render = Object.hasOwn(RENDERERS, shell) ? RENDERERS[shell] : undefined;
      if (render === undefined) {
        const written = JSON.stringify(shell);
        throw new UsageError(`<shell> must be one of ${SHELLS.join(', ')}; ${written} is not.`);
      }
      const script = render(root());
      cli.result({ shell, script }, () => script.trimEnd());
    },
  });
}
