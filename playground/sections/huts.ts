import { bed, campfire, price } from '../icons/huts.ts';
import { huts, type Hut } from '../data/huts.ts';

export function hutCards(): string {
  return `<section class="huts" id="huts" aria-labelledby="huts-title">
    <header><h2 id="huts-title">Four huts, four stamps</h2>
      <p>Every warden keeps a stamp by the stove. Collect all four and the brewery in Saint Orrin pours you one on the house.</p></header>
    <ol>${huts.map(card).join('')}</ol>
    <p class="aside">${campfire}<span>Half board is included everywhere. Book by telephone, on paper, or by turning up wet.</span></p>
  </section>`;
}

function card({ name, height, beds, price: cost, text, stamp, ink, amenities }: Hut): string {
  return `<li style="--ink:${ink}">
    <span class="stamp"><img src="${stamp}" alt="" width="96" height="96" loading="lazy" /><i>${height.toLocaleString('en')} m</i></span>
    <h3>${name}</h3>
    <p>${text}</p>
    <p class="terms"><span>${bed} ${beds} beds</span><span>${price} ${cost} € half board</span></p>
    <ul class="amenities">${amenities.map(({ icon, label }) => `<li>${icon}${label}</li>`).join('')}</ul>
  </li>`;
}
