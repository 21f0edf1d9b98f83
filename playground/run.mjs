// Builds the site as it would be published, then serves the result. `--build` stops after the build.
import { fileURLToPath } from 'node:url';
import { build, preview } from 'vite';

const configFile = fileURLToPath(new URL('vite.config.ts', import.meta.url));

await build({ configFile });

if (!process.argv.includes('--build')) {
  // Vite takes the next port where 4173 is in use.
  const server = await preview({ configFile, preview: { port: 4173, strictPort: false } });
  const address = server.resolvedUrls?.local[0];
  console.log(
    `\n  The site:    ${address}\n  Every form:  ${address}forms.html\n  Its credits: ${address}icon-attribution.html\n\n  Ctrl+C ends it.`,
  );
}
