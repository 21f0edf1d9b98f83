const { BUNDLER, ICON_OPTIONS } = process.env;

/** What browsers load, and what a server runs. */
export const client = `dist/${BUNDLER}/client`;
export const server = `dist/${BUNDLER}/server`;

const given = JSON.parse(ICON_OPTIONS);

/** What a user writes into the plugin's options. Only Vite knows that its two environments make one site. */
export const options =
  BUNDLER === 'vite' ? given : { ...given, attribution: { ...given.attribution, site: client } };
