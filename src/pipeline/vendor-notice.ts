import { readFile } from 'node:fs/promises';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { findAssertion } from '../attribution/license/policy.ts';
import { type LicenseAssertion, resolveLicense } from '../attribution/license/resolve-license.ts';
import { toPlainLine } from '../attribution/plain-text.ts';
import type { IconRecord } from '../types.ts';

/** Icons of one licence that a message names. */
const LISTED = 20;

export interface VendorNotice {
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
  const manifest = parseManifest(await text(join(root, 'package.json')));
  if (manifest !== undefined && manifest['private'] !== true) {
    signs.push('package.json does not say "private": true');
  }
  const named = manifest && forgeOfRepository(manifest['repository']);
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

function parseManifest(json: string): Record<string, unknown> | undefined {
  try {
    const parsed = JSON.parse(json) as unknown;
    return typeof parsed === 'object' && parsed !== null
      ? (parsed as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}
