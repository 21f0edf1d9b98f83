/** What a user writes into the plugin's options. The catalog and its key come from the environment. */
export const options = JSON.parse(process.env.ICON_OPTIONS);

/** Folder that this build writes to. */
export const folder = `dist/${process.env.BUNDLER}`;

/** Folder of the bundler's own cache; none without it. */
export const bundlerCache = process.env.BUNDLER_CACHE;
