import type { ScriptLanguage } from './scan-script.ts';
import type { StyleLanguage } from './scan-style.ts';

export type MarkupLanguage = 'html' | 'vue' | 'svelte' | 'astro';

/** A part of markup that is written in another language. */
export type Block = { name: string; start: number } & (
  | { kind: 'script'; language: ScriptLanguage }
  | { kind: 'style'; language: StyleLanguage }
  /** A template that is no HTML: Pug, for one. */
  | { kind: 'foreign'; language: string }
  /** Data: JSON-LD, an import map, a template of a library. */
  | { kind: 'data'; language: string }
);

const SCRIPT_TYPES =
  /^(?:|module|(?:text|application)\/(?:javascript|ecmascript|typescript|babel|jsx|tsx?)|ts)$/i;

export function blockOf({
  name,
  attributes,
  language,
  start,
}: {
  name: string;
  attributes: Readonly<Record<string, string>>;
  language: MarkupLanguage;
  /** Where its text begins. */
  start: number;
}): Block | undefined {
  const { lang = '', type = '' } = attributes;
  if (name === 'script') {
    return SCRIPT_TYPES.test(type)
      ? { name, start, kind: 'script', language: scriptLanguageOf(lang || type, language) }
      : { name, start, kind: 'data', language: type };
  }
  if (name === 'style') return { name, start, kind: 'style', language: styleLanguageOf(lang) };
  if (name === 'template' && language === 'vue' && lang !== '' && lang !== 'html')
    return { name, start, kind: 'foreign', language: lang };
  return undefined;
}

export function styleLanguageOf(name: string): StyleLanguage {
  if (name === 'scss' || name === 'less') return name;
  return /^(?:|css|pcss|postcss)$/.test(name) ? 'css' : 'other';
}

function scriptLanguageOf(name: string, markup: MarkupLanguage): ScriptLanguage {
  if (/tsx$/i.test(name)) return 'tsx';
  return markup === 'astro' || /(?:ts|typescript)$/i.test(name) ? 'ts' : 'js';
}
