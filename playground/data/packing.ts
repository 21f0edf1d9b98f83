import * as icon from '../icons/packing.ts';

export interface Item {
  name: string;
  grams: number;
  icon: string;
}

export const packing: Record<string, Item[]> = {
  'On you': [
    { name: 'Broken-in boots', grams: 0, icon: icon.boots },
    { name: 'Two wool shirts', grams: 360, icon: icon.shirt },
    { name: 'Three pairs of socks', grams: 210, icon: icon.socks },
    { name: 'Rain jacket', grams: 390, icon: icon.jacket },
    { name: 'Sunglasses', grams: 40, icon: icon.sunglasses },
  ],
  'In the huts': [
    { name: 'Sleeping sack', grams: 320, icon: icon.sleepSack },
    { name: 'Ear plugs', grams: 5, icon: icon.earPlugs },
    { name: 'Light shoes', grams: 420, icon: icon.shoe },
    { name: 'Lantern', grams: 110, icon: icon.lantern },
    { name: 'Power bank', grams: 210, icon: icon.battery },
  ],
  'For the day': [
    { name: 'Two litres of water', grams: 2100, icon: icon.bottle },
    { name: 'Cheese and bread', grams: 450, icon: icon.cheese },
    { name: 'Coffee and a mug', grams: 190, icon: icon.coffee },
    { name: 'Binoculars', grams: 340, icon: icon.binoculars },
    { name: 'Umbrella, truly', grams: 240, icon: icon.umbrella },
  ],
  'In case': [
    { name: 'Paper map', grams: 90, icon: icon.paperMap },
    { name: 'First-aid kit', grams: 280, icon: icon.firstAid },
    { name: 'Pocket tool', grams: 85, icon: icon.pocketTool },
  ],
};
