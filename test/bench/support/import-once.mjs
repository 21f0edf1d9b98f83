// Loads one module in a process of its own. Arguments: specifier. Result: { milliseconds }.
const [, , specifier] = process.argv;
const startedAt = performance.now();
await import(specifier);
process.stdout.write(JSON.stringify({ milliseconds: performance.now() - startedAt }));
