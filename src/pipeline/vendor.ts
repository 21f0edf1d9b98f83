import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import pLimit from 'p-limit';
import { findAssertion } from '../attribution/license/policy.ts';
import { type LicenseAssertion, resolveLicense } from '../attribution/license/resolve-license.ts';
import { toPlainLine } from '../untrusted.ts';
import { IconCatalogError, isIconCatalogError } from '../errors.ts';
import { packageAround } from '../options/import-default.ts';
import type { ProjectFile, ResolvedOptions } from '../options/resolve-options.ts';
import type { ByteSource } from '../store/content-store.ts';
import { reasonOf, tidyProjectFile } from '../store/files.ts';
import { sha256Hex } from '../store/hash.ts';
import { lockedRecord } from '../store/lockfile-format.ts';
import {
  createVendorFile,
  describeVendorProblem,
  type VendorFile,
  vendorSource,
} from '../store/vendor-file.ts';
import type { IconRecord, Log } from '../types.ts';
import type { ByteSources } from './byte-sources.ts';
import type { IconLock } from './lock.ts';
import { parseLockKey } from '../request/key.ts';

/** The committed file of icons, as a place of bytes and as something that follows the lock. */
export interface Vendor {
  readonly file: VendorFile;
  readonly byteSource: ByteSource;
  /**
   * The lock file is written. A vendor file that has changed is checked, and in the mode `online` it gets what it lacks of
   * the lock, from wherever bytes are but the catalog. A file that cannot be written is a warning.
   * @throws IconCatalogError LOCK_INVALID, LOCK_MISMATCH if the file is damaged
   */
  complete(ports: VendorSources): Promise<void>;
  /** Removes what the lock does not name, with the next `complete`. */
  prune(iconLock: IconLock): void;
  /** Lines that are damaged, and files that the lock names and no line holds. */
  problems(iconLock: IconLock): Promise<IconCatalogError[]>;
  /** A record of each icon of which the file holds bytes. */
  records(iconLock: IconLock): Promise<IconRecord[]>;
}

interface VendorSources {
  iconLock: IconLock;
  byteSources: ByteSources;
  /** The catalog of this build, as the lock names it if it is the same one. */
  description: { digest: string; bytes: Uint8Array } | undefined;
}

/** Files of a cache that are read at a time. */
const AT_ONCE = 16;

export function createVendor(options: ResolvedOptions & { vendor: ProjectFile }, log: Log): Vendor {
  const { vendor, mode, cacheDir, root, licenses, lockfile } = options;
  const file = createVendorFile({
    file: vendor.path,
    name: vendor.name,
    warn: (message) => log.warn(message),
  });
  const project = sha256Hex(JSON.stringify([root, vendor.path]));
  // Says with which lock the file was complete, so that most builds need not read it.
  const note = join(cacheDir, 'projects', `${project.slice(0, 32)}.vendor`);
  /** The same for a file that may lack some. */
  const checked = `${note}-checked`;

  async function complete({ iconLock, byteSources, description }: VendorSources): Promise<void> {
    if (iconLock.hash() === '') return;
    const isOnline = mode === 'online';
    const now = await state(iconLock);
    if (now !== '' && (await isNoted(note, now))) {
      if (isOnline) await tidyProjectFile(vendor.path);
      return;
    }
    if (!isOnline && (now === '' || (await isNoted(checked, now)))) return;
    // A file that is damaged is wrong also where a cache has its icons: elsewhere it may be the only place.
    await file.open();
    const wrong = file.problems().find(({ why }) => why !== 'unknown');
    if (wrong !== undefined) throw describeVendorProblem(wrong, vendor.name);
    if (!isOnline) return remember(checked, now);
    const wanted = wantedOf(iconLock);
    if (description !== undefined && wanted.has(description.digest)) file.put(description.bytes);
    const lacking = [...wanted].filter((integrity) => !file.has(integrity));
    // What another place has, the file is given on the way.
    const limit = pLimit(AT_ONCE);
    const found = await Promise.all(lacking.map((each) => limit(() => byteSources.get(each))));
    const missing = found.filter((bytes) => bytes === undefined).length;
    if (missing > 0) {
      log.warn(
        `${vendor.name} lacks ${missing === 1 ? 'one file' : `${missing} files`} of ${lockfile.name} that no cache has. Run \`npx icon-catalog sync\` to fetch them.`,
      );
    }
    const { added } = await file.flush(wanted);
    if (missing === 0) await remember(note, await state(iconLock));
    if (added.length === 0) return;
    const records = recordsOf(iconLock, file);
    const notice = await vendorNotice({ ...licenses, root, vendorFile: vendor.name, records });
    if (notice !== undefined) log.warn(notice);
  }

  async function state(iconLock: IconLock): Promise<string> {
    const found = await stat(vendor.path).catch(() => undefined);
    return found === undefined ? '' : `${iconLock.hash()} ${found.size} ${found.mtimeMs}`;
  }

  return {
    file,
    byteSource: vendorSource(file, { writable: mode === 'online' }),
    prune: (iconLock) => file.keepOnly(wantedOf(iconLock)),
    async problems(iconLock) {
      await file.open();
      const damaged = file.problems().map((problem) => describeVendorProblem(problem, vendor.name));
      const missing = [...iconLock.all().entries].filter(
        ([, { integrity }]) => integrity !== undefined && !file.has(integrity),
      );
      return [...damaged, ...missing.map(([key]) => notVendored(key, vendor.name))];
    },
    async records(iconLock) {
      await file.open();
      return recordsOf(iconLock, file);
    },
    async complete(ports) {
      try {
        await complete(ports);
      } catch (error) {
        if (isIconCatalogError(error)) throw error;
        log.warn(
          `${vendor.name} cannot be written (${reasonOf(error)}): new icons stay out of it. This build is right, but one without a network may lack them.`,
        );
      }
    },
  };
}

function notVendored(key: string, name: string): IconCatalogError {
  return new IconCatalogError('LOCK_MISSING', {
    message: `${name} has no line with the bytes of ${JSON.stringify(key)}.`,
    remedy: `Run \`npx icon-catalog sync\`, and commit ${name}.`,
    icon: parseLockKey(key)?.id,
    path: name,
  });
}

/** Digests of all files that the lock names, and of the catalog's description. */
function wantedOf(iconLock: Pick<IconLock, 'all' | 'catalog'>): Set<string> {
  const wanted = new Set<string>();
  for (const { integrity } of iconLock.all().entries.values())
    if (integrity !== undefined) wanted.add(integrity);
  const catalog = iconLock.catalog();
  if (catalog !== undefined) wanted.add(catalog);
  return wanted;
}

/** One record an icon of which the file holds bytes. */
function recordsOf(iconLock: IconLock, file: VendorFile): IconRecord[] {
  const records = new Map<string, IconRecord>();
  for (const [key, entry] of iconLock.all().entries) {
    const { id } = parseLockKey(key) ?? {};
    if (id === undefined || entry.integrity === undefined || !file.has(entry.integrity)) continue;
    records.set(`${id}`, { id: `${id}`, ...lockedRecord(entry) });
  }
  return [...records.values()];
}

async function isNoted(note: string, text: string): Promise<boolean> {
  return text === (await readFile(note, 'utf8').catch(() => ''));
}

async function remember(note: string, text: string): Promise<void> {
  try {
    await mkdir(dirname(note), { recursive: true });
    await writeFile(note, text);
  } catch {
    // A cache that cannot be written is reported once, by the store that needs it more.
  }
}

/** Icons of one licence that a message names. */
const LISTED = 20;

interface VendorNotice {
  root: string;
  /** Path of the vendor file relative to the root. */
  vendorFile: string;
  /** Of the icons that the file holds. */
  records: readonly IconRecord[];
  assert: Readonly<Record<string, LicenseAssertion>>;
  /** What the catalog’s terms state for all its icons. */
  terms?: { version: string } | undefined;
}

/**
 * A warning if icons whose licence asks for something are committed to a repository that looks public; `undefined`
 * if none is, or if the project says whose they are: in `REUSE.toml`, or in a `.license` file beside.
 */
export async function vendorNotice({
  root,
  vendorFile,
  ...licensed
}: VendorNotice): Promise<string | undefined> {
  const icons = iconsByLicense(licensed);
  if (icons.size === 0) return undefined;
  const signs = await publicSigns(root);
  if (signs.length === 0 || (await isDeclared(root, vendorFile))) return undefined;
  const licenses = [...icons].map(([name, ids]) => {
    const more = ids.length > LISTED ? ` and ${ids.length - LISTED} more` : '';
    return `\n  ${name}: ${ids.length === 1 ? 'icon' : 'icons'} ${ids.slice(0, LISTED).join(', ')}${more}`;
  });
  return `${vendorFile} holds icons as the catalog sent them, and this repository looks public (${signs.join('; ')}): who commits the file redistributes them, under conditions of${licenses.join('')}\n  State whose they are in REUSE.toml or in ${vendorFile}.license, and this warning ends: \`icon-catalog sync --reuse\` writes it.`;
}

/** Ids by the name of their licence, without those that may be passed on as one likes. */
function iconsByLicense({
  records,
  assert,
  terms,
}: Pick<VendorNotice, 'records' | 'assert' | 'terms'>): Map<string, string[]> {
  const icons = new Map<string, string[]>();
  const sorted = records.toSorted((one, other) => Number(one.id) - Number(other.id));
  for (const record of sorted) {
    const assertion = findAssertion(record, assert);
    const termsVersion = terms?.version;
    const found = resolveLicense({ record, assertion, termsVersion });
    const { license, creditRequired, noDerivatives } = found;
    if (!creditRequired && !noDerivatives && license.status !== 'unknown') continue;
    const name = toPlainLine(license.name);
    icons.set(name, [...(icons.get(name) ?? []), record.id]);
  }
  return icons;
}

async function isDeclared(root: string, vendorFile: string): Promise<boolean> {
  const license = await readFile(join(root, `${vendorFile}.license`), 'utf8').catch(() => '');
  if (license.trim() !== '') return true;
  const reuse = await readFile(join(root, 'REUSE.toml'), 'utf8').catch(() => '');
  return reuse.includes(vendorFile);
}

/** Hosts on which most repositories can be read by everybody. */
const FORGES = [
  'github.com',
  'gitlab.com',
  'codeberg.org',
  'bitbucket.org',
  'git.sr.ht',
  'gitee.com',
  'gitea.com',
  'sourceforge.net',
  'salsa.debian.org',
  'gitlab.gnome.org',
  'invent.kde.org',
  'framagit.org',
];
const SHORTHANDS: Readonly<Record<string, string>> = {
  github: 'github.com',
  gitlab: 'gitlab.com',
  bitbucket: 'bitbucket.org',
};

/**
 * Why a project looks as if everybody could read its repository, as ends of a sentence; empty if it does not. Looks
 * into files only. An address is never shown: it may hold a password.
 */
export async function publicSigns(root: string): Promise<string[]> {
  const signs: string[] = [];
  const manifest = (await packageAround(root))?.manifest;
  if (manifest !== undefined && manifest.private !== true) {
    signs.push('package.json does not say "private": true');
  }
  const named = manifest && forgeOfRepository(manifest.repository);
  if (named !== undefined) signs.push(`package.json names a repository on ${named}`);
  const config = await gitConfig(root);
  const remote = /^\s*url\s*=\s*(.+)$/gm;
  const hosts = [...config.matchAll(remote)].map(([, url = '']) => forgeOf(url.trim()));
  for (const host of new Set(hosts)) if (host !== undefined) signs.push(`git pushes to ${host}`);
  return signs;
}

function forgeOfRepository(repository: unknown): string | undefined {
  const value =
    typeof repository === 'object' && repository !== null && 'url' in repository
      ? repository.url
      : repository;
  if (typeof value !== 'string') return undefined;
  if (/^[\w.-]+\/[\w.-]+$/.test(value)) return 'github.com';
  const [, short = ''] = /^(\w+):[\w.-]+\/[\w.-]+$/.exec(value) ?? [];
  return SHORTHANDS[short] ?? forgeOf(value);
}

/** `https://user@host/…`, `ssh://git@host:22/…`, `git+https://…` or `git@host:path`. */
function forgeOf(address: string): string | undefined {
  const host =
    /^[\w+.-]+:\/\/(?:[^/@]*@)?([^/:]+)/.exec(address)?.[1] ??
    /^(?:[^/@:]+@)?([^/:@]+\.[^/:@]+):/.exec(address)?.[1] ??
    '';
  const name = host.toLowerCase();
  return FORGES.find((forge) => name === forge || name.endsWith(`.${forge}`));
}

/** The configuration of the repository that holds the folder; `''` if there is none. */
async function gitConfig(folder: string): Promise<string> {
  const git = join(folder, '.git');
  const config = await text(join(git, 'config'));
  if (config !== '') return config;
  // A worktree or a submodule: a file that says where the rest is.
  const [, place] = /^gitdir: (.+)$/m.exec(await text(git)) ?? [];
  if (place !== undefined) {
    const own = isAbsolute(place) ? place : resolve(folder, place);
    const common = (await text(join(own, 'commondir'))).trim();
    return text(join(common === '' ? own : resolve(own, common), 'config'));
  }
  const parent = dirname(folder);
  return parent === folder ? '' : gitConfig(parent);
}

async function text(file: string): Promise<string> {
  return readFile(file, 'utf8').catch(() => '');
}
