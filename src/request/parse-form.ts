import type { Filetype, IconForm } from '../types.ts';
import { FRAMEWORKS } from './frameworks.ts';
import type { Query } from './parse-query.ts';
import type { RequestContext } from './request-context.ts';
import { quote, refuse } from './refusal.ts';
import { suggest } from './suggest.ts';

const FILETYPES: readonly Filetype[] = ['svg', 'png'];
const FORMS: readonly IconForm[] = ['svg', 'url', 'data', 'component', 'sprite', 'meta'];

const USE_INSTEAD = 'Use `as=svg` for the markup, or `as=url` for a file.';

/** Forms that are made of markup, which a raster file has none of. */
const MARKUP: ReadonlySet<IconForm> = new Set<IconForm>(['svg', 'component', 'sprite']);

/** `filetype` and `as`. Default `svg` as `svg`, or as `component` once a framework is set; png as `url`. */
export function parseForm(
  query: Query,
  { framework, defaults }: RequestContext,
): { filetype: Filetype; as: IconForm } {
  const filetype = oneOf('filetype', FILETYPES, query.filetype) ?? 'svg';
  const asked = oneOf('as', FORMS, query.as);
  if (filetype === 'png' && asked !== undefined && MARKUP.has(asked)) {
    return refuse({
      reason: `\`as=${asked}\` is markup, and a png has none`,
      allowed: '`as=url`, `as=data` or `as=meta` with `filetype=png`',
      nearest: 'filetype=png&as=url',
    });
  }
  const as = asked ?? defaultForm(filetype, framework !== undefined, checkDefault(defaults.as));
  if (as === 'component' && framework === undefined) {
    return refuse({
      code: 'FRAMEWORK_MISSING',
      reason: '`as=component` needs the option `framework`',
      allowed: `\`framework: '…'\` with one of ${FRAMEWORKS.join(', ')}, or a function that writes the component`,
      remedy: `Set \`framework\` in the plugin options, for example \`framework: 'react'\`. ${USE_INSTEAD}`,
    });
  }
  return { filetype, as };
}

function defaultForm(
  filetype: Filetype,
  hasFramework: boolean,
  fallback: IconForm | undefined,
): IconForm {
  if (filetype === 'png') return fallback === undefined || MARKUP.has(fallback) ? 'url' : fallback;
  return fallback ?? (hasFramework ? 'component' : 'svg');
}

function checkDefault(form: IconForm | undefined): IconForm | undefined {
  if (form === undefined || FORMS.includes(form)) return form;
  return refuse({
    code: 'OPTIONS_INVALID',
    reason: `${quote(form)} of \`defaults.as\` is no form of an icon`,
    allowed: FORMS.join(', '),
    nearest: suggest(form, FORMS),
    path: 'defaults.as',
  });
}

function oneOf<Value extends string>(
  name: string,
  values: readonly Value[],
  written: string | undefined,
): Value | undefined {
  if (written === undefined) return undefined;
  const value = values.find((known) => known === written);
  if (value !== undefined) return value;
  const nearest = suggest(written, values);
  return refuse({
    reason: `${quote(written)} is no value of \`${name}\``,
    allowed: values.join(', '),
    nearest: nearest === undefined ? undefined : `${name}=${nearest}`,
  });
}
