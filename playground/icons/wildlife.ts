// Files of their own, so that the browser caches them apart from the script and loads them late.
import berries from 'icon:berries?color=a3265a&size=72&as=url';
import butterfly from 'icon:butterfly?color=2f63b5&size=72&as=url';
import daisy from 'icon:daisy?color=c98a00&size=72&as=url';
import deer from 'icon:deer?color=8a5a2b&size=72&as=url';
import eagle from 'icon:eagle?color=6b4a2f&size=72&as=url';
import fox from 'icon:fox?color=c4551a&size=72&as=url';
import goat from 'icon:goat?color=6f6a5e&size=72&as=url';
import hedgehog from 'icon:hedgehog?color=7d5f45&size=72&as=url';
import lynx from 'icon:lynx?color=a8762b&size=72&as=url';
import mushroom from 'icon:mushroom?color=c8202b&size=72&as=url';
import owl from 'icon:owl?color=5b5f7a&size=72&as=url';
import pine from 'icon:pine?color=1d5c46&size=72&as=url';
import salamander from 'icon:salamander?color=b08500&size=72&as=url';
import squirrel from 'icon:squirrel?color=a5482a&size=72&as=url';
import eagleRecord from 'icon:eagle?as=meta';

export const drawings = {
  berries,
  butterfly,
  daisy,
  deer,
  eagle,
  fox,
  goat,
  hedgehog,
  lynx,
  mushroom,
  owl,
  pine,
  salamander,
  squirrel,
};

/** Who drew the animals, as the catalog states it. */
export const illustrator: string = eagleRecord.creator.name;
