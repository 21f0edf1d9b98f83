import './style/base.css';
import './style/hero.css';
import './style/profile.css';
import './style/sections.css';
import { badge, tick } from './icons/interface.ts';
import { creditList, startCredits } from './sections/credits.ts';
import { footer } from './sections/footer.ts';
import { header, startThemes } from './sections/header.ts';
import { hero } from './sections/hero.ts';
import { hutCards } from './sections/huts.ts';
import { packingList, startPacking } from './sections/packing.ts';
import { profile, startProfile } from './sections/profile.ts';
import { season } from './sections/season.ts';
import { wildlife } from './sections/wildlife.ts';

function fill(selector: string, markup: string): void {
  const element = document.querySelector(selector);
  if (element !== null) element.innerHTML = markup;
}

fill('#bar', header());
fill(
  '#main',
  [hero(), profile(), hutCards(), season(), wildlife(), packingList(), creditList()].join(''),
);
fill('#foot', footer());
document.querySelector('link[rel=icon]')?.setAttribute('href', badge);
document.documentElement.style.setProperty('--tick', `url("${tick}")`);

startThemes();
startProfile();
startPacking();
startCredits();
