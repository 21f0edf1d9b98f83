import type { LoadContext } from '../pipeline/load-icon.ts';
import { toIconId } from '../request/key.ts';
import { IconCatalogError } from '../errors.ts';
import { renderSpriteFile, SPRITE_FILE, type SpriteSymbol } from '../emit/svg-text.ts';
import { shortHash } from '../store/hash.ts';
import type { IconRequest } from '../types.ts';
import type { FoundUsage, Sprite, SpriteBuild } from './session-types.ts';
import { shortPath, withoutFrames } from './failures.ts';
import type { Session } from './session-interface.ts';

interface Sprites extends Pick<Session, 'sprite' | 'spritesForServers' | 'checkSpriteOrigin'> {
  /** A build begins: what an icon is may have changed. */
  begin(): void;
}

/** Collects the symbols of what ships. Bundlers ask once a chunk, so the last file is kept. */
export function createSprites(ports: {
  request(id: string): IconRequest;
  context(): LoadContext;
  exchange(): SpriteExchange;
}): Sprites {
  let last: { key: string; sprite: Promise<Sprite | undefined> } | undefined;

  async function collect(ids: readonly string[]): Promise<Sprite | undefined> {
    const { loadIcon } = await import('../pipeline/load-icon.ts');
    const symbols: SpriteSymbol[] = [];
    const shown = new Set<string>();
    const symbolIds = new Set<string>();
    for (const id of ids) {
      const { module } = await loadIcon(ports.request(id), ports.context());
      if (module.kind !== 'asset' || module.symbol === undefined) continue;
      symbols.push(module.symbol);
      symbolIds.add(module.symbol.id);
      shown.add(id);
    }
    if (shown.size === 0) return undefined;
    const source = renderSpriteFile(symbols);
    return { fileName: SPRITE_FILE, source, ids: shown, symbols: symbolIds };
  }

  function own(ids: Iterable<string>): Promise<Sprite | undefined> {
    const wanted = [...new Set([...ids].filter(isSpriteId).map(toIconId))].toSorted();
    if (wanted.length === 0) return Promise.resolve(undefined);
    const key = wanted.join(' ');
    if (last?.key !== key) last = { key, sprite: collect(wanted) };
    return last.sprite;
  }

  return {
    begin() {
      last = undefined;
    },
    async sprite(ids, build) {
      const sprite = await own(ids);
      return sprite && build ? ports.exchange().settle(sprite, build) : sprite;
    },
    checkSpriteOrigin(publicPath) {
      if (typeof publicPath !== 'string' || !/^(?:https?:)?\/\//.test(publicPath)) return;
      const message = `The sprite file will be at ${publicPath}: browsers draw symbols of the page's own origin only. Where pages have another one, import icons without \`as=sprite\`.`;
      ports.context().pipeline.build.warn(message);
    },
    spritesForServers: () => ports.exchange().forServers(),
  };
}

/** True for an id of `as=sprite`. */
export function isSpriteId(id: string): boolean {
  // Asked for thousands of ids at once, of which mostly none is one.
  return id.includes('as=sprite') && /[?&;]as=sprite(?:&|$)/.test(id);
}

/**
 * Usages with the symbols where they are: in the sprite file, and not in the scripts that show them.
 *
 * @param file its place; without it this build ships none (server bundles), and only refers to that of another one
 */
export function withSprite(
  usages: readonly FoundUsage[],
  sprite: Sprite | undefined,
  file: string | undefined,
): FoundUsage[] {
  if (sprite === undefined) return [...usages];
  const others = usages.filter(({ id }) => !sprite.ids.has(toIconId(id)));
  const symbols = [...sprite.ids].map((id): FoundUsage[] =>
    file === undefined ? [] : [{ id, file, kind: 'sprite-symbol' }],
  );
  return [...others, ...symbols.flat()];
}

/** The address of the sprite file would be that of the library's own build, where no site of its users has a file. */
export function noSprite(specifier: string, importer: string | undefined): IconCatalogError {
  return withoutFrames(
    new IconCatalogError('SPECIFIER_INVALID', {
      message: `Cannot use \`${specifier}\` in a library (\`build.lib\`): the sites that use the library do not serve its sprite file.`,
      importer: importer === undefined ? undefined : shortPath(importer),
      remedy: 'Take `as=svg`, `as=component` or `as=url`, which put the drawing into the script.',
    }),
  );
}

export interface SpriteExchange {
  /** The sprite that this build is to refer to. */
  settle(sprite: Sprite, build: SpriteBuild): Sprite;
  /** Sprites that server builds refer to, for a client build to put beside its own. */
  forServers(): Sprite[];
}

/**
 * Client and server builds of one project (Vite's environments, frameworks that build twice) may ship different icons, so
 * that their sprite files have different names, while browsers can load the files of the client build only. So a server
 * build takes the file of the client build where that holds its icons too, and the client build emits the others as well.
 */
export function createSpriteExchange(): SpriteExchange {
  const spriteByBuild = new Map<string, { sprite: Sprite; build: SpriteBuild }>();
  const of = (consumer: SpriteBuild['consumer']): Sprite[] =>
    [...spriteByBuild.values()].flatMap(({ sprite, build }) =>
      build.consumer === consumer ? [sprite] : [],
    );

  return {
    settle(sprite, build) {
      const larger =
        build.consumer === 'server'
          ? of('client').find(({ symbols }) => [...sprite.symbols].every((id) => symbols.has(id)))
          : undefined;
      const settled = larger === undefined ? sprite : { ...sprite, source: larger.source };
      spriteByBuild.set(build.id, { sprite: settled, build });
      return settled;
    },
    forServers: () => of('server'),
  };
}

/**
 * The id of a symbol in a page. Lists of credits in the page have `icon-<id>` for their own. A symbol holds its title:
 * drawings that differ in it are two symbols.
 */
export function symbolName({ id, color, title }: IconRequest): string {
  const own = color === 'currentColor' || color === null ? '' : `-${color}`;
  return `icon-symbol-${id}${own}${title === null ? '' : `-${shortHash(title)}`}`;
}
