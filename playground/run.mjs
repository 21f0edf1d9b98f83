// Builds the site as it would be published, then serves the result. `--build` stops after the build.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { build, preview } from 'vite';

const pathOf = (name) => fileURLToPath(new URL(name, import.meta.url));
const configFile = pathOf('vite.config.ts');

await build({ configFile });

if (!process.argv.includes('--build')) {
  const browser = await startBrowser();
  // The address of the icon browser has a port and a token of its own, so the site's link is sent on to it.
  const link = {
    name: 'link-to-the-icon-browser',
    configurePreviewServer({ middlewares }) {
      middlewares.use('/icon-browser', (_request, response) => {
        response.writeHead(302, { location: browser, 'cache-control': 'no-store' }).end();
      });
    },
  };
  // Vite takes the next port if 4173 is in use.
  const server = await preview({
    configFile,
    plugins: [link],
    preview: { port: 4173, strictPort: false },
  });
  const address = server.resolvedUrls?.local[0];
  console.log(
    `\n  The site:      ${address}\n  Every form:    ${address}forms.html\n  Its credits:   ${address}icon-attribution.html\n  Icon browser:  ${browser}\n  Documentation: ${address}docs/ (is being built; this takes a minute at most)\n\n  Ctrl+C ends it.`,
  );
  buildDocs(() => console.log(`  The documentation is ready: ${address}docs/`));
}

/** The icon browser of this project, which writes nothing into it. Resolves to its address. */
async function startBrowser() {
  const args = [pathOf('../dist/cli.js'), 'browse', '--no-open', '--read-only'];
  const browsing = spawn(process.execPath, args, {
    cwd: pathOf('.'),
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  process.on('exit', () => browsing.kill());
  for await (const line of createInterface(browsing.stdout)) return line;
  throw new Error(
    'The icon browser could not be started. Run `npx icon-catalog browse` to see why.',
  );
}

/** Builds the documentation into the site's folder while the site is served already. */
function buildDocs(onReady) {
  const vitepress = pathOf('../node_modules/vitepress/bin/vitepress.js');
  const building = spawn(
    process.execPath,
    [vitepress, 'build', 'docs', '--outDir', pathOf('dist/docs')],
    {
      cwd: pathOf('..'),
      env: { ...process.env, NODE_ENV: 'production', DOCS_BASE: '/docs/' },
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  );
  building.on('exit', (code) => {
    if (code === 0) onReady();
    else console.error(`  The documentation could not be built (exit code ${code}).`);
  });
  process.on('exit', () => building.kill());
}
