import castle from 'icon:castle?sprite&size=48';
import castleInline from 'icon:castle?size=48';
import heart from 'icon:heart?as=sprite&color=e91e63&size=40';
import heartInline from 'icon:heart?color=e91e63&size=40';
import blueHeart from 'icon:heart?as=sprite&color=00f&size=2rem';
import blueHeartInline from 'icon:heart?color=00f&size=2rem';
import bell from 'icon:bell?sprite&size=32&title=%C3%84rger%20%26%20%22Spa%C3%9F%22%20%3C%2Fscript%3E%20%60%24%7Bx%7D%60&class=a%22b%20%3Ci%3E';
import bellInline from 'icon:bell?size=32';
import wide, { credit } from 'icon:wide?sprite&size=24';
import wideInline from 'icon:wide?size=24';
import glow from 'icon:glow?sprite&color=123456&size=32';
import glowInline from 'icon:glow?color=123456&size=32';
import duo from 'icon:duo?sprite&color=123456&size=32';
import duoInline from 'icon:duo?color=123456&size=32';
import own from 'icon:duo?sprite&size=32';
import ownInline from 'icon:duo?size=32';
import moon from 'icon:moon?sprite';
import { anchor } from './barrel.js';
import { show } from './show.js';

globalThis.credited = credit.title;
show({
  castle: [castle, castleInline],
  heart: [heart, heartInline],
  blueHeart: [blueHeart, blueHeartInline],
  bell: [bell, bellInline],
  wide: [wide, wideInline],
  glow: [glow, glowInline],
  duo: [duo, duoInline],
  own: [own, ownInline],
});
globalThis.lazy = import('./lazy.js').then(() => {
  globalThis.isDone = true;
});
