import { describe, expect, it } from 'vitest';
import { editAliases, readAliases } from '../../src/project/edit-aliases.ts';

const OWN = 'icon-catalog.config.ts';
const NEW = { calendar: 123 };

/** The new text, or the reason for which there is none. */
function edit(before: string, file = OWN, aliases: Record<string, number | string> = NEW): string {
  const edited = editAliases(before, file, aliases);
  return 'text' in edited ? edited.text : `reason: ${edited.reason}`;
}

describe('aliases are put into a configuration', () => {
  it.each([
    [
      'on one line',
      'export default { aliases: { a: 1 } };\n',
      'export default { aliases: { a: 1, calendar: 123 } };\n',
    ],
    [
      'on one line, with a comma at its end',
      'export default { aliases: { a: 1, } };\n',
      'export default { aliases: { a: 1, calendar: 123, } };\n',
    ],
    [
      'empty',
      'export default { aliases: {} };\n',
      'export default { aliases: { calendar: 123 } };\n',
    ],
    [
      'empty, on two lines',
      'export default {\n  aliases: {\n  },\n};\n',
      'export default {\n  aliases: {\n    calendar: 123,\n  },\n};\n',
    ],
    [
      'with others taken in',
      'export default { aliases: { ...shared, a: 1 } };\n',
      'export default { aliases: { ...shared, a: 1, calendar: 123 } };\n',
    ],
    [
      'with a type',
      'export default {\n  aliases: { a: 1 },\n} satisfies Options;\n',
      'export default {\n  aliases: { a: 1, calendar: 123 },\n} satisfies Options;\n',
    ],
    [
      'with an assertion',
      'export default { aliases: { a: 1 } as const } as Options;\n',
      'export default { aliases: { a: 1, calendar: 123 } as const } as Options;\n',
    ],
    [
      'in a call',
      "import { defineConfig } from 'unplugin-icon-catalog';\nexport default defineConfig({ aliases: { a: 1 } });\n",
      "import { defineConfig } from 'unplugin-icon-catalog';\nexport default defineConfig({ aliases: { a: 1, calendar: 123 } });\n",
    ],
    [
      'in a constant',
      'const aliases = {\n\ta: 1,\n};\nexport default { aliases };\n',
      'const aliases = {\n\ta: 1,\n\tcalendar: 123,\n};\nexport default { aliases };\n',
    ],
    [
      'without aliases so far',
      "export default {\n  catalog: 'embedded', // local\n};\n",
      "export default {\n  catalog: 'embedded', // local\n  aliases: { calendar: 123 },\n};\n",
    ],
    [
      'with quoted names',
      'export default { aliases: { "a-b": 1 } };\n',
      'export default { aliases: { "a-b": 1, "calendar": 123 } };\n',
    ],
    [
      'with other line ends',
      'export default {\r\n  aliases: {\r\n    a: 1,\r\n  },\r\n};\r\n',
      'export default {\r\n  aliases: {\r\n    a: 1,\r\n    calendar: 123,\r\n  },\r\n};\r\n',
    ],
    [
      'without a comma at the end',
      'export default {\n  aliases: {\n    a: 1\n  }\n}\n',
      'export default {\n  aliases: {\n    a: 1,\n    calendar: 123\n  }\n}\n',
    ],
    [
      'with comments',
      'export default {\n  aliases: {\n    a: 1, // the first\n    b: 2 // the last\n    // none follows\n  },\n};\n',
      'export default {\n  aliases: {\n    a: 1, // the first\n    b: 2, // the last\n    calendar: 123\n    // none follows\n  },\n};\n',
    ],
    [
      'with a comment over two lines',
      'export default {\n  aliases: {\n    a: 1, /* over\n two */ // more\n  },\n};\n',
      'export default {\n  aliases: {\n    a: 1, /* over\n two */ // more\n    calendar: 123,\n  },\n};\n',
    ],
    [
      'with nothing but a comment',
      'export default { aliases: { /* none */ } };',
      'export default { aliases: { calendar: 123, /* none */ } };',
    ],
  ])('%s', (_, before, after) => {
    expect(edit(before)).toBe(after);
  });

  it('in CommonJS', () => {
    expect(edit('module.exports = { aliases: { a: 1 } };\n', 'icon-catalog.config.cjs')).toBe(
      'module.exports = { aliases: { a: 1, calendar: 123 } };\n',
    );
  });

  it('in JSON', () => {
    const file = 'icon-catalog.config.json';
    const json = '{\n  "aliases": {\n    "a": 1\n  }\n}\n';
    expect(edit(json, file, { calendar: 'tabler/calendar', 'x-y': 2 })).toBe(
      '{\n  "aliases": {\n    "a": 1,\n    "calendar": "tabler/calendar",\n    "x-y": 2\n  }\n}\n',
    );
    for (const before of ['{}', '{\n}', '{ "mode": "online" }', '{ "aliases": {\n} }', '[1]'])
      if (before === '[1]') expect(edit(before, file)).toContain('reason: ');
      else expect(JSON.parse(edit(before, file))).toMatchObject({ aliases: NEW });
    expect(edit('{ "a": }', file)).toBe(`reason: ${file} cannot be parsed`);
  });

  it.each([
    [
      "import icons from 'unplugin-icon-catalog/vite';\nexport default { plugins: [icons()] };",
      'icons({ aliases: { calendar: 123 } })',
    ],
    [
      "import icons from 'unplugin-icon-catalog/vite';\nexport default { plugins: [vue(), icons({ mode: 'online' })] };",
      "icons({ mode: 'online', aliases: { calendar: 123 } })",
    ],
    [
      "import iconCatalog from 'unplugin-icon-catalog';\nexport default { plugins: [iconCatalog.vite({ aliases: {} })] };",
      '{ aliases: { calendar: 123 } }',
    ],
    [
      "const icons = require('unplugin-icon-catalog/webpack').default;\nmodule.exports = { plugins: [icons({ aliases: { a: 1 } })] };",
      '{ a: 1, calendar: 123 }',
    ],
    [
      "export default defineNuxtConfig({ modules: [['unplugin-icon-catalog/nuxt', { aliases: { a: 1 } }]] });",
      '{ a: 1, calendar: 123 }',
    ],
    [
      "export default defineNuxtConfig({ modules: ['unplugin-icon-catalog/nuxt'], iconCatalog: { aliases: { a: 1 } } });",
      '{ a: 1, calendar: 123 }',
    ],
    [
      "import icons from 'unplugin-icon-catalog/eleventy';\nexport default (config) => { config.addPlugin(icons); };",
      'config.addPlugin(icons, { aliases: { calendar: 123 } })',
    ],
    [
      "import icons from 'unplugin-icon-catalog/eleventy';\nexport default (config) => { config.addPlugin(icons, { mode: 'online' }); };",
      "{ mode: 'online', aliases: { calendar: 123 } }",
    ],
    [
      "import icons, { IconCatalogResolver } from 'unplugin-icon-catalog';\nexport default { plugins: [icons.vite(), auto({ resolvers: [IconCatalogResolver({ prefix: 'i' })] })] };",
      "icons.vite({ aliases: { calendar: 123 } }), auto({ resolvers: [IconCatalogResolver({ prefix: 'i' })] })",
    ],
  ])('in the options of the plugin: %s', (before, after) => {
    expect(edit(before, 'vite.config.js')).toContain(after);
  });

  it('with quotes as the file has them', () => {
    const aliases = { 'calendar-2': 'tabler/calendar' };
    expect(edit("export default { aliases: {}, catalog: 'embedded' }", OWN, aliases)).toContain(
      "{ 'calendar-2': 'tabler/calendar' }",
    );
    expect(edit('export default { aliases: {}, catalog: "embedded" }', OWN, aliases)).toContain(
      '{ "calendar-2": "tabler/calendar" }',
    );
  });

  it.each([
    [
      'from another file',
      "import { aliases } from './aliases.js';\nexport default { aliases };",
      'is not written as an object',
    ],
    [
      'made by a function',
      'export default { aliases: make({ a: 1 }) };',
      'is not written as an object',
    ],
    [
      'in a variable',
      'let aliases = {};\nexport default { aliases };',
      'is not written as an object',
    ],
    [
      'in options that take others in',
      'export default { ...shared };',
      'which may hold the aliases',
    ],
    [
      'in options that are taken in behind them',
      'export default { aliases: { a: 1 }, ...shared };',
      'which may hold the aliases',
    ],
    [
      'under a key that is computed',
      "export default { ['aliases']: { a: 1 } };",
      'which may hold the aliases',
    ],
    ['in a function', 'export default () => ({ aliases: {} });', 'are not written as an object'],
    ['twice', 'export default { aliases: {}, aliases: {} };', 'twice'],
    ['in a broken file', 'export default { aliases: { ;', 'cannot be parsed'],
    [
      'under a name that is computed',
      'export default { [name]: {}, ...shared };',
      'which may hold',
    ],
  ])('not if it states them %s', (_, before, reason) => {
    expect(edit(before)).toContain(reason);
    expect(edit(before)).toMatch(/^reason: /);
  });

  it('not if a bundler calls the plugin twice, or not at all', () => {
    const twice =
      "import i from 'unplugin-icon-catalog/vite';\nexport default [{ plugins: [i()] }, { plugins: [i()] }];";
    expect(edit(twice, 'vite.config.ts')).toBe('reason: vite.config.ts calls the plugin 2 times');
    expect(edit('export default {};', 'vite.config.ts')).toBe(
      'reason: no call of the plugin was found in vite.config.ts',
    );
  });

  it.each([
    [
      'in its place, with the comments around it',
      'export default {\n  aliases: {\n    /* the */ a: 1, // first\n    b: 2,\n  },\n};\n',
      'export default {\n  aliases: {\n    /* the */ z: 1, // first\n    b: 2,\n  },\n};\n',
      'z',
    ],
    [
      'with quotes if it needs them',
      'export default { aliases: { a: 1 } };\n',
      "export default { aliases: { 'z-9': 1 } };\n",
      'z-9',
    ],
    [
      'with quotes where all have them',
      'export default {\r\n\taliases: { "a": "tabler/home", "b": 2 },\r\n};\r\n',
      'export default {\r\n\taliases: { "z": "tabler/home", "b": 2 },\r\n};\r\n',
      'z',
    ],
  ])('a new name is written %s', (_, before, after, name) => {
    expect(editAliases(before, OWN, { [name]: 1 }, { a: name })).toEqual({ text: after });
  });

  it.each([
    ['twice', '{ a: 1, a: 2 }'],
    ['as a constant', '{ a }'],
    ['as a function', '{ a() {} }'],
    ['not at all', '{ ...shared }'],
    ['with a computed key', "{ ['a']: 1 }"],
    ['beside the new name', '{ a: 1, z: 2 }'],
    ['behind the new name', '{ z: 2, a: 1 }'],
  ])('no new name is written for one that the file states %s', (_, aliases) => {
    const edited = editAliases(
      `export default { aliases: ${aliases} };`,
      OWN,
      { z: 1 },
      { a: 'z' },
    );
    expect(edited).toEqual({
      reason: `${OWN} states \`a\` in a way that cannot be edited safely`,
    });
  });

  it('and those that are plain values are read', () => {
    const text = "export default { aliases: { a: 1, 'b-c': 'tabler/home', d: one(), ...more } };";
    expect(readAliases(text, OWN)).toEqual({ a: 1, 'b-c': 'tabler/home' });
    expect(readAliases('broken {', OWN)).toEqual({});
  });
});
