import { sveltekit } from '@sveltejs/kit/vite';
import iconCatalog from 'unplugin-icon-catalog/vite';
import { embeddedIconId } from 'unplugin-icon-catalog/server';
import { defineConfig } from 'vite';

const aliases = {
  binoculars: embeddedIconId('tabler', 'binoculars'),
  feather: embeddedIconId('tabler', 'feather'),
  map: embeddedIconId('tabler', 'map-pin'),
  owl: embeddedIconId('game-icons', 'owl'),
  raven: embeddedIconId('game-icons', 'raven'),
  wetland: embeddedIconId('maki', 'wetland'),
};

export default defineConfig({
  plugins: [iconCatalog({ catalog: 'embedded', aliases }), sveltekit()],
});
