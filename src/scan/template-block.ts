import type { ScriptLanguage } from './scan-script.ts';

export type MarkupLanguage = 'html' | 'vue' | 'svelte' | 'astro';

/** A part of markup that is written in another language. */
export type Block = { name: string; start: number } & (
  | { kind: 'script'; language: ScriptLanguage }
  | { kind: 'style' }
  /** A template that is no HTML: Pug, for one. */
  | { kind: 'foreign' }
  /** Data: JSON-LD, an import map, a template of a library. */
  | { kind: 'data' }
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
      : { name, start, kind: 'data' };
  }
  if (name === 'style') return { name, start, kind: 'style' };
  if (name === 'template' && language === 'vue' && lang !== '' && lang !== 'html')
    return { name, start, kind: 'foreign' };
  return undefined;
}

function scriptLanguageOf(name: string, markup: MarkupLanguage): ScriptLanguage {
  if (/tsx$/i.test(name)) return 'tsx';
  return markup === 'astro' || /(?:ts|typescript)$/i.test(name) ? 'ts' : 'js';
}
