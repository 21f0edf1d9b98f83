import { ascent, calendar, clock, distance, next } from '../icons/interface.ts';
import { cabin, hut, ledge, summit, village, walker } from '../icons/route.ts';
import { total } from '../data/route.ts';

const signs = [
  { icon: cabin, name: 'Lower Tarn Hut', time: '4 h 40' },
  { icon: ledge, name: 'Fallow Ledge Hut', time: '2 days' },
  { icon: hut, name: 'Glasswater Hut', time: '3 days' },
  { icon: village, name: 'Corrie House', time: '4 days' },
];

export function hero(): string {
  const facts = [
    [distance, `${total.kilometres} km`, 'on foot'],
    [ascent, `${total.ascent.toLocaleString('en')} m`, 'up'],
    [summit, `${total.top.toLocaleString('en')} m`, 'highest point'],
    [clock, '25 h', 'walking'],
  ];
  return `<section class="hero" id="top">
    <div class="hero-words">
      <p class="season">${calendar} Open 14 June to 28 September</p>
      <h1>Five days.<br />Four huts.<br />One ridge.</h1>
      <p class="lead">Walk from the railway at Ferrow to the orchards of Saint Orrin, with a bed made and soup on at the end of every day.</p>
      <p class="actions"><a class="button" href="#profile">See the route ${next}</a><a class="quiet" href="#packing">What to pack</a></p>
      <dl class="facts">${facts
        .map(([icon, value, name]) => `<div>${icon}<dt>${name}</dt><dd>${value}</dd></div>`)
        .join('')}</dl>
    </div>
    <div class="post" aria-hidden="true">
      <span class="post-top">Ferrow <small>812 m</small></span>
      ${signs
        .map(
          ({ icon, name, time }) => `<span class="sign">${icon}<b>${name}</b><i>${time}</i></span>`,
        )
        .join('')}
    </div>
    ${panorama()}
    <div class="walker" aria-hidden="true">${walker}</div>
  </section>`;
}

/** Four ridges, one behind the other. */
function panorama(): string {
  return `<svg class="panorama" viewBox="0 0 1440 420" preserveAspectRatio="xMidYMax slice" aria-hidden="true" focusable="false">
    <circle class="orb" cx="1306" cy="92" r="44" />
    <path class="ridge r1" d="M0 300 110 268l70 18 110-50 80 34 100-44 90 36 90-58 70 32 80-76 50 30 80-106 60 66 50-32 70 72 70-58 80 82 80-36 100 60v182H0Z" />
    <path class="snow" d="m930 84-32 42 17-5 14 12 17-16 24 11ZM1180 132l-34 28 16-3 12 9 14-13 20 8Z" />
    <path class="ridge r2" d="M0 318l120-62 92 44 118-98 94 84 110-50 128 92 98-66 108 62 124-112 96 90 104-58 112 72 136-50v174H0Z" />
    <path class="ridge r3" d="M0 352c120-58 196-40 292-6s188 36 300-8 196-38 306 8 214 30 318-14 152-22 224 6v102H0Z" />
    <path class="trail" d="M0 398c190-22 250-56 372-48s150 40 284 34 182-62 306-64 196 46 296 40 120-22 182-30" />
    <path class="ridge r4" d="M0 404c210-34 330 8 520-4s300-34 480-14 300 6 440-16v70H0Z" />
  </svg>`;
}
