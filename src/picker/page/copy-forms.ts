import type { PickerIcon } from '../api.ts';
import { toVariable } from '../../request/alias-names.ts';
import { plain, toAlias, toComponentName } from './text.ts';

/** Everything that can be copied of an icon. No raw picture is among them: it would leave without its credit. */

export interface Look {
  /** Six hex digits or `currentColor`. */
  color?: string;
  size?: number;
}

export interface CopyForm {
  id:
    | 'import'
    | 'component'
    | 'url'
    | 'css'
    | 'mask'
    | 'img'
    | 'inline'
    | 'set'
    | 'id'
    | 'credit'
    | 'add';
  label: string;
  code: string;
  /** What it is for, if its label does not say it. */
  note?: string;
  key?: string;
}

/** What is written after `icon:`: the alias, if there is one. */
export function referenceOf(icon: PickerIcon): string {
  return icon.aliases[0] ?? icon.name;
}

function nameOf(icon: PickerIcon): string {
  return icon.aliases[0] ?? toAlias(plain(icon.term));
}

export function toSpecifier(reference: string, look: Look, flag?: string): string {
  const params = [
    ...(flag === undefined ? [] : [flag]),
    ...(look.color === undefined ? [] : [`color=${look.color}`]),
    ...(look.size === undefined ? [] : [`size=${look.size}`]),
  ];
  return `icon:${reference}${params.length === 0 ? '' : `?${params.join('&')}`}`;
}

const escapeHtml = (text: string): string =>
  text.replace(/[&<>"]/g, (unit) => `&#${unit.charCodeAt(0)};`);

function component(icon: PickerIcon, look: Look, framework: string): CopyForm {
  const name = toComponentName(nameOf(icon));
  const tag =
    framework === 'lit'
      ? `\${${name}()}`
      : framework === 'web-component'
        ? `${name}.define('x-${name.toLowerCase()}'); // <x-${name.toLowerCase()}></x-${name.toLowerCase()}>`
        : `<${name} />`;
  return {
    id: 'component',
    label: 'Component',
    note: framework,
    code: `import ${name} from '${toSpecifier(referenceOf(icon), look, 'component')}';\n\n${tag}`,
  };
}

/** What is left of a look if the project's defaults say the same. */
export function withoutDefaults(look: Look, defaults: Look): Look {
  const same = (color: string | undefined): string => (color ?? 'currentColor').replace('#', '');
  return {
    color: same(look.color) === same(defaults.color) ? undefined : look.color,
    size: look.size === defaults.size ? undefined : look.size,
  };
}

const NO_PROJECT = { framework: null, defaults: {} };

export function copyForms(
  icon: PickerIcon,
  wanted: Look,
  { framework, defaults }: { framework: string | null; defaults: Look } = NO_PROJECT,
): CopyForm[] {
  const reference = referenceOf(icon);
  const look = withoutDefaults(wanted, defaults);
  const alt = escapeHtml(plain(icon.term, 80));
  const pixels = wanted.size ?? defaults.size ?? 24;
  const variable = toVariable(nameOf(icon));
  // An image has no text around it whose colour it could take.
  const image = look.color === 'currentColor' ? { ...look, color: undefined } : look;
  const mask = `url('icon:${reference}') center / ${pixels}px no-repeat`;
  const forms: (CopyForm | false)[] = [
    {
      id: 'import',
      label: 'Import',
      key: 'c',
      code: `import ${variable} from '${toSpecifier(reference, look)}';`,
    },
    framework !== null && component(icon, look, framework),
    {
      id: 'url',
      label: 'Address',
      key: 'u',
      code: `import ${variable}Url from '${toSpecifier(reference, image, 'url')}';`,
    },
    {
      id: 'css',
      label: 'CSS picture',
      key: 's',
      code: `background: url('${toSpecifier(reference, image)}') center no-repeat;`,
    },
    {
      id: 'mask',
      label: 'CSS mask',
      note: 'takes any colour',
      code: `mask: ${mask};\nbackground: ${toCss(wanted.color)};`,
    },
    {
      id: 'img',
      label: 'HTML picture',
      code: `<img src="${escapeHtml(toSpecifier(reference, image))}" alt="${alt}" />`,
    },
    {
      id: 'inline',
      label: 'HTML inline',
      note: 'becomes an <svg>',
      code: `<img inline src="${escapeHtml(toSpecifier(reference, look))}" alt="${alt}" />`,
    },
    { id: 'set', label: 'Set', code: setImport([reference], look) },
    { id: 'id', label: 'Id', code: icon.name },
    { id: 'credit', label: 'Credit line', code: icon.credit },
    { id: 'add', label: 'Command line', code: addCommand(icon.name, icon.aliases[0]) },
  ];
  return forms.filter((form) => form !== false);
}

/** A colour of a look as CSS has it. */
export function toCss(color: string | undefined): string {
  return color === undefined || color === 'currentColor'
    ? 'currentColor'
    : `#${color.replace('#', '')}`;
}

export function setImport(references: readonly string[], look: Look): string {
  const params = [
    `ids=${references.join(',')}`,
    ...(look.color === undefined ? [] : [`color=${look.color}`]),
    ...(look.size === undefined ? [] : [`size=${look.size}`]),
  ];
  return `import icons from 'icon:set?${params.join('&')}';`;
}

function addCommand(reference: string, alias: string | undefined): string {
  return `npx icon-catalog add ${reference}${alias === undefined ? '' : ` --as ${alias}`}`;
}

/** The drawing with its credit in front, so that it does not leave without it. */
export function withCreditComment(svg: string, credit: string): string {
  return `<!--! ${credit.replaceAll('--', '- -').replaceAll('>', '›')} -->\n${svg}`;
}
