// Astro sends no script for its components: an event is listened to by hand.
const rich = document.querySelector('[data-rich]');
rich.addEventListener('click', () => {
  globalThis.clicked = rich;
  for (const name of ['width', 'height']) rich.setAttribute(name, 36);
});
