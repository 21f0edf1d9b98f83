import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { addIcons, describeConfig, restoreFiles } from '../project/add-icons.ts';
import { nameOfRecord } from '../request/reference.ts';
import { sha256Hex } from '../store/hash.ts';
import type * as api from './api.ts';
import type { OpenPickerProject } from './project.ts';
import type { AnswerPorts } from './questions.ts';
import { PickerRefusal, type PickerState } from './state.ts';
import { AliasRefusal, type IconToAdd } from '../project/edit-aliases.ts';

/** Writes that can be reversed. Older ones were long since followed by others. */
const MOST_UNDOS = 50;

const OFFLINE = {
  locked: 'the mode is `locked`, in which the lock does not change',
  offline: 'the mode is `offline`, in which nothing is fetched',
} as const;

function whyNever({ resolved, isReadOnly }: OpenPickerProject): string | undefined {
  if (isReadOnly) return 'it was started with --read-only';
  if (resolved.catalog.kind === 'none')
    return "no catalog is configured, and the installed sets need `catalog: 'embedded'`";
  return resolved.mode === 'online' ? undefined : OFFLINE[resolved.mode];
}

export async function describeWriting(project: OpenPickerProject): Promise<api.Writability> {
  const { file, hash, reason } = await describeConfig(project.config, project.resolved);
  const why = whyNever(project) ?? reason;
  if (why !== undefined)
    return { possible: false, ...(file !== undefined && { file }), reason: `${why}.` };
  return { possible: true, file: file ?? '', hash };
}

/**
 * Writes of all tabs, one after the other. A tab that has not seen what another tab wrote is not refused for it: only a
 * change by others is a conflict.
 */
export function add(
  { items, ifMatch, attempt }: api.AddRequest,
  { project, state, log }: AnswerPorts,
): Promise<Omit<api.AddAnswer, 'costs'>> {
  return inOrder(state, attempt, async () => {
    const why = whyNever(project);
    const { config } = project;
    const named = await Promise.all(items.map((item) => toNamed(item, project)));
    const report = await addIcons(named, {
      options: project.resolved,
      config: why === undefined ? config : undefined,
      log,
      fetch: project.fetch,
      ...(!project.isFree && { onCall: state.meter }),
      ...(why !== undefined && { only: `${why}.` }),
      check: (hash) => checkUnchanged(hash, { ifMatch, state }),
    }).catch((error: unknown) => {
      throw toRefusal(error);
    });
    const { added, files, diff, copy } = report;
    const after = files.find(({ path }) => path === config);
    const before = ifMatch ?? state.written.at(-1);
    if (after !== undefined && before !== undefined) {
      if (!state.written.includes(before)) state.written = [before];
      state.written.push(after.after);
    }
    project.forget();
    return {
      added,
      diff,
      ...(files.length > 0 && { undo: keepUndo(state, { files }) }),
      ...(copy && { copy }),
      // Nothing is read any more: the dev server may be about to start again.
      write:
        after === undefined
          ? await describeWriting(project)
          : { possible: true, file: after.name, hash: after.after },
    };
  });
}

/** Icons of installed sets have names, which people can read. */
async function toNamed(
  { id, ...names }: api.AddRequest['items'][number],
  project: OpenPickerProject,
): Promise<IconToAdd> {
  const isEmbedded = project.resolved.catalog.kind === 'embedded';
  const record = isEmbedded && /^\d+$/.test(id) ? await project.record(id) : undefined;
  return { id: (record && nameOfRecord(record)) ?? id, ...names };
}

function keepUndo(
  { undos }: PickerState,
  undo: Parameters<PickerState['undos']['set']>[1],
): string {
  const token = randomUUID();
  undos.set(token, undo);
  for (const old of [...undos.keys()].slice(0, -MOST_UNDOS)) undos.delete(old);
  return token;
}

function checkUnchanged(
  hash: string,
  { ifMatch, state: { written } }: { ifMatch: string | undefined; state: PickerState },
): void {
  if (ifMatch === undefined || ifMatch === hash) return;
  if (written.includes(ifMatch) && written.at(-1) === hash) return;
  throw new PickerRefusal(409, {
    code: 'CHANGED',
    message: 'The configuration has changed since this page has seen it. Nothing was written.',
    remedy: 'Look at the change and add the icon again.',
  });
}

function toRefusal(error: unknown): unknown {
  if (!(error instanceof AliasRefusal)) return error;
  const { message, suggestion } = error;
  return new PickerRefusal(400, { code: 'ALIAS', message, suggestion });
}

/** Restores the exact bytes of what one write has changed. */
export function undo(
  { undo: token, attempt }: api.UndoRequest,
  { project, state }: AnswerPorts,
): Promise<Omit<api.UndoAnswer, 'costs'>> {
  return inOrder(state, attempt, async () => {
    const kept = state.undos.get(token);
    if (kept === undefined)
      throw new PickerRefusal(404, {
        code: 'UNDONE',
        message: 'This write was reversed already, or another process made it.',
      });
    const result = await restoreFiles(kept.files);
    if ('changed' in result)
      throw new PickerRefusal(409, {
        code: 'CHANGED',
        message: `${result.changed} has changed since, so nothing was restored.`,
        remedy: 'Reverse the later change first, or edit the file.',
      });
    state.undos.delete(token);
    state.written = [];
    project.forget();
    const config = kept.files.find(({ path }) => path === project.config);
    return {
      restored: result.restored,
      write:
        config?.before === undefined
          ? await describeWriting(project)
          : { possible: true, file: config.name, hash: sha256Hex(config.before) },
    };
  });
}

/** Opens the place of a use in the editor. The page names a number, never a path. */
export async function open({ use }: api.OpenRequest, ports: AnswerPorts): Promise<object> {
  const { project, state, openEditor } = ports;
  const place = state.place(use);
  if (place === undefined)
    throw new PickerRefusal(404, { code: 'NOT_FOUND', message: 'This use is not known any more.' });
  const { line, column } = place;
  const path = join(project.resolved.root, place.file);
  if (openEditor === undefined || !(await openEditor({ path, line, column })))
    throw new PickerRefusal(501, {
      code: 'NO_EDITOR',
      message: 'No editor is known.',
      remedy: 'Set LAUNCH_EDITOR to the command of your editor, such as `code`, and start again.',
    });
  return {};
}

/**
 * One task a session at a time. A write may have the dev server start again, which ends the answer to its page: the page
 * asks again under the same name, and gets the answer that was lost.
 */
async function inOrder<Result extends object>(
  state: PickerState,
  attempt: string | undefined,
  task: () => Promise<Result>,
): Promise<Result> {
  const done = state.writing.then(async () => {
    const known = attempt === undefined ? undefined : state.answered.get(attempt);
    if (known !== undefined) return known as Result;
    const result = await task();
    if (attempt !== undefined) state.answered.set(attempt, result);
    for (const old of [...state.answered.keys()].slice(0, -MOST_UNDOS)) state.answered.delete(old);
    return result;
  });
  state.writing = done.catch(() => undefined);
  return done;
}
