import auto from 'icon:theme-auto?size=18';
import dark from 'icon:theme-dark?size=18';
import light from 'icon:theme-light?size=18';
import ascent from 'icon:ascent';
// A file: browsers take the sign of a tab from an address.
import badge from 'icon:peaks?color=1d5c46&size=32&as=url';
import calendar from 'icon:calendar?size=1.15em';
import clock from 'icon:clock';
import commons from 'icon:commons?size=28';
import descent from 'icon:descent';
import distance from 'icon:distance';
import library from 'icon:library?size=28';
import licence from 'icon:licence?size=28';
import next from 'icon:next?size=1.2em';
import outward from 'icon:outward?size=1em';
import peaks from 'icon:peaks?size=30';
import search from 'icon:search?size=18';
// Data URI: the tick of the packing list is a mask in the style sheet.
import tick from 'icon:check?color=000&as=data';

export const themes: Record<'auto' | 'light' | 'dark', string> = { auto, light, dark };
export {
  ascent,
  badge,
  calendar,
  clock,
  commons,
  descent,
  distance,
  library,
  licence,
  next,
  outward,
  peaks,
  search,
  tick,
};
