import { Buffer } from 'node:buffer';
import { randomInt } from 'node:crypto';
import type { CompilationContext } from '@farmfe/core';
import { CREDITS_ID, CREDITS_SLOT, SPRITE_SLOT, type Session } from '../session-types.ts';
import { assetName } from './asset-name.ts';
import { toFarmPath } from './module-id.ts';
import type { FarmOutput } from './read-config.ts';

/** The slot of `icon:credits` as loaded modules hold it. */
export const NUMBERED_SLOT: RegExp = new RegExp(`${CREDITS_SLOT}\\d*`, 'g');

/** The name of the sprite file, likewise. */
export const NUMBERED_SPRITE: RegExp = new RegExp(SPRITE_SLOT.replace('.', '\\d*\\.'), 'g');

export interface Loader {
  /** Names of emitted files by canonical id. */
  files: Map<string, string>;
  load(id: string, output: FarmOutput, context: CompilationContext | undefined): Promise<string>;
}

export function createLoader(session: Session): Loader {
  const files = new Map<string, string>();
  const requested = new Set<string>();

  return {
    files,
    async load(id, output, context) {
      if (id === CREDITS_ID) {
        if (output.isDev) return session.creditsCode(requested, false);
        // A new number each time, so that Farm's cache never has the part with the credits of an earlier build.
        // As long each time, since source maps count characters.
        const slot = `${CREDITS_SLOT}${randomInt(2 ** 40, 2 ** 41)}`;
        return session.pendingCreditsCode().replace(CREDITS_SLOT, () => slot);
      }
      const module = await session.load(id, {
        placeholder: output.isDev,
        alone: output.isWatching,
      });
      requested.add(id);
      if (module.kind === 'code') return module.code;
      if (module.symbol !== undefined && !output.isDev) {
        const slot = SPRITE_SLOT.replace('.', () => `${randomInt(2 ** 40, 2 ** 41)}.`);
        return module.code(JSON.stringify(output.publicPath + slot));
      }
      const { fileName, source } = module;
      const name = assetName(output.assetsFilename, fileName, source);
      files.set(id, name);
      const content = [...Buffer.from(source)];
      context?.emitFile({ resolvedPath: toFarmPath(id), name, content, resourceType: 'asset' });
      return module.code(JSON.stringify(output.publicPath + name));
    },
  };
}
