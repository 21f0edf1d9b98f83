import type {
  AutocompleteOptions,
  Collection,
  CollectionQuery,
  CollectionsQuery,
  Icon,
  IconQuery,
  IconsQuery,
} from '../../client.ts';
import { isIconCatalogError } from '../../errors.ts';
import { collectionId } from '../../request/reference.ts';
import {
  argument,
  flag,
  type Catalog,
  type Cli,
  type CliBody,
  FRESH_ARGS,
  type Given,
  PROJECT_ARGS,
  SIGNED_ARGS,
} from '../command.ts';
import {
  describeStyles,
  listAll,
  readIconId,
  readId,
  renderIcons,
  specifierOf,
  summarize,
  withImports,
} from '../listing.ts';
import { queryOptions, readQueryOptions } from '../query-options.ts';
import { type Column, renderFields, renderTable, toPlainText } from '../terminal.ts';
import { canTake, offerToTake } from '../take.ts';
import { canShowImages, renderThumbnail, renderThumbnails } from '../thumbnails.ts';

/** Icons that are drawn without being asked for. */
const MOST_DRAWN = 60;
/** Pixels of thumbnails, as the icon browser keeps them. */
const THUMBNAIL = 200;

const TERM_ARGS = {
  term: argument('What to look for; without it, the whole list', {
    required: false,
    multiple: true,
  }),
} as const;

export const searchCommand: CliBody = {
  args: {
    ...TERM_ARGS,
    ...queryOptions('icons'),
    all: flag('Get all pages; each costs one call'),
    thumbnails: flag(
      `Draw lists of more than ${MOST_DRAWN} icons, too; a terminal with colours always draws shorter ones`,
    ),
    'no-thumbnails': flag('Print a table, and draw nothing'),
    ...SIGNED_ARGS,
    ...FRESH_ARGS,
    ...PROJECT_ARGS,
  },
  examples: [
    'search house --style line --line-weight 10-20',
    'search red car --public-domain --limit 10',
    "search bell --all --json | jq -r '.[].id'",
  ],
  async run(given, cli) {
    const query: IconsQuery = readSearch('icons', given);
    const isDrawn = wantsPictures(given, cli);
    if (isDrawn) query.thumbnail_size = THUMBNAIL;
    const catalog = await cli.catalog();
    const { icons: items, total, next_page } = await catalog.client.icons(query);
    const { prev_page: _, ...forward } = query;
    const { items: icons, next } = await listAll(
      { items, total, next: next_page },
      (next_page) => catalog.client.iterateIcons({ ...forward, next_page }),
      { given, host: cli.host, noun: 'icons' },
    );
    const isNumbered = icons.length > 0 && (await canTake(given, { cli, catalog }));
    const isLong = icons.length > MOST_DRAWN && !given.flag('thumbnails');
    const pictures =
      isDrawn && !isLong && icons.length > 0
        ? await renderThumbnails(icons, { cli, catalog }, { isNumbered })
        : '';
    const table = (): string => renderIcons(icons, cli, catalog, { isNumbered });
    cli.result(withImports(icons, catalog), () => pictures || table());
    cli.note(summarize({ shown: icons.length, total, next }, 'icons', catalog));
    const [best] = icons;
    if (isNumbered && (await offerToTake(icons, { cli, catalog }))) return;
    cli.next(
      best === undefined
        ? 'Try fewer or other words; `npx icon-catalog suggest` completes one.'
        : `Write an import: import icon from '${specifierOf(best, catalog)}'. \`npx icon-catalog show ${specifierOf(best, catalog).slice('icon:'.length)}${given.flag('embedded') ? ' --embedded' : ''}\` says more about it.`,
    );
  },
};

function readSearch(name: 'icons' | 'collections', given: Given): Record<string, string> {
  const term = given.all('term').join(' ');
  return { ...readQueryOptions(name, given), ...(term !== '' && { query: term }) };
}

function wantsPictures(given: Given, { host }: Cli): boolean {
  if (given.flag('no-thumbnails') || given.flag('json')) return false;
  // Only the usual size is kept.
  const size = given.text('thumbnail-size');
  if (size !== undefined && size !== String(THUMBNAIL)) return false;
  return given.flag('thumbnails') || canShowImages(host);
}

export const suggestCommand: CliBody = {
  args: {
    term: argument('The beginning of a term', { multiple: true }),
    ...queryOptions('autocomplete'),
    ...FRESH_ARGS,
    ...PROJECT_ARGS,
  },
  examples: ['suggest hou --limit 5'],
  async run(given, cli) {
    const options: AutocompleteOptions = readQueryOptions('autocomplete', given);
    const { client } = await cli.catalog();
    const { suggestions } = await client.autocomplete(given.all('term').join(' '), options);
    cli.result(suggestions, () => suggestions.map(toPlainText).join('\n'));
    const [first] = suggestions;
    if (first === undefined) cli.note('No suggestions.');
    cli.next(
      first === undefined
        ? 'No term begins like that: try fewer letters, or search for the whole word.'
        : `Search for one: npx icon-catalog search ${toPlainText(first)}`,
    );
  },
};

export const showCommand: CliBody = {
  args: {
    id: argument('Id, alias or name (tabler/home) of the icon', { icons: true }),
    ...queryOptions('icon'),
    ...SIGNED_ARGS,
    ...PROJECT_ARGS,
  },
  examples: ['show 123', 'show 123 --json | jq -r .attribution', 'show tabler/home --embedded'],
  async run(given, cli) {
    const query: IconQuery = readQueryOptions('icon', given);
    const isDrawn = canShowImages(cli.host) && !given.flag('json');
    if (isDrawn) query.thumbnail_size ??= THUMBNAIL;
    const catalog = await cli.catalog();
    const id = readIconId(given.text('id') ?? '', catalog.project);
    const { icon } = await catalog.client.icon(id, query).catch(catalog.explain(id));
    const picture = isDrawn ? await renderThumbnail(icon, { cli, catalog }) : '';
    cli.result(
      withImports([icon], catalog)[0],
      () => `${picture}${renderFields(fieldsOf(icon, catalog), cli)}`,
    );
    cli.next(
      `Write an import: import icon from '${specifierOf(icon, catalog)}'. The build fetches and credits it.`,
    );
  },
};

function fieldsOf(
  icon: Icon,
  { embedded }: Pick<Catalog, 'embedded'>,
): [string, string | undefined][] {
  const { creator: { name = '', username = '' } = {}, collections = [] } = icon;
  return [
    ['id', icon.id],
    ['name', icon.term],
    ['creator', name === username ? name : named(name, username)],
    ['licence', icon.license_description],
    ['credit', icon.attribution],
    ['style', describeStyles(icon)],
    ['collections', collections.map(({ id, name = '' }) => named(name, id)).join(', ')],
    ['tags', icon.tags?.join(', ')],
    ['page', icon.permalink],
    ['import', specifierOf(icon, { embedded })],
  ];
}

function named(name: string, id: string): string {
  return id === '' ? name : `${name} (${id})`;
}

const COLUMNS: readonly Column<Collection>[] = [
  { title: 'ID', value: ({ id }) => id, align: 'right' },
  { title: 'NAME', value: ({ name }) => name, least: 16 },
  { title: 'ICONS', value: (collection) => String(collection.icon_count ?? ''), align: 'right' },
  { title: 'CREATOR', value: ({ creator }) => creator?.name, least: 12 },
  { title: 'TAGS', value: ({ tags }) => tags?.join(', '), least: 8 },
];

export const collectionsCommand: CliBody = {
  args: {
    ...TERM_ARGS,
    ...queryOptions('collections'),
    all: flag('Get all pages; each costs one call'),
    ...FRESH_ARGS,
    ...PROJECT_ARGS,
  },
  examples: ['collections weather', "collections --all --json | jq 'map(.icon_count) | add'"],
  async run(given, cli) {
    const query: CollectionsQuery = readSearch('collections', given);
    const catalog = await cli.catalog();
    const { collections: items, total, next_page } = await catalog.client.collections(query);
    const { prev_page: _, ...forward } = query;
    const { items: collections, next } = await listAll(
      { items, total, next: next_page },
      (next_page) => catalog.client.iterateCollections({ ...forward, next_page }),
      { given, host: cli.host, noun: 'collections' },
    );
    cli.result(collections, () =>
      collections.length === 0 ? '' : renderTable(collections, COLUMNS, cli),
    );
    cli.note(summarize({ shown: collections.length, total, next }, 'collections', catalog));
    const [first] = collections;
    if (first !== undefined)
      cli.next(`Show the icons of one: npx icon-catalog collection ${first.id}`);
  },
};

function readCollectionId(written: string, { embedded }: Catalog): string {
  const isName = embedded !== undefined && /^[a-z][\w-]*$/.test(written);
  return isName ? String(collectionId(written)) : readId(written);
}

export const collectionCommand: CliBody = {
  args: {
    id: argument('Id of the collection, or the name of an installed set'),
    ...queryOptions('collection'),
    all: flag('Get all pages; each costs one call'),
    ...SIGNED_ARGS,
    ...FRESH_ARGS,
    ...PROJECT_ARGS,
  },
  examples: [
    'collection 123 --limit 20',
    'collection tabler --embedded',
    "collection 123 --all --json | jq '.icons | length'",
  ],
  async run(given, cli) {
    const query: CollectionQuery = readQueryOptions('collection', given);
    const catalog = await cli.catalog();
    const id = readCollectionId(given.text('id') ?? '', catalog);
    const answer = await catalog.client.collection(id, query).catch((error: unknown) => {
      const isUnknown = isIconCatalogError(error) && error.code === 'CATALOG_NOT_FOUND';
      if (!isUnknown || id === given.text('id')) throw error;
      throw new Error(
        `No icon set ${JSON.stringify(given.text('id'))} is among those of the project.\n  \`npx icon-catalog collections\` lists them.`,
      );
    });
    const { icons: items, next_page = answer.next_page, ...rest } = answer.collection;
    const total = rest.icon_count;
    const { prev_page: _, ...forward } = query;
    const { items: icons, next } = await listAll(
      { items, total, next: next_page },
      (next_page) => catalog.client.iterateCollectionIcons(id, { ...forward, next_page }),
      { given, host: cli.host, noun: 'icons' },
    );
    cli.result(
      {
        ...rest,
        icons: withImports(icons, catalog),
        ...(next !== undefined && { next_page: next }),
      },
      () => {
        const fields = renderFields(
          [
            ['id', rest.id],
            ['name', rest.name],
            ['creator', rest.creator?.name],
            ['icons', total === undefined ? '' : String(total)],
            ['tags', rest.tags?.join(', ')],
            ['page', rest.permalink],
          ],
          cli,
        );
        return [fields, renderIcons(icons, cli, catalog)].filter(Boolean).join('\n\n');
      },
    );
    cli.note(summarize({ shown: icons.length, total, next }, 'icons', catalog));
    const [best] = icons;
    if (best !== undefined)
      cli.next(`Write an import: import icon from '${specifierOf(best, catalog)}'.`);
  },
};
