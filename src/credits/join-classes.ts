/** Class names as Svelte takes them: texts, lists, and objects of names that are on. */
export function joinClasses(value: unknown): string {
  if (Array.isArray(value)) return value.map(joinClasses).filter(Boolean).join(' ');
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value)
      .flatMap(([name, isOn]) => (isOn ? [name] : []))
      .join(' ');
  }
  return typeof value === 'string' ? value : '';
}
