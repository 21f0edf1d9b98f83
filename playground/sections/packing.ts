import { pack } from '../icons/packing.ts';
import { packing } from '../data/packing.ts';

const STORE = 'packed';

export function packingList(): string {
  return `<section class="packing" id="packing" aria-labelledby="packing-title">
    <header><h2 id="packing-title">Pack for less than you fear</h2>
      <p class="scale">${pack}<output id="weight"></output></p></header>
    <div class="lists">${Object.entries(packing)
      .map(
        ([title, items]) =>
          `<fieldset><legend>${title}</legend>${items
            .map(
              ({
                name,
                grams,
                icon,
              }) => `<label><input type="checkbox" value="${name}" data-grams="${grams}" />
            ${icon}<span>${name}</span><i>${grams === 0 ? 'worn' : `${grams} g`}</i></label>`,
            )
            .join('')}</fieldset>`,
      )
      .join('')}</div>
  </section>`;
}

/** Keeps the ticks for the next visit and weighs what is ticked. */
export function startPacking(): void {
  const boxes = [...document.querySelectorAll<HTMLInputElement>('.packing input')];
  const output = document.querySelector('#weight');
  const packed = new Set((localStorage.getItem(STORE) ?? '').split('\n'));
  for (const box of boxes) box.checked = packed.has(box.value);

  function weigh(): void {
    const ticked = boxes.filter(({ checked }) => checked);
    const grams = ticked.reduce((sum, { dataset }) => sum + Number(dataset['grams']), 0);
    if (output !== null) {
      output.innerHTML = `<b>${(grams / 1000).toFixed(2)} kg</b> ${ticked.length} of ${boxes.length} packed`;
    }
    localStorage.setItem(STORE, ticked.map(({ value }) => value).join('\n'));
  }

  for (const box of boxes) box.addEventListener('change', weigh);
  weigh();
}
