import { ascent, clock, descent, distance } from '../icons/interface.ts';
import { bends, places, stages, total, type Place } from '../data/route.ts';

const WIDTH = 1200;
const HEIGHT = 380;
const FLOOR = 400;
const CEILING = 3100;

const x = (kilometre: number): number => (kilometre / total.kilometres) * WIDTH;
const y = (metres: number): number => HEIGHT - ((metres - FLOOR) / (CEILING - FLOOR)) * HEIGHT;

/** A curve through every bend that never overshoots one: its handles are level. */
function line(): string {
  return bends
    .map(([kilometre, metres], index) => {
      const previous = bends[index - 1];
      if (previous === undefined) return `M${x(kilometre)} ${y(metres)}`;
      const middle = (x(previous[0]) + x(kilometre)) / 2;
      return `C${middle} ${y(previous[1])} ${middle} ${y(metres)} ${x(kilometre)} ${y(metres)}`;
    })
    .join('');
}

function bands(): string {
  let at = 0;
  return stages
    .map(({ kilometres }, index) => {
      const band = `<rect class="band" data-band="${index}" x="${x(at)}" width="${x(kilometres)}" height="${HEIGHT}" />`;
      at += kilometres;
      return band;
    })
    .join('');
}

function mark({ at, height, name, icon, major, below }: Place): string {
  const kind = [major === true ? 'major' : '', below === true ? 'below' : ''].join(' ');
  const style = `left:${((x(at) / WIDTH) * 100).toFixed(2)}%;top:${((y(height) / HEIGHT) * 100).toFixed(2)}%`;
  const label =
    major === true ? `<b>${name}</b><small>${height.toLocaleString('en')} m</small>` : '';
  return `<li class="mark ${kind}" style="${style}">${label}<span title="${name}">${icon}</span></li>`;
}

export function profile(): string {
  const path = line();
  return `<section class="profile" id="profile" aria-labelledby="profile-title">
    <header><h2 id="profile-title">The route, from the side</h2>
      <p>Choose a day. Heights are exaggerated, as they are in the telling.</p></header>
    <div class="chart" tabindex="0" role="group" aria-label="Height profile of the route">
      <div class="chart-inner">
        <svg viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" aria-hidden="true" focusable="false">
          ${bands()}
          ${[1000, 2000].map((metres) => `<path class="level" d="M0 ${y(metres)}H${WIDTH}" />`).join('')}
          <path class="ground" d="${path}V${HEIGHT}H0Z" />
          <path class="way" d="${path}" />
        </svg>
        ${[1000, 2000]
          .map(
            (metres) =>
              `<span class="metres" style="top:${((y(metres) / HEIGHT) * 100).toFixed(2)}%">${metres.toLocaleString('en')} m</span>`,
          )
          .join('')}
        <ul>${places.map(mark).join('')}</ul>
      </div>
    </div>
    <div class="days">
      <div role="tablist" aria-label="Days" class="tabs">${stages
        .map(
          (
            { to, time },
            index,
          ) => `<button type="button" role="tab" id="day-${index}" aria-controls="day-panel" data-day="${index}">
            <b>Day ${index + 1}</b><span>${to}</span><i>${time}</i></button>`,
        )
        .join('')}</div>
      <div class="day" id="day-panel" role="tabpanel" aria-live="polite"></div>
    </div>
  </section>`;
}

function dayPanel(index: number): string {
  const stage = stages[index];
  if (stage === undefined) return '';
  const facts = [
    [distance, 'Distance', `${stage.kilometres} km`],
    [ascent, 'Up', `${stage.ascent.toLocaleString('en')} m`],
    [descent, 'Down', `${stage.descent.toLocaleString('en')} m`],
    [clock, 'Walking', stage.time],
  ];
  return `<p class="grade" title="Grade of the path"><span class="blaze" aria-hidden="true"></span>${stage.grade}</p>
    <h3>${stage.from} to ${stage.to}</h3>
    <p>${stage.text}</p>
    <dl>${facts.map(([icon, name, value]) => `<div><dt>${icon}${name}</dt><dd>${value}</dd></div>`).join('')}</dl>`;
}

/** Days by click and by arrow keys. */
export function startProfile(): void {
  const tabs = [...document.querySelectorAll<HTMLButtonElement>('[data-day]')];
  const bandElements = document.querySelectorAll('[data-band]');
  const panel = document.querySelector('#day-panel');

  function choose(index: number): void {
    for (const [other, tab] of tabs.entries()) {
      tab.setAttribute('aria-selected', String(other === index));
      tab.tabIndex = other === index ? 0 : -1;
    }
    for (const [other, band] of bandElements.entries())
      band.classList.toggle('on', other === index);
    panel?.setAttribute('aria-labelledby', `day-${index}`);
    if (panel !== null) panel.innerHTML = dayPanel(index);
  }

  for (const [index, tab] of tabs.entries()) {
    tab.addEventListener('click', () => choose(index));
    tab.addEventListener('keydown', ({ key }) => {
      const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[key];
      if (step === undefined) return;
      const target = (index + step + tabs.length) % tabs.length;
      choose(target);
      tabs[target]?.focus();
    });
  }
  choose(2);
}
