import { embeddedIconId } from 'unplugin-icon-catalog/server';

// For the module and for `npx icon-catalog`.
export default {
  catalog: 'embedded',
  framework: 'vue',
  aliases: {
    tent: embeddedIconId('tabler', 'tent'),
    flame: embeddedIconId('tabler', 'flame'),
    backpack: embeddedIconId('tabler', 'backpack'),
    bear: embeddedIconId('game-icons', 'bear-head'),
    campsite: embeddedIconId('maki', 'campsite'),
    water: embeddedIconId('maki', 'drinking-water'),
  },
};
