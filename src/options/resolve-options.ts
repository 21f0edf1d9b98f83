import { basename, relative, resolve } from 'node:path';
import { IconCatalogError } from '../errors.ts';
import type {
  CatalogCredentials,
  CatalogSite,
  EmbeddedOptions,
  Options,
  SvgOptions,
} from './options.ts';
import {
  readEpoch,
  resolveAttribution,
  type ResolvedAttribution,
  type ResolvedLicenses,
  resolveLicenses,
} from './resolve-attribution.ts';
import { checkOptions } from './schema.ts';
import { webAddress } from './shape.ts';
import { resolveAliases } from '../request/reference.ts';
import { defaultCacheDir, isThere } from '../store/files.ts';
import { cacheKeySource, type CacheKeySource } from '../store/packs.ts';
import type { Environment } from '../types.ts';
import { parseAddress, type SharedCacheAddress } from '../store/shared-cache/parse-address.ts';

export type ResolvedCatalog =
  | {
      kind: 'remote';
      baseUrl: string;
      key: string;
      secret: string;
      site: CatalogSite | undefined;
      /** `undefined`: any public https host. */
      assetHosts: string[] | undefined;
    }
  | { kind: 'embedded'; embedded: EmbeddedOptions }
  | { kind: 'none'; reason: string; baseUrl: string | undefined; site: CatalogSite | undefined };

export type Mode = NonNullable<Options['mode']>;

export interface ProjectFile {
  /** An absolute path. */
  path: string;
  /** The name in messages: relative to the root if it is below it. */
  name: string;
}

export interface ResolvedOptions {
  root: string;
  /** Where a command read the options, as a clause for messages. */
  source?: string;
  catalog: ResolvedCatalog;
  concurrency: number;
  timeout: number;
  retries: number;
  budget: number | undefined;
  mode: Mode;
  lockfile: ProjectFile;
  vendor: ProjectFile | undefined;
  cacheDir: string;
  cacheKey: CacheKeySource;
  sharedCache: SharedCacheAddress | undefined;
  aliases: Readonly<Record<string, number>>;
  framework: Options['framework'];
  defaults: NonNullable<Options['defaults']>;
  svg: Required<Omit<SvgOptions, 'transform'>> & Pick<SvgOptions, 'transform'>;
  licenses: ResolvedLicenses;
  attribution: false | ResolvedAttribution;
  /** One list for the outputs of several builds: its folder, absolute, and the ids that it waits for. */
  site: { folder: string | undefined; builds: readonly string[] };
  /** Seconds since 1970 that stand for the time of a build if a format requires one. */
  sourceDateEpoch: number | undefined;
  logLevel: NonNullable<Options['logLevel']>;
}

export type { Environment } from '../types.ts';

/**
 * Options in their final form: checked, with defaults and the environment. Options override the environment.
 * @throws IconCatalogError OPTIONS_INVALID, with the path of the option and the nearest spelling
 */
export function resolveOptions(
  options: Options,
  { root, env }: { root: string; env: Environment },
): ResolvedOptions {
  checkOptions(options);
  const { svg = {}, licenses = {}, attribution = {} } = options;
  const lockfile = resolveFile(options.lockfile ?? 'icons.lock', root);
  const catalog = resolveCatalog(options.catalog, { root, env });
  const aliases = resolveAliases(options.aliases ?? {});
  // It is absolute: Node tries to create a relative folder again and again if the working directory was removed.
  const cacheDir = resolve(root, options.cacheDir ?? defaultCacheDir(env));
  // Most projects have none, and nothing of it runs for them.
  const hasSharedCache = Boolean(options.sharedCache ?? env['ICON_CATALOG_SHARED_CACHE']);
  return {
    root,
    catalog,
    concurrency: options.concurrency ?? 8,
    timeout: options.timeout ?? 15_000,
    retries: options.retries ?? 2,
    budget: options.budget,
    mode: options.mode ?? modeOf(env, lockfile.path),
    lockfile,
    vendor: resolveVendor(options.vendor ?? false, root),
    cacheDir,
    cacheKey: cacheKeySource(env, cacheDir),
    sharedCache: hasSharedCache ? parseAddress(options.sharedCache, { root, env }) : undefined,
    aliases,
    framework: options.framework,
    defaults: options.defaults ?? {},
    svg: {
      optimize: svg.optimize ?? true,
      transform: svg.transform,
      strict: svg.strict ?? false,
      animation: svg.animation ?? false,
      maxBytes: svg.maxBytes ?? 1_048_576,
      limits: svg.limits ?? {},
      metadata: svg.metadata ?? false,
    },
    licenses: resolveLicenses(licenses, { aliases, hasNames: catalog.kind === 'embedded' }),
    attribution: attribution !== false && resolveAttribution(attribution),
    site: {
      folder:
        attribution === false || attribution.site === undefined
          ? undefined
          : resolve(root, attribution.site),
      builds: attribution === false ? [] : (attribution.builds ?? []),
    },
    sourceDateEpoch: readEpoch(env['SOURCE_DATE_EPOCH']),
    logLevel: options.logLevel ?? 'info',
  };
}

function resolveFile(written: string, root: string): ProjectFile {
  const path = resolve(root, written);
  const name = relative(root, path).replaceAll('\\', '/');
  return { path, name: name.startsWith('..') ? basename(path) : name };
}

function resolveVendor(vendor: boolean | string, root: string): ProjectFile | undefined {
  if (vendor === false) return undefined;
  return resolveFile(vendor === true ? 'icons.vendor.ndjson' : vendor, root);
}

const MODES: readonly string[] = ['online', 'locked', 'offline'] satisfies Mode[];

/** CI machines must not call the catalog for an icon that is not pinned: if a lock exists, they use it as it is. */
function modeOf(env: Environment, lockfile: string): Mode {
  const asked = env['ICON_CATALOG_MODE'] ?? '';
  if (MODES.includes(asked)) return asked as Mode;
  if (asked !== '') {
    throw new IconCatalogError('OPTIONS_INVALID', {
      message: `ICON_CATALOG_MODE is ${JSON.stringify(asked)}, and must be one of ${MODES.join(', ')}.`,
      remedy: 'Correct the environment variable, or unset it.',
      path: 'mode',
    });
  }
  const isCi = !['', 'false', '0'].includes(env['CI'] ?? '');
  return isCi && isThere(lockfile) ? 'locked' : 'online';
}

function resolveCatalog(
  catalog: Options['catalog'],
  { root, env }: { root: string; env: Environment },
): ResolvedCatalog {
  if (catalog === 'embedded') return { kind: 'embedded', embedded: { root } };
  if (catalog !== undefined && 'embedded' in catalog) {
    return { kind: 'embedded', embedded: { root, ...catalog.embedded } };
  }
  const given: Partial<CatalogCredentials> = catalog ?? {};
  const remote = {
    baseUrl: given.baseUrl || env['ICON_CATALOG_URL'] || '',
    key: given.key || env['ICON_CATALOG_KEY'] || '',
    secret: given.secret || env['ICON_CATALOG_SECRET'] || '',
  };
  // The option is set, but from a variable that is not: its author looks there first.
  const option = (name: keyof CatalogCredentials): string =>
    catalog === undefined ? '' : `\`catalog.${name}\` or `;
  const missing = [
    remote.baseUrl === '' ? `${option('baseUrl')}ICON_CATALOG_URL` : '',
    remote.key === '' ? `${option('key')}ICON_CATALOG_KEY` : '',
    remote.secret === '' ? `${option('secret')}ICON_CATALOG_SECRET` : '',
  ].filter(Boolean);
  // This is not an error yet: a warm build needs no credentials. It becomes one for the icon that must be fetched.
  const baseUrl =
    remote.baseUrl === ''
      ? undefined
      : checkBaseUrl(remote.baseUrl, given.baseUrl ? '`catalog.baseUrl`' : 'ICON_CATALOG_URL');
  const site = given.site ?? siteOf(env['ICON_CATALOG_SITE_URL']);
  if (baseUrl === undefined || missing.length > 0) {
    // Set for each task of Turborepo, which hides what turbo.json does not name.
    const hint = env['TURBO_HASH'] === undefined ? '' : ` ${HINT_FOR_TURBOREPO}`;
    const reason = `No catalog is configured: ${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} not set.${hint}`;
    return { kind: 'none', reason, baseUrl, site };
  }
  return { kind: 'remote', ...remote, baseUrl, site, assetHosts: given.assetHosts };
}

const HINT_FOR_TURBOREPO =
  'Turborepo shows a task only the variables that turbo.json names: add `"globalPassThroughEnv": ["ICON_CATALOG_*"]` to it.';

function siteOf(url: string | undefined): CatalogSite | undefined {
  if (url === undefined || url === '') return undefined;
  if (webAddress.test(url)) return { url };
  throw new IconCatalogError('OPTIONS_INVALID', {
    message: 'ICON_CATALOG_SITE_URL must be an address of the web (https://…).',
    remedy: 'Correct the environment variable, or unset it.',
    path: 'catalog.site.url',
  });
}

function checkBaseUrl(text: string, where: string): string {
  const url = URL.parse?.(text) ?? (URL.canParse(text) ? new URL(text) : null);
  if (
    url !== null &&
    /^https?:$/.test(url.protocol) &&
    url.username === '' &&
    url.search === '' &&
    url.hash === ''
  ) {
    return url.href.replace(/\/+$/, '');
  }
  throw new IconCatalogError('OPTIONS_INVALID', {
    // The value is not shown: who mixes up the variables has a secret in this one.
    message: `${where}, the address of the catalog, must be an http or https address without user, query and fragment.`,
    remedy: 'Write it like https://catalog.example, with its scheme and without a path of a call.',
    path: 'catalog.baseUrl',
  });
}
