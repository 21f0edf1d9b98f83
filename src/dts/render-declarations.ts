const HEAD = `// Written by unplugin-icon-catalog, which knows the icons of this project. Changes are overwritten.
`;
const RECORDS = [
  "  export const credit: import('unplugin-icon-catalog/client').Credit;",
  "  export const icon: import('unplugin-icon-catalog/client').IconInfo;",
];
const BLOCK = /^declare module (".*") \{$/;

/** The blocks of the file by the text of their specifiers. */
type DeclarationBlocks = ReadonlyMap<string, string>;

/**
 * `icon-catalog.d.ts`: an ambient declaration for each import, sorted. TypeScript prefers an exact name to every
 * pattern, so that these win over the types of the package.
 */
export function renderDeclarations(blocks: DeclarationBlocks): string {
  const sorted = [...blocks].toSorted(([one], [other]) => (one < other ? -1 : 1));
  return [HEAD, ...sorted.map(([, block]) => block)].join('\n');
}

/** The blocks of declarations; none if TypeScript would read the name as a pattern. */
export function toBlocks(declarations: Iterable<Declaration>): Map<string, string> {
  const blocks = new Map<string, string>();
  for (const declaration of declarations) {
    if (declaration.specifier.includes('*')) continue;
    blocks.set(declaration.specifier, renderBlock(declaration));
  }
  return blocks;
}

/** Reads what an earlier run wrote, so that a dev server can add to it. Anything else in the file is left out. */
export function parseBlocks(text: string): Map<string, string> {
  const blocks = new Map<string, string>();
  const lines = text.split(/\r?\n/);
  for (let at = 0; at < lines.length; at += 1) {
    const name = BLOCK.exec(lines[at] ?? '')?.[1];
    const end = name === undefined ? -1 : lines.indexOf('}', at);
    if (name === undefined || end === -1) continue;
    const comment = lines[at - 1] === ' */' ? lines.lastIndexOf('/**', at) : -1;
    const start = comment === -1 ? at : comment;
    blocks.set(JSON.parse(name) as string, `${lines.slice(start, end + 1).join('\n')}\n`);
    at = end;
  }
  return blocks;
}

function renderBlock({ specifier, form, about }: Declaration): string {
  const comment = about === undefined ? [] : renderComment(about);
  return [
    // Editors show the one at the text of the import, the other at the imported name.
    ...comment,
    `declare module ${toLiteral(specifier)} {`,
    ...comment.map((line) => `  ${line}`),
    `  const content: ${isMap(form) ? typeOfMap(form.map) : typeOf(form)};`,
    '  export default content;',
    ...(isMap(form) ? [] : RECORDS),
    '}',
    '',
  ].join('\n');
}

function renderComment(about: NonNullable<Declaration['about']>): string[] {
  if (!('term' in about)) return ['/**', ` * ${toCommentText(about.note)}`, ' */'];
  const { id, term, creator, license, preview } = about;
  const name = toCommentText(term);
  return [
    '/**',
    ...(preview === undefined ? [] : [` * ![${name}](${preview})`, ' *']),
    ` * **${name}** by ${toCommentText(creator)}, icon ${toCommentText(id)}`,
    ' *',
    ` * Licence: ${toCommentText(license)}`,
    ' */',
  ];
}

type IconMap = Extract<Declaration['form'], { map: unknown }>;

function isMap(form: Declaration['form']): form is IconMap {
  return typeof form === 'object' && 'map' in form;
}

/** Names that are only known at run time may be looked up, too. */
function typeOfMap(map: IconMap['map']): string {
  const values = [...new Set(map.map(([, value]) => typeOf(value)))];
  const any = `readonly [name: string]: ${[...values, 'undefined'].join(' | ')}`;
  const members = map.map(([key, value]) => `readonly ${toLiteral(key)}: ${typeOf(value)}`);
  return `{ ${[...members, any].join('; ')} }`;
}

function typeOf(value: DeclaredValue): string {
  if (value === 'text') return 'string';
  if (value === 'record') return "Readonly<import('unplugin-icon-catalog/client').IconRecord>";
  return value.component;
}

/** JSON without characters that end a line or change the direction of text. */
function toLiteral(text: string): string {
  return JSON.stringify(text).replace(
    /[\p{Zl}\p{Zp}\p{Bidi_Control}]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Ends a comment, begins a tag of JSDoc, or has a meaning in Markdown or HTML. */
const SPECIAL = /[*@{}<>[\]`\\_#|!&~]/g;
/** Line ends of JavaScript, controls, halves of characters, and marks that change the direction of text. */
const UNSEEN = /[\s\p{Cc}\p{Zl}\p{Zp}\p{Surrogate}\p{Bidi_Control}]+/gu;

/**
 * Untrusted text as part of a doc comment: one line that cannot end the comment, start a tag or contain Markdown.
 * Editors render comments as Markdown, in which a character reference shows its character.
 */
export function toCommentText(text: string): string {
  return text
    .replace(UNSEEN, ' ')
    .trim()
    .replace(SPECIAL, (character) => `&#${character.codePointAt(0)};`);
}

/** The default export of the module of an import. */
type DeclaredForm = DeclaredValue | { map: readonly (readonly [key: string, DeclaredValue])[] };

/** A string, the catalog's record, or a component of this type. */
export type DeclaredValue = 'text' | 'record' | { component: string };

/** One import as TypeScript should see it. */
export interface Declaration {
  /** As written in the source: TypeScript compares texts. */
  specifier: string;
  form: DeclaredForm;
  /** The text that the editor shows; a note if no more is known of the icon. */
  about?:
    | { note: string }
    | {
        id: string;
        term: string;
        creator: string;
        license: string;
        /** `data:image/…;base64,…`, or `undefined` if the picture is too large for a comment. */
        preview: string | undefined;
      }
    | undefined;
}
