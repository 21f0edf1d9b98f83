import type { VNode } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { PickerIcon } from '../api.ts';
import type { Place } from './address.ts';
import { useApp } from './app.ts';
import { toCss } from './copy-forms.ts';
import { Glyph, Mark } from './pictures.tsx';
import { copyForm } from './keys.ts';
import { plain } from './text.ts';

/**
 * A grid of any number of icons: rows near the window exist, one cell is a tab stop. All rows have one height, so which ones
 * are near is a division, and no library for lists is needed.
 */

export type Layout = 'small' | 'large';

/** Least width and height of a cell, in rem; three large ones fit on a phone. */
const CELLS: Record<Layout, { width: number; height: number; narrow: number }> = {
  small: { width: 4.5, height: 4.5, narrow: 4.25 },
  large: { width: 7.25, height: 7.25, narrow: 6.5 },
};
const NARROW = 700;

const rem = (): number =>
  Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16;

export interface GridProps {
  label: string;
  icons: readonly PickerIcon[];
  layout: Layout;
  busy?: boolean;
  rows?: number;
}

interface Measured {
  columns: number;
  top: number;
}

/** Columns that fit, measured again whenever the grid or what is above it changes. */
function useMeasure(layout: Layout): [{ current: HTMLDivElement | null }, Measured] {
  const element = useRef<HTMLDivElement | null>(null);
  const [measured, setMeasured] = useState<Measured>({ columns: 1, top: 0 });
  useLayoutEffect(() => {
    const measure = (): void => {
      const grid = element.current;
      if (grid === null) return;
      const { width, narrow } = CELLS[layout];
      const least = (innerWidth < NARROW ? narrow : width) * rem();
      const columns = Math.max(1, Math.floor(grid.clientWidth / least));
      const top = Math.round(grid.getBoundingClientRect().top + scrollY);
      setMeasured((before) =>
        before.columns === columns && before.top === top ? before : { columns, top },
      );
    };
    measure();
    const observer = new ResizeObserver(measure);
    if (element.current !== null) observer.observe(element.current);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, [layout]);
  return [element, measured];
}

const MARGIN = 2;

/** The rows that are drawn: those near the window and the one with the tab stop, so that focus is never lost. */
function useRows(count: number, height: number, top: number, kept: number): number[] {
  const [[from, to], setRange] = useState([0, 0]);
  useLayoutEffect(() => {
    const look = (): void => {
      const first = Math.floor((scrollY - top) / height) - MARGIN;
      const last = Math.ceil((scrollY + innerHeight - top) / height) + MARGIN;
      setRange((before) => (before[0] === first && before[1] === last ? before : [first, last]));
    };
    look();
    addEventListener('scroll', look, { passive: true });
    addEventListener('resize', look);
    return () => {
      removeEventListener('scroll', look);
      removeEventListener('resize', look);
    };
  }, [height, top]);
  const rows: number[] = [];
  if (kept < (from ?? 0) && kept < count) rows.push(kept);
  for (let row = Math.max(0, from ?? 0); row < Math.min(count, to ?? 0); row += 1) rows.push(row);
  if (kept >= (to ?? 0) && kept < count) rows.push(kept);
  return rows;
}

/** What is returned moves the focus to the active cell once it is drawn. */
function useFocusOn(element: { current: HTMLDivElement | null }, active: number): () => void {
  const isMoved = useRef(false);
  useLayoutEffect(() => {
    if (!isMoved.current) return;
    isMoved.current = false;
    const cell = element.current?.querySelector<HTMLElement>(`[data-at="${active}"]`);
    cell?.focus({ preventScroll: true });
    cell?.scrollIntoView({ block: 'nearest' });
  });
  return () => void (isMoved.current = true);
}

function target(
  event: KeyboardEvent,
  at: number,
  columns: number,
  count: number,
): number | undefined {
  const page = columns * Math.max(1, Math.floor(innerHeight / 160));
  const row = at - (at % columns);
  const isFar = event.ctrlKey || event.metaKey;
  const steps: Record<string, number> = {
    ArrowRight: at + 1,
    ArrowLeft: at - 1,
    ArrowDown: at + columns,
    ArrowUp: at - columns,
    PageDown: at + page,
    PageUp: at - page,
    Home: isFar ? 0 : row,
    End: isFar ? count - 1 : Math.min(count - 1, row + columns - 1),
  };
  const next = steps[event.key];
  if (next === undefined || (event.key === 'ArrowUp' && next < 0)) return undefined;
  return Math.max(0, Math.min(count - 1, next));
}

/** The position of the tab stop: the icon of the details, and where they were left. */
function useActive(
  icons: readonly PickerIcon[],
  opened: string | undefined,
): [number, (at: number) => void] {
  const [wanted, setActive] = useState(0);
  const at = opened === undefined ? -1 : icons.findIndex(({ id }) => id === opened);
  useEffect(() => {
    if (at >= 0) setActive(at);
  }, [at]);
  return [at >= 0 ? at : Math.min(wanted, Math.max(0, icons.length - 1)), setActive];
}

export function Grid({ label, icons: all, layout, busy = false, rows: most }: GridProps): VNode {
  const app = useApp();
  const { place, bag } = app.store.get();
  const [element, { columns, top }] = useMeasure(layout);
  const icons = most === undefined ? all : all.slice(0, most * columns);
  const [active, setActive] = useActive(icons, place.icon);
  const height = CELLS[layout].height * rem();
  const count = Math.ceil(icons.length / columns);
  const rows = useRows(count, height, top, Math.floor(active / columns));
  const inBag = new Set(bag.map(({ icon }) => icon.id));
  // Among icons of one set, its name in each cell would say nothing.
  const isMixed = layout === 'large' && icons.some((each) => setOf(each) !== setOf(icons[0]));

  const follow = useFocusOn(element, active);

  const move = (event: KeyboardEvent, at: number): void => {
    const next = target(event, at, columns, icons.length);
    const icon = next === undefined ? undefined : icons[next];
    if (next === undefined || icon === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.shiftKey)
      for (const each of [icons[at], icon]) if (each) app.take.toggleBag(each, true);
    follow();
    setActive(next);
    // An open panel follows.
    if (place.icon !== undefined) app.navigation.go({ icon: icon.id }, 'replace');
  };

  return (
    <div
      ref={element}
      class={`grid ${layout}${isMixed ? ' mixed' : ''}`}
      role="grid"
      aria-label={label}
      aria-rowcount={count}
      aria-colcount={columns}
      aria-multiselectable="true"
      aria-busy={busy}
      style={{ height: `${count * height}px`, ...lookOf(place) }}
    >
      {rows.map((index) => (
        <div
          key={index}
          class="row"
          role="row"
          aria-rowindex={index + 1}
          style={{
            height: `${height}px`,
            transform: `translateY(${index * height}px)`,
            gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))`,
          }}
        >
          {icons.slice(index * columns, (index + 1) * columns).map((icon, column) => {
            const at = index * columns + column;
            return (
              <Cell
                key={icon.id}
                icon={icon}
                set={isMixed ? setOf(icon) : undefined}
                at={at}
                column={column + 1}
                isStop={at === active}
                isOpen={icon.id === place.icon}
                isSelected={inBag.has(icon.id)}
                onFocus={() => setActive(at)}
                onKey={(event) => move(event, at)}
              />
            );
          })}
        </div>
      ))}
    </div>
  );
}

const LARGEST = 48;

/** The colour and size that were chosen show in the whole grid, as the project would show the icons. */
function lookOf({ color, size }: Place): Record<string, string> {
  return {
    ...(color !== undefined && { color: toCss(color) }),
    ...(size !== undefined && { '--size': `${Math.min(size, LARGEST)}px` }),
  };
}

/** What tells icons of one name apart. */
export function setOf(icon: PickerIcon | undefined): string | undefined {
  return icon?.collections[0]?.name ?? icon?.creator?.name;
}

interface CellProps {
  icon: PickerIcon;
  set: string | undefined;
  at: number;
  column: number;
  isStop: boolean;
  isOpen: boolean;
  isSelected: boolean;
  onFocus(): void;
  onKey(event: KeyboardEvent): void;
}

function Cell(props: CellProps): VNode {
  const { icon, set, at, column, isStop, isOpen, isSelected, onFocus, onKey } = props;
  const app = useApp();
  const { aliases, license, uses, pinned } = icon;
  const isRefused = license.verdict === 'refused';
  const mark = isRefused ? 'not allowed' : uses.length > 0 ? 'used' : pinned ? 'pinned' : undefined;
  const name = plain(aliases[0] ?? icon.term, 60);
  return (
    <div
      class={`cell${isRefused ? ' refused' : ''}${isOpen ? ' open' : ''}`}
      role="gridcell"
      data-at={at}
      data-id={icon.id}
      tabIndex={isStop ? 0 : -1}
      aria-colindex={column}
      aria-selected={isSelected}
      title={set === undefined ? name : `${name} · ${plain(set, 60)}`}
      onFocus={onFocus}
      onKeyDown={onKey}
      onClick={(event) => {
        if (event.shiftKey || event.ctrlKey || event.metaKey) app.take.toggleBag(icon);
        else app.go({ icon: icon.id });
      }}
    >
      <Glyph icon={icon} />
      {/* For pointers: `x` does the same, and the cell says that it is selected. */}
      <span
        class="pick"
        aria-hidden="true"
        title={isSelected ? 'Take out of the bag' : 'Put into the bag'}
        onClick={(event) => {
          event.stopPropagation();
          app.take.toggleBag(icon);
        }}
      >
        <Mark name="check" />
      </span>
      <span
        class="quick"
        aria-hidden="true"
        title="Copy the import"
        onClick={(event) => {
          event.stopPropagation();
          copyForm(app, icon, 'c');
        }}
      >
        <Mark name="copy" />
      </span>
      <span class={`name${aliases.length > 0 ? ' alias' : ''}`} dir="auto">
        {name}
      </span>
      {set !== undefined && (
        <span class="set" dir="auto">
          {plain(set, 60)}
        </span>
      )}
      {mark !== undefined && (
        <span class={`flag ${mark === 'not allowed' ? 'no' : mark}`}>{mark}</span>
      )}
    </div>
  );
}
