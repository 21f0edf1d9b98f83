import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { PickerIcon, Writability } from '../api.ts';
import { useApp } from './app.ts';
import type { Failure } from './client.ts';
import { aliasLines } from '../../request/alias-names.ts';
import { focusCell } from './keys.ts';
import { NO_FILTERS } from './filters.tsx';
import { takenAliases, type Written } from './store.ts';
import { type AliasProblem, checkAlias, countOf, plain, suggestAlias } from './text.ts';

/** The name that the project gives the icon, and Add. */

export function TakePanel({ icon }: { icon: PickerIcon }): VNode {
  const app = useApp();
  const { project, writing, written } = app.store.get();
  const taken = takenAliases(project);
  const [old] = icon.aliases;
  const [alias, setAlias] = useState(() => old ?? suggestAlias(plain(icon.term), taken));
  const [failure, setFailure] = useState<Failure>();
  const [isAdding, setAdding] = useState(false);
  const isWritten = written !== undefined && written.ids.includes(icon.id);
  const hasName = icon.aliases.includes(alias);
  const problem = hasName ? undefined : checkAlias(alias, taken);
  const isRefused = icon.license.verdict === 'refused';
  const write = project?.write;
  const canWrite = write?.possible !== false;
  const isOff = isRefused || hasName || problem !== undefined || writing || project === undefined;

  const add = async (replaces?: string): Promise<void> => {
    setAdding(true);
    const found = await app.take.add([{ id: icon.id, alias, replaces }]);
    setAdding(false);
    setFailure(found);
    if (found === undefined) {
      app.take.remember(icon.id);
      focusCell(icon.id);
    }
  };

  return (
    <section class="take" aria-label="Add to the project">
      <Names names={icon.aliases} />
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (!isOff) void add();
        }}
      >
        <label for="alias">Name in this project</label>
        <span class="alias-field">
          <span class="prefix">icon:</span>
          <input
            id="alias"
            type="text"
            value={alias}
            maxLength={80}
            autocomplete="off"
            autocapitalize="off"
            spellcheck={false}
            aria-invalid={problem !== undefined}
            aria-describedby="alias-hint"
            disabled={isRefused}
            onInput={(event) => {
              setAlias(event.currentTarget.value.trim());
              setFailure(undefined);
            }}
          />
          {/* A button that is off would lose the focus meanwhile. */}
          <button type="submit" class="primary" disabled={isOff && !isAdding}>
            {isAdding ? 'Adding…' : canWrite ? 'Add' : 'Copy these lines'}
          </button>
          {canWrite && <RenameButton old={old} isOff={isOff || !alias} onRename={add} />}
        </span>
        <p
          id="alias-hint"
          class={problem === undefined ? 'hint-line' : 'hint-line wrong'}
          aria-live="polite"
        >
          <Hint {...{ icon, alias, problem, write }} onTake={setAlias} />
        </p>
      </form>
      {failure !== undefined && <AddFailure failure={failure} onTake={setAlias} />}
      {isWritten && <Result written={written} />}
      {!canWrite && !isWritten && problem === undefined && (
        <pre class="lines" tabIndex={0}>
          {aliasLines({ [alias]: /^\d+$/.test(icon.name) ? Number(icon.name) : icon.name })}
        </pre>
      )}
    </section>
  );
}

interface RenameProps {
  old: string | undefined;
  isOff: boolean;
  onRename(old: string): Promise<void>;
}

function RenameButton({ old, isOff, onRename }: RenameProps): VNode | null {
  if (old === undefined) return null;
  return (
    <button
      type="button"
      disabled={isOff}
      title={`${plain(old, 60)} gets this name instead`}
      onClick={() => void onRename(old)}
    >
      Rename
    </button>
  );
}

function Names({ names }: { names: readonly string[] }): VNode | null {
  if (names.length === 0) return null;
  return (
    <p class="has-alias">
      In this project as{' '}
      {names.map((name) => (
        <code key={name}>{name}</code>
      ))}
    </p>
  );
}

function Hint({
  alias,
  icon: { license, pinned, local, aliases, uses },
  problem,
  write,
  onTake,
}: {
  alias: string;
  icon: PickerIcon;
  problem: AliasProblem | undefined;
  write: Writability | undefined;
  onTake: Rename;
}): VNode {
  const isFree = useApp().store.get().project?.isFree === true;
  if (aliases.includes(alias))
    return <>This icon has this name already. Type another one to add or to rename.</>;
  if (license.verdict === 'refused')
    return <>The licence policy of this project refuses this icon.</>;
  if (problem !== undefined)
    return (
      <>
        {problem.message}
        {problem.suggestion !== undefined && (
          <Suggestion name={problem.suggestion} onTake={onTake} />
        )}
      </>
    );
  if (write?.possible === false)
    return (
      <>Nothing is written here: {withCode(plain(write.reason, 300).replace(/^No /, 'no '))}</>
    );
  return (
    <>
      Writes the name{write?.possible === true && ` into ${plain(write.file, 80)}`} and pins the
      icon
      {isFree ? '.' : pinned || local ? ' for no call.' : ' for 1 call.'}
      {aliases.length > 0 &&
        uses.length > 0 &&
        ` Rename leaves sources as they are: ${countOf(uses.length, 'use')}.`}
    </>
  );
}

/** A message with what stands between backticks as code. */
function withCode(text: string): (string | VNode)[] {
  return text.split('`').map((part, at) => (at % 2 === 0 ? part : <code key={at}>{part}</code>));
}

type Rename = (name: string) => void;

export function Suggestion({ name, onTake }: { name: string; onTake: Rename }): VNode {
  return (
    <button type="button" class="link" onClick={() => onTake(name)}>
      Use “{plain(name, 60)}”
    </button>
  );
}

function AddFailure({ failure, onTake }: { failure: Failure; onTake: Rename }): VNode {
  const app = useApp();
  const { code, message, remedy, suggestion } = failure.detail;
  return (
    <div class="notice problem" role="alert">
      {code === 'CATALOG_FORBIDDEN' && <p>Your key may only have public-domain icons.</p>}
      <p>{plain(message, 400)}</p>
      {remedy !== undefined && <p>{plain(remedy, 400)}</p>}
      <p class="actions">
        {suggestion !== undefined && <Suggestion name={suggestion} onTake={onTake} />}
        {code === 'CATALOG_FORBIDDEN' && (
          <button
            type="button"
            onClick={() =>
              app.browse.filter({
                ...NO_FILTERS,
                publicDomain: true,
                view: 'search',
                icon: undefined,
              })
            }
          >
            Show public-domain icons
          </button>
        )}
        {code === 'BUDGET' && (
          <button type="button" onClick={() => void app.take.raiseBudget()}>
            Allow more calls
          </button>
        )}
      </p>
    </div>
  );
}

function Result({ written }: { written: Written }): VNode {
  const app = useApp();
  const { diff, copy, importLine } = written;
  const { undo, project, writing } = app.store.get();
  return (
    <div class="result">
      {copy === undefined ? (
        <>
          {diff !== '' && <Diff text={diff} />}
          <p class="actions">
            <button type="button" onClick={() => void app.take.copy(importLine, 'import')}>
              Copy import
            </button>
            {undo.length > 0 && (
              <button type="button" disabled={writing} onClick={() => void app.take.undo()}>
                Undo
              </button>
            )}
          </p>
        </>
      ) : (
        <>
          {project?.write.possible === true && <p>{plain(copy.reason, 300)}</p>}
          <pre class="lines" tabIndex={0}>
            {copy.lines}
          </pre>
          <p class="actions">
            <button type="button" onClick={() => void app.take.copy(copy.lines, 'the lines')}>
              Copy
            </button>
          </p>
        </>
      )}
    </div>
  );
}

/** A unified diff, line by line; the signs say what the colours say. */
export function Diff({ text }: { text: string }): VNode {
  const lines = text
    .split('\n')
    .filter((line) => !line.startsWith('---') && !line.startsWith('+++'));
  return (
    <pre class="diff" tabIndex={0} aria-label="Changes">
      {lines.map((line, at) => (
        <span
          key={at}
          class={
            line.startsWith('+')
              ? 'plus'
              : line.startsWith('-')
                ? 'minus'
                : line.startsWith('@@')
                  ? 'place'
                  : ''
          }
        >
          {`${line}\n`}
        </span>
      ))}
    </pre>
  );
}
