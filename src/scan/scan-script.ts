import { parse, type ParserPlugin } from '@babel/parser';
import { scanText } from './scan-text.ts';
import { walkScript, type ScriptNode } from './walk-script.ts';
import type { Finder } from './found.ts';

export type ScriptLanguage = 'js' | 'ts' | 'tsx';

const PROPOSALS: ParserPlugin[] = [
  'decorators',
  'decoratorAutoAccessors',
  'explicitResourceManagement',
];
const PLUGINS: Record<ScriptLanguage, ParserPlugin[]> = {
  js: ['jsx', 'flow', ...PROPOSALS],
  ts: ['typescript', ...PROPOSALS],
  tsx: ['jsx', 'typescript', ...PROPOSALS],
};

/** Finds imports in JavaScript and TypeScript: a whole file, or what begins at `base` in a file of another language. */
export function scanScript(
  code: string,
  { finder, language, base = 0 }: { finder: Finder; language: ScriptLanguage; base?: number },
): void {
  let root: ScriptNode;
  try {
    root = parseScript(code, language);
  } catch (error) {
    const { pos = 0 } = error as { pos?: number };
    const reason = (error as Error).message.replace(/\s*\(\d+:\d+\)$/, '').replace(/\.$/, '');
    return scanText(code, { finder, base, at: base + pos, reason });
  }
  walkScript(root, finder, base);
}

/** @throws SyntaxError */
export function parseScript(code: string, language: ScriptLanguage): ScriptNode {
  const { program } = parse(code, {
    sourceType: 'unambiguous',
    plugins: PLUGINS[language],
    errorRecovery: true,
    attachComment: false,
    createImportExpressions: true,
    allowReturnOutsideFunction: true,
    allowAwaitOutsideFunction: true,
    allowImportExportEverywhere: true,
    allowSuperOutsideMethod: true,
    allowUndeclaredExports: true,
    allowNewTargetOutsideFunction: true,
  });
  return program as unknown as ScriptNode;
}
