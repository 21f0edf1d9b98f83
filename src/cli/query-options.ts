import {
  describeParam,
  endpointOf,
  PARAMS,
  readQuery,
  type EndpointName,
} from '../catalog/endpoints.ts';
import { type CliArg, type CliArgs, type Given, UsageError } from './command.ts';

/**
 * The effect of a parameter of the interface. Names, values and limits come from the endpoint
 * table.
 */
const PURPOSES: Record<string, string> = {
  blacklist: "Leave out what the key's blacklist matches",
  color: 'Colour of the icon',
  filetype: 'Type of the file',
  include_svg: 'Have the addresses of SVG files in the records',
  limit: 'Most results of one call',
  limit_to_public_domain: 'Public-domain icons only',
  line_weight: 'Line weight of line icons',
  next_page: 'Token of the page to show, from an earlier answer',
  prev_page: 'Token of the page to show, from an earlier answer',
  size: 'Width and height in px, png only',
  styles: 'Style',
  thumbnail_size: 'Size of the thumbnails in px',
};

/** Names for parameters whose own names would be odd on a command line. */
const OPTION_BY_PARAM: Record<string, string> = {
  limit_to_public_domain: 'public-domain',
  styles: 'style',
};

function optionOf(param: string): string {
  return OPTION_BY_PARAM[param] ?? param.replaceAll('_', '-');
}

/** The options of an endpoint's query; `query` is an argument of the commands. */
export function queryOptions(name: EndpointName): CliArgs {
  const options: [string, CliArg][] = [];
  for (const [param, kind] of Object.entries(endpointOf(name).query)) {
    if (param === 'query') continue;
    const { type, ...spec }: { type: string; values?: readonly (string | number)[] } = PARAMS[kind];
    const purpose = PURPOSES[param] ?? param;
    if (type === 'flag') options.push([optionOf(param), { type: 'boolean', description: purpose }]);
    else {
      const allowed = describeParam(kind);
      options.push([
        optionOf(param),
        {
          type: 'string',
          valueHint: type === 'integer' ? 'n' : (param.split('_').at(-1) ?? param),
          description: allowed === 'text' ? purpose : `${purpose}: ${allowed}`,
          ...(spec.values && { values: spec.values.map(String) }),
          ...(type === 'list' && { multiple: true }),
        },
      ]);
    }
  }
  return Object.fromEntries(options);
}

/**
 * The query of a call, from the options of a command.
 * @throws UsageError for a value outside the limits of the endpoint, in the words of the command
 * line
 */
export function readQueryOptions(
  name: EndpointName,
  given: Given,
  defaults: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const wire: [string, string][] = [];
  for (const [param, kind] of Object.entries(endpointOf(name).query)) {
    if (param === 'query') continue;
    const option = optionOf(param);
    const { type } = PARAMS[kind];
    const values = type === 'list' ? given.all(option).join(',') : given.text(option);
    const value = type === 'flag' ? (given.flag(option) ? '1' : undefined) : values;
    const text = value || defaults[param];
    if (text !== undefined) wire.push([param, text]);
  }
  const reading = readQuery(name, wire);
  if (reading.ok) return Object.fromEntries(wire);
  const { param, message } = reading;
  const written = wire.find(([other]) => other === param)?.[1] ?? '';
  const words = message.replace(param, `--${optionOf(param)}`);
  if (!words.includes(' must be ')) {
    // `… is not accepted with filetype=svg.`
    throw new UsageError(
      words.replace(/(\w+)=(\w+)/, (_, other: string, is: string) => `--${optionOf(other)} ${is}`),
    );
  }
  throw new UsageError(`${words.replace(/\.$/, '')}; ${JSON.stringify(written)} is not.`);
}
