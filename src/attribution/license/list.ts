import deprecated from 'spdx-license-ids/deprecated.json' with { type: 'json' };
import current from 'spdx-license-ids/index.json' with { type: 'json' };
import { remember } from '../../untrusted.ts';

export interface LicenseFacts {
  spdx: string;
  name: string;
  /** `major.minor` where the identifier states one in that form. */
  version: string | null;
  url: string;
  /** False for dedications to the public domain and licences that ask for no notice. */
  creditRequired: boolean;
  /** True if changed copies may not be shared (CC …-ND). */
  noDerivatives: boolean;
}

/** Full names of licences that icon sets are under; for the others the identifier is the name. */
const NAME_BY_ID: Readonly<Record<string, string>> = {
  '0BSD': 'BSD Zero Clause License',
  'AGPL-3.0-only': 'GNU Affero General Public License v3.0 only',
  'AGPL-3.0-or-later': 'GNU Affero General Public License v3.0 or later',
  'Apache-2.0': 'Apache License 2.0',
  'Artistic-2.0': 'Artistic License 2.0',
  'BSD-2-Clause': 'BSD 2-Clause License',
  'BSD-3-Clause': 'BSD 3-Clause License',
  'BSL-1.0': 'Boost Software License 1.0',
  'BlueOak-1.0.0': 'Blue Oak Model License 1.0.0',
  'CC-PDDC': 'Creative Commons Public Domain Dedication and Certification',
  'CC-PDM-1.0': 'Creative Commons Public Domain Mark 1.0',
  'CC0-1.0': 'Creative Commons Zero 1.0 Universal',
  'EPL-2.0': 'Eclipse Public License 2.0',
  'EUPL-1.2': 'European Union Public License 1.2',
  'GPL-2.0': 'GNU General Public License v2.0',
  'GPL-2.0-only': 'GNU General Public License v2.0 only',
  'GPL-2.0-or-later': 'GNU General Public License v2.0 or later',
  'GPL-3.0': 'GNU General Public License v3.0',
  'GPL-3.0-only': 'GNU General Public License v3.0 only',
  'GPL-3.0-or-later': 'GNU General Public License v3.0 or later',
  ISC: 'ISC License',
  'LGPL-2.1-only': 'GNU Lesser General Public License v2.1 only',
  'LGPL-2.1-or-later': 'GNU Lesser General Public License v2.1 or later',
  'LGPL-3.0-only': 'GNU Lesser General Public License v3.0 only',
  'LGPL-3.0-or-later': 'GNU Lesser General Public License v3.0 or later',
  MIT: 'MIT License',
  'MIT-0': 'MIT No Attribution',
  'MPL-2.0': 'Mozilla Public License 2.0',
  'OFL-1.1': 'SIL Open Font License 1.1',
  'PDDL-1.0': 'Open Data Commons Public Domain Dedication and License 1.0',
  'UPL-1.0': 'Universal Permissive License 1.0',
  Unlicense: 'The Unlicense',
  WTFPL: 'Do What The F*ck You Want To Public License',
  Zlib: 'zlib License',
};

const URL_BY_ID: Readonly<Record<string, string>> = {
  'CC0-1.0': 'https://creativecommons.org/publicdomain/zero/1.0/',
  'CC-PDM-1.0': 'https://creativecommons.org/publicdomain/mark/1.0/',
};

const CREDIT_NOT_REQUIRED: ReadonlySet<string> = new Set([
  '0BSD',
  'CC-PDDC',
  'CC-PDM-1.0',
  'CC0-1.0',
  'MIT-0',
  'PDDL-1.0',
  'Unlicense',
  'WTFPL',
]);

const CREATIVE_COMMONS =
  /^CC-BY(?<nc>-NC)?(?<kind>-ND|-SA)?-(?<version>[1-4]\.\d)(?:-(?<port>[A-Z]{2,3}))?$/;
const STATED_VERSION = /-(?<version>[1-4]\.\d)(?:-only|-or-later|\+)?$/;

/** Facts about an exact SPDX identifier; `undefined` for anything else. */
export function findLicense(id: string): LicenseFacts | undefined {
  if (!isSpdxId(id)) return undefined;
  const creativeCommons = CREATIVE_COMMONS.exec(id)?.groups;
  if (creativeCommons !== undefined) return describeCreativeCommons(id, creativeCommons);
  return {
    spdx: id,
    name: NAME_BY_ID[id] ?? id,
    version: STATED_VERSION.exec(id)?.groups?.['version'] ?? null,
    url: URL_BY_ID[id] ?? `https://spdx.org/licenses/${id}.html`,
    creditRequired: !CREDIT_NOT_REQUIRED.has(id),
    noDerivatives: false,
  };
}

/** What a licence asks of a project besides credit and notices; `undefined` if nothing, or if it is not known. */
export function findConditions(id: string): string | undefined {
  if (!isSpdxId(id)) return undefined;
  const { nc, kind } = CREATIVE_COMMONS.exec(id)?.groups ?? {};
  const asked = [
    ...(nc === undefined ? [] : ['non-commercial use only']),
    ...(kind === '-SA' ? ['the same licence for changed copies'] : []),
    ...(/^[AL]?GPL-/.test(id) ? ['its own terms for what holds the icon'] : []),
  ];
  return asked.length === 0 ? undefined : asked.join(', ');
}

/** Names and addresses follow the pattern of the Creative Commons deeds, ports (`-US`, `-IGO`) included. */
function describeCreativeCommons(
  id: string,
  { nc, kind, version = '', port }: Record<string, string | undefined>,
): LicenseFacts {
  // The one deed whose address has the words the other way round.
  const path =
    nc !== undefined && kind === '-ND' && version === '1.0'
      ? 'by-nd-nc'
      : `by${nc ?? ''}${kind ?? ''}`.toLowerCase();
  const words = [
    'Attribution',
    ...(nc === undefined ? [] : ['NonCommercial']),
    ...(kind === undefined ? [] : [kind === '-ND' ? 'NoDerivatives' : 'ShareAlike']),
  ].join('-');
  const scope =
    port ?? (version === '4.0' ? 'International' : version === '3.0' ? 'Unported' : 'Generic');
  return {
    spdx: id,
    name: `Creative Commons ${words} ${version} ${scope}`,
    version,
    url: `https://creativecommons.org/licenses/${path}/${version}/${port === undefined ? '' : `${port.toLowerCase()}/`}`,
    creditRequired: true,
    noDerivatives: kind === '-ND',
  };
}

let ids: ReadonlySet<string> | undefined;
let idsByLowerCase: ReadonlyMap<string, string> | undefined;

export function spdxIds(): readonly string[] {
  return [...current, ...deprecated];
}

/** True if the value is an SPDX licence identifier, letter by letter; deprecated ones still name their licence. */
export function isSpdxId(value: string): boolean {
  ids ??= new Set([...current, ...deprecated]);
  return ids.has(value);
}

/** The identifier that differs from the value in case and outer space only. For messages, never for a decision. */
export function nearestSpdxId(value: string): string | undefined {
  idsByLowerCase ??= new Map([...deprecated, ...current].map((id) => [id.toLowerCase(), id]));
  return idsByLowerCase.get(value.trim().toLowerCase());
}

/** GPL-3.0 has 35 KB. What is longer is no text of a licence. */
const LONGEST = 64 * 1024;

const DIRECTION_MARKS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g;
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;
/** A line that says who holds the rights since when: the word alone also begins lines of many terms. */
const HOLDER =
  /^[\s*#>-]*((?:(?:portions )?copyright(?: notice)?:?\s+(?:(?:©|\(c\)|\d{4}).*|(?!notice|holder|owner|law|licen)[^\n]*\b\d{4}\b.*)|(?:©|\(c\))\s+\S.*))$/i;
/** `Copyright [yyyy] [name of copyright owner]`: a form to fill in. */
const FORM = /[[<{](?:yyyy|year|name of)/i;
/** The licence's own copyright, and not that of the icons. */
const OWN = /Free Software Foundation, Inc\.|Creative Commons Corporation|SIL International/i;

/**
 * A licence text as it is kept: LF, no controls, no marks of direction. Equal texts are one string in memory.
 * `undefined` for nothing, and for what is too long.
 */
export function cleanLicenseText(text: string | undefined): string | undefined {
  return text === undefined || text.length > LONGEST ? undefined : cleaned(text);
}

const cleaned = remember((text) => {
  const clean = text
    .replaceAll(/\r\n?|[\u2028\u2029]/g, '\n')
    .replaceAll(DIRECTION_MARKS, '')
    .replaceAll(CONTROLS, '')
    .replaceAll(/\p{Surrogate}/gu, '\ufffd')
    .replace(/^(?:[^\S\n]*\n)+/, '')
    .trimEnd();
  return clean === '' ? undefined : clean;
});

/** The lines of a text that say who holds the rights; `undefined` if there are none. */
export const copyrightOf: (text: string) => string | undefined = remember((text) => {
  const lines = text.split('\n').map((line) => HOLDER.exec(line)?.[1]?.trim() ?? '');
  const known = lines.filter((line) => line !== '' && !FORM.test(line) && !OWN.test(line));
  return known.length === 0 ? undefined : [...new Set(known)].join('\n');
});

/** The same of several texts, such as the notices of a file: each line once. */
export function copyrightsIn(texts: readonly string[] = []): string[] {
  return [...new Set(texts.flatMap((text) => copyrightOf(text)?.split('\n') ?? []))];
}
