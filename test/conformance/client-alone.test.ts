import { build, type Metafile } from 'esbuild';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** What a bundler takes from the client's entry: for a file that imports these names of it. */
async function bundle(names: string): Promise<Metafile> {
  const { metafile } = await build({
    stdin: {
      contents: `import ${names} from './src/client.ts'; globalThis.used = [${names.replace(/[{}]/g, '')}];`,
      resolveDir: root,
    },
    absWorkingDir: root,
    bundle: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    treeShaking: true,
    logLevel: 'silent',
  });
  return metafile;
}

function foldersOf({ inputs }: Metafile): string[] {
  const files = Object.keys(inputs).filter((path) => path.startsWith('src/'));
  return [...new Set(files.map((path) => path.split('/').slice(0, 2).join('/')))].toSorted();
}

test('the client comes without the plugin, the pipeline and the embedded catalog', async () => {
  const metafile = await bundle('{ createCatalogClient }');
  expect(foldersOf(metafile)).toEqual([
    'src/catalog',
    'src/client.ts',
    'src/errors.ts',
    // Whether an answer is an object, and which hosts are not public: asset addresses are compared with it.
    'src/untrusted.ts',
    // Messages name the address of the documentation.
    'src/version.ts',
  ]);
  const packages = Object.values(metafile.outputs).flatMap(({ imports }) =>
    imports
      .filter(({ path }) => !path.startsWith('node:'))
      .map(({ path }) => path.split('/', 1).join()),
  );
  expect([...new Set(packages)].toSorted()).toEqual([
    'hpagent',
    'oauth-1.0a',
    'p-limit',
    'valibot',
  ]);
});

test('who wants the errors alone gets the errors alone', async () => {
  const { outputs } = await bundle('{ isIconCatalogError }');
  const [output] = Object.values(outputs);
  const used = Object.entries(output?.inputs ?? {}).filter(
    ([path, { bytesInOutput }]) => path.startsWith('src/catalog/') && bytesInOutput > 0,
  );
  expect(used.map(([path]) => path)).toEqual([]);
});
