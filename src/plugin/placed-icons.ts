import type { FoundUsage } from './session-types.ts';

/** An icon that was written into a style sheet or a page, and so is in no module graph. */
export type PlacedIcon = { id: string } & (
  | {
      /** Text that an output holds if it holds the icon. */
      trace: string;
    }
  | {
      /** What the bundler gave for the emitted file. */
      reference: string;
    }
);

/** A finished file, as far as it is text. */
export interface TextOutput {
  fileName: string;
  text: string;
}

/** What the modules of a build hold, by module; a module that is built anew says anew what it holds. */
export interface PlacedIcons {
  set(build: object, module: string, icons: readonly PlacedIcon[]): void;
  /** Every placed icon of those modules that the build still has. */
  of(build: object, isThere: (module: string) => boolean): PlacedIcon[];
  /** Canonical ids of whatever was placed in any build. */
  all(): string[];
  /** Modules, of any build, that hold one of these icons. */
  modulesWith(isWanted: (id: string) => boolean): string[];
}

export function createPlacedIcons(): PlacedIcons {
  const byBuild = new Map<object, Map<string, readonly PlacedIcon[]>>();
  return {
    set(build, module, icons) {
      const modules = byBuild.get(build) ?? new Map<string, readonly PlacedIcon[]>();
      byBuild.set(build, modules);
      if (icons.length === 0) modules.delete(module);
      else modules.set(module, icons);
    },
    all: () =>
      [...byBuild.values()].flatMap((modules) => [...modules.values()].flat().map(({ id }) => id)),
    modulesWith: (isWanted) =>
      [...byBuild.values()].flatMap((modules) =>
        [...modules].flatMap(([module, icons]) =>
          icons.some(({ id }) => isWanted(id)) ? [module] : [],
        ),
      ),
    of: (build, isThere) =>
      [...(byBuild.get(build) ?? [])].flatMap(([module, icons]) => (isThere(module) ? icons : [])),
  };
}

/**
 * Where the placed icons are. One that is found nowhere although style sheets ship is credited in the first of them:
 * a minifier may have written it differently.
 */
export function usagesOfPlaced(
  icons: readonly PlacedIcon[],
  {
    outputs,
    fileNameOf,
    consumer,
  }: {
    outputs: readonly TextOutput[];
    /** Name of an emitted file; `undefined` where it is not part of the output. */
    fileNameOf: (reference: string) => string | undefined;
    consumer: 'client' | 'server';
  },
): FoundUsage[] {
  const usages = new Map<string, FoundUsage>();
  const add = (usage: FoundUsage): void =>
    void usages.set(JSON.stringify([usage.id, usage.file, usage.kind]), usage);
  for (const icon of icons) {
    const { id } = icon;
    if ('reference' in icon) {
      const file = fileNameOf(icon.reference);
      if (file !== undefined) add({ id, file, kind: 'asset' });
      continue;
    }
    const holders = outputs.filter(({ text }) => text.includes(icon.trace));
    const style = outputs.find(({ fileName }) => fileName.endsWith('.css'));
    const files = holders.length > 0 || style === undefined ? holders : [style];
    for (const { fileName } of files)
      add({ id, file: fileName, kind: consumer === 'server' ? 'server-only' : kindOf(fileName) });
  }
  return [...usages.values()];
}

function kindOf(fileName: string): FoundUsage['kind'] {
  if (fileName.endsWith('.css')) return 'inline-css';
  return /\.html?$/.test(fileName) ? 'inline-html' : 'inline-js';
}
