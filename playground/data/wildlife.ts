import { drawings } from '../icons/wildlife.ts';

export interface Neighbour {
  name: string;
  where: string;
  drawing: string;
  /** Chance of meeting one in June, July, August and September, 0 to 4. */
  chance: [number, number, number, number];
}

export const neighbours: Neighbour[] = [
  { name: 'Mountain goat', where: 'Needle Saddle', drawing: drawings.goat, chance: [3, 4, 4, 3] },
  { name: 'Golden eagle', where: 'The Pulpit', drawing: drawings.eagle, chance: [2, 3, 3, 2] },
  { name: 'Red deer', where: 'Corrie pines', drawing: drawings.deer, chance: [2, 2, 3, 4] },
  { name: 'Fox', where: 'behind every kitchen', drawing: drawings.fox, chance: [3, 3, 3, 3] },
  { name: 'Lynx', where: 'nobody says', drawing: drawings.lynx, chance: [1, 0, 0, 1] },
  { name: 'Barn owl', where: 'Corrie House', drawing: drawings.owl, chance: [2, 3, 2, 2] },
  {
    name: 'Red squirrel',
    where: 'below 1,900 m',
    drawing: drawings.squirrel,
    chance: [3, 3, 4, 4],
  },
  {
    name: 'Hedgehog',
    where: 'Saint Orrin orchards',
    drawing: drawings.hedgehog,
    chance: [2, 2, 3, 3],
  },
  {
    name: 'Fire salamander',
    where: 'Veil falls, after rain',
    drawing: drawings.salamander,
    chance: [4, 2, 2, 3],
  },
  {
    name: 'Blue butterfly',
    where: 'terraces of stage 2',
    drawing: drawings.butterfly,
    chance: [2, 4, 4, 1],
  },
  { name: 'Alpine daisy', where: 'above the tarns', drawing: drawings.daisy, chance: [3, 4, 3, 1] },
  { name: 'Bilberry', where: 'peat road', drawing: drawings.berries, chance: [0, 2, 4, 4] },
  {
    name: 'Fly agaric',
    where: 'look, do not lunch',
    drawing: drawings.mushroom,
    chance: [0, 1, 3, 4],
  },
  { name: 'Stone pine', where: 'up to 2,150 m', drawing: drawings.pine, chance: [4, 4, 4, 4] },
];
