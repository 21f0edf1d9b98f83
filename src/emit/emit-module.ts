import type { ComponentWriter, Framework } from '../component.ts';
import type {
  Credit,
  Filetype,
  IconForm,
  IconInfo,
  IconRecord,
  IconRequest,
  SvgMaster,
  SvgSymbol,
} from '../types.ts';
import { emitComponent, writeComponent } from './component/emit-component.ts';
import {
  joinParts,
  moduleCode,
  type ModuleParts,
  recordExports,
  recordParts,
  toJsLiteral,
  toPureJson,
} from './module-code.ts';
import {
  dataUriOf,
  renderSpriteFile,
  type SpriteSymbol,
  withCreditComment,
  withCreditMetadata,
} from './svg-text.ts';

export interface EmitInput {
  request: IconRequest;
  /** Rendered markup; needed for svg, except by `as=meta`. */
  svg?: string | undefined;
  /** The file; needed for png, except by `as=meta`. */
  bytes?: Uint8Array | undefined;
  /** What `svg` was rendered from; `undefined` where the project's transform changed it since. */
  master?: SvgMaster | undefined;
  /** Needed by `as=component`: the name of a framework, or the project's own function. */
  framework?: Framework | ComponentWriter | undefined;
  credit: Credit;
  icon: IconInfo;
  record: IconRecord;
  /** Svg files of their own get the credit as RDF too. @default false */
  metadata?: boolean | undefined;
  /** For `as=sprite`: the drawing as a symbol; without it the markup itself is the default export. */
  symbol?: SvgSymbol | undefined;
}

/** Code that stands by itself. */
interface CodeModule {
  kind: 'code';
  code: string;
  /** What `joinParts` makes the same code of; `value` is a string literal. Absent if it is not. */
  parts?: ModuleParts;
}

/** A file for the output, and code that exports its address once the bundler knows it. */
export interface AssetModule {
  kind: 'asset';
  /** The icon as a symbol: to be put into the one sprite file of the build, whose address is then what `code` is given. */
  symbol?: SpriteSymbol;
  /** Beside `symbol`: the module that has the drawing itself as default export, for where no file can be. */
  inline?: CodeModule;
  /** ASCII, at most 60 characters, without a hash: two colours of an icon have the same name. */
  fileName: string;
  source: string | Uint8Array;
  contentType: string;
  /** @param urlExpression JavaScript expression, such as a quoted address. */
  code(urlExpression: string): string;
}

export type EmittedModule = CodeModule | AssetModule;

type Emit = (input: EmitInput) => EmittedModule | Promise<EmittedModule>;

const emitByForm: Partial<Record<IconForm, Emit>> = {
  svg: (input) => toCode(needed(input.svg, 'svg'), input),
  url: toAsset,
  sprite: toSprite,
  data: (input) => toCode(toDataUri(input), input),
  component: toComponent,
  meta: ({ record, credit, icon }) => ({
    kind: 'code',
    code: moduleCode({ value: toPureJson(toMeta(record)), credit, icon }),
  }),
};

/**
 * Writes the module of one icon.
 * @throws IconCatalogError OPTIONS_INVALID if the project's own function cannot write its component
 */
export async function emitModule(input: EmitInput): Promise<EmittedModule> {
  const emit = emitByForm[input.request.as];
  if (emit === undefined) throw new TypeError(`No module is known for as=${input.request.as}`);
  return emit(input);
}

async function toComponent({
  request,
  master,
  credit,
  icon,
  ...input
}: EmitInput): Promise<CodeModule> {
  const framework = needed(input.framework, 'framework');
  const component = { request, svg: needed(input.svg, 'svg'), master, term: icon.term };
  const records = recordParts({ credit, icon });
  if (typeof framework === 'function') {
    const code = await writeComponent({ ...component, credit, icon }, framework);
    return { kind: 'code', code: code + recordExports(records) };
  }
  const parts = { value: emitComponent(component, framework), ...records };
  return { kind: 'code', code: joinParts(parts), parts };
}

function toCode(text: string, { credit, icon }: EmitInput): CodeModule {
  const parts = { value: toJsLiteral(text), ...recordParts({ credit, icon }) };
  return { kind: 'code', code: joinParts(parts), parts };
}

function toAsset(input: EmitInput): AssetModule {
  const { request, bytes, credit, icon } = input;
  const { id, filetype } = request;
  const isPng = filetype === 'png';
  return {
    kind: 'asset',
    fileName: assetFileName({ term: icon.term, id, filetype }),
    source: isPng ? needed(bytes, 'bytes') : withCredit(input),
    contentType: isPng ? 'image/png' : 'image/svg+xml',
    code: (urlExpression) => moduleCode({ value: urlExpression, credit, icon }),
  };
}

/** After svgo, which takes comments and metadata for waste. */
function withCredit({ svg, credit, metadata }: EmitInput): string {
  const markup = needed(svg, 'svg');
  return withCreditComment(metadata === true ? withCreditMetadata(markup, credit) : markup, credit);
}

/** The file holds this symbol alone, which is what a dev server needs. */
function toSprite(input: EmitInput): EmittedModule {
  const { request, symbol: drawn, credit, icon } = input;
  if (drawn === undefined) return toCode(needed(input.svg, 'svg'), input);
  const [before, after] = drawn.use.map(toJsLiteral);
  const symbol = { id: drawn.id, symbol: drawn.symbol, credit };
  return {
    kind: 'asset',
    symbol,
    inline: toCode(needed(input.svg, 'svg'), input),
    fileName: `sprite-${request.id}.svg`,
    source: renderSpriteFile([symbol]),
    contentType: 'image/svg+xml',
    // A call rather than `+`, which bundlers do not drop where an operand is not known.
    code: (urlExpression) =>
      moduleCode({
        value: `/* @__PURE__ */ ${before}.concat(${urlExpression}, ${after})`,
        credit,
        icon,
      }),
  };
}

function toDataUri({ request, svg, bytes }: EmitInput): string {
  const source = request.filetype === 'svg' ? needed(svg, 'svg') : needed(bytes, 'bytes');
  return dataUriOf({ source, contentType: 'image/png' });
}

/** By name, so that no field of a future record comes into bundles unasked. */
const META: readonly (keyof IconRecord)[] = [
  'id',
  'term',
  'attribution',
  'creator',
  'collections',
  'license_description',
  'permalink',
  'styles',
  'tags',
];

function toMeta(record: IconRecord): object {
  return Object.fromEntries(META.map((name) => [name, record[name]]));
}

function needed<Value>(value: Value | undefined, name: string): Value {
  if (value === undefined) throw new TypeError(`emitModule needs \`${name}\` for this request`);
  return value;
}

const LONGEST = 60;

/** `star-123.svg`: the term as lower-case ASCII, the id, at most 60 characters; `icon-123.svg` where the term has no such letters. */
export function assetFileName({
  term,
  id,
  filetype,
}: {
  term: string;
  id: number;
  filetype: Filetype;
}): string {
  const ending = `-${id}.${filetype}`;
  const slug = term
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase()
    .replace(/[^a-z\d]+/g, '-')
    .slice(0, LONGEST - ending.length)
    .replace(/^-+|-+$/g, '');
  return `${slug === '' ? 'icon' : slug}${ending}`;
}
