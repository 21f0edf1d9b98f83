import { Spec, Validation } from '@cyclonedx/cyclonedx-library';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { HtmlValidate } from 'html-validate';
import { MANIFEST_SCHEMA } from '../../src/attribution/manifest-schema.ts';
import type { Manifest } from '../../src/types.ts';
import { expectedTriples, triplesOf } from '../attribution/read-triples.ts';
import { spdxErrors } from '../attribution/spdx-rules.ts';

/** Options that have a build write what is validated here. */
export const EVERY_FORMAT = {
  spdx: 'icon-attribution.spdx.json',
  cyclonedx: 'icon-attribution.cdx.json',
};

const ajv = new Ajv2020({ allErrors: true, strictTypes: false });
addFormats.default(ajv);
const isManifest = ajv.compile(MANIFEST_SCHEMA);
const bills = new Validation.JsonStrictValidator(Spec.Version.v1dot6);
const pages = new HtmlValidate({ extends: ['html-validate:standard'] });

/** What validators that others wrote say of the attribution files of a build, and where these contradict each other. */
export async function creditsProblems(files: ReadonlyMap<string, Buffer>): Promise<string[]> {
  const read = (name: string): string => String(files.get(name));
  const manifest = JSON.parse(read('icon-attribution.json')) as Manifest;
  const html = read('icon-attribution.html');
  const [bill, page, triples] = await Promise.all([
    bills.validate(read(EVERY_FORMAT.cyclonedx)),
    pages.validateString(html),
    triplesOf(html),
  ]);
  const expected = expectedTriples(manifest.icons);
  return [
    ...(isManifest(manifest) ? [] : [`json: ${ajv.errorsText(isManifest.errors)}`]),
    ...spdxErrors(read(EVERY_FORMAT.spdx)).map((error) => `spdx: ${error}`),
    ...(bill === null ? [] : [`cyclonedx: ${JSON.stringify(bill)}`]),
    ...page.results.flatMap(({ messages }) =>
      messages.map(({ ruleId, message }) => `html: ${ruleId} ${message}`),
    ),
    ...(triples.join('\n') === expected.join('\n') ? [] : ['rdfa: not what the JSON says']),
  ];
}
