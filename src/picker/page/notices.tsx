import type { ComponentChildren, VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { Costs, PickerError } from '../api.ts';
import { useApp } from './app.ts';
import { takeToken } from './client.ts';
import { countOf, formatDay, plain } from './text.ts';

/** What stands in the way of a call, above every screen: what happened, and what can be done. */

interface NoticeProps {
  tone: 'info' | 'warn' | 'problem';
  title: string;
  children?: ComponentChildren;
}

export function Notice({ tone, title, children }: NoticeProps): VNode {
  return (
    <section
      class={`notice ${tone}`}
      role={tone === 'problem' ? 'alert' : undefined}
      aria-label={title}
    >
      <h2>{title}</h2>
      {children}
    </section>
  );
}

export function Notices(): VNode | null {
  const { connection, project, problem, costs } = useApp().store.get();
  if (connection === 'token') return <NoToken />;
  if (connection === 'gone') {
    return (
      <Notice tone="problem" title="The dev server does not answer">
        <p>
          This page connects again by itself. What is loaded can still be looked at and copied;
          nothing is searched or written meanwhile.
        </p>
      </Notice>
    );
  }
  const stopped = costs?.stopped;
  const isLimit = stopped?.code === 'CATALOG_USAGE_LIMIT';
  // The answer that stopped the calls says more than that they are stopped.
  const other = isLimit ? undefined : stopped;
  const shown = isLimit && problem?.code === stopped.code ? undefined : (problem ?? other);
  return (
    <>
      {project?.configured === false && <NotConfigured />}
      {project?.mode === 'offline' && <Offline />}
      {stopped !== undefined && isLimit && <Limit stopped={stopped} />}
      {shown !== undefined && <Problem problem={shown} />}
    </>
  );
}

function Limit({ stopped }: { stopped: NonNullable<Costs['stopped']> }): VNode {
  return (
    <Notice tone="warn" title="The catalog’s limit is reached">
      <p>
        {plain(stopped.message, 300)}{' '}
        {stopped.renewsAt !== undefined && <b>It is renewed on {formatDay(stopped.renewsAt)}. </b>}
        No further call is made. Everything on this machine still works.
      </p>
    </Notice>
  );
}

function NoToken(): VNode {
  const app = useApp();
  const [isWrong, setWrong] = useState(false);
  function submit(event: SubmitEvent): void {
    event.preventDefault();
    const field = (event.currentTarget as HTMLFormElement).elements.namedItem('address');
    const isTaken = takeToken((field as HTMLInputElement).value);
    setWrong(!isTaken);
    if (isTaken) void app.live.refresh().then(() => app.browse.arrive());
  }
  return (
    <Notice tone="problem" title="Open the address that the terminal shows">
      <p>
        The address of this page has a key that is made at each start of the server; this tab has
        none, or an old one. The terminal in which the server runs shows the address. In that of
        Vite, <kbd>i</kbd> and <kbd>Enter</kbd> print it again.
      </p>
      <form class="actions connect" onSubmit={submit}>
        <label for="terminal-address">Or paste it here</label>
        <input
          id="terminal-address"
          type="text"
          name="address"
          autocomplete="off"
          spellcheck={false}
          placeholder={`${location.origin}${location.pathname}#t=…`}
          aria-invalid={isWrong}
          aria-describedby="terminal-address-problem"
        />
        <button type="submit" class="primary">
          Connect
        </button>
        <span id="terminal-address-problem" role="status">
          {isWrong && 'This address does not end with its key, “#t=…”.'}
        </span>
      </form>
    </Notice>
  );
}

function NotConfigured(): VNode | null {
  const app = useApp();
  const [isRead, setRead] = useState(false);
  if (isRead) return null;
  return (
    <Notice tone="info" title="No catalog is configured">
      <p>
        There are two ways. Set the three names of your account in the environment or in{' '}
        <code>.env</code>:
      </p>
      <pre tabIndex={0}>
        {'ICON_CATALOG_URL=https://…\nICON_CATALOG_KEY=…\nICON_CATALOG_SECRET=…'}
      </pre>
      <p>
        Or use the icon sets that are installed (<code>npm install -D @iconify-json/tabler</code>),
        which need no account: <code>catalog: 'embedded'</code>.
      </p>
      <p class="actions">
        <button
          type="button"
          onClick={() => void app.take.copy("catalog: 'embedded',", 'the option')}
        >
          Copy the option
        </button>
        <button
          type="button"
          class="primary"
          onClick={() => {
            setRead(true);
            app.go({ view: 'search', query: '', icon: undefined, collection: undefined });
          }}
        >
          Use installed sets
        </button>
      </p>
    </Notice>
  );
}

function Offline(): VNode {
  const { local, project } = useApp().store.get();
  const count = local?.total ?? local?.icons.length ?? project?.icons.length ?? 0;
  return (
    <Notice tone="info" title={`Showing ${countOf(count, 'icon')} of this machine`}>
      <p>The mode is offline: no call is tried.</p>
    </Notice>
  );
}

function Budget({ remedy }: { remedy: string | undefined }): VNode {
  const app = useApp();
  const { session = 0 } = app.store.get().costs ?? {};
  return (
    <Notice tone="warn" title={`${countOf(session, 'call')} made in this session. Go on?`}>
      <p class="actions">
        <button
          type="button"
          class="primary"
          onClick={() =>
            void app.take.raiseBudget().then(async (isRaised) => {
              if (isRaised) await app.browse.submit();
            })
          }
        >
          {remedy?.replace(/\.$/, '') ?? 'Allow more'}
        </button>
      </p>
    </Notice>
  );
}

function Problem({ problem }: { problem: PickerError['error'] }): VNode {
  const app = useApp();
  if (problem.code === 'BUDGET') return <Budget remedy={problem.remedy} />;
  const { clock } = problem;
  const isRefused = problem.code === 'CATALOG_UNAUTHORIZED';
  const title = isRefused
    ? 'The catalog refused the signature'
    : 'The catalog did not answer as expected';
  return (
    <Notice tone="problem" title={title}>
      <p>{plain(problem.message, 400)}</p>
      {problem.remedy !== undefined && <p>{plain(problem.remedy, 400)}</p>}
      {isRefused && <p>The key or the secret is wrong, or one of the clocks is.</p>}
      {clock !== undefined && (
        <dl class="facts">
          <dt>Clock of this machine</dt>
          <dd>{plain(clock.here)}</dd>
          <dt>Clock of the catalog</dt>
          <dd>{clock.there === undefined ? 'not stated' : plain(clock.there)}</dd>
        </dl>
      )}
      {app.store.get().costs?.stopped === undefined ? (
        <p class="actions">
          <button type="button" onClick={() => app.store.set({ problem: undefined })}>
            Dismiss
          </button>
        </p>
      ) : (
        <p>No further call is made until this page is loaded again.</p>
      )}
    </Notice>
  );
}
