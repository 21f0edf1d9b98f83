import { posix, resolve } from 'node:path';
import type { FoundUsage } from '../../build/session-types.ts';

/** Modules of icons. With the path after `icon:` a metafile names them as they were imported: `icon:123?as=svg`. */
export const ICON_NAMESPACE = 'icon';
/** Files of icons: `icon-file:123?as=url/star-123.svg`. The last part is the `[name]` of `assetNames`. */
export const FILE_NAMESPACE = 'icon-file';

/** The sprite file among them. */
export const SPRITE_PATH = 'sprite/sprite.svg';

/** Icons that style sheets hold in place: named as files are. */
export const DATA_NAMESPACE = 'icon-data';

/** What the metafiles of esbuild and Bun have in common, as far as we read it. */
export interface Outputs {
  [path: string]: { inputs: Record<string, unknown> };
}

/** A metafile as far as it says what style sheets hold: outputs name their style sheets, style sheets their icons. */
export interface StyledMetafile {
  inputs: Record<string, { imports: { path: string }[] }>;
  outputs: Outputs;
}

/** The outputs of a metafile, those of style sheets with the icons that are in them. */
export function outputsOf({ inputs, outputs }: StyledMetafile): Outputs {
  return Object.fromEntries(
    Object.entries(outputs).map(([path, output]) => {
      // A script names its style sheets too, which are in a file of their own.
      if (!path.endsWith('.css')) return [path, output];
      const icons = Object.keys(output.inputs)
        .flatMap((input) => inputs[input]?.imports ?? [])
        .filter((imported) => imported.path.startsWith(`${DATA_NAMESPACE}:`));
      const more = Object.fromEntries(icons.map((imported) => [imported.path, {}]));
      return [path, { ...output, inputs: { ...output.inputs, ...more } }];
    }),
  );
}

/**
 * Ids of the icons whose code or file is part of these outputs. Every input that an output names counts, also with no
 * bytes left: shaken modules are not named at all, while a constant that was moved elsewhere leaves an empty module.
 */
export function shippedIcons(outputs: Outputs): Set<string> {
  return new Set(
    Object.values(outputs).flatMap(({ inputs }) => Object.keys(inputs).flatMap(toIconId)),
  );
}

/** Modules of files that are in the output, packages' among them. */
export function* modulesOf(
  outputs: Outputs,
  { root, folder }: { root: string; folder: string },
): Generator<{ path: string; file: string }> {
  for (const [path, { inputs }] of Object.entries(outputs)) {
    if (path.endsWith('.map')) continue;
    const file = posix.relative(folder, path);
    // Paths of plugins begin with their namespace.
    for (const input of Object.keys(inputs))
      if (!/^[\w-]{2,}:/.test(input)) yield { path: resolve(root, input), file };
  }
}

/** Where each icon is. An icon that is a file of its own is listed there, not where its address is. */
export function foundUsages(
  outputs: Outputs,
  { folder, consumer }: { folder: string; consumer: 'client' | 'server' },
): FoundUsage[] {
  const usages: FoundUsage[] = [];
  const isFile = new Set<string>();
  for (const [path, { inputs }] of Object.entries(outputs)) {
    if (path.endsWith('.map')) continue;
    const file = posix.relative(folder, path);
    const [only, ...others] = Object.keys(inputs);
    const isAsset =
      only !== undefined && others.length === 0 && only.startsWith(`${FILE_NAMESPACE}:`);
    const inCode: FoundUsage['kind'] = consumer === 'server' ? 'server-only' : 'inline-js';
    for (const id of new Set(Object.keys(inputs).flatMap(toIconId))) {
      if (isAsset) isFile.add(id);
      const kind = path.endsWith('.css') ? 'inline-css' : inCode;
      usages.push({ id, file, kind: isAsset ? 'asset' : kind });
    }
  }
  return usages.filter(({ id, kind }) => kind === 'asset' || !isFile.has(id));
}

function toIconId(input: string): string[] {
  const [, hasName, path = ''] = /^icon(-file|-data)?:(\d.*)$/.exec(input) ?? [];
  if (path === '') return [];
  return [`icon:${hasName ? path.slice(0, path.lastIndexOf('/')) : path}`];
}

/** Place of the sprite file, relative to the output folder. */
export function spriteFile(outputs: Outputs, folder: string): string | undefined {
  const input = `${FILE_NAMESPACE}:${SPRITE_PATH}`;
  const found = Object.entries(outputs).find(
    ([path, { inputs }]) =>
      input in inputs && Object.keys(inputs).length === 1 && !path.endsWith('.map'),
  );
  return found && posix.relative(folder, found[0]);
}
