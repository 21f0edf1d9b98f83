import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { PickerIcon } from '../api.ts';
import { FIRST_COLOR, parseColor } from './address.ts';
import { useApp } from './app.ts';
import { toCss } from './copy-forms.ts';
import { Glyph, isMulticolor } from './pictures.tsx';

/** An icon on a stage, in the sizes and colours that a page would give it: a mask over the one picture, so no call. */

const SIZES = [16, 20, 24, 32, 48] as const;
const STAGES = ['sheet', 'light', 'dark', 'checker'] as const;
const SWATCHES = ['1d5c46', '1f6feb', 'b3261e', '7c3aed'];

export type Stage = (typeof STAGES)[number];

export function Stages({ stage, onChange }: { stage: Stage; onChange(stage: Stage): void }): VNode {
  return (
    <fieldset class="stages">
      <legend class="offscreen">Background</legend>
      {STAGES.map((each) => (
        <label key={each} class={each} title={each}>
          <input
            type="radio"
            name="stage"
            checked={stage === each}
            onChange={() => onChange(each)}
          />
          <span class="offscreen">{each}</span>
        </label>
      ))}
    </fieldset>
  );
}

export function Preview({ icon, stage }: { icon: PickerIcon; stage: Stage }): VNode {
  const app = useApp();
  const { place, project } = app.store.get();
  const [, draw] = useState(0);
  const color = place.color ?? project?.defaults.color?.replace('#', '') ?? 'currentColor';
  return (
    <div class="preview">
      <div class={`stage ${stage}`}>
        <Glyph icon={icon} color={color} size={200} onKnown={() => draw((count) => count + 1)} />
      </div>
      <fieldset class="size-row">
        <legend class="offscreen">Size</legend>
        {SIZES.map((size) => (
          <label key={size} class={place.size === size ? 'is-on' : ''}>
            <Glyph icon={icon} color={color} size={size} />
            <input
              type="radio"
              name="size"
              class="offscreen"
              checked={place.size === size}
              onClick={() =>
                app.navigation.go({ size: place.size === size ? undefined : size }, 'replace')
              }
            />
            <span>{size}</span>
          </label>
        ))}
      </fieldset>
      {isMulticolor(icon) === true ? (
        <p class="dim note">This icon has colours of its own.</p>
      ) : (
        <Colors />
      )}
    </div>
  );
}

function Colors(): VNode {
  const app = useApp();
  const { place, project } = app.store.get();
  const [typed, setTyped] = useState(place.color ?? '');
  useEffect(() => setTyped(place.color ?? ''), [place.color]);
  const set = (color: string | undefined): void => app.navigation.go({ color }, 'replace');
  const own = parseColor(project?.defaults.color ?? null);
  const swatches = [
    ...new Set([...(own === undefined || own === 'currentColor' ? [] : [own]), ...SWATCHES]),
  ].slice(0, 4);
  const isHex = place.color !== undefined && place.color !== 'currentColor';
  return (
    <div class="colors" role="group" aria-label="Colour">
      <button
        type="button"
        class="chip"
        aria-pressed={place.color === undefined || place.color === 'currentColor'}
        onClick={() =>
          set(own === undefined || own === 'currentColor' ? undefined : 'currentColor')
        }
      >
        currentColor
      </button>
      {swatches.map((swatch) => (
        <button
          key={swatch}
          type="button"
          class="swatch"
          aria-label={swatch === own ? `Colour of the project, #${swatch}` : `#${swatch}`}
          aria-pressed={place.color === swatch}
          style={{ backgroundColor: toCss(swatch) }}
          onClick={() => set(swatch)}
        />
      ))}
      <span class={`hex${isHex && !swatches.includes(place.color ?? '') ? ' is-on' : ''}`}>
        <input
          type="color"
          aria-label="Pick a colour"
          value={isHex ? `#${place.color}` : FIRST_COLOR}
          onInput={(event) => set(parseColor(event.currentTarget.value))}
        />
        <input
          type="text"
          aria-label="Colour in hex"
          placeholder="hex"
          maxLength={12}
          spellcheck={false}
          value={typed}
          onInput={(event) => {
            setTyped(event.currentTarget.value);
            const color = parseColor(event.currentTarget.value);
            if (color !== undefined || event.currentTarget.value === '') set(color);
          }}
        />
      </span>
    </div>
  );
}
