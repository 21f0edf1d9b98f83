import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Manifest } from '../../src/types.ts';

/** The schema as the package publishes it. */
export const PUBLISHED_SCHEMA: URL = new URL('../../dist/schema/attribution.json', import.meta.url);

let validate: ValidateFunction | undefined;

/** What the published schema has against a list of credits; empty if it is one. */
export function manifestErrors(value: unknown): string[] {
  validate ??= compile();
  if (validate(value)) return [];
  return (validate.errors ?? []).map(
    ({ instancePath, message = '' }) => `${instancePath} ${message}`,
  );
}

/** @throws Error for a text that the published schema does not accept */
export function parseManifest(text: string): Manifest {
  const value: unknown = JSON.parse(text);
  const errors = manifestErrors(value);
  if (errors.length > 0) throw new Error(`This is no list of credits:\n${errors.join('\n')}`);
  return value as Manifest;
}

function compile(): ValidateFunction {
  const ajv = new Ajv2020({ allErrors: true, strictTypes: false });
  addFormats.default(ajv);
  return ajv.compile(JSON.parse(readFileSync(PUBLISHED_SCHEMA, 'utf8')) as object);
}
