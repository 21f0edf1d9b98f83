import { skies, sunrise, sunset, thermometer, wind } from '../icons/weather.ts';

const months = [
  {
    name: 'June',
    sky: skies.snow,
    warm: '2–13 °C',
    gust: '40 km/h',
    text: 'Old snow on the saddle. Take spikes.',
    sun: ['5:21', '21:24'],
  },
  {
    name: 'July',
    sky: skies.sunny,
    warm: '7–19 °C',
    gust: '25 km/h',
    text: 'Long, dry, popular. Book ahead.',
    sun: ['5:32', '21:19'],
  },
  {
    name: 'August',
    sky: skies.storm,
    warm: '8–20 °C',
    gust: '45 km/h',
    text: 'Be under a roof by three: thunder.',
    sun: ['6:08', '20:41'],
  },
  {
    name: 'September',
    sky: skies.mist,
    warm: '3–14 °C',
    gust: '30 km/h',
    text: 'Mist below, gold above, quiet huts.',
    sun: ['6:49', '19:42'],
  },
];

const week = [
  ['Mon', skies.sunny, '18°'],
  ['Tue', skies.sunny, '19°'],
  ['Wed', skies.cloud, '15°'],
  ['Thu', skies.rain, '11°'],
  ['Fri', skies.storm, '12°'],
  ['Sat', skies.cloud, '14°'],
  ['Sun', skies.sunny, '17°'],
];

export function season(): string {
  return `<section class="season-section" id="season" aria-labelledby="season-title">
    <header><h2 id="season-title">When to walk</h2><p>The wardens open when the path is free and close when the cook goes home.</p></header>
    <ul class="months">${months
      .map(
        ({ name, sky, warm, gust, text, sun }) => `<li>${sky}<h3>${name}</h3><p>${text}</p>
        <dl><div><dt>${thermometer}<span class="hidden">Temperature</span></dt><dd>${warm}</dd></div>
        <div><dt>${wind}<span class="hidden">Gusts</span></dt><dd>${gust}</dd></div>
        <div><dt>${sunrise}<span class="hidden">Sunrise</span></dt><dd>${sun[0]}</dd></div>
        <div><dt>${sunset}<span class="hidden">Sunset</span></dt><dd>${sun[1]}</dd></div></dl></li>`,
      )
      .join('')}</ul>
    <div class="week"><h3>This week at 2,400 m</h3>
      <ol>${week.map(([day, sky, warm]) => `<li><span>${day}</span>${sky}<b>${warm}</b></li>`).join('')}</ol></div>
  </section>`;
}
