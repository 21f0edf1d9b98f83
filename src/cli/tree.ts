import { flag, type CliArgs, type CliBody, type CliEntry, COMMON_ARGS } from './command.ts';

export const PROGRAM = 'icon-catalog';

/** The whole command line; help, checks and completion read it. */
export const ROOT: CliEntry = group(
  {
    name: PROGRAM,
    description:
      'Find icons, pin them, and check their credits. Commands use the catalog of your build: its options in icon-catalog.config.* or the configuration of the bundler, or ICON_CATALOG_URL, ICON_CATALOG_KEY and ICON_CATALOG_SECRET in the environment or in .env files. With --embedded, they use the icon sets that are installed in the project',
    args: { version: flag('Show the version', 'v') },
  },
  [
    leaf(
      'init',
      'Add the plugin, its options, types and an example to this project. Existing code stays as it is',
      async () => (await import('./commands/init.ts')).initCommand,
    ),
    leaf(
      'browse',
      'Open the icon browser to find icons, look at them and add them',
      async () => (await import('./commands/browse.ts')).browseCommand,
    ),
    leaf(
      'search',
      'Search icons by words',
      async () => (await import('./commands/search.ts')).searchCommand,
    ),
    leaf(
      'suggest',
      'Complete a search term',
      async () => (await import('./commands/search.ts')).suggestCommand,
    ),
    leaf(
      'show',
      'Show one icon: name, creator, licence and credit',
      async () => (await import('./commands/search.ts')).showCommand,
    ),
    leaf(
      'download',
      'Download the files of icons, unchanged. Each icon costs two calls, for its record and its file',
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
      'Pin icons, or give one a name. Use this for icons that no source mentions, such as names from a database',
      async () => (await import('./commands/add.ts')).addCommand,
    ),
    leaf(
      'sync',
      'Pin every icon that the project uses. This updates lock file, cache, vendor file and icon-catalog.d.ts',
      async () => (await import('./commands/sync.ts')).syncCommand,
    ),
    leaf(
      'update',
      'Compare pinned icons with the catalog, and accept its changes. This shows what differs, then updates lock file, cache and vendor file',
      async () => (await import('./commands/update.ts')).updateCommand,
    ),
    leaf(
      'verify',
      'Check lock file, bytes, references and licences, without a network. This fails if the lock file is damaged, bytes differ, a reference is not pinned, or the licence policy refuses an icon',
      async () => (await import('./commands/verify.ts')).verifyCommand,
    ),
    leaf(
      'prune',
      'Remove unused icons from the lock file. An icon is unused if no source refers to it and no build shipped it, even if `add` pinned it. This asks first, and cleans the vendor file, too',
      async () => (await import('./commands/prune.ts')).pruneCommand,
    ),
    leaf(
      'html',
      'Put icons into finished HTML files, whatever generator wrote them',
      async () => (await import('./commands/html.ts')).htmlCommand,
    ),
    leaf(
      'emit',
      'Write icons as component files. Use this for builds that take no plugins, such as Turbopack. It also writes types, credits and an index',
      async () => (await import('./commands/emit.ts')).emitCommand,
    ),
    leaf(
      'attribution',
      'Write, check or merge credits. This lists the icons of the lock file or of a finished build, without a network. `attribution check <folder>` compares a site with its credits; `attribution merge <folder…>` joins lists',
      async () => (await import('./commands/attribution.ts')).attributionCommand,
    ),
    leaf(
      'doctor',
      'Find out why a build fails. This checks Node, bundler, options, clock, key, quota, cache and lock file, and says what to do',
      async () => (await import('./commands/doctor.ts')).doctorCommand,
    ),
    leaf(
      'usage',
      'Show how many calls the key has made, and its limits',
      async () => (await import('./commands/blacklist.ts')).usageCommand,
    ),
    group(
      {
        name: 'blacklist',
        description: "Show or change the key's blacklist: what searches with --blacklist leave out",
      },
      [
        leaf(
          'list',
          "Show the key's blacklist. Changes may take ten minutes to appear",
          async () => (await import('./commands/blacklist.ts')).listCommand,
        ),
        leaf(
          'add',
          'Add icons, collections or search terms',
          async () => (await import('./commands/blacklist.ts')).addCommand,
        ),
        leaf(
          'replace',
          'Replace all entries of a type. In a terminal, this asks first',
          async () => (await import('./commands/blacklist.ts')).replaceCommand,
        ),
      ],
    ),
    leaf(
      'api',
      'Send any signed call to the catalog. The answer is JSON, for paths of v1 and v2',
      async () => (await import('./commands/api.ts')).apiCommand,
    ),
    leaf(
      'serve',
      'Serve the embedded catalog on a port',
      async () => (await import('./commands/serve.ts')).serveCommand,
    ),
    leaf(
      'mcp',
      'Let coding agents find and add icons. This is a server of the Model Context Protocol on standard input and output',
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
  picker: ['browse'],
  gallery: ['browse'],
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
