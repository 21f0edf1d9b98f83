import { amenities, stamps, type Amenity } from '../icons/huts.ts';

export interface Hut {
  name: string;
  height: number;
  beds: number;
  price: number;
  text: string;
  stamp: string;
  ink: string;
  amenities: Amenity[];
}

const a = amenities;

export const huts: Hut[] = [
  {
    name: 'Lower Tarn Hut',
    height: 1790,
    beds: 48,
    price: 46,
    text: 'Larch shingles, a boot room that smells of resin, and a tarn that is warm for about nine days a year.',
    stamp: stamps.cabin,
    ink: '#1d5c46',
    amenities: [a.kitchen, a.tap, a.toilet, a.socket, a.bathing],
  },
  {
    name: 'Fallow Ledge Hut',
    height: 2240,
    beds: 32,
    price: 44,
    text: 'Half built, half hollowed out of the cliff. The dining room window is the best seat on the route.',
    stamp: stamps.ledge,
    ink: '#a23b1c',
    amenities: [a.kitchen, a.tap, a.phone, a.warden, a.shelter],
  },
  {
    name: 'Glasswater Hut',
    height: 2415,
    beds: 26,
    price: 42,
    text: 'The highest and the smallest. No signal and no shower, and barley soup until the pot is empty.',
    stamp: stamps.hut,
    ink: '#7a3b8f',
    amenities: [a.kitchen, a.tap, a.warden, a.shelter],
  },
  {
    name: 'Corrie House',
    height: 1960,
    beds: 60,
    price: 52,
    text: 'A hamlet that became a hut: four stone houses, a bread oven, and a spring at thirty-eight degrees.',
    stamp: stamps.village,
    ink: '#1b5f95',
    amenities: [a.kitchen, a.tap, a.toilet, a.socket, a.bakery, a.hotSpring],
  },
];
