import redHome from 'icon:home?color=ff0000&size=32';
import sameHome from 'icon:home?size=32&color=%23F00';
import homePng from 'icon:home?filetype=png&size=64';
import heart from 'icon:heart?color=e91e63&size=2rem';
import * as bell from 'icon:bell';
import user from 'icon:user?title=%C3%84rger%20%26%20%22Spa%C3%9F%22%20%3C%2Fscript%3E%20%60%24%7Bx%7D%60';
import settings from 'icon:settings?class=icon%20icon--big';
import search from 'icon:search?raw';
import camera from 'icon:camera?as=meta';
import moon from 'icon:moon';
import bus from 'icon:bus?url';
import cafe from 'icon:cafe?as=url&color=00f&size=48';
import brownCafe from 'icon:cafe?url&color=795548';
import airport from 'icon:airport?inline';
import bicycle from 'icon:bicycle?as=data&title=Bicycle&color=currentColor';
import fuel from 'icon:fuel?filetype=png&size=64&color=00ff00';
import fuelData from 'icon:fuel?filetype=png&as=data';
import lion, { credit, icon } from 'icon:lion?size=1.5em';
import set from 'icon:set?ids=home,wolf&size=24';
import { castle, castleCredit, wolf } from './barrel.js';
import credits, { complete } from 'icon:credits';

globalThis.shown = {
  markup: {
    redHome,
    sameHome,
    heart,
    bell: bell.default,
    user,
    settings,
    search,
    lion,
    castle,
    wolf,
    setHome: set.home,
    setWolf: set['wolf'],
    // A name that is only known at run time finds an icon or nothing.
    ...(['constructor', '__proto__'].some((name) => set[name]) && {
      wrong: 'a name finds what is no icon',
    }),
  },
  data: { airport, bicycle, fuelData },
  files: { homePng, bus, cafe, brownCafe, fuel },
  named: { credit, icon, castleCredit, bellCredit: bell.credit, bellIcon: bell.icon },
  camera,
  credits,
  complete,
  lazy: import('./lazy.js').then((part) => part.default),
};
