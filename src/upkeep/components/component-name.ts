/** Names that no component can have: JavaScript keeps them, or the files beside them do. */
const TAKEN = /^(?:Icon|Index|Runtime|Unique)$/;

/** `theme-light` → `ThemeLight`, `3d` → `Icon3d`: a name for a component, in every language that imports it. */
export function componentName(alias: string): string {
  const name = alias
    .normalize('NFKD')
    .replaceAll(/\p{Mark}/gu, '')
    .split(/[^A-Za-z\d]+/)
    .filter((word) => word !== '')
    .map((word) => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`)
    .join('');
  return /^[A-Z]/.test(name) && !TAKEN.test(name) ? name : `Icon${name}`;
}
