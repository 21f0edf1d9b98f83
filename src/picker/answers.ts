import * as v from 'valibot';
import { type IconCatalogError, isIconCatalogError } from '../errors.ts';
import { parseRequest } from '../request/parse-request.ts';
import type { Picture } from '../pipeline/thumbnails.ts';
import { renderSvg } from '../svg/render-svg.ts';
import type { FetchPort, Log } from '../types.ts';
import type * as api from './api.ts';
import { describePolicy } from './icons.ts';
import {
  openPickerProject,
  type OpenPickerProject,
  type PickerProject,
  projectIcons,
} from './project.ts';
import {
  type AnswerPorts,
  findIcon,
  listCollections,
  oneCollection,
  type OpenEditor,
  render,
  search,
  suggestTerms,
  toPickerIcons,
} from './questions.ts';
import { PickerRefusal, type PickerState } from './state.ts';
import { add, describeWriting, open, undo } from './write.ts';

export interface AnswersInput {
  /** The project as it is at the moment; the same object while nothing has changed. */
  project(): Promise<PickerProject>;
  state: PickerState;
  log: Log;
  /** Used instead of sockets. */
  fetch?: FetchPort | undefined;
  now?: (() => number) | undefined;
  openEditor?: OpenEditor | undefined;
}

/** What the icon browser's page asks over HTTP, and an agent over its own protocol: one budget, one policy, one undo. */
export interface Answers {
  /**
   * Answers one question. What is expected to fail, such as a refused licence, is part of the answer.
   * @throws PickerRefusal 404 for a question that does not exist; what is not expected
   */
  ask(name: string, body: unknown): Promise<Answered>;
  /** The picture of an icon: a PNG as the catalog has it, or the sanitised drawing. No signed call is made. */
  picture(id: string): Promise<Picture | undefined>;
  drawing(id: string): Promise<string | undefined>;
  project(): Promise<OpenPickerProject>;
  explain(error: PickerRefusal | IconCatalogError): api.PickerError['error'];
  close(): Promise<void>;
}

export type Answered =
  | { body: object & { costs: api.Costs } }
  | { error: unknown; costs: api.Costs };

export function createAnswers({ project: current, ...ports }: AnswersInput): Answers {
  const { state, log, fetch, openEditor, now = Date.now } = ports;
  let opened: { from: PickerProject; project: OpenPickerProject } | undefined;
  let previous: OpenPickerProject | undefined;

  async function openProject(): Promise<OpenPickerProject> {
    const from = await current();
    if (opened?.from === from) return opened.project;
    // Questions of other tabs may still be on their way.
    void previous?.close().catch(() => undefined);
    previous = opened?.project;
    opened = { from, project: openPickerProject(from, { state, log, fetch, now }) };
    return opened.project;
  }

  return {
    project: openProject,
    async ask(name, body) {
      const handler = Object.hasOwn(HANDLERS, name) ? HANDLERS[name] : undefined;
      if (handler === undefined) throw notFound();
      const before = state.calls;
      const project = await openProject();
      if (v.is(OPENED, body)) {
        state.resume();
        project.pipeline.connection.resetBuild();
      }
      const costs = (): api.Costs => {
        const usage = project.pipeline.connection.usage();
        const left = usage && Math.max(0, usage.limit - usage.usage);
        return state.costs(state.calls - before, left);
      };
      try {
        const answer = await handler(body, { project, state, log, openEditor });
        return { body: { ...answer, costs: costs() } };
      } catch (error) {
        if (!isExpected(error)) throw error;
        state.noteFailure(error);
        return { error, costs: costs() };
      }
    },
    picture: async (id) => picture(id, { project: await openProject(), state }),
    explain: (error) => describeError(error, now),
    drawing: async (id) => drawing(id, await openProject()),
    async close() {
      await Promise.all([previous?.close(), opened?.project.close()]);
      opened = undefined;
      previous = undefined;
    },
  };
}

export function isExpected(error: unknown): error is PickerRefusal | IconCatalogError {
  return error instanceof PickerRefusal || isIconCatalogError(error);
}

export function notFound(): PickerRefusal {
  return new PickerRefusal(404, { code: 'NOT_FOUND', message: 'There is nothing here.' });
}

function describeError(
  error: PickerRefusal | IconCatalogError,
  now: () => number,
): api.PickerError['error'] {
  if (error instanceof PickerRefusal) return error.body;
  const { code, reason, remedy, headers, renewsAt } = error;
  const there = headers?.['date'];
  return {
    code,
    message: reason,
    remedy,
    ...(code === 'CATALOG_UNAUTHORIZED' && {
      clock: { here: new Date(now()).toUTCString(), ...(there !== undefined && { there }) },
    }),
    ...(renewsAt && { renewsAt: renewsAt.toISOString() }),
  };
}

async function picture(
  id: string,
  { project, state }: Pick<AnswerPorts, 'project' | 'state'>,
): Promise<Picture | undefined> {
  const address =
    state.addressOf(id) ?? (project.isFree ? await freeAddress(id, project) : undefined);
  const found = await project.thumbnails.get(id, address).catch(() => undefined);
  if (found !== undefined) return found;
  const svg = await drawing(id, project).catch(() => undefined);
  return svg === undefined ? undefined : { svg };
}

/** The embedded catalog of this process meters no calls. */
async function freeAddress(
  id: string,
  { pipeline }: OpenPickerProject,
): Promise<string | undefined> {
  const { client } = await pipeline.connection.session();
  const found = await client.icon(id, { thumbnail_size: 200 }).catch(() => undefined);
  return found?.icon.thumbnail_url;
}

async function drawing(
  id: string,
  { isFree, pipeline, local, resolved }: OpenPickerProject,
): Promise<string | undefined> {
  const request = parseRequest(`icon:${id}?as=svg`, { ...resolved, framework: undefined });
  const source = await (isFree ? pipeline : local).source({ ...request, color: 'currentColor' });
  if (source.kind !== 'svg') return undefined;
  const { master } = source;
  const shape = { id: Number(id), size: '200', title: null, class: null, isFile: true };
  return renderSvg(master, { ...shape, color: '000000' });
}

const HANDLERS: Record<string, (body: unknown, ports: AnswerPorts) => Promise<object>> = {
  search: (body, ports) => search(readBody('search', body), ports),
  suggest: (body, ports) => suggestTerms(readBody('suggest', body), ports),
  collections: (body, ports) => listCollections(readBody('collections', body), ports),
  collection: (body, ports) => oneCollection(readBody('collection', body), ports),
  icon: (body, ports) => findIcon(readBody('icon', body), ports),
  render: (body, ports) => render(readBody('render', body), ports),
  project: describeProject,
  add: (body, ports) => add(readBody('add', body), ports),
  undo: (body, ports) => undo(readBody('undo', body), ports),
  open: (body, ports) => open(readBody('open', body), ports),
  budget: (_, { state }) => Promise.resolve(state.allowMore()),
};

async function describeProject(
  _: unknown,
  ports: AnswerPorts,
): Promise<Omit<api.ProjectAnswer, 'costs'>> {
  const { project } = ports;
  const { records, context } = await projectIcons(project, await project.context());
  const { resolved, name } = project;
  const { framework, defaults, mode, catalog } = resolved;
  const size = Number(defaults.size);
  return {
    name,
    catalog: catalog.kind === 'remote' ? new URL(catalog.baseUrl).host : catalog.kind,
    isFree: project.isFree,
    configured: catalog.kind !== 'none',
    mode,
    framework: typeof framework === 'string' ? framework : null,
    defaults: {
      ...(defaults.color !== undefined && { color: defaults.color }),
      ...(Number.isFinite(size) && { size }),
    },
    icons: await toPickerIcons(records, { context }, ports),
    policy: describePolicy(resolved),
    write: await describeWriting(project),
  };
}

const text = v.pipe(v.string(), v.maxLength(2000));
const token = v.optional(text);
const id = v.pipe(
  v.string(),
  v.regex(/^\d{1,16}$|^[\p{L}\p{N}\p{M}-]{1,200}\/[\p{L}\p{N}\p{M}-]{1,200}$/u),
);
const weight = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(60));
const optionalText = v.optional(text);

const OPENED = v.object({ opened: v.literal(true) });

/** What each call of the page may send. A field that is not here is ignored. */
const BODIES = {
  search: v.object({
    query: text,
    styles: v.optional(v.pipe(v.array(v.picklist(['solid', 'line'])), v.maxLength(2))),
    lineWeight: v.optional(v.tuple([weight, weight])),
    publicDomain: v.optional(v.boolean()),
    allowed: v.optional(v.boolean()),
    nextPage: token,
    remote: v.boolean(),
    fresh: v.optional(v.boolean()),
  }),
  suggest: v.object({ query: text }),
  collections: v.object({ nextPage: token, remote: v.boolean() }),
  collection: v.object({
    id: v.pipe(v.string(), v.regex(/^\d{1,19}$/)),
    nextPage: token,
    remote: v.boolean(),
  }),
  icon: v.object({ id, remote: v.boolean() }),
  render: v.object({
    id,
    color: v.optional(v.pipe(v.string(), v.regex(/^[#\w]{1,20}$/))),
    size: v.optional(v.pipe(v.number(), v.minValue(1), v.maxValue(2000))),
    fetch: v.optional(v.boolean()),
  }),
  add: v.object({
    items: v.pipe(
      v.array(v.object({ id, alias: optionalText, replaces: optionalText })),
      v.minLength(1),
      v.maxLength(500),
    ),
    ifMatch: optionalText,
    attempt: optionalText,
  }),
  undo: v.object({ undo: text, attempt: optionalText }),
  open: v.object({ use: v.pipe(v.number(), v.integer(), v.minValue(0)) }),
} as const;

/**
 * The body of a call, checked.
 * @throws PickerRefusal 400, which names the field
 */
function readBody<Name extends keyof typeof BODIES>(
  name: Name,
  body: unknown,
): api.Questions[Name][0] {
  const result = v.safeParse<v.GenericSchema<unknown, unknown>>(BODIES[name], body, {
    abortEarly: true,
  });
  if (result.success) return result.output as api.Questions[Name][0];
  const [issue] = result.issues;
  const path = issue.path?.map(({ key }) => String(key)).join('.') ?? 'body';
  throw new PickerRefusal(400, {
    code: 'BODY',
    message: `\`${path}\` of this call is not as expected.`,
  });
}
