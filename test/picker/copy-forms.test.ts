import { expect, it } from 'vitest';
import { type CopyForm, copyForms } from '../../src/picker/page/copy-forms.ts';
import { checkAlias, suggestAlias, toVariable } from '../../src/picker/page/text.ts';
import { parseSpecifier } from '../../src/request/parse-request.ts';
import { fakeIcon } from '../support/fake-picker.ts';

const project = { framework: 'react', defaults: {} };

function codes(forms: CopyForm[]): Record<string, string> {
  return Object.fromEntries(forms.map(({ id, code }) => [id, code]));
}

it('every form names the icon as the build reads it, with colour and size', () => {
  const icon = fakeIcon('home', { aliases: ['house'] });
  const forms = copyForms(icon, { color: '1d5c46', size: 24 }, project);
  expect(codes(forms)).toMatchObject({
    import: "import house from 'icon:house?color=1d5c46&size=24';",
    component: "import House from 'icon:house?component&color=1d5c46&size=24';\n\n<House />",
    url: "import houseUrl from 'icon:house?url&color=1d5c46&size=24';",
    css: "background: url('icon:house?color=1d5c46&size=24') center no-repeat;",
    mask: "mask: url('icon:house') center / 24px no-repeat;\nbackground: #1d5c46;",
    img: '<img src="icon:house?color=1d5c46&#38;size=24" alt="home" />',
    inline: '<img inline src="icon:house?color=1d5c46&#38;size=24" alt="home" />',
    set: "import icons from 'icon:set?ids=house&color=1d5c46&size=24';",
    id: 'tabler/home',
    add: 'npx icon-catalog add tabler/home --as house',
  });
  const specifiers = forms
    .flatMap(({ code }) => code.replaceAll('&#38;', '&').match(/icon:(?!set)[^'"]+/g) ?? [])
    .map(
      (specifier) =>
        parseSpecifier(specifier, { aliases: { house: 1 }, framework: 'react' }).canonical,
    );
  expect(specifiers.length).toBeGreaterThan(6);
});

it('leaves out what the defaults of the project say, and names variables after the icon', () => {
  const defaults = { color: '#1d5c46', size: 24 };
  const icon = fakeIcon('home', { id: '123', name: '123', term: 'Class 2' });
  const forms = codes(
    copyForms(icon, { color: '1d5c46', size: 24 }, { framework: null, defaults }),
  );
  expect(forms['import']).toBe("import class2 from 'icon:123';");
  expect(forms['component']).toBeUndefined();
  const plain = codes(copyForms(icon, { color: 'currentColor' }, { framework: null, defaults }));
  expect(plain['import']).toBe("import class2 from 'icon:123?color=currentColor';");
  expect(plain['css']).toBe("background: url('icon:123') center no-repeat;");
});

it('a name that is taken, reserved or a number gets the nearest free one', () => {
  const taken = new Set(['home', 'home-2']);
  expect(suggestAlias('Home', taken)).toBe('home-3');
  expect(suggestAlias('日', new Set())).toBe('icon');
  expect(checkAlias('home', taken)?.suggestion).toBe('home-3');
  expect(checkAlias('set', taken)?.suggestion).toBe('set-icon');
  expect(checkAlias('12', taken)?.suggestion).toBe('icon-12');
  expect(checkAlias('../up', taken)?.suggestion).toBe('up');
  expect(checkAlias('fine-name', taken)).toBeUndefined();
  expect(toVariable('class')).toBe('classIcon');
});
