/**
 * A program that records in the file `LOADED` what its process loads, a line each: `import` and an address, or `require` and
 * a path. To be run before others, by `--import`.
 */
export const RECORD_LOADS = `
import { appendFileSync } from 'node:fs';
import { Module, register } from 'node:module';
const record = 'import { appendFileSync } from "node:fs";' +
  'export async function load(url, context, next) { appendFileSync(' + JSON.stringify(process.env.LOADED) + ', "import " + url + "\\\\n"); return next(url, context); }';
register('data:text/javascript,' + encodeURIComponent(record));
const load = Module._extensions['.js'];
Module._extensions['.js'] = (module, file) => {
  appendFileSync(process.env.LOADED, 'require ' + file + '\\n');
  return load(module, file);
};
`;
