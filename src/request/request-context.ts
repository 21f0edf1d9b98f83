import type { ComponentWriter, Framework } from '../component.ts';
import type { IconForm } from '../types.ts';

/** Values for parameters that an import leaves out. */
export interface RequestDefaults {
  color?: string | undefined;
  size?: string | number | undefined;
  as?: IconForm | undefined;
  class?: string | undefined;
}

export interface RequestContext {
  aliases: Readonly<Record<string, number>>;
  /** Where the options come from, as a clause for messages. @default not said */
  source?: string | undefined;
  /** With `embedded`, icons have names (`icon:tabler/home`). @default none */
  catalog?: { kind: string } | undefined;
  framework?: Framework | ComponentWriter | undefined;
  defaults: Readonly<RequestDefaults>;
}
