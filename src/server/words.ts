/** `arrow-left` → `Arrow left`. */
export function humanize(name: string): string {
  const text = name.replace(/[-_\s]+/g, ' ').trim();
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** `My Icons!` → `my-icons`; letters and digits of any script stay. */
export function slugify(text: string): string {
  return fold(text)
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '');
}

/** The form in which texts are compared: compatibility-composed, lower case. */
export function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}

/** Words of a text, folded; letters, marks and digits of any script count. */
export function words(text: string): string[] {
  return fold(text).match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
}
