import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { PickerIcon } from '../api.ts';
import { useApp } from './app.ts';
import { type CopyForm, copyForms } from './copy-forms.ts';
import { Mark } from './pictures.tsx';
import { priceOf } from './store.ts';
import { plain } from './text.ts';

export function CopyList({ icon }: { icon: PickerIcon }): VNode {
  const app = useApp();
  const { place, project } = app.store.get();
  const { color, size } = place;
  const [isDrawing, setDrawing] = useState(false);
  const draw = async (how: 'copySvg' | 'downloadSvg'): Promise<void> => {
    setDrawing(true);
    await app.take[how](icon, { color, size });
    setDrawing(false);
  };
  const price = icon.local ? '' : priceOf(app.store.get());
  const forms = copyForms(icon, { color, size }, project);
  return (
    <section class="block" aria-labelledby="copy">
      <h3 id="copy">Copy</h3>
      <ul class="forms">
        {forms.map((form) => (
          <li key={form.id}>
            <Form
              form={form}
              onCopy={() => void app.take.copy(form.code, form.label.toLowerCase())}
            />
          </li>
        ))}
      </ul>
      <details class="raw">
        <summary>The drawing itself</summary>
        <p>
          A pasted SVG is in no list of credits: nothing updates it, and its licence still asks for
          what it asks ({plain(icon.license.asks, 300)}).
        </p>
        <p class="actions">
          <button type="button" disabled={isDrawing} onClick={() => void draw('copySvg')}>
            Copy SVG with credit comment{price}
          </button>
          <button type="button" disabled={isDrawing} onClick={() => void draw('downloadSvg')}>
            Download it{price}
          </button>
        </p>
      </details>
    </section>
  );
}

function Form({ form, onCopy }: { form: CopyForm; onCopy(): void }): VNode {
  const { note, code } = form;
  const shown = code
    .split('\n')
    .map((line) => plain(line, 400))
    .join('\n');
  return (
    <button
      type="button"
      class="form"
      data-form={form.id}
      title={note === undefined ? shown : `${note}\n${shown}`}
      onClick={onCopy}
    >
      <span class="form-label">{form.label}</span>
      <code dir="ltr">{shown.replace(/\n+/g, ' ⏎ ')}</code>
      {form.key === undefined ? <Mark name="copy" /> : <kbd>{form.key}</kbd>}
    </button>
  );
}
