import { access, constants, mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { includesDeclarations } from '../dts/declarations-folder.ts';
import { isIconCatalogError } from '../errors.ts';
import { findInstalled } from '../options/import-default.ts';
import type { ResolvedOptions } from '../options/resolve-options.ts';
import { alteredLines } from '../store/lockfile.ts';
import { NO_CACHE_DIR, reasonOf } from '../store/files.ts';
import type { Log } from '../types.ts';
import { GENERATOR } from '../version.ts';
import { TYPES_FILE, type ProjectShape } from './detect.ts';
import { installLine } from './package-manager.ts';
import { withProjectTools } from './open.ts';

/** What was looked at, and what to do if it is not right. */
export interface Check {
  name: string;
  status: 'ok' | 'warning' | 'problem' | 'not checked';
  message: string;
  remedy?: string;
}

type MakeCheck = (name: string, message: string, remedy?: string) => Check;

function checkThatIs(status: Check['status']): MakeCheck {
  return (name, message, remedy) => ({
    name,
    status,
    message,
    ...(remedy !== undefined && { remedy }),
  });
}

export const ok: MakeCheck = checkThatIs('ok');
export const warning: MakeCheck = checkThatIs('warning');
export const problem: MakeCheck = checkThatIs('problem');
export const notChecked: MakeCheck = checkThatIs('not checked');

/** Checks of the machine and of what is installed: no option is needed for them. */
export async function checkInstallation(shape: ProjectShape): Promise<Check[]> {
  return [
    checkNode(process.versions.node),
    await checkPackage(shape),
    await checkTool(shape),
    await checkTypes(shape),
  ];
}

export function checkNode(version: string): Check {
  const [major = 0] = numbersOf(version);
  const isFit = major === 20 ? isAtLeast(version, '20.19.0') : isAtLeast(version, '22.12.0');
  return isFit
    ? ok('Node', version)
    : problem(
        'Node',
        `${version} is too old for this package.`,
        'Install Node 20.19 or newer of version 20, or 22.12 or newer.',
      );
}

/** `20.19.0` of `>=20.19.0` or `20.19.0-rc.1` */
function numbersOf(version: string): number[] {
  return (/\d+(?:\.\d+)*/.exec(version)?.[0] ?? '0').split('.').map(Number);
}

function isAtLeast(version: string, least: string): boolean {
  const [is, wanted] = [numbersOf(version), numbersOf(least)];
  const at = wanted.findIndex((part, index) => part !== (is[index] ?? 0));
  return at === -1 || (is[at] ?? 0) > (wanted[at] ?? 0);
}

async function checkPackage({ root, manager }: ProjectShape): Promise<Check> {
  const name = 'unplugin-icon-catalog';
  const installed = await findInstalled(name, root);
  if (installed === undefined) {
    const message = `${name} is not installed in this project.`;
    return problem('package', message, `Run \`${installLine(manager, [name])}\`.`);
  }
  const { version = 'unknown' } = installed.manifest;
  return version === GENERATOR.version
    ? ok('package', `${name} ${version}`)
    : warning(
        'package',
        `The project has ${name} ${version}, and this command is of ${GENERATOR.version}.`,
        'Run commands as `npx icon-catalog` in the project, so that both are the same.',
      );
}

async function checkTool({ root, tool, config, pluginless }: ProjectShape): Promise<Check> {
  const name = 'bundler';
  if (pluginless !== undefined)
    return ok(name, `${pluginless} takes no plugins: \`icon-catalog emit\` writes icons for it`);
  if (tool === undefined)
    return warning(
      name,
      'No configuration of a known bundler was found.',
      'Run this in the folder that has it; `icon-catalog init` shows what to add.',
    );
  const installed = (await findInstalled(tool.package, root))?.manifest;
  const title = `${tool.title}${installed?.version === undefined ? '' : ` ${installed.version}`}`;
  const { oldest } = tool;
  if (
    installed?.version !== undefined &&
    oldest !== undefined &&
    !isAtLeast(installed.version, oldest)
  )
    return warning(
      name,
      `${title} is older than what this package is tried with: ${oldest} and later.`,
      `Update ${tool.title} if builds fail.`,
    );
  const source =
    config === undefined ? '' : await readFile(join(root, config), 'utf8').catch(() => '');
  if (!source.includes('unplugin-icon-catalog'))
    return warning(
      name,
      `${title}: ${config ?? 'its configuration'} does not name the plugin.`,
      'Run `npx icon-catalog init`, unless the plugin is added in another file.',
    );
  return ok(name, `${title}, with the plugin in ${config}`);
}

async function checkTypes(shape: ProjectShape): Promise<Check> {
  const { root, tool, pluginless, usesTypeScript, files } = shape;
  const name = 'types';
  if (pluginless !== undefined) return notChecked(name, '`icon-catalog emit` writes them.');
  if (!usesTypeScript) return notChecked(name, 'The project has no TypeScript.');
  if (tool?.hasTypes === true)
    return ok(name, `${tool.title} declares imports through the integration.`);
  let unread: string | undefined;
  for (const folder of new Set(['', 'src/', shape.declarations])) {
    const names = folder === '' ? [...files] : await readdir(join(root, folder)).catch(() => []);
    for (const one of names.filter((one) => /\.d\.ts$|^tsconfig.*\.json$/.test(one))) {
      const file = folder + one;
      const text = await readFile(join(root, file), 'utf8').catch(() => '');
      if (!text.includes('unplugin-icon-catalog/types')) continue;
      if (one.endsWith('.json') || (await includesDeclarations(root, file)))
        return ok(name, `declared in ${file}`);
      unread ??= file;
    }
  }
  if (unread !== undefined)
    return warning(
      name,
      `The configuration of TypeScript does not include ${unread}, which declares \`icon:\` imports.`,
      `Add it to \`include\` in tsconfig.json${unread.startsWith(shape.declarations) ? '' : `, or move it to ${shape.declarations}`}.`,
    );
  return warning(
    name,
    'No file declares `icon:` imports, so TypeScript reports each of them.',
    `Run \`npx icon-catalog init\`, which writes ${TYPES_FILE}.`,
  );
}

/** Checks of what the options name: the cache folder and the lock file. */
export async function checkFiles(options: ResolvedOptions, log: Log): Promise<Check[]> {
  return [await checkCache(options), await checkLock(options, log)];
}

async function checkCache({ cacheDir }: ResolvedOptions): Promise<Check> {
  const name = 'cache';
  const remedy = 'Give the right to write, or set `cacheDir` or ICON_CATALOG_CACHE_DIR.';
  if (cacheDir === NO_CACHE_DIR)
    return warning(name, 'There is no folder for it, so nothing is kept for the next run.', remedy);
  try {
    await mkdir(cacheDir, { recursive: true });
    await access(cacheDir, constants.R_OK | constants.W_OK);
    return ok(name, cacheDir);
  } catch (error) {
    return problem(name, `${cacheDir} cannot be written (${reasonOf(error)}).`, remedy);
  }
}

async function checkLock(options: ResolvedOptions, log: Log): Promise<Check> {
  const name = 'lock';
  const { lockfile } = options;
  try {
    return await withProjectTools(options, { mode: 'offline', log }, async ({ pipeline }) => {
      await pipeline.iconLock.open();
      const altered = pipeline.iconLock.acceptAltered();
      if (altered.size > 0) throw alteredLines(altered, lockfile.name);
      const { size } = pipeline.iconLock.all().entries;
      return ok(
        name,
        size === 0
          ? `${lockfile.name} has no icons yet; the first build or \`icon-catalog sync\` adds them.`
          : `${lockfile.name} has ${size} ${size === 1 ? 'line' : 'lines'}`,
      );
    });
  } catch (error) {
    return failed(name, error);
  }
}

export function failed(name: string, error: unknown): Check {
  if (isIconCatalogError(error)) return problem(name, error.reason, error.remedy);
  const [message = '', ...remedy] = (error instanceof Error ? error.message : String(error)).split(
    '\n  ',
  );
  return problem(name, message, remedy.length > 0 ? remedy.join(' ') : undefined);
}
