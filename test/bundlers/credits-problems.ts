import { Spec, Validation } from '@cyclonedx/cyclonedx-library';
import { HtmlValidate } from 'html-validate';
import { expectedTriples, triplesOf } from '../attribution/read-triples.ts';
import { spdxErrors } from '../attribution/spdx-rules.ts';
import { parseManifest } from '../support/parse-manifest.ts';

/** Options that have a build write what is validated here. */
export const EVERY_FORMAT = {
  spdx: 'icon-attribution.spdx.json',
  cyclonedx: 'icon-attribution.cdx.json',
};

const bills = new Validation.JsonStrictValidator(Spec.Version.v1dot6);
const pages = new HtmlValidate({ extends: ['html-validate:standard'] });

/** What validators that others wrote say of the attribution files of a build, and where these contradict each other. */
export async function creditsProblems(files: ReadonlyMap<string, Buffer>): Promise<string[]> {
  const read = (name: string): string => String(files.get(name));
  const manifest = parseManifest(read('icon-attribution.json'));
  const html = read('icon-attribution.html');
  const [bill, page, triples] = await Promise.all([
    bills.validate(read(EVERY_FORMAT.cyclonedx)),
    pages.validateString(html),
    triplesOf(html),
  ]);
  const expected = expectedTriples(manifest.icons);
  return [
    ...spdxErrors(read(EVERY_FORMAT.spdx)).map((error) => `spdx: ${error}`),
    ...(bill === null ? [] : [`cyclonedx: ${JSON.stringify(bill)}`]),
    ...page.results.flatMap(({ messages }) =>
      messages.map(({ ruleId, message }) => `html: ${ruleId} ${message}`),
    ),
    ...(triples.join('\n') === expected.join('\n') ? [] : ['rdfa: not what the JSON says']),
  ];
}
