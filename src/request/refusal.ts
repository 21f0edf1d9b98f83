import type { ComponentWriter, Framework } from '../component.ts';
import { type ErrorCode, IconCatalogError } from '../errors.ts';
import type { IconForm } from '../types.ts';

const SHOWN = 160;

/** A parameter, reference or value that the grammar does not allow. */
export interface Fault {
  /** The fault: a clause that follows `Cannot understand …:`. */
  reason: string;
  /** The values that are allowed. */
  allowed?: string | undefined;
  /** The nearest valid spelling. */
  nearest?: string | undefined;
  /** The default is `SPECIFIER_INVALID`. */
  code?: ErrorCode | undefined;
  remedy?: string | undefined;
  icon?: number | undefined;
  path?: string | undefined;
}

/** Thrown inside this folder only: the parser knows the whole specifier and its importer, its parts do not. */
export class Refusal extends Error {
  readonly fault: Fault;
  constructor(fault: Fault) {
    super(fault.reason);
    this.fault = fault;
  }
}

export function refuse(fault: Fault): never {
  throw new Refusal(fault);
}

/** Quotes the input: cut at 160 characters, and without characters that could garble a terminal. */
export function quote(written: string): string {
  const shown = written.length > SHOWN ? `${written.slice(0, SHOWN)}…` : written;
  return `\`${shown.replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Surrogate}\p{Bidi_Control}]/gu, escapeCharacter)}\``;
}

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

export function toError(
  fault: Fault,
  specifier: string,
  importer: string | undefined,
): IconCatalogError {
  const allowed = fault.allowed === undefined ? '' : ` Allowed: ${fault.allowed}.`;
  const remedy =
    fault.nearest === undefined ? fault.remedy : `Did you mean ${quote(fault.nearest)}?`;
  return new IconCatalogError(fault.code ?? 'SPECIFIER_INVALID', {
    message: `Cannot use ${quote(specifier)}: ${fault.reason}.${allowed}`,
    ...(remedy === undefined ? {} : { remedy }),
    importer,
    icon: fault.icon,
    path: fault.path,
  });
}

/** Values for parameters that an import leaves out. */
export interface RequestDefaults {
  color?: string | undefined;
  size?: string | number | undefined;
  as?: IconForm | undefined;
  class?: string | undefined;
}

export interface RequestContext {
  aliases: Readonly<Record<string, number>>;
  /** Where the options come from, as a clause for messages. @default not stated */
  source?: string | undefined;
  /** With `embedded`, icons have names (`icon:tabler/home`). @default none */
  catalog?: { kind: string } | undefined;
  framework?: Framework | ComponentWriter | undefined;
  defaults: Readonly<RequestDefaults>;
}
