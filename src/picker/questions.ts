import type { Icon } from '../catalog/records.ts';
import type { IconsQuery } from '../catalog/queries.ts';
import { isIconCatalogError } from '../errors.ts';
import { lastingFields } from '../pipeline/assets.ts';
import { loadIcon } from '../pipeline/load-icon.ts';
import { type Found, iconsOf } from '../pipeline/searches.ts';
import { parseRequest } from '../request/parse-request.ts';
import type { IconRecord, Log } from '../types.ts';
import type * as api from './api.ts';
import { findHere, nearWords } from './find-here.ts';
import { type IconContext, type IconPlace, toPickerIcon } from './icons.ts';
import type { OpenPickerProject } from './project.ts';
import { PickerRefusal, type PickerState } from './state.ts';
import { explainName } from '../pipeline/connection.ts';

/** Icons of one answer of the catalog. A call costs the same, whatever its limit. */
const PAGE = 120;

export interface AnswerPorts {
  project: OpenPickerProject;
  state: PickerState;
  log: Log;
  openEditor?: OpenEditor | undefined;
}

/** Opens a file in the user's editor; false: none is known. */
export type OpenEditor = (place: {
  path: string;
  line: number;
  column: number;
}) => Promise<boolean>;

type WithoutCosts<Answer> = Omit<Answer, 'costs'>;

export async function search(
  request: api.SearchRequest,
  ports: AnswerPorts,
): Promise<WithoutCosts<api.SearchAnswer>> {
  const { project } = ports;
  const { isFree, isOnline, searches } = project;
  const query = toQuery(request);
  const remote = isOnline && (request.remote || isFree);
  const [context, found] = await Promise.all([
    project.context(),
    searches.icons(query, { fresh: request.fresh === true && request.remote, remote }),
  ]);
  if (found === undefined) {
    const records = await findHere(request, context, project);
    return {
      icons: await toPickerIcons(records, { ...request, context }, ports),
      from: 'local',
      ...(records.length === 0 && { suggestions: await nearWords(request.query, project) }),
    };
  }
  const answer = await toSearchAnswer(found, { ...request, context }, ports);
  const isEmpty = found.answer.icons.length === 0 && request.query !== '';
  return {
    ...answer,
    ...(isEmpty && { suggestions: await nearWords(request.query, project) }),
  };
}

async function toSearchAnswer(
  found: Found<'icons'> | Found<'collection'>,
  { context, allowed }: { context: IconContext; allowed?: boolean | undefined },
  ports: AnswerPorts,
): Promise<WithoutCosts<api.SearchAnswer>> {
  const { answer, askedAt, isKept } = found;
  const icons = iconsOf(answer);
  noteAddresses(icons, ports.state);
  await keepRecords(icons, ports.project);
  const nextPage = 'collection' in answer ? answer.collection.next_page : answer.next_page;
  return {
    icons: await toPickerIcons(icons.map(lastingFields), { context, allowed }, ports),
    ...(answer.total !== undefined && { total: answer.total }),
    ...(nextPage !== undefined && { nextPage }),
    from: isKept ? 'kept' : 'catalog',
    askedAt: new Date(askedAt).toISOString(),
  };
}

function noteAddresses(icons: readonly Icon[], state: PickerState): void {
  for (const { id, thumbnail_url } of icons)
    if (thumbnail_url !== undefined) state.noteAddress(id, thumbnail_url);
}

/** With its record an icon costs one call to pin instead of two. Records of the embedded catalog cost nothing. */
async function keepRecords(icons: readonly Icon[], project: OpenPickerProject): Promise<void> {
  if (project.isFree) return;
  const assets = await project.pipeline.assets();
  await Promise.all(
    icons.map(async (icon) => {
      if (await assets.hasRecord(Number(icon.id))) return;
      assets.keepRecord(icon);
    }),
  );
}

export async function toPickerIcons(
  records: readonly IconRecord[],
  { context, allowed }: { context: IconContext; allowed?: boolean | undefined },
  ports: AnswerPorts,
): Promise<api.PickerIcon[]> {
  const stored = await ports.project.thumbnails.stored();
  const icons = await Promise.all(
    records.map(async (record) => {
      const local = await ports.project.hasFile(record.id);
      const place = placeOf(record.id, { local, stored, context, ports });
      return toPickerIcon(record, place, context);
    }),
  );
  return allowed === true ? icons.filter(({ license }) => license.verdict !== 'refused') : icons;
}

/** Where the picture of an icon is: drawn here, or stored, or behind an address that still lives. */
function placeOf(
  id: string,
  {
    local,
    stored,
    context,
    ports: { project, state },
  }: { local: boolean; stored: ReadonlySet<string>; context: IconContext; ports: AnswerPorts },
): IconPlace {
  const name = `${id}-200`;
  const address = (extension: string): string => `thumb/${name}-${state.sign(name)}.${extension}`;
  if (project.isFree || (local && context.pinned.has(id))) return { local, thumb: address('svg') };
  if (stored.has(id) || state.addressOf(id) !== undefined) return { local, thumb: address('png') };
  return { local, thumbExpired: true };
}

/** What the catalog is asked; the licence policy is never sent. */
function toQuery({
  query,
  styles = [],
  lineWeight,
  publicDomain,
  nextPage,
}: api.SearchRequest): IconsQuery {
  const [from, to] = lineWeight ?? [];
  return {
    ...(query.trim() !== '' && { query: query.trim() }),
    ...(styles.length > 0 && { styles: [...styles].toSorted() }),
    ...(from !== undefined && to !== undefined && { line_weight: `${from}-${to}` }),
    ...(publicDomain === true && { limit_to_public_domain: 1 }),
    ...(nextPage !== undefined && { next_page: nextPage }),
    thumbnail_size: 200,
    limit: PAGE,
  };
}

export async function suggestTerms(
  { query }: api.SuggestRequest,
  { project }: AnswerPorts,
): Promise<WithoutCosts<api.SuggestAnswer>> {
  if (query.trim() === '') return { suggestions: [] };
  const { isOnline: remote, searches } = project;
  const found = await searches.suggestions(query.trim(), { limit: 10, remote });
  return { suggestions: found?.answer.suggestions.slice(0, 10) ?? [] };
}

export async function listCollections(
  { nextPage, remote }: api.CollectionsRequest,
  { project: { searches, isOnline, isFree } }: AnswerPorts,
): Promise<WithoutCosts<api.CollectionsAnswer>> {
  const query = { limit: 100, ...(nextPage !== undefined && { next_page: nextPage }) };
  const found = await searches.collections(query, { remote: isOnline && (remote || isFree) });
  const next = found?.answer.next_page;
  return {
    collections: found?.answer.collections.map(toCollection) ?? [],
    ...(next !== undefined && { nextPage: next }),
  };
}

export async function oneCollection(
  { id, nextPage, remote }: api.CollectionRequest,
  ports: AnswerPorts,
): Promise<WithoutCosts<api.CollectionAnswer>> {
  const { searches, isOnline, isFree } = ports.project;
  const page = nextPage === undefined ? {} : { next_page: nextPage };
  const [context, found] = await Promise.all([
    ports.project.context(),
    searches.collection(
      id,
      { limit: PAGE, thumbnail_size: 200, ...page },
      { remote: isOnline && (remote || isFree) },
    ),
  ]);
  if (found === undefined) return { icons: [], from: 'local', collection: { id, name: id } };
  const answer = await toSearchAnswer(found, { context }, ports);
  return { ...answer, collection: toCollection(found.answer.collection) };
}

function toCollection(collection: {
  id: string;
  name?: string | undefined;
  creator?: { name?: string | undefined } | undefined;
  icon_count?: number | undefined;
}): api.PickerCollection {
  const { id, name = id, creator, icon_count } = collection;
  return {
    id,
    name: name.slice(0, 300),
    ...(icon_count !== undefined && { iconCount: icon_count }),
    ...(creator?.name && { creator: creator.name.slice(0, 300) }),
  };
}

/** One icon: of this machine if it is known here, or else of the catalog. */
export async function findIcon(
  { id, remote }: api.IconRequest,
  ports: AnswerPorts,
): Promise<WithoutCosts<api.IconAnswer>> {
  const { project } = ports;
  const known = await project.record(id);
  const record = known ?? (remote ? await askForIcon(id, ports) : undefined);
  if (record === undefined)
    throw new PickerRefusal(404, {
      code: 'NOT_FOUND',
      message: `This machine does not know the icon ${id}.`,
      remedy: 'Search for it, or look for its id in the catalog.',
    });
  const [icon] = await toPickerIcons([record], { context: await project.context() }, ports);
  return { icon: icon as api.PickerIcon };
}

async function askForIcon(
  id: string,
  { project, state }: AnswerPorts,
): Promise<IconRecord | undefined> {
  if (!project.isOnline) return undefined;
  const { client } = await project.pipeline.connection.session();
  const { catalog } = project.resolved;
  const { icon } = await client.icon(id, { thumbnail_size: 200 }).catch(async (error: unknown) => {
    throw await explainName(error, { id: Number(id), catalog });
  });
  noteAddresses([icon], state);
  await keepRecords([icon], project);
  return lastingFields(icon);
}

/** What a build would emit; only from bytes of this machine unless the page allows a call. */
export async function render(
  { id, color, size, fetch = false }: api.RenderRequest,
  { project }: AnswerPorts,
): Promise<WithoutCosts<api.RenderAnswer>> {
  const { resolved, isOnline } = project;
  const query = new URLSearchParams({ as: 'svg' });
  if (color !== undefined) query.set('color', color);
  if (size !== undefined) query.set('size', String(size));
  const options = { ...resolved, framework: undefined };
  const request = parseRequest(`icon:${id}?${query}`, options);
  const pipeline = fetch && isOnline ? project.pipeline : project.local;
  try {
    const source = await pipeline.source(request);
    const { svg } = await loadIcon(request, { pipeline, options });
    if (svg === undefined) return {};
    const multicolor = source.kind === 'svg' && source.master.paint === 'multi-tone';
    return { svg, bytes: Buffer.byteLength(svg), ...(multicolor && { multicolor }) };
  } catch (error) {
    const isAbsent = isIconCatalogError(error) && /^(?:LOCK|OFFLINE)_MISSING$/.test(error.code);
    if (isAbsent) return {};
    throw error;
  }
}
