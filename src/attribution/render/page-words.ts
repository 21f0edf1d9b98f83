import { escapeHtml } from '../../untrusted.ts';
import type { PageLanguage, PageWords } from '../../types.ts';

export const ENGLISH: PageWords = {
  thousands: ',',
  title: 'Icon credits',
  summary: '{icons} by {creators} under {licences}.',
  summaryWithoutCreators: '{icons} under {licences}.',
  icons: ['{n} icon', '{n} icons'],
  creators: ['{n} creator', '{n} creators'],
  licences: ['{n} licence', '{n} licences'],
  thanks: 'They come from {catalog}. Thank you to everyone who drew them.',
  terms: 'its terms',
  noIcons: 'No icons of the catalog are used here.',
  emptyTitle: 'Nothing to credit',
  emptyText:
    'The output holds no icon of the catalog. Icons appear here as soon as a page uses them.',
  incomplete: 'This list is not complete yet: not every build of the site has reported its icons.',
  back: 'Back to {site}',
  otherFormats: 'This list in other formats',
  find: 'Find an icon, creator, set, licence or id',
  found: '{n} of {total}',
  nothingFound: 'Nothing found for “{words}”.',
  licenceList: 'Licences',
  footer: 'Written by {generator} from what this site’s output holds.',
  footerRequested: 'Written by {generator} from what the project asks for.',
  drawingsNeedScripts: 'The drawings of a long list are shown if scripts are allowed.',
  chooseToCopy: 'Choose a drawing to copy its credit.',
  copyCredit: 'Copy the credit of {title}',
  copyAs: 'Copy as',
  plainText: 'Text',
  copy: 'Copy',
  copied: 'Copied',
  close: 'Close',
  untitled: 'Untitled icon {id}',
  by: 'by ',
  creatorNotStated: 'Creator not stated',
  iconName: '{name of the icon}',
  credit: 'Credit: ',
  drawnInFile: 'Drawn in the file: ',
  noticeInFile: 'Notice in the file: ',
  licence: 'Licence: ',
  licenceText: 'Licence text: ',
  licenceFile: 'Licence file: ',
  textOf: 'Text of the licence: {licence}',
  asserted: ', as found out for this site',
  changes: 'Changes: ',
  noChanges: 'none',
  encodingOnly: 'encoding only',
  licenceUnknown:
    'The licence of these icons is not known. Ask their creators before you use them elsewhere.',
  noCreditRequired: 'No credit is required; it is given all the same.',
  versionNotStated:
    'Which version of the licence applies is not stated, so no licence text is linked.',
  licensedSeparately: 'Licensed separately.',
  changeWords: {},
  licenceNames: {},
  catalogNames: {},
};

const GERMAN: PageWords = {
  thousands: '.',
  title: 'Icon-Nachweis',
  summary: '{icons} von {creators} unter {licences}.',
  summaryWithoutCreators: '{icons} unter {licences}.',
  icons: ['{n} Icon', '{n} Icons'],
  creators: ['einer Urheberin oder einem Urheber', '{n} Urheberinnen und Urhebern'],
  licences: ['{n} Lizenz', '{n} Lizenzen'],
  thanks: 'Sie stammen aus: {catalog}. Vielen Dank an alle, die sie gezeichnet haben.',
  terms: 'Nutzungsbedingungen',
  noIcons: 'Hier werden keine Icons aus dem Katalog verwendet.',
  emptyTitle: 'Nichts nachzuweisen',
  emptyText:
    'Die Website enthält kein Icon aus dem Katalog. Sobald eine Seite eines verwendet, erscheint es hier.',
  incomplete:
    'Diese Liste ist noch nicht vollständig: Nicht alle Teile der Website haben ihre Icons gemeldet.',
  back: 'Zurück zu {site}',
  otherFormats: 'Diese Liste in anderen Formaten',
  find: 'Icon, Urheber, Sammlung, Lizenz oder Nummer suchen',
  found: '{n} von {total}',
  nothingFound: 'Nichts gefunden für „{words}“.',
  licenceList: 'Lizenzen',
  footer: 'Geschrieben von {generator} nach dem, was die Website enthält.',
  footerRequested: 'Geschrieben von {generator} nach dem, was das Projekt anfordert.',
  drawingsNeedScripts: 'Die Zeichnungen einer langen Liste erscheinen, wenn Skripte erlaubt sind.',
  chooseToCopy: 'Wählen Sie eine Zeichnung, um ihren Nachweis zu kopieren.',
  copyCredit: 'Nachweis kopieren: {title}',
  copyAs: 'Kopieren als',
  plainText: 'Text',
  copy: 'Kopieren',
  copied: 'Kopiert',
  close: 'Schließen',
  untitled: 'Icon {id} ohne Titel',
  by: 'von ',
  creatorNotStated: 'Urheber nicht angegeben',
  iconName: '{Name des Icons}',
  credit: 'Nachweis: ',
  drawnInFile: 'In der Datei gezeichnet: ',
  noticeInFile: 'Hinweis in der Datei: ',
  licence: 'Lizenz: ',
  licenceText: 'Lizenztext: ',
  licenceFile: 'Lizenzdatei: ',
  textOf: 'Text der Lizenz: {licence}',
  asserted: ', für diese Website ermittelt',
  changes: 'Änderungen: ',
  noChanges: 'keine',
  encodingOnly: 'nur Kodierung',
  licenceUnknown:
    'Die Lizenz dieser Icons ist nicht bekannt. Fragen Sie ihre Urheber, bevor Sie sie anderswo verwenden.',
  noCreditRequired: 'Ein Nachweis ist nicht vorgeschrieben; er steht trotzdem hier.',
  versionNotStated:
    'Welche Version der Lizenz gilt, ist nicht angegeben; deshalb ist kein Lizenztext verlinkt.',
  licensedSeparately: 'Gesondert lizenziert.',
  changeWords: {
    recolor: 'umgefärbt',
    resize: 'Zeichenfläche in der Größe geändert',
    viewbox: 'Ausschnitt geändert',
    format: 'in Pixel umgewandelt',
    sanitize: 'unsichere Teile entfernt',
    'credit-removed': 'gezeichneter Nachweis entfernt',
    'metadata-added': 'Nachweis in der Datei ergänzt',
    optimize: 'optimiert',
  },
  licenceNames: {
    'Creative Commons Attribution, version not stated by the catalog':
      'Creative Commons Namensnennung, Version vom Katalog nicht angegeben',
    'Public domain, as stated by the catalog': 'Gemeinfrei laut Katalog',
    'File of this project, which states no licence for it':
      'Datei dieses Projekts, das keine Lizenz dafür nennt',
    'Licence not stated by the catalog': 'Lizenz vom Katalog nicht angegeben',
  },
  catalogNames: {
    'Icon sets installed with the project': 'mit dem Projekt installierte Icon-Sammlungen',
    'Icon catalog': 'Icon-Katalog',
  },
};

/** Languages that come with the package. */
const LANGUAGES: Readonly<Record<string, PageWords>> = { en: ENGLISH, de: GERMAN };

/** A language with all its words, and what it does with them. */
export interface Language {
  code: string;
  /** Attributes of the element whose text is in this language. */
  attributes: string;
  words: PageWords;
}

/** The words of a language that comes with the package, or of one that a project brings. */
export function resolveLanguage(given: string | PageLanguage = 'en'): Language {
  const { code, words = {} } = typeof given === 'string' ? { code: given } : given;
  const base = ownValue(LANGUAGES, code.toLowerCase().split('-')[0] ?? '') ?? ENGLISH;
  const direction = RIGHT_TO_LEFT.test(code) ? ' dir="rtl"' : '';
  const attributes = `lang="${escapeHtml(code)}"${direction}`;
  return { code, attributes, words: { ...base, ...words } };
}

/** By the language, or by the script where a language has several. */
const RIGHT_TO_LEFT =
  /^(?:ar|ckb|dv|fa|he|iw|ps|sd|ug|ur|yi)(?!-latn)(?:-|$)|-(?:arab|hebr|thaa)(?:-|$)/i;

/** What a page may call a licence: in the languages that come with the package, and in that of the project. */
export function namesOfLicense(name: string, language?: string | PageLanguage): string[] {
  const all = [...Object.values(LANGUAGES), resolveLanguage(language).words];
  return [
    ...new Set([name, ...all.map(({ licenceNames }) => ownValue(licenceNames, name) ?? name)]),
  ];
}

/** `1,250 icons`. The digits are grouped by hand: the locale of the machine must not show in the output. */
export function count(
  number: number,
  [one, many]: readonly [string, string],
  { thousands }: PageWords,
): string {
  const digits = String(number).replace(/\B(?=(?:\d{3})+$)/g, () => thousands);
  return fill(number === 1 ? one : many, { n: digits });
}

/** Fills the `{…}` of a text in; a name that is not given stays as it is. */
export function fill(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\{(\w+)\}/g, (place, name: string) => ownValue(values, name) ?? place);
}

/** Names come from records, and one may be called `constructor`. */
export function ownValue<Value>(
  values: Readonly<Record<string, Value>>,
  name: string,
): Value | undefined {
  return Object.hasOwn(values, name) ? values[name] : undefined;
}
