import type { Credit } from '../types.ts';
import { CREDITS_SLOT } from './session-types.ts';

/** The module while the shipped icons are not known: `CREDITS_SLOT` once, alone in a string literal. */
export function pendingCreditsCode(): string {
  return moduleCode(CREDITS_SLOT);
}

export function creditsCode(credits: readonly Credit[], complete: boolean): string {
  return moduleCode(toSlotText(credits, complete));
}

/**
 * Percent-encoded JSON: letters, digits and `-_.!~*()%` only, so that it stands unchanged in any quotes that a minifier
 * chooses, also in a string within a string (webpack's eval devtools).
 */
export function toSlotText(credits: readonly Credit[], complete: boolean): string {
  return encodeURIComponent(JSON.stringify({ credits, complete })).replaceAll("'", '%27');
}

function moduleCode(text: string): string {
  return [
    `const payload = /* @__PURE__ */ JSON.parse(/* @__PURE__ */ decodeURIComponent("${text}"));`,
    'const credits = payload.credits;',
    'export default credits;',
    'export const complete = payload.complete;',
    '',
  ].join('\n');
}
