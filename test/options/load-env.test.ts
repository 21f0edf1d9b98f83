import { loadEnv as loadEnvOfVite } from 'vite';
import { expect, it } from 'vitest';
import { loadEnv } from '../../src/options/file.ts';
import { writeProject } from '../support/write-project.ts';

const PREFIX = 'ICON_CATALOG_';

it.each<[string, Record<string, string>]>([
  [
    'which file wins',
    {
      '.env': 'ICON_CATALOG_URL=one\nICON_CATALOG_KEY=one\nICON_CATALOG_SECRET=one\nOTHER=one',
      '.env.local': 'ICON_CATALOG_URL=two\nICON_CATALOG_KEY=two\nICON_CATALOG_SECRET=two',
      '.env.staging': 'ICON_CATALOG_URL=three\nICON_CATALOG_KEY=three',
      '.env.staging.local': 'ICON_CATALOG_URL=four',
      '.env.production': 'ICON_CATALOG_URL=five',
    },
  ],
  [
    'how values are written',
    {
      '.env':
        'export ICON_CATALOG_A = spaced # said\nICON_CATALOG_B=\'#single $OTHER\'\nICON_CATALOG_C="two\nlines"\r\nICON_CATALOG_D=a=b\nICON_CATALOG_E=\n# ICON_CATALOG_F=no',
    },
  ],
  [
    'what values refer to',
    {
      '.env': [
        'TEST_HOST=catalog.example',
        'TEST_EMPTY=',
        'ICON_CATALOG_A=https://$TEST_HOST/x',
        'ICON_CATALOG_B=${TEST_HOST}:${TEST_PORT:-8080}',
        'ICON_CATALOG_C=${TEST_NONE-none}${TEST_NONE}$TEST_NONE.',
        'ICON_CATALOG_D=a\\$TEST_HOST',
        'ICON_CATALOG_E=$ICON_CATALOG_B',
        'ICON_CATALOG_F=${TEST_HOST:+yes}${TEST_NONE:+no}',
        'ICON_CATALOG_G=${TEST_EMPTY:-${TEST_HOST}}',
        'ICON_CATALOG_H=5$ and $5 and $',
        'ICON_CATALOG_I=$TEST_LATER',
        'TEST_LATER=after',
      ].join('\n'),
    },
  ],
])('%s is as in Vite', async (_, files) => {
  // Vite adds what is in the environment.
  delete process.env['ICON_CATALOG_SITE_URL'];
  const folder = await writeProject(files);
  const found = await loadEnv({}, { mode: 'staging', folder });
  expect(found).toEqual(loadEnvOfVite('staging', folder, PREFIX));
  expect(Object.keys(found).length).toBeGreaterThan(2);
});

it('the environment wins over the files and lends its values to them', async () => {
  const folder = await writeProject({
    '.env': 'ICON_CATALOG_KEY=file\nICON_CATALOG_SECRET=$TOKEN',
  });
  const env = { ICON_CATALOG_KEY: 'given', TOKEN: 'lent' };
  expect(await loadEnv(env, { mode: 'production', folder })).toEqual({
    ICON_CATALOG_KEY: 'given',
    ICON_CATALOG_SECRET: 'lent',
    TOKEN: 'lent',
  });
});

it('a value that refers to itself ends', async () => {
  const folder = await writeProject({
    '.env': 'ICON_CATALOG_KEY=$ICON_CATALOG_KEY\nICON_CATALOG_URL=${A}\nA=${ICON_CATALOG_URL}x',
  });
  const found = await loadEnv({}, { mode: 'production', folder });
  expect(found['ICON_CATALOG_KEY']).toBe('');
  expect(found['ICON_CATALOG_URL']).toMatch(/^x*$/);
});
