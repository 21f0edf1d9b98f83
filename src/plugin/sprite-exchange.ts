import type { Sprite } from './session-types.ts';

/** Which of a project's builds it is. */
export interface SpriteBuild {
  id: string;
  consumer: 'client' | 'server';
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
