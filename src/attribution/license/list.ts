import deprecated from 'spdx-license-ids/deprecated.json' with { type: 'json' };
import current from 'spdx-license-ids/index.json' with { type: 'json' };

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
