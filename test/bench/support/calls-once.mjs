// The calls of a cold run by the client alone: nothing is kept, drawn or written. Arguments: JSON of { options, ids }.
// Result: { milliseconds }.
import { readFileSync } from 'node:fs';
import { createCatalogClient } from 'unplugin-icon-catalog/client';

const [, , file] = process.argv;
const { options, ids } = JSON.parse(readFileSync(file, 'utf8'));
const startedAt = performance.now();
const client = createCatalogClient({ ...options.catalog, concurrency: options.concurrency });
await Promise.all(
  ids.map(async (id) => {
    await client.icon(id);
    await client.download(id, { filetype: 'svg' });
  }),
);
const milliseconds = performance.now() - startedAt;
process.stdout.write(JSON.stringify({ milliseconds }));
