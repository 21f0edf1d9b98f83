import { resolve } from 'node:path';
import {
  argument,
  value,
  flag,
  PROJECT_ARGS,
  type CliBody,
  UsageError,
  counted,
} from '../command.ts';
import { loadProject } from '../load-project.ts';
import { withEmbedded } from '../open-project.ts';

export const htmlCommand: CliBody = {
  args: {
    page: argument('HTML files, folders of them, or patterns such as "dist/**/*.html"', {
      required: true,
      multiple: true,
      path: true,
    }),
    site: value('folder', 'The folder that is served (default: the folder that holds all pages)', {
      path: true,
    }),
    assets: value(
      'folder',
      'Folder in the site for icons that become files (default: assets/icons)',
    ),
    base: value('path', 'Public path of the site, such as /docs/ (default: relative addresses)'),
    check: flag('Write nothing, and fail if a page still has icons to put in'),
    'dry-run': flag('Write nothing'),
    ...PROJECT_ARGS,
  },
  examples: ['html dist', 'html "public/**/*.html" --base /docs/', 'html dist --check'],
  async run(given, cli) {
    const { host } = cli;
    const names = given.all('page');
    const { listPages, baseOf, NoPages, rewriteSite } = await import('../../integrations/html.ts');
    const named = await listPages(host.cwd, names).catch((error: unknown) => {
      throw error instanceof NoPages ? new UsageError(error.message) : error;
    });
    const project = await loadProject(host, given.text('config'), given.text('mode'));
    const site = resolve(host.cwd, given.text('site') ?? baseOf(host.cwd, ...names));
    const { isBelow } = await import('../../build/list-files.ts');
    const outside = named.find((path) => !isBelow(path, site));
    if (outside !== undefined) throw new UsageError(`${outside} is not in ${site}.`);
    const { createSession } = await import('../../build/session.ts');
    const { resolveOptions } = await import('../../options/resolve-options.ts');
    const options = withEmbedded(project.options, given);
    const { root, env } = project;
    const { attribution } = resolveOptions(options, { root, env });
    // The plugin writes the credits page, so no icons are put into it.
    const paths = named.filter(
      (path) => !attribution || path !== resolve(site, attribution.html || '.'),
    );
    const session = createSession(options, 'icon-catalog');
    const { note } = cli;
    session.configure({ root, env, log: { info: () => undefined, warn: note, error: note } });
    const check = given.flag('check');
    try {
      const report = await rewriteSite(paths, {
        session,
        site,
        assets: given.text('assets') ?? 'assets/icons',
        base: given.text('base'),
        dry: check || given.flag('dry-run'),
      });
      const { icons, pages, files } = report;
      const failure =
        check && pages.length > 0
          ? new Error('These pages still have icons to put in.\n  Run the command without --check.')
          : undefined;
      cli.result({ ...report, looked: paths.length }, () => pages.join('\n'), failure);
      cli.note(
        `${counted(icons, 'icon')} in ${pages.length} of ${counted(paths.length, 'page')}${files.length > 0 ? `, ${counted(files.length, 'file')} written beside them` : ''}.`,
      );
      if (icons === 0 && failure === undefined)
        cli.next('A page asks for an icon with <img src="icon:tabler/home" alt="Home">.');
      if (icons > 0 && attribution !== false && attribution.html !== false)
        note(
          `Pages that show icons need a link to their credits, for example <a href="${hrefOf(given.text('base'), attribution.html)}">Icon credits</a>. \`npx icon-catalog attribution check\` with the folder lists the pages that have none.`,
        );
    } finally {
      await session.close();
    }
  },
};

function hrefOf(base = '/', file: string): string {
  return `${base.replace(/\/?$/, '/')}${file}`;
}
