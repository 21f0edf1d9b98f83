import type { Manifest } from '../types.ts';

/** `icon-attribution.json`: one line an icon, so that a diff shows icons; LF at the end. */
export function renderJson(manifest: Manifest): string {
  const { icons, ...head } = manifest;
  const fields = Object.entries(head).map(
    ([name, value]) => `  ${JSON.stringify(name)}: ${JSON.stringify(value)},`,
  );
  const lines = icons.map((icon) => `    ${JSON.stringify(icon)}`);
  const list = lines.length === 0 ? '[]' : `[\n${lines.join(',\n')}\n  ]`;
  return `{\n${fields.join('\n')}\n  "icons": ${list}\n}\n`;
}
