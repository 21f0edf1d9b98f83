import {
  createIcons,
  defineConfig,
  isIconCatalogError,
  parseSpecifier,
  type ErrorCode,
  type IconRequest,
  type Options,
} from 'unplugin-icon-catalog';
import { createCatalogClient } from 'unplugin-icon-catalog/client';
import { createCatalogServer, type CatalogServer } from 'unplugin-icon-catalog/server';

export async function draw(): Promise<string | undefined> {
  const icons = createIcons({ catalog: 'embedded' });
  try {
    const { svg, credit, icon } = await icons.load('icon:123?color=ff0000&size=64');
    return `${credit.credit.line} ${icon.term} ${svg}`;
  } catch (error) {
    if (!isIconCatalogError(error)) throw error;
    const code: ErrorCode = error.code;
    return `${code} ${error.importer}`;
  } finally {
    await icons.close();
  }
}

export const config: Options = defineConfig({ aliases: { house: 123 } });

export const request: IconRequest = parseSpecifier('icon:house?color=f00', {
  aliases: { house: 123 },
});

export async function ask(): Promise<string[]> {
  const server: CatalogServer = createCatalogServer({ sets: ['tabler'] });
  const { url, close } = await server.listen({ port: 0 });
  const client = createCatalogClient({
    baseUrl: url,
    key: 'k',
    secret: 's',
    fetch: (sent) => server.fetch(sent),
  });
  const { icon } = await client.icon(123);
  const file = await client.download(123, { color: 'ff0000', filetype: 'png', size: 64 });
  const bytes: Uint8Array = file.bytes;
  await close();
  return [icon.term ?? '', icon.license_description ?? '', String(bytes.byteLength)];
}
