import { defineConfig } from 'vite';
import iconCatalog from 'unplugin-icon-catalog/vite';
import { embeddedIconId } from 'unplugin-icon-catalog/server';

export default defineConfig({
  plugins: [
    iconCatalog({
      catalog: 'embedded',
      aliases: { house: embeddedIconId('tabler', 'home'), arrow: 123 },
      defaults: { color: '#336699', size: '1.5em' },
      attribution: { html: 'credits.html', markdown: false },
      licenses: {
        unknown: 'warn',
        assert: { 123: { license: 'MIT', by: 'us', evidence: 'a mail' } },
      },
      svg: { transform: (svg, icon) => svg.replace('<svg', `<svg data-term="${icon.term}"`) },
    }),
    iconCatalog(),
    iconCatalog({
      catalog: {
        baseUrl: 'https://catalog.example',
        key: 'k',
        secret: 's',
        assetHosts: ['cdn.example'],
      },
      concurrency: 4,
      timeout: 5000,
      retries: 0,
      budget: 100,
    }),
  ],
});
