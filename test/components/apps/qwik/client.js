// The page is resumed, not hydrated: this module is asked for by the first click.
export function grow(_event, element) {
  globalThis.clicked = element;
  for (const name of ['width', 'height']) element.setAttribute(name, 36);
}
