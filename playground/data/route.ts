import * as icon from '../icons/route.ts';

export interface Stage {
  from: string;
  to: string;
  kilometres: number;
  ascent: number;
  descent: number;
  /** Walking time without rests. */
  time: string;
  grade: string;
  text: string;
}

/** One place of the profile: kilometre along the route, metres above the sea. */
export interface Place {
  at: number;
  height: number;
  name: string;
  icon: string;
  /** Shown with its name; the others are marks. */
  major?: boolean;
  /** The mark hangs below the line. */
  below?: boolean;
}

export const stages: Stage[] = [
  {
    from: 'Ferrow',
    to: 'Lower Tarn Hut',
    kilometres: 11.4,
    ascent: 1080,
    descent: 102,
    time: '4 h 40',
    grade: 'T2',
    text: 'Out of the railway town by the mill stream, past the Veil falls, and up the old peat road to the first water.',
  },
  {
    from: 'Lower Tarn Hut',
    to: 'Fallow Ledge Hut',
    kilometres: 9.8,
    ascent: 740,
    descent: 290,
    time: '4 h 10',
    grade: 'T2',
    text: 'A short day with a long bridge in it: sixty metres of rope and larch over the Corve, then terraces all afternoon.',
  },
  {
    from: 'Fallow Ledge Hut',
    to: 'Glasswater Hut',
    kilometres: 12.6,
    ascent: 910,
    descent: 735,
    time: '6 h 00',
    grade: 'T3',
    text: 'The high day. Start before the sun does, be over Needle Saddle by noon, and let the scree carry you down to the lake.',
  },
  {
    from: 'Glasswater Hut',
    to: 'Corrie House',
    kilometres: 13.9,
    ascent: 420,
    descent: 875,
    time: '5 h 15',
    grade: 'T3',
    text: 'Along the balcony to the Pulpit, from where the whole route can be counted hut by hut, and down into the pines.',
  },
  {
    from: 'Corrie House',
    to: 'Saint Orrin',
    kilometres: 15.2,
    ascent: 180,
    descent: 1450,
    time: '5 h 00',
    grade: 'T1',
    text: 'A farewell shoulder, then meadows, orchards and the first bakery. Tired knees take the cable car at Hollin.',
  },
];

/** Kilometre and height of every bend that the profile is drawn through. */
export const bends: [number, number][] = [
  [0, 812],
  [3, 1010],
  [6, 1340],
  [8, 1712],
  [10, 1845],
  [11.4, 1790],
  [13.5, 1960],
  [15.2, 1850],
  [17.5, 2130],
  [19.5, 2310],
  [21.2, 2240],
  [24, 2480],
  [26.5, 2781],
  [28.5, 2520],
  [31, 2330],
  [33.8, 2415],
  [36.4, 2610],
  [39, 2400],
  [42, 2310],
  [45, 2050],
  [47.7, 1960],
  [50, 2035],
  [53, 1720],
  [57, 1210],
  [60, 870],
  [62.9, 690],
];

export const places: Place[] = [
  { at: 0, height: 812, name: 'Ferrow', icon: icon.train, major: true },
  { at: 5.2, height: 1245, name: 'Veil falls', icon: icon.falls },
  { at: 11.4, height: 1790, name: 'Lower Tarn Hut', icon: icon.cabin, major: true },
  { at: 12.6, height: 1880, name: 'Lower tarn', icon: icon.tarn, below: true },
  { at: 15.2, height: 1850, name: 'Corve bridge', icon: icon.bridge },
  { at: 21.2, height: 2240, name: 'Fallow Ledge Hut', icon: icon.ledge, major: true },
  { at: 26.5, height: 2781, name: 'Needle Saddle', icon: icon.peaks, major: true },
  { at: 29.6, height: 2430, name: 'Rescue telephone', icon: icon.phone, below: true },
  { at: 33.8, height: 2415, name: 'Glasswater Hut', icon: icon.hut, major: true },
  { at: 36.4, height: 2610, name: 'The Pulpit', icon: icon.viewpoint },
  { at: 47.7, height: 1960, name: 'Corrie House', icon: icon.village, major: true },
  { at: 55, height: 1460, name: 'Hollin cable car', icon: icon.cableCar },
  { at: 62.9, height: 690, name: 'Saint Orrin', icon: icon.bus, major: true },
];

export const total = {
  kilometres: 62.9,
  ascent: stages.reduce((sum, { ascent }) => sum + ascent, 0),
  descent: stages.reduce((sum, { descent }) => sum + descent, 0),
  top: 2781,
};
