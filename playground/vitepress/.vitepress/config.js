import iconCatalog from 'unplugin-icon-catalog/vite';
import { embeddedIconId } from 'unplugin-icon-catalog/server';
import { defineConfig } from 'vitepress';

const aliases = {
  seedling: embeddedIconId('tabler', 'seeding'),
  drop: embeddedIconId('tabler', 'droplet'),
  sun: embeddedIconId('tabler', 'sun'),
  beehive: embeddedIconId('game-icons', 'beehive'),
  carrot: embeddedIconId('game-icons', 'carrot'),
  garden: embeddedIconId('maki', 'garden'),
};

export default defineConfig({
  title: 'Allotment handbook',
  description: 'What to sow, when to water, whom to thank.',
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  vite: { plugins: [iconCatalog({ catalog: 'embedded', aliases })] },
  themeConfig: {
    nav: [{ text: 'Bees', link: '/bees' }],
    sidebar: [
      { text: 'Sowing', link: '/' },
      { text: 'Bees', link: '/bees' },
    ],
    footer: { message: '<a href="/icon-attribution.html" target="_self">Icon credits</a>' },
  },
});
