import icons from './icon-catalog.config.js';

export default defineNuxtConfig({
  compatibilityDate: '2026-01-01',
  telemetry: false,
  modules: [['unplugin-icon-catalog/nuxt', icons]],
});
