import type { ComponentRuntime } from './component-types.ts';
import { COUNTED_IDS, SHARED_CODE } from './shared-code.ts';

/**
 * Functions that give a template; names of properties are those that a Lit template would have (`class`, `@click`).
 * Lit identifies templates by their strings, so the same names give the same strings.
 *
 * Lit knows nothing of the page that a template is for, so ids are counted over the life of the process unless `id` says.
 */
export const lit: ComponentRuntime = {
  body: 'markup',
  base: String.raw`import { html } from 'lit/html.js';
import { ref } from 'lit/directives/ref.js';
import { unsafeSVG } from 'lit/directives/unsafe-svg.js';
${SHARED_CODE}
const escape = (text) => (text + '').replace(/[&<>"']/g, (unit) => '&#' + unit.charCodeAt(0) + ';');
const known = new Map();
export const draw = (icon, props, id) => {
  const [root, color, title] = settle(icon, props, id);
  const classes = [icon[3] && icon[3].class, props.class].filter(Boolean).join(' ');
  if (classes) root.class = classes;
  pass(root, props);
  const strings = ['<svg'];
  const values = [];
  const write = (text) => { strings[strings.length - 1] += text; };
  const put = (before, value) => {
    write(before);
    values.push(value);
    strings.push('');
  };
  if (props.ref) put(' ', ref(props.ref));
  for (const name in root) {
    if (!/^[@?.]?[a-z_][\w:.-]*$/i.test(name) || root[name] == null) continue;
    if (/^[@?.]/.test(name)) put(' ' + name + '=', root[name]);
    else {
      put(' ' + name + '="', root[name]);
      write('"');
    }
  }
  write('>');
  if (title) put('', unsafeSVG('<title>' + escape(title) + '</title>'));
  for (const part of [].concat(icon[2])) {
    if (typeof part === 'string') write(part);
    else put('', part === 0 ? color : id);
  }
  write('</svg>');
  const key = strings.join('\0');
  if (!known.has(key)) known.set(key, Object.assign(strings, { raw: strings }));
  return html(known.get(key), ...values);
};
export const createIcon = (...icon) => (props = {}) => draw(icon, props);
`,
  unique: String.raw`import { directive, Directive } from 'lit/directive.js';
import { draw } from "icon:@runtime";
${COUNTED_IDS}// No counted id has the hyphen of these.
const givenIds = (id) => id && 'i-' + (id + '').replace(/[^\w-]/g, (unit) => '_' + unit.charCodeAt(0).toString(16));
export const createUniqueIcon = (...icon) =>
  directive(
    class extends Directive {
      render(props = {}) {
        return draw(icon, props, givenIds(props.id) || (this.id ??= countIds()));
      }
    },
  );
`,
};
