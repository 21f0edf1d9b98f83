/** What a user writes into the plugin's options. */
export const options = JSON.parse(process.env.ICON_OPTIONS);

/** What browsers load, and what a server runs. */
export const client = `dist/${process.env.BUNDLER}/client`;
export const server = `dist/${process.env.BUNDLER}/server`;
