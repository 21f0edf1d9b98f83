import { Glow, Home, Start } from '../shared/icons.js';

for (const icon of [Home, Glow, Start]) icon.define();
const rich = document.querySelector('[data-rich]');
rich?.addEventListener('click', () => {
  rich.size = 36;
  globalThis.clicked = rich.querySelector('svg');
});
globalThis.Glow = Glow;
