import { resolve } from 'node:path';
import type { DownloadQuery, Icon } from '../../client.ts';
import { IconCatalogError, isIconCatalogError } from '../../errors.ts';
import {
  argument,
  value,
  flag,
  type Catalog,
  PROJECT_ARGS,
  type Cli,
  type CliBody,
  type Given,
  UsageError,
  counted,
} from '../command.ts';
import { readIconId } from '../listing.ts';

import { queryOptions, readQueryOptions } from '../query-options.ts';
import { createProgressBar } from '../terminal.ts';

interface Written {
  id: string;
  term: string;
  file: string;
  bytes: number;
  content_type: string;
  license_description: string;
  attribution: string;
}

export const downloadCommand: CliBody = {
  args: {
    id: argument('Ids, aliases or names (tabler/home) of the icons', {
      icons: true,
      multiple: true,
    }),
    ...queryOptions('download'),
    output: value(
      'file',
      'File to write, - for standard output (default: name-id.svg in this folder)',
      { alias: 'o', path: true },
    ),
    force: flag('Overwrite files', 'f'),
    ...PROJECT_ARGS,
  },
  examples: [
    'download 123 --color ff0000',
    'download logos/vue --embedded',
    'download 123 --filetype png --size 512 -o house.png',
    'download 123 -o - | head -c 100',
  ],
  async run(given, cli) {
    const output = given.text('output');
    if (output !== undefined && new Set(given.all('id')).size > 1)
      throw new UsageError('--output takes one icon.');
    if (output === '-' && given.flag('json')) {
      throw new UsageError('--json and --output - both want standard output.');
    }
    // This is passed with every call, so that the limits of the file type are checked before
    // anything is sent.
    const filetype = /\.png$/i.test(output ?? '') ? 'png' : 'svg';
    const query = readQueryOptions('download', given, { filetype });
    const catalog = await cli.catalog();
    const ids = [
      ...new Set(given.all('id').map((written) => readIconId(written, catalog.project))),
    ];
    await downloadAll(ids, { given, cli, query, catalog });
  },
};

interface Task {
  given: Given;
  cli: Cli;
  query: DownloadQuery;
  catalog: Catalog;
}

async function downloadAll(ids: readonly string[], task: Task): Promise<void> {
  const { given, cli, query } = task;
  const bar = createProgressBar(cli.host.stderr, { noun: 'icons', total: ids.length });
  const settled = await Promise.allSettled(
    ids.map(async (id) => {
      try {
        return await downloadOne(id, task);
      } finally {
        bar.advance();
      }
    }),
  );
  bar.end();
  const written = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const failed = settled.flatMap((one) =>
    one.status === 'rejected' ? [one.reason as unknown] : [],
  );
  const failure = failed.length > 0 ? combine(failed, ids.length) : undefined;
  const isPiped = given.text('output') === '-';
  if (isPiped && failure !== undefined) throw failure;
  if (!isPiped) cli.result(written, () => written.map(({ file }) => file).join('\n'), failure);
  for (const { file, bytes, ...credit } of written) {
    const name = isPiped ? '' : `${file}: `;
    cli.note(
      `${name}${counted(bytes, 'byte')}. Licence: ${credit.license_description}. Credit: ${credit.attribution}`,
    );
  }
  if (query.filetype === 'svg' && written.length > 0) {
    cli.note(
      'These SVG files are unchanged and not sanitised. Icons that you import are sanitised by the build.',
    );
  }
  cli.next(`Or let the build fetch it: import icon from 'icon:${ids[0] ?? ''}'.`);
}

async function downloadOne(id: string, { given, cli, query, catalog }: Task): Promise<Written> {
  const { host } = cli;
  const { icon } = await catalog.client.icon(id).catch(catalog.explain(id));
  const file = given.text('output') ?? fileNameOf(icon, query.filetype ?? 'svg');
  const path = resolve(host.cwd, file);
  const overwrite = given.flag('force');
  // The file is checked before the download, so that a refusal costs no call.
  if (file !== '-' && !overwrite && (await host.exists(path))) throw existing(file, icon);
  const { bytes, content_type } = await catalog.client.download(id, query);
  if (file === '-') host.stdout.write(bytes);
  else if (!(await host.writeFile(path, bytes, { overwrite }))) throw existing(file, icon);
  const { term = '', license_description = '', attribution = '' } = icon;
  return {
    id: icon.id,
    term,
    file,
    bytes: bytes.length,
    content_type,
    license_description,
    attribution,
  };
}

function existing(file: string, { id }: Icon): Error {
  return new Error(
    `${file} exists already; icon ${id} was not written.\n  Add --force to overwrite it, or choose another name with --output.`,
  );
}

/**
 * One failure is reported as it is. If there are several, each is named, under the code of the
 * first.
 */
function combine(failed: readonly unknown[], total: number): Error {
  const [first] = failed;
  if (failed.length === 1 && total === 1)
    return first instanceof Error ? first : new Error(String(first));
  const reasons = failed.map((error) => {
    if (isIconCatalogError(error)) return `  ${error.icon ?? ''} [${error.code}] ${error.reason}`;
    return `  ${error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)}`;
  });
  const message = [
    `${failed.length} of ${total} icons ${failed.length === 1 ? 'was' : 'were'} not downloaded:`,
    ...new Set(reasons),
  ].join('\n');
  if (!isIconCatalogError(first)) return new Error(message);
  return new IconCatalogError(first.code, { message, remedy: first.remedy, status: first.status });
}

const LONGEST = 60;

/**
 * `red-house-123.svg`: letters and digits of an untrusted name, so that it cannot form a path, an
 * option or a hidden file.
 */
export function fileNameOf(
  { id, term = '' }: Pick<Icon, 'id' | 'term'>,
  extension: string,
): string {
  const words =
    term
      .normalize('NFC')
      .toLowerCase()
      .match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  const slug = Array.from(words.join('-')).slice(0, LONGEST).join('').replace(/-+$/, '');
  return `${slug || 'icon'}-${/^\d+$/.test(id) ? id : '0'}.${extension}`;
}
