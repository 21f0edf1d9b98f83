import type { Options } from '../options/options.ts';
import type { ResolvedOptions } from '../options/resolve-options.ts';
import { lockStateOf } from '../pipeline/lock.ts';
import type { Pipeline } from '../pipeline/pipeline.ts';
import { CREDITS_SPECIFIER, toCanonical, toIconId } from '../request/key.ts';
import { parseImage } from '../request/parse-request.ts';
import type { IconRequest } from '../types.ts';
import type { KnownRequests, Resolver } from './requests.ts';
import { fingerprint } from './session-config.ts';
import type { LockMarks } from './session-types.ts';

/** Tells bundlers that keep modules which of them other options would make differently. No secret can be got back from it. */
export interface OptionsHashes {
  /**
   * Hash of version and of those options that the module of this id is made by. Aliases and defaults are not among them:
   * what they stand for is in the id.
   */
  of(id: string): string;
  /** Which image a reference in a style sheet stands for, and by which options it is drawn; empty where it is wrong. */
  ofImage(specifier: string): string;
}

export function createOptionsHashes({
  requests,
  isPlain,
  plainModule,
  context,
}: Pick<Resolver, 'isPlain' | 'plainModule'> & {
  requests: Pick<KnownRequests, 'get'>;
  context: () => { options: Options; resolved: ResolvedOptions };
}): OptionsHashes {
  let of: Options | undefined;
  const known = new Map<string, string>();

  /** Thousands of icons have few shapes, and each component imports the same runtime. */
  function remembered(key: string, shaping: () => unknown[]): string {
    const { options } = context();
    if (of !== options) known.clear();
    of = options;
    const part = known.get(key) ?? fingerprint(shaping());
    known.set(key, part);
    return part;
  }

  function optionsHashOf(request: Pick<IconRequest, 'id' | 'as' | 'filetype'>): string {
    const { options } = context();
    const { id, as, filetype } = request;
    const isAsserted = options.licenses?.assert?.[id] !== undefined;
    const key = `${as} ${filetype} ${isAsserted ? id : ''}`;
    return remembered(key, () => shapingOf(request, options));
  }

  return {
    of(id) {
      if (!isPlain(id) && id !== CREDITS_SPECIFIER)
        return optionsHashOf(requests.get(toIconId(id)).request);
      return remembered(id, () => {
        const plain = isPlain(id) ? plainModule(id, context().resolved) : undefined;
        return plain?.kind === 'code' ? [plain.code] : [];
      });
    },
    ofImage(specifier) {
      try {
        const { request, form } = parseImage(specifier, context().resolved, undefined);
        // A file of its own holds whatever an image in a style sheet does.
        const file: IconRequest = { ...request, as: 'url' };
        return `${form} ${toCanonical(file)} ${optionsHashOf(file)}`;
      } catch {
        return '';
      }
    },
  };
}

function shapingOf(
  { id, as, filetype }: Pick<IconRequest, 'id' | 'as' | 'filetype'>,
  { svg = {}, licenses = {}, framework }: Options,
): unknown[] {
  const { metadata, ...drawing } = svg;
  const { assert, ...rules } = licenses;
  return [
    filetype === 'svg' ? drawing : [svg.maxBytes],
    as === 'url' && filetype === 'svg' ? metadata : undefined,
    as === 'component' ? framework : undefined,
    rules,
    assert?.[id],
  ];
}

const UNREADABLE = 'unreadable';

/**
 * A mark is, with spaces between: the hash of the lock file, the hash of what it said about the icon, and the digest of
 * the catalog's description, which every credit depends on and which a lock gets with its first line.
 */
export function createLockMarks(
  requests: Pick<KnownRequests, 'get'>,
  context: () => { resolved: ResolvedOptions; shared: { pipeline: Pipeline } },
): LockMarks {
  const iconLock = (): Pipeline['iconLock'] => context().shared.pipeline.iconLock;

  async function stateOf(id: string): Promise<string> {
    await iconLock().open();
    return `${lockStateOf(requests.get(toIconId(id)).request, iconLock())} ${iconLock().catalog() ?? ''}`;
  }

  return {
    get files() {
      const { lockfile, vendor } = context().resolved;
      return [lockfile.path, ...(vendor === undefined ? [] : [vendor.path])];
    },
    refresh: () => context().shared.pipeline.begin(),
    hash: () =>
      iconLock()
        .open()
        .then(
          () => iconLock().hash(),
          () => '',
        ),
    edition: () => iconLock().edition(),
    async mark(id) {
      // A lock that cannot be read is an error where the icon is loaded.
      const state = await stateOf(id).catch(() => UNREADABLE);
      return `${iconLock().hash()} ${state}`;
    },
    async isOutdated(id, mark) {
      const [hash, before, catalogBefore = ''] = mark.split(' ');
      try {
        await iconLock().open();
        if (hash === iconLock().hash()) return false;
        const [now, catalog = ''] = (await stateOf(id)).split(' ');
        return before !== now || (catalogBefore !== '' && catalogBefore !== catalog);
      } catch {
        return true;
      }
    },
  };
}
