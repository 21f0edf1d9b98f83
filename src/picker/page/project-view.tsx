import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { PickerIcon, ProjectAnswer } from '../api.ts';
import { useApp } from './app.ts';
import { Grid } from './grid.tsx';
import { Skeleton } from './results.tsx';
import { byNeed, isStarting } from './store.ts';
import { countOf, plain } from './text.ts';

/** What the project has: aliases, pinned and used icons. Drawn from local files, no call. */

const PARTS: readonly [label: string, fits: (icon: PickerIcon) => boolean][] = [
  ['All', () => true],
  ['Unused', ({ uses }) => uses.length === 0],
  ['Used', ({ uses }) => uses.length > 0],
  ['With a name', ({ aliases }) => aliases.length > 0],
  ['Not allowed', ({ license }) => license.verdict === 'refused'],
];

export function ProjectView(): VNode {
  const app = useApp();
  const state = app.store.get();
  const [part, setPart] = useState(0);
  const { project, settings } = state;
  const icons = byNeed(project?.icons ?? []);
  const fits = PARTS[part]?.[1] ?? (() => true);
  const shown = icons.filter(fits);
  return (
    <>
      <h1>This project</h1>
      {project === undefined && isStarting(state) && <Skeleton layout={settings.size} />}
      {project !== undefined && <Facts project={project} />}
      {icons.length > 0 && (
        <div class="filter-row" role="group" aria-label="Which icons">
          {PARTS.map(([label, matches], at) => {
            const count = icons.filter(matches).length;
            return count === 0 && at !== part ? null : (
              <button
                key={label}
                type="button"
                class="chip"
                aria-pressed={part === at}
                onClick={() => setPart(at)}
              >
                {label} <span class="dim">{count}</span>
              </button>
            );
          })}
        </div>
      )}
      {shown.length > 0 ? (
        <Grid label="Icons of this project" icons={shown} layout={settings.size} />
      ) : (
        project !== undefined && (
          <section class="empty" aria-label="No icons">
            <h2>{icons.length === 0 ? 'This project has no icon yet' : 'No icon here'}</h2>
            {icons.length === 0 && (
              <p>
                <button type="button" class="primary" onClick={() => app.go({ view: 'search' })}>
                  Search icons
                </button>
              </p>
            )}
          </section>
        )
      )}
    </>
  );
}

function Facts({ project }: { project: ProjectAnswer }): VNode {
  const app = useApp();
  const { undo, writing } = app.store.get();
  const { write, policy, mode, framework, icons } = project;
  const unused = icons.filter(({ uses }) => uses.length === 0).length;
  return (
    <>
      <p class="lead">
        {icons.length > 0 &&
          `${countOf(icons.length, 'icon')}, ${unused === 0 ? 'all of them used' : `${unused} of them unused`}. `}
        {plain(policy, 300)}
      </p>
      <dl class="facts">
        <dt>{write.possible ? 'Names are written to' : 'Names are not written'}</dt>
        <dd>{write.possible ? plain(write.file, 120) : plain(write.reason, 300)}</dd>
        <dt>Mode</dt>
        <dd>{mode}</dd>
        <dt>Framework</dt>
        <dd>{framework ?? 'none'}</dd>
      </dl>
      {undo.length > 0 && (
        <p class="actions">
          <button type="button" disabled={writing} onClick={() => void app.take.undo()}>
            Undo: {plain(undo.at(-1)?.text ?? '', 60)}
          </button>
        </p>
      )}
    </>
  );
}
