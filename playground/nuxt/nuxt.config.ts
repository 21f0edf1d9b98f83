import { embeddedIconId } from 'unplugin-icon-catalog/server';

const aliases = {
  tent: embeddedIconId('tabler', 'tent'),
  flame: embeddedIconId('tabler', 'flame'),
  backpack: embeddedIconId('tabler', 'backpack'),
  bear: embeddedIconId('game-icons', 'bear-head'),
  campsite: embeddedIconId('maki', 'campsite'),
  water: embeddedIconId('maki', 'drinking-water'),
};

export default defineNuxtConfig({
  compatibilityDate: '2026-01-01',
  telemetry: false,
  // Nuxt 4.4's cache of payloads fails on the page `/` with unstorage 1.17.6.
  experimental: { payloadExtraction: false },
  modules: [['unplugin-icon-catalog/nuxt', { catalog: 'embedded', aliases }]],
});
