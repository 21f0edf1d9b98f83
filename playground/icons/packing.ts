import battery from 'icon:battery?size=22';
import binoculars from 'icon:binoculars?size=22';
import boots from 'icon:boots?size=22';
import bottle from 'icon:bottle?size=22';
import cheese from 'icon:cheese?size=22';
import coffee from 'icon:coffee?size=22';
import earPlugs from 'icon:ear-plugs?size=22';
import firstAid from 'icon:first-aid?size=22';
import jacket from 'icon:jacket?size=22';
import lantern from 'icon:lantern?size=22';
import pack from 'icon:pack?size=44';
import paperMap from 'icon:paper-map?size=22';
import pocketTool from 'icon:pocket-tool?size=22';
import shirt from 'icon:shirt?size=22';
import shoe from 'icon:shoe?size=22';
import sleepSack from 'icon:sleep-sack?size=22';
import socks from 'icon:socks?size=22';
import sunglasses from 'icon:sunglasses?size=22';
import umbrella from 'icon:umbrella?size=22';

export {
  battery,
  binoculars,
  boots,
  bottle,
  cheese,
  coffee,
  earPlugs,
  firstAid,
  jacket,
  lantern,
  pack,
  paperMap,
  pocketTool,
  shirt,
  shoe,
  sleepSack,
  socks,
  sunglasses,
  umbrella,
};
