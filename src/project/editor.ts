import { mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { IconifyIcon, IconifyJSON } from '@iconify/types';
import { isIconCatalogError } from '../errors.ts';
import { replaceFile } from '../store/files.ts';
import { renderSvg } from '../svg/render-svg.ts';
import type { IconRequest } from '../types.ts';
import type { ProjectTools } from './open.ts';
import { pinnedRequests } from './references.ts';

/** Below the project's root. The folder is ignored by git, as it says itself. */
export const EDITOR_FILE = '.icon-catalog/icons.json';
/** The setting of Iconify IntelliSense for VS Code. */
export const EDITOR_SETTING: string = `"iconify.customCollectionJsonPaths": ["./${EDITOR_FILE}"]`;

/** What the extension recognises behind `icon:`. */
const NAME = /^[\w-]+$/;

/**
 * Writes the pinned icons under their ids and aliases as an icon set of Iconify, whose extension for VS Code draws them
 * where sources name them.
 * @returns names of the set
 */
export async function writeEditorIcons(tools: ProjectTools): Promise<string[]> {
  const { root, aliases } = tools.options;
  const { iconLock } = tools.pipeline;
  await iconLock.open();
  const icons: [name: string, icon: IconifyIcon][] = [];
  for (const [id, requests] of pinnedRequests(iconLock.all().entries.keys())) {
    const icon = await drawFirst(requests, tools);
    if (icon === undefined) continue;
    const names = Object.keys(aliases).filter((name) => aliases[name] === id);
    for (const name of [String(id), ...names]) if (NAME.test(name)) icons.push([name, icon]);
  }
  const sorted = icons.toSorted(([one], [other]) => (one < other ? -1 : 1));
  const set: IconifyJSON = { prefix: 'icon', icons: Object.fromEntries(sorted) };
  const file = join(root, EDITOR_FILE);
  await mkdir(dirname(file), { recursive: true });
  await replaceFile(join(dirname(file), '.gitignore'), () => Buffer.from('*\n'));
  await replaceFile(file, () => Buffer.from(`${JSON.stringify(set)}\n`));
  return Object.keys(set.icons);
}

/** The first line of an icon that draws it as SVG. */
async function drawFirst(
  requests: readonly IconRequest[],
  { pipeline }: ProjectTools,
): Promise<IconifyIcon | undefined> {
  for (const request of requests) {
    try {
      const source = await pipeline.source(request);
      if (source.kind !== 'svg') continue;
      const { id, color } = request;
      const shape = { id, size: '1em', title: null, class: null, isFile: true };
      const svg = renderSvg(source.master, { ...shape, color: color ?? 'currentColor' });
      const { convertParsedSVG, parseSVGContent } = await import('@iconify/utils/lib/svg/parse');
      const parsed = parseSVGContent(svg);
      return parsed && convertParsedSVG(parsed);
    } catch (error) {
      // An icon that is refused or not on this machine is left out; its reference reports why.
      if (!isIconCatalogError(error)) throw error;
    }
  }
  return undefined;
}

/** Whether the settings of the folder have the set already. */
export async function hasEditorSetting(root: string): Promise<boolean> {
  const settings = await readFile(join(root, '.vscode/settings.json'), 'utf8').catch(() => '');
  return settings.includes(EDITOR_FILE);
}
