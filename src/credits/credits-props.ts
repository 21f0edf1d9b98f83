import { IconCatalogError } from '../errors.ts';
import type { Credit } from '../types.ts';

/** The props of `<IconCredits>` in every framework; all others go to its element. */
export interface CreditsProps {
  /** The default export of `icon:credits`. */
  credits: readonly Credit[];
  /**
   * The level of the headings above the licences, 1–6.
   * @default 2
   */
  heading?: number | `${number}` | undefined;
  /**
   * False: one list in the order of `credits`, without headings.
   * @default true
   */
  grouped?: boolean | undefined;
}

/** What the lists of all frameworks are rendered from. */
export interface CreditsLook {
  credits: readonly Credit[];
  heading: number;
  grouped: boolean;
}

/**
 * Applies defaults and checks, in one place for all frameworks.
 * @throws {IconCatalogError} `OPTIONS_INVALID` for credits that are not a list, and for a heading level that HTML does
 * not have
 */
export function parseProps({ credits, heading = 2, grouped = true }: CreditsProps): CreditsLook {
  if (!Array.isArray(credits)) {
    throw new IconCatalogError('OPTIONS_INVALID', {
      message: `\`credits\` of <IconCredits> is ${nameOf(credits)}, not a list of credits.`,
      remedy: "Give it the default export of `icon:credits`: `import credits from 'icon:credits'`.",
    });
  }
  const level = Number(heading);
  if (!Number.isInteger(level) || level < 1 || level > 6) {
    throw new IconCatalogError('OPTIONS_INVALID', {
      message: `\`heading\` of <IconCredits> is ${JSON.stringify(heading)}, not a heading level.`,
      remedy: 'Give it a whole number from 1 to 6.',
    });
  }
  return { credits: credits as readonly Credit[], heading: level, grouped };
}

function nameOf(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
