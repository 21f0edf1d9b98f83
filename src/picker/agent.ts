import { renderAttribution } from '../attribution/render/render-attribution.ts';
import { creditProject } from '../project/credits.ts';
import { withProjectTools } from '../project/open.ts';
import { readReferences } from '../project/references.ts';
import { idOfName } from '../request/reference.ts';
import { type Answers, type AnswersInput, createAnswers, isExpected } from './answers.ts';
import type * as api from './api.ts';
import { MOST_LISTED, SHOWN, type ToolArguments } from './agent-tools.ts';
import { copyForms, withCreditComment } from './page/copy-forms.ts';
import { PickerRefusal } from './state.ts';

/** What a tool answers: one JSON document or a text, and pictures with what they show. Its texts are untrusted. */
export interface AgentAnswer {
  answer: object | string;
  note?: string;
  pictures?: AgentPicture[];
  isError?: true;
}

export interface AgentPicture {
  shows: string;
  png?: Uint8Array;
  svg?: string;
}

export interface Agent {
  /** Runs a tool with arguments that its schema allows. It never rejects. */
  call(name: string, args: ToolArguments): Promise<AgentAnswer>;
  close(): Promise<void>;
}

/**
 * The icon browser for agents: the same questions, budget, licence policy and undo as its page.
 * @param allowMore asks the user whether the session may make as many calls again
 */
export function createAgent(
  ports: AnswersInput,
  { allowMore }: { allowMore: (question: string) => Promise<boolean> },
): Agent {
  const answers = createAnswers(ports);
  const { log, state } = ports;

  async function ask<Answer>(name: string, body: object): Promise<Answer> {
    const answered = await answers.ask(name, body);
    if ('body' in answered) return answered.body as Answer;
    const { error } = answered;
    const isSpent = error instanceof PickerRefusal && error.body.code === 'BUDGET';
    if (isSpent && (await allowMore(`${error.body.message} Go on?`))) {
      state.allowMore();
      return ask(name, body);
    }
    throw error;
  }

  return {
    async call(name, args) {
      const run = Object.hasOwn(RUNS, name) ? RUNS[name] : undefined;
      const before = state.calls;
      try {
        if (run === undefined)
          throw new PickerRefusal(404, { code: 'NOT_FOUND', message: 'There is no such tool.' });
        return await run(args, { answers, ask, input: ports });
      } catch (error) {
        if (!isExpected(error))
          log.error(`${name} failed: ${error instanceof Error ? error.message : ''}`);
        return {
          answer: {
            error: describe(error, answers),
            costs: state.costs(state.calls - before, undefined),
          },
          isError: true,
        };
      }
    },
    close: answers.close,
  };
}

function describe(error: unknown, { explain }: Answers): api.PickerError['error'] {
  if (!isExpected(error))
    return { code: 'FAILED', message: 'The tool failed. Standard error says more.' };
  const described = explain(error);
  if (described.code !== 'BUDGET') return described;
  return {
    ...described,
    remedy:
      'Only the user can allow more: by starting `icon-catalog mcp` again, with a larger --budget.',
  };
}

interface ToolPorts {
  answers: Answers;
  ask<Answer>(name: string, body: object): Promise<Answer>;
  input: AnswersInput;
}

const RUNS: Readonly<
  Record<string, (args: ToolArguments, ports: ToolPorts) => Promise<AgentAnswer>>
> = {
  search_icons: search,
  show_icon: show,
  add_icon: add,
  list_project_icons: list,
  credits,
  undo,
};

async function search(args: ToolArguments, ports: ToolPorts): Promise<AgentAnswer> {
  const { query = '', styles, line_weight, public_domain, allowed, next_page, fresh } = args;
  const { offset = 0, limit = SHOWN, pictures = true } = args;
  const { ask, answers } = ports;
  const { pipeline, resolved } = await answers.project();
  // Without a catalog there is nothing to search, which is an error that says how to get one.
  if (resolved.catalog.kind === 'none') await pipeline.connection.session();
  const found = await ask<api.SearchAnswer>('search', {
    query,
    ...(styles && { styles }),
    ...(line_weight && { lineWeight: line_weight }),
    ...(public_domain !== undefined && { publicDomain: public_domain }),
    ...(allowed !== undefined && { allowed }),
    ...(next_page !== undefined && { nextPage: next_page }),
    ...(fresh !== undefined && { fresh }),
    remote: true,
  });
  const { icons, total, nextPage, from, askedAt, suggestions, costs } = found;
  const shown = icons.slice(offset, offset + limit);
  const rest = offset + shown.length;
  const drawn = pictures ? await Promise.all(shown.map((icon) => picture(icon, answers))) : [];
  const absent = pictures && drawn.includes(undefined);
  return {
    answer: {
      icons: shown.map(toListed),
      ...(rest < icons.length
        ? { more: { offset: rest } }
        : nextPage !== undefined && { more: { next_page: nextPage } }),
      total: total ?? icons.length,
      from: FROM[from],
      ...(askedAt !== undefined && { asked_at: askedAt }),
      ...(suggestions && { suggestions }),
      ...(absent && {
        note: 'Addresses of pictures expire: `fresh: true` brings them for one call.',
      }),
      costs,
    },
    pictures: drawn.filter((one) => one !== undefined),
  };
}

const FROM = {
  catalog: 'the catalog',
  kept: 'the kept answer of an earlier search',
  local: 'what this machine knows; the catalog was not asked',
} as const;

async function show(args: ToolArguments, ports: ToolPorts): Promise<AgentAnswer> {
  const { color, size } = args;
  const { ask, answers } = ports;
  const id = await idOf(args, answers);
  const { icon, costs } = await ask<api.IconAnswer>('icon', { id, remote: true });
  const look = { ...(color !== undefined && { color }), ...(size !== undefined && { size }) };
  const { framework } = (await answers.project()).resolved;
  const forms = copyForms(icon, look, {
    framework: typeof framework === 'string' ? framework : null,
    defaults: {},
  });
  const code = forms.filter((form) => !['id', 'credit', 'add'].includes(form.id));
  const drawn = await picture(icon, answers);
  const { tags, collections, uses, url } = icon;
  return {
    answer: {
      ...toListed(icon),
      tags,
      collections: collections.map(({ name }) => name),
      ...(url !== undefined && { page: url }),
      used: uses.map(placeOf),
      code: Object.fromEntries(code.map((form) => [form.label, form.code])),
      costs,
    },
    pictures: drawn === undefined ? [] : [drawn],
  };
}

async function add(args: ToolArguments, { ask, answers }: ToolPorts): Promise<AgentAnswer> {
  const { alias, replaces } = args;
  const id = await idOf(args, answers);
  const answer = await ask<api.AddAnswer>('add', {
    items: [
      { id, ...(alias !== undefined && { alias }), ...(replaces !== undefined && { replaces }) },
    ],
  });
  const { added, diff, undo: token, copy, costs } = answer;
  if (copy !== undefined)
    return {
      answer: {
        added: false,
        reason: copy.reason,
        todo: 'Nothing was written. Put these lines into the options; if they have `aliases` already, add the entry to those. Then run `npx icon-catalog sync`.',
        lines: copy.lines,
        costs,
      },
    };
  const [{ importLine } = { importLine: '' }] = added;
  return {
    answer: {
      added: true,
      import: importLine,
      ...(diff !== '' && { diff }),
      ...(token === undefined ? { note: 'It existed already.' } : { undo: token }),
      costs,
    },
  };
}

async function list(args: ToolArguments, { ask }: ToolPorts): Promise<AgentAnswer> {
  const { offset = 0, limit = MOST_LISTED } = args;
  const { icons, write, defaults, ...project } = await ask<api.ProjectAnswer>('project', {});
  const shown = icons.slice(offset, offset + limit);
  const rest = offset + shown.length;
  return {
    answer: {
      ...project,
      ...(Object.keys(defaults).length > 0 && { defaults }),
      can_add: write.possible ? { file: write.file } : { no: write.reason },
      icons: shown.map((icon) => Object.assign(toListed(icon), { used: icon.uses.map(placeOf) })),
      total: icons.length,
      ...(rest < icons.length && { more: { offset: rest } }),
    },
  };
}

async function credits(args: ToolArguments, { answers, input }: ToolPorts): Promise<AgentAnswer> {
  const { format = 'markdown', used_only: onlyUsed = false } = args;
  const { resolved } = await answers.project();
  const references = await readReferences(resolved);
  const credited = await withProjectTools(resolved, { mode: 'offline', log: input.log }, (tools) =>
    creditProject(references, tools, { onlyUsed }),
  );
  const { manifest, problems } = credited;
  const listed = new Set(manifest.icons.map(({ id }) => id));
  const unpinned = references.icons.filter(
    ({ request }) => request.as !== 'meta' && !listed.has(String(request.id)),
  );
  const note = [
    ...problems.map(({ message }) => message),
    ...unpinned.map(
      ({ specifier, places: [place] }) =>
        `${specifier}${place ? ` (${placeOf(place)})` : ''} is not pinned, so it is not credited: run \`npx icon-catalog sync\`.`,
    ),
  ].join('\n');
  const isEmpty = manifest.icons.length === 0;
  return {
    answer: isEmpty
      ? 'No icon is pinned, so there is nothing to credit.'
      : renderAttribution(manifest, format),
    ...(note !== '' && { note }),
  };
}

async function undo(args: ToolArguments, { ask }: ToolPorts): Promise<AgentAnswer> {
  const { restored, costs } = await ask<api.UndoAnswer>('undo', { undo: args.undo ?? '' });
  return { answer: { restored, costs } };
}

/** The canonical id of what was written: an id, an alias, a name of the embedded catalog, each with or without `icon:`. */
async function idOf({ id: written = '' }: ToolArguments, answers: Answers): Promise<string> {
  const name = written.replace(/^icon:/, '').replace(/[?#].*$/s, '');
  if (/^\d{1,16}$/.test(name)) return name;
  const project = await answers.project();
  const { aliases } = await project.context();
  const aliased = [...aliases].find(([, names]) => names.includes(name))?.[0];
  const id = aliased ?? (project.resolved.catalog.kind === 'embedded' ? idOfName(name) : undefined);
  if (id !== undefined) return String(id);
  throw new PickerRefusal(404, {
    code: 'NOT_FOUND',
    message: `${JSON.stringify(name)} is neither an id nor an alias of this project.`,
    remedy: 'Find ids with search_icons, and aliases with list_project_icons.',
  });
}

/** Markup would leave without its credit, so the credit is part of it. */
async function picture(icon: api.PickerIcon, answers: Answers): Promise<AgentPicture | undefined> {
  const drawn = await answers.picture(icon.id);
  if (drawn === undefined) return undefined;
  const shows = `icon:${icon.aliases[0] ?? icon.name}`;
  return 'png' in drawn
    ? { shows, png: drawn.png }
    : { shows, svg: withCreditComment(drawn.svg, icon.credit) };
}

const placeOf = ({ file, line, column }: Omit<api.PickerIcon['uses'][number], 'use'>): string =>
  `${file}:${line}:${column}`;

/** An icon in a list: what a choice depends on. */
function toListed(icon: api.PickerIcon): object {
  const { name, term, creator, styles, lineWeight, license, credit, aliases, pinned, uses } = icon;
  const { label, asks, verdict, reason } = license;
  return {
    id: name,
    import: `icon:${aliases[0] ?? name}`,
    term,
    ...(creator && { creator: creator.name }),
    ...(styles.length > 0 && { styles }),
    ...(lineWeight !== undefined && { line_weight: lineWeight }),
    license: { label, asks, verdict, ...(reason !== undefined && { reason }) },
    credit,
    ...(aliases.length > 0 && { aliases }),
    ...(pinned && { pinned }),
    ...(uses.length > 0 && { uses: uses.length }),
  };
}
