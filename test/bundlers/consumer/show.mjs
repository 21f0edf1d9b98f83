import { pathToFileURL } from 'node:url';

/** Runs a built script and prints what it shows. */
await import(pathToFileURL(process.argv[2]).href);
const { lazy, ...shown } = globalThis.shown;
process.stdout.write(JSON.stringify({ ...shown, lazy: await lazy }));
