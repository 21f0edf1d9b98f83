import { ENDPOINTS } from '../../catalog/endpoints.ts';
import {
  argument,
  value,
  PROJECT_ARGS,
  type CliBody,
  type Given,
  SIGNED_ARGS,
  refused,
  UsageError,
} from '../command.ts';
import type { Host } from '../host.ts';
import { toPlainJson } from '../terminal.ts';

const METHODS: readonly string[] = [
  ...new Set(Object.values(ENDPOINTS).map(({ method }) => method)),
];

export const apiCommand: CliBody = {
  args: {
    method: argument(METHODS.join(' or '), { values: METHODS }),
    path: argument('Path below the address of the catalog'),
    query: value('name=value', 'A parameter, not yet encoded; may be given several times', {
      multiple: true,
    }),
    body: value('json', 'JSON to send; - reads standard input'),
    ...SIGNED_ARGS,
    ...PROJECT_ARGS,
  },
  examples: [
    "api GET /v2/icon --query query='red car' --query limit=3",
    'api GET /icons/fish --query limit=5',
    `api POST /v2/client/blacklist/id --body '{"blacklist":[123]}'`,
  ],
  async run(given, cli) {
    const method = (given.text('method') ?? '').toUpperCase();
    const path = given.text('path') ?? '';
    if (!METHODS.includes(method))
      throw new UsageError(
        `<method> must be ${METHODS.join(' or ')}: no endpoint has ${JSON.stringify(given.text('method'))}.`,
      );
    if (!/^\/(?!\/)[^#]*$/.test(path)) {
      throw new UsageError(
        '<path> must begin with one "/", such as /v2/icon, and have no fragment.',
      );
    }
    const query = given.all('query').map(readPair);
    const body = await readBody(given, cli.host);
    const { send } = await cli.catalog();
    const answer = await send({ method, path, query, ...(body !== undefined && { body }) });
    cli.result(answer, () => toPlainJson(answer));
  },
};

function readPair(pair: string): [string, string] {
  const at = pair.indexOf('=');
  if (at > 0) return [pair.slice(0, at), pair.slice(at + 1)];
  throw refused('--query', 'name=value', pair);
}

async function readBody(given: Given, host: Host): Promise<unknown> {
  const written = given.text('body');
  if (written === undefined) return undefined;
  try {
    return JSON.parse(written === '-' ? await host.readInput() : written) as unknown;
  } catch (error) {
    throw new UsageError(`--body must be JSON: ${(error as Error).message}.`);
  }
}
