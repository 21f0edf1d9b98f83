import { defineConfig } from 'astro/config';
import iconCatalog from 'unplugin-icon-catalog/astro';
import { embeddedIconId } from 'unplugin-icon-catalog/server';

const aliases = {
  telescope: embeddedIconId('tabler', 'telescope'),
  comet: embeddedIconId('tabler', 'comet'),
  star: embeddedIconId('tabler', 'star'),
  ringed: embeddedIconId('game-icons', 'ringed-planet'),
  moon: embeddedIconId('game-icons', 'moon'),
  observation: embeddedIconId('maki', 'observation-tower'),
};

export default defineConfig({ integrations: [iconCatalog({ catalog: 'embedded', aliases })] });
