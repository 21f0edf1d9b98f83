// Nothing of these components is sent to a browser.
export const manifest = {
  mapping: {},
  symbols: {},
  bundles: {},
  manifestHash: 'none',
  version: '1',
};
