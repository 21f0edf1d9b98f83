import raven from 'icon:raven?size=64&title=A%20raven';

/** Drawn on the server only: no script of the site holds it. */
export function load() {
  return { raven };
}
