import { addCommand } from './commands/add.ts';
import { attributionCommand } from './commands/attribution.ts';
import { apiCommand } from './commands/api.ts';
import { blacklistCommand } from './commands/blacklist.ts';
import { collectionCommand, collectionsCommand } from './commands/collections.ts';
import { createCompletionCommand } from './commands/completion.ts';
import { downloadCommand } from './commands/download.ts';
import { emitCommand } from './commands/emit.ts';
import { htmlCommand } from './commands/html.ts';
import { pruneCommand } from './commands/prune.ts';
import { searchCommand, suggestCommand } from './commands/search.ts';
import { serveCommand } from './commands/serve.ts';
import { showCommand } from './commands/show.ts';
import { syncCommand } from './commands/sync.ts';
import { updateCommand } from './commands/update.ts';
import { usageCommand } from './commands/usage.ts';
import { verifyCommand } from './commands/verify.ts';
import { defineCliGroup, type CliCommand } from './command.ts';

export const PROGRAM = 'icon-catalog';

/** The whole command line; help, checks and completion read it. */
export const ROOT: CliCommand = defineCliGroup(
  {
    name: PROGRAM,
    description:
      'Search, look at and download icons of an icon catalog. The catalog is the one that the build of the project uses: ICON_CATALOG_URL, ICON_CATALOG_KEY and ICON_CATALOG_SECRET in the environment or in .env files, or the options of the plugin; --embedded uses the icon sets that are installed in the project instead',
    args: { version: { type: 'boolean', alias: 'v', description: 'Show the version' } },
  },
  [
    searchCommand,
    suggestCommand,
    showCommand,
    downloadCommand,
    collectionsCommand,
    collectionCommand,
    usageCommand,
    blacklistCommand,
    apiCommand,
    serveCommand,
    syncCommand,
    addCommand,
    updateCommand,
    verifyCommand,
    pruneCommand,
    htmlCommand,
    emitCommand,
    attributionCommand,
    createCompletionCommand(() => ROOT),
  ],
);
