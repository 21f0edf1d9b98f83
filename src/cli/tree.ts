import { flag, type CliArgs, type CliBody, type CliEntry, COMMON_ARGS } from './command.ts';

export const PROGRAM = 'icon-catalog';

/** The whole command line; help, checks and completion read it. */
export const ROOT: CliEntry = group(
  {
    name: PROGRAM,
    description:
      'Search, look at and download icons of an icon catalog. The catalog is the one that the build of the project uses: ICON_CATALOG_URL, ICON_CATALOG_KEY and ICON_CATALOG_SECRET in the environment or in .env files, or the options of the plugin; --embedded uses the icon sets that are installed in the project instead',
    args: { version: flag('Show the version', 'v') },
  },
  [
    leaf(
      'init',
      'Put the plugin, its options, types and an example into this project. What exists already stays',
      async () => (await import('./commands/init.ts')).initCommand,
    ),
    leaf(
      'browse',
      'Open the icon browser: search, look, take icons with their names',
      async () => (await import('./commands/browse.ts')).browseCommand,
    ),
    leaf(
      'search',
      'Search icons by words',
      async () => (await import('./commands/search.ts')).searchCommand,
    ),
    leaf(
      'suggest',
      'List search terms that begin with some letters',
      async () => (await import('./commands/search.ts')).suggestCommand,
    ),
    leaf(
      'show',
      'Show what the catalog knows about an icon',
      async () => (await import('./commands/search.ts')).showCommand,
    ),
    leaf(
      'download',
      'Download icons as the catalog has them. Each costs two calls, for its record and its file',
      async () => (await import('./commands/download.ts')).downloadCommand,
    ),
    leaf(
      'collections',
      'List collections, or search them',
      async () => (await import('./commands/search.ts')).collectionsCommand,
    ),
    leaf(
      'collection',
      'Show a collection and its icons',
      async () => (await import('./commands/search.ts')).collectionCommand,
    ),
    leaf(
      'add',
      'Pin icons, or give one a name. Names that are known at run time only, which no source contains, come from here, too',
      async () => (await import('./commands/add.ts')).addCommand,
    ),
    leaf(
      'sync',
      'Find every icon of the project and pin it. Lock file, cache, vendor file and icon-catalog.d.ts are filled',
      async () => (await import('./commands/sync.ts')).syncCommand,
    ),
    leaf(
      'update',
      'Ask the catalog again for pinned icons. What differs is shown, and written into lock file, cache and vendor file',
      async () => (await import('./commands/update.ts')).updateCommand,
    ),
    leaf(
      'verify',
      'Check lock file, bytes, references and licences. No network is used: the lock file must be whole, the bytes of this machine those of its lines, every reference pinned, and no icon against the licence policy',
      async () => (await import('./commands/verify.ts')).verifyCommand,
    ),
    leaf(
      'prune',
      'Remove icons from the lock file that nothing uses. No source refers to them and no build shipped them; lines of `add` are among them. It asks first, and cleans the vendor file, too',
      async () => (await import('./commands/prune.ts')).pruneCommand,
    ),
    leaf(
      'html',
      'Put icons into finished HTML files. Any generator may have written them',
      async () => (await import('./commands/html.ts')).htmlCommand,
    ),
    leaf(
      'emit',
      'Write icons as component files. Types, credits and an index are written with them, for builds that take no plugins, such as Turbopack',
      async () => (await import('./commands/emit.ts')).emitCommand,
    ),
    leaf(
      'attribution',
      'Write, check or merge credits. They are those of the lock file or of a finished build, in any format; `attribution check <folder>` compares a site with its credits, `attribution merge <folder…>` unites lists. No network is used',
      async () => (await import('./commands/attribution.ts')).attributionCommand,
    ),
    leaf(
      'doctor',
      'Check what builds depend on, and say what to do. It looks at Node, bundler, options, clock, key, quota, cache and lock file',
      async () => (await import('./commands/doctor.ts')).doctorCommand,
    ),
    leaf(
      'usage',
      'Show how many calls the key has made and may make',
      async () => (await import('./commands/blacklist.ts')).usageCommand,
    ),
    group(
      {
        name: 'blacklist',
        description: 'Show and change the icons that searches leave out with --blacklist',
      },
      [
        leaf(
          'list',
          "Show the key's blacklist; changes may take ten minutes to appear",
          async () => (await import('./commands/blacklist.ts')).listCommand,
        ),
        leaf(
          'add',
          'Add icons, collections or search terms',
          async () => (await import('./commands/blacklist.ts')).addCommand,
        ),
        leaf(
          'replace',
          'Replace all entries of a type, after a question if there is a terminal to ask in',
          async () => (await import('./commands/blacklist.ts')).replaceCommand,
        ),
      ],
    ),
    leaf(
      'api',
      'Sign and send any call of the interface. The answer is JSON; paths of v1 and v2 are known',
      async () => (await import('./commands/api.ts')).apiCommand,
    ),
    leaf(
      'serve',
      'Serve the embedded catalog on a port until Ctrl+C',
      async () => (await import('./commands/serve.ts')).serveCommand,
    ),
    leaf(
      'mcp',
      'Serve the icon browser to coding agents. They search, look, add, undo and read credits over the Model Context Protocol, on standard input and output',
      async () => (await import('./commands/mcp.ts')).mcpCommand,
    ),
    leaf(
      'completion',
      'Print the completion script of a shell',
      async () => (await import('./commands/completion.ts')).completionCommand,
    ),
  ],
);

/** Words that people know from other tools, and the commands that do this here; the first that exists is offered. */
export const MEANT: Readonly<Record<string, readonly string[]>> = {
  ls: ['collections'],
  list: ['collections'],
  sets: ['collections'],
  find: ['search'],
  get: ['download'],
  info: ['show'],
  view: ['show'],
  open: ['browse', 'show'],
  ui: ['browse'],
  agent: ['mcp'],
  agents: ['mcp'],
  login: ['init', 'usage'],
  auth: ['init', 'usage'],
  whoami: ['usage'],
  quota: ['usage'],
  config: ['init'],
  create: ['init'],
  setup: ['init'],
  install: ['add'],
  pin: ['add'],
  dev: ['serve'],
  start: ['serve'],
  pull: ['sync'],
  fetch: ['sync'],
  upgrade: ['update'],
  check: ['verify'],
  test: ['verify'],
  status: ['doctor', 'verify'],
  diagnose: ['doctor'],
  clean: ['prune'],
  rm: ['prune'],
  remove: ['prune'],
  generate: ['emit'],
  credits: ['attribution'],
  licenses: ['attribution'],
  licences: ['attribution'],
};

function leaf(name: string, description: string, load: () => Promise<CliBody>): CliEntry {
  return { name, description, children: [], load: async () => withCommon(await load()) };
}

function group(
  { name, description, args = {} }: { name: string; description: string; args?: CliArgs },
  children: readonly CliEntry[],
): CliEntry {
  return { name, description, children, load: () => Promise.resolve(withCommon({ args })) };
}

function withCommon(body: CliBody): CliBody {
  return { ...body, args: { ...body.args, ...COMMON_ARGS } };
}
