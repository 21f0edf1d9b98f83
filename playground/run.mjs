// Builds the site as it would be published, then serves the result. `--build` stops after the build.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { build, preview } from 'vite';

const configFile = fileURLToPath(new URL('vite.config.ts', import.meta.url));

await build({ configFile });

if (!process.argv.includes('--build')) {
  // Vite takes the next port if 4173 is in use.
  const server = await preview({ configFile, preview: { port: 4173, strictPort: false } });
  const address = server.resolvedUrls?.local[0];
  console.log(
    `\n  The site:      ${address}\n  Every form:    ${address}forms.html\n  Its credits:   ${address}icon-attribution.html\n  Documentation: ${address}docs/ (is being built; this takes a minute at most)\n\n  Ctrl+C ends it.`,
  );
  buildDocs(() => console.log(`  The documentation is ready: ${address}docs/`));
}

/** Builds the documentation into the site's folder while the site is served already. */
function buildDocs(onReady) {
  const root = fileURLToPath(new URL('..', import.meta.url));
  const vitepress = fileURLToPath(
    new URL('../node_modules/vitepress/bin/vitepress.js', import.meta.url),
  );
  const outDir = fileURLToPath(new URL('dist/docs', import.meta.url));
  const building = spawn(process.execPath, [vitepress, 'build', 'docs', '--outDir', outDir], {
    cwd: root,
    env: { ...process.env, NODE_ENV: 'production', DOCS_BASE: '/docs/' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  building.on('exit', (code) => {
    if (code === 0) onReady();
    else console.error(`  The documentation could not be built (exit code ${code}).`);
  });
  process.on('exit', () => building.kill());
}
