import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { PickerIcon } from '../api.ts';
import {
  activeFilters,
  FIRST_COLOR,
  HEAVIEST,
  LIGHTEST,
  parseColor,
  type Place,
  type Style,
} from './address.ts';
import { useApp } from './app.ts';
import { MarkButton } from './pictures.tsx';
import type { Settings } from './store.ts';
import { plain } from './text.ts';

/** What narrows the hits. What the catalog can answer stands first, what only narrows loaded hits is named so. */

export function Filters(): VNode {
  const app = useApp();
  const { place, settings } = app.store.get();
  const [isOpen, open] = useState(false);
  const count = activeFilters(place).length;
  const { filter } = app.browse;
  const toggleStyle = (style: Style): void =>
    filter({
      styles: place.styles.includes(style)
        ? place.styles.filter((each) => each !== style)
        : [...place.styles, style],
    });
  return (
    <div class={`filters${isOpen ? ' is-open' : ''}`}>
      <button
        type="button"
        class="unfold"
        aria-expanded={isOpen}
        aria-controls="filters"
        onClick={() => open(!isOpen)}
      >
        Filters{count > 0 && ` (${count})`}
      </button>
      <div id="filters" class="filter-row" role="group" aria-label="Filters">
        <Toggle
          label="Line"
          isOn={place.styles.includes('line')}
          onToggle={() => toggleStyle('line')}
        />
        <Toggle
          label="Solid"
          isOn={place.styles.includes('solid')}
          onToggle={() => toggleStyle('solid')}
        />
        <Weight value={place.weight} onChange={(weight) => filter({ weight })} />
        <Toggle
          label="Public domain"
          isOn={place.publicDomain}
          onToggle={() => filter({ publicDomain: !place.publicDomain })}
        />
        {count > 0 && (
          <button type="button" class="link" onClick={() => filter(NO_FILTERS)}>
            Clear
          </button>
        )}
      </div>
      <div class="looks">
        <GridColor
          color={place.color}
          onChange={(color) => app.navigation.go({ color }, 'replace')}
        />
        <Sizes
          settings={settings}
          onChange={(size) => app.store.set({ settings: { ...settings, size } })}
        />
      </div>
    </div>
  );
}

/** What only narrows loaded hits: beside their count, and named so. */
export function Among({ loaded }: { loaded: readonly PickerIcon[] }): VNode {
  const app = useApp();
  const { place } = app.store.get();
  const { filter } = app.browse;
  return (
    <div class="among" role="group" aria-label="Among loaded icons">
      <span>Among loaded</span>
      <Toggle
        label="Allowed here"
        hint="Only icons that the licence policy of this project allows; narrows what is loaded"
        isOn={place.allowed}
        onToggle={() => filter({ allowed: !place.allowed })}
      />
      <CollectionFilter
        loaded={loaded}
        value={place.collection}
        onChange={(collection) => filter({ collection })}
      />
      {place.creator !== undefined && (
        <Toggle
          label={`By ${plain(place.creator, 40)} ×`}
          isOn
          onToggle={() => filter({ creator: undefined })}
        />
      )}
    </div>
  );
}

/** The colour in which all icons show, and in which they are copied. */
function GridColor({
  color,
  onChange,
}: {
  color: string | undefined;
  onChange(color: string | undefined): void;
}): VNode {
  const isHex = color !== undefined && color !== 'currentColor';
  return (
    <span class={`well${isHex ? ' is-on' : ''}`}>
      <label title="All icons show, and are copied, in this colour">
        {isHex ? <code>#{color}</code> : 'Colour'}
        <input
          aria-label="Colour of all icons"
          type="color"
          value={isHex ? `#${color}` : FIRST_COLOR}
          onInput={(event) => onChange(parseColor(event.currentTarget.value))}
        />
      </label>
      {isHex && <MarkButton name="close" label="No colour" onClick={() => onChange(undefined)} />}
    </span>
  );
}

export const NO_FILTERS: Partial<Place> = {
  styles: [],
  weight: undefined,
  publicDomain: false,
  allowed: false,
  collection: undefined,
  creator: undefined,
};

interface ToggleProps {
  label: string;
  hint?: string;
  isOn: boolean;
  onToggle(): void;
}

function Toggle({ label, hint, isOn, onToggle }: ToggleProps): VNode {
  return (
    <button type="button" class="chip" aria-pressed={isOn} title={hint} onClick={onToggle}>
      {label}
    </button>
  );
}

interface WeightProps {
  value: Place['weight'];
  onChange(value: Place['weight']): void;
}

/** A range with two handles: two inputs that lie on each other. */
function Weight({ value, onChange }: WeightProps): VNode {
  const [from, to] = value ?? [LIGHTEST, HEAVIEST];
  const set = (low: number, high: number): void =>
    onChange(low === LIGHTEST && high === HEAVIEST ? undefined : [low, high]);
  const share = (weight: number): string =>
    `${((weight - LIGHTEST) / (HEAVIEST - LIGHTEST)) * 100}%`;
  const handle = (label: string, at: number, onInput: (value: number) => void): VNode => (
    <input
      type="range"
      aria-label={label}
      min={LIGHTEST}
      max={HEAVIEST}
      value={at}
      onInput={(event) => onInput(Number(event.currentTarget.value))}
    />
  );
  return (
    <div
      class={`weight${value === undefined ? '' : ' is-on'}`}
      role="group"
      aria-label="Line weight"
    >
      <span class="weight-label">
        Weight <b>{value === undefined ? 'any' : `${from}–${to}`}</b>
      </span>
      <span class="weight-track" style={{ '--from': share(from), '--to': share(to) }}>
        {handle('Line weight from', from, (low) => set(Math.min(low, to), to))}
        {handle('Line weight to', to, (high) => set(from, Math.max(high, from)))}
      </span>
    </div>
  );
}

interface CollectionProps {
  loaded: readonly PickerIcon[];
  value: string | undefined;
  onChange(value: string | undefined): void;
}

const MOST_COLLECTIONS = 60;

function CollectionFilter({ loaded, value, onChange }: CollectionProps): VNode | null {
  const names = new Map<string, { name: string; count: number }>();
  for (const { collections } of loaded) {
    for (const { id, name } of collections) {
      names.set(id, { name, count: (names.get(id)?.count ?? 0) + 1 });
    }
  }
  if (names.size === 0 && value === undefined) return null;
  const most = [...names].toSorted((a, b) => b[1].count - a[1].count).slice(0, MOST_COLLECTIONS);
  return (
    <select
      class={value === undefined ? 'chip' : 'chip is-on'}
      aria-label="Collection (narrows what is loaded)"
      value={value ?? ''}
      onChange={(event) => onChange(event.currentTarget.value || undefined)}
    >
      <option value="">Any collection</option>
      {value !== undefined && !most.some(([id]) => id === value) && (
        <option value={value}>{plain(value, 40)}</option>
      )}
      {most.map(([id, { name, count }]) => (
        <option key={id} value={id}>
          {plain(name, 40)} ({count})
        </option>
      ))}
    </select>
  );
}

function Sizes({
  settings,
  onChange,
}: {
  settings: Settings;
  onChange(size: Settings['size']): void;
}): VNode {
  return (
    <div class="sizes" role="group" aria-label="Size of the grid">
      {(['large', 'small'] as const).map((size) => (
        <MarkButton
          name={size}
          key={size}
          aria-pressed={settings.size === size}
          label={size === 'large' ? 'Large, with names' : 'Small'}
          title={size === 'large' ? 'Large, with names' : 'Small'}
          onClick={() => onChange(size)}
        />
      ))}
    </div>
  );
}
