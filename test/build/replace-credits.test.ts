import { rolldown } from 'rolldown';
import { expect, it } from 'vitest';
import { pendingCreditsCode, replaceCredits, toSlotText } from '../../src/build/session-reports.ts';
import { CREDITS_SLOT } from '../../src/build/session-types.ts';
import { credit } from '../attribution/records.ts';

const HOSTILE = '"\'`\\ ${x} </script> \u2028 é 💥 %22 {"credits":[]} $& \\u0041';
const BEFORE = toSlotText([credit({ term: `One ${HOSTILE}` })], true);
const MORE = [credit({ term: `One ${HOSTILE}` }), credit({ id: '9', term: `Two ${HOSTILE}` })];
const AFTER = toSlotText(MORE, true);

async function minify(code: string): Promise<string> {
  const bundle = await rolldown({
    input: 'credits',
    plugins: [{ name: 'credits', resolveId: (id) => id, load: () => code }],
  });
  const { output } = await bundle.generate({ minify: true });
  await bundle.close();
  return output[0].code;
}

async function creditsIn(code: string): Promise<unknown> {
  const address = `data:text/javascript,${encodeURIComponent(code)}`;
  return ((await import(/* @vite-ignore */ address)) as { default: unknown }).default;
}

const module = pendingCreditsCode().replace(CREDITS_SLOT, () => BEFORE);

it('credits are replaced where a minifier has decoded them', async () => {
  const code = await minify(module);
  expect(code).not.toContain('decodeURIComponent');
  expect(await creditsIn(replaceCredits(code, BEFORE, AFTER))).toEqual(MORE);
});

it.each(['"', "'", '`'])('credits are replaced in quotes of any kind: %s', async (quote) => {
  const decoded = decodeURIComponent(BEFORE).replaceAll('\\', '\\\\').replaceAll('${', '\\${');
  const literal = quote + decoded.replaceAll(quote, `\\${quote}`) + quote;
  const code = `const other = '{"credits":[]}'; export default JSON.parse(${literal}).credits;`;
  const replaced = replaceCredits(code, BEFORE, AFTER);
  expect(await creditsIn(replaced)).toEqual(MORE);
  expect(replaced).toContain(`'{"credits":[]}'`);
  expect(replaced).not.toContain('</script');
});

it('credits are replaced as they were written, and nothing else is', async () => {
  expect(await creditsIn(replaceCredits(module, BEFORE, AFTER))).toEqual(MORE);
  expect(replaceCredits('const a = 1;', BEFORE, AFTER)).toBe('const a = 1;');
});
