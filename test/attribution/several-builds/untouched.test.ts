import { expect, it } from 'vitest';
import { MINIFIERS, problemsOf, type Bundler } from './untouched.ts';

/** All cases are in test/bench; these are the ones that lists have been wrong about. */
const FORMS = ['nothing imported is used', 'a length that is known', 'a file that nothing uses'];

it.each(Object.keys(MINIFIERS) as Bundler[])(
  'lists of %s hold what its minified files hold, and pass `attribution check`',
  async (bundler) => {
    const minifier = MINIFIERS[bundler].at(-1) ?? 'none';
    for (const form of FORMS)
      expect(await problemsOf({ bundler, minifier, form, isSplit: false }), form).toEqual([]);
  },
);
