import { illustrator } from '../icons/wildlife.ts';
import { neighbours } from '../data/wildlife.ts';

const months = ['Jun', 'Jul', 'Aug', 'Sep'];
const words = ['no chance', 'rarely', 'sometimes', 'often', 'almost surely'];

export function wildlife(): string {
  return `<section class="wildlife" id="wildlife" aria-labelledby="wildlife-title">
    <header><h2 id="wildlife-title">Who lives here</h2>
      <p>Fourteen neighbours and your chance of meeting them, month by month. Drawings by ${illustrator}.</p></header>
    <ul>${neighbours
      .map(
        ({
          name,
          where,
          drawing,
          chance,
        }) => `<li><img src="${drawing}" alt="" width="72" height="72" loading="lazy" />
        <h3>${name}</h3><p>${where}</p>
        <ol class="chance">${chance
          .map(
            (value, index) =>
              `<li data-chance="${value}" data-month="${months[index]?.[0]}"><span class="hidden">${months[index]}: ${words[value]}</span></li>`,
          )
          .join('')}</ol></li>`,
      )
      .join('')}</ul>
  </section>`;
}
