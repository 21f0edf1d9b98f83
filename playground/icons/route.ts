import bridge from 'icon:bridge?size=22&title=Rope bridge';
import bus from 'icon:bus?size=18&title=Bus stop';
import cabin from 'icon:cabin?size=24';
import cableCar from 'icon:cable-car?size=18&title=Cable car';
import falls from 'icon:falls?color=1b6fa8&size=20&title=Waterfall';
import hut from 'icon:hut?size=24';
import ledge from 'icon:ledge?size=24';
import peaks from 'icon:peaks?size=26&color=c8202b&title=Highest point';
import phone from 'icon:rescue-phone?size=18&color=c8202b&title=Rescue telephone';
import prints from 'icon:prints?size=2.5rem';
import summit from 'icon:summit?size=1em';
import tarn from 'icon:tarn?color=1b6fa8&size=22&title=Tarn';
import train from 'icon:train?size=18&title=Railway station';
import viewpoint from 'icon:viewpoint?size=18&title=Viewpoint';
import village from 'icon:village?size=24';
import walker from 'icon:walker?size=56';

export {
  bridge,
  bus,
  cabin,
  cableCar,
  falls,
  hut,
  ledge,
  peaks,
  phone,
  prints,
  summit,
  tarn,
  train,
  viewpoint,
  village,
  walker,
};
