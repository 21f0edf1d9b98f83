/** As CSS plugins do: the style sheets leave the module graph, and are written at the end. */
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
      const source = [...sheets.values()].join('\n');
      if (source !== '') this.emitFile({ type: 'asset', fileName: 'css/style.css', source });
    },
  };
}
