// Builds an example in a fresh folder with this package as it would be published: `node playground/build-example.mjs nuxt`.
// For the generators that are too large to be among the development dependencies; the tests build the others.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const repository = fileURLToPath(new URL('..', import.meta.url));
const [name = ''] = process.argv.slice(2);
const example = join(repository, 'playground', name);
if (name === '' || !existsSync(join(example, 'package.json'))) {
  console.error('Which example? For instance: node playground/build-example.mjs nuxt');
  process.exit(2);
}

const folder = mkdtempSync(join(tmpdir(), `icon-catalog-${name}-`));
const run = (cwd, command, ...args) =>
  execFileSync(command, args, { cwd, stdio: 'inherit', shell: process.platform === 'win32' });

cpSync(example, folder, { recursive: true });
run(repository, 'npm', 'run', 'build');
run(repository, 'npm', 'pack', '--ignore-scripts', '--silent', '--pack-destination', folder);
const { version } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8'));
// What the example names is not published yet: the tarball takes its place.
run(folder, 'npm', 'install', '--no-audit', '--no-fund', `./unplugin-icon-catalog-${version}.tgz`);
run(folder, 'npm', 'run', 'build');
console.log(`\n  The example and what it built: ${folder}`);
