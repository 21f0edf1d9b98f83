import { Glow, Home, Start } from './icons.js';

/** What every page shows, in order. `rich` gets the framework's own class, style, event and ref besides. */
export const cells = [
  { icon: Home },
  { icon: Home, props: { size: 48, role: 'button' } },
  { icon: Home, props: { size: '2em', color: '#00aa77' } },
  { icon: Home, props: { title: 'Home <b>"&' } },
  { icon: Home, props: { 'aria-label': 'Back', id: 'labelled' } },
  { icon: Home, rich: true },
  // A browser draws nothing of a gradient that is not rendered: the next two must have their own.
  { icon: Glow, hidden: true },
  { icon: Glow },
  { icon: Glow, props: { color: '#cc00ff', size: 60 } },
  { icon: Start },
  { icon: Start, props: { title: '', color: '#0000ff' } },
  { icon: Home, props: { size: 20, color: undefined, title: undefined } },
];

export function attributesOf({ hidden }) {
  return { class: 'cell', style: hidden ? 'display:none' : '' };
}
