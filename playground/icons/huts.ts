import bakery from 'icon:bakery?size=17';
import bathing from 'icon:bathing?size=17';
import bed from 'icon:bed?size=18';
import campfire from 'icon:campfire?color=c4551a&size=40';
import hotSpring from 'icon:hot-spring?size=17';
import kitchen from 'icon:kitchen?size=17';
import phone from 'icon:phone?size=17';
import price from 'icon:price?size=18';
import shelter from 'icon:shelter?size=17';
import socket from 'icon:socket?size=17';
import tap from 'icon:tap?size=17';
import toilet from 'icon:toilet?size=17';
import warden from 'icon:warden?size=17';

// The stamps are pictures: one PNG file each, in the ink of the hut.
import cabinStamp from 'icon:cabin?filetype=png&size=256&color=1d5c46';
import hutStamp from 'icon:hut?filetype=png&size=256&color=7a3b8f';
import ledgeStamp from 'icon:ledge?filetype=png&size=256&color=a23b1c';
import villageStamp from 'icon:village?filetype=png&size=256&color=1b5f95';

export const stamps = {
  cabin: cabinStamp,
  hut: hutStamp,
  ledge: ledgeStamp,
  village: villageStamp,
};

export interface Amenity {
  icon: string;
  label: string;
}

export const amenities = {
  bakery: { icon: bakery, label: 'Fresh bread' },
  bathing: { icon: bathing, label: 'Bathing in the tarn' },
  hotSpring: { icon: hotSpring, label: 'Hot spring' },
  kitchen: { icon: kitchen, label: 'Warm kitchen' },
  phone: { icon: phone, label: 'Telephone' },
  shelter: { icon: shelter, label: 'Open winter room' },
  socket: { icon: socket, label: 'Sockets' },
  tap: { icon: tap, label: 'Drinking water' },
  toilet: { icon: toilet, label: 'Toilets inside' },
  warden: { icon: warden, label: 'Warden on duty' },
} satisfies Record<string, Amenity>;

export { bed, campfire, price };
