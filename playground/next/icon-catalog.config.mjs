import { embeddedIconId } from 'unplugin-icon-catalog/server';

export default {
  catalog: 'embedded',
  aliases: {
    kiln: embeddedIconId('tabler', 'flame'),
    clay: embeddedIconId('tabler', 'bowl'),
    brush: embeddedIconId('tabler', 'brush'),
    amphora: embeddedIconId('game-icons', 'amphora'),
    shop: embeddedIconId('maki', 'shop'),
  },
};
