/**
 * As CSS plugins do: the style sheets leave the module graph, and are written at the end, in an order that does not
 * depend on which of them was ready first.
 */
export function collectStyles() {
  const sheets = new Map();
  return {
    name: 'collect-styles',
    transform(code, id) {
      if (!id.endsWith('.css')) return null;
      sheets.set(id, code);
      return { code: '', map: null, moduleSideEffects: true, moduleType: 'js' };
    },
    generateBundle() {
      const sorted = [...sheets.keys()].toSorted();
      const source = sorted.map((id) => sheets.get(id)).join('\n');
      if (source !== '') this.emitFile({ type: 'asset', fileName: 'css/style.css', source });
    },
  };
}
