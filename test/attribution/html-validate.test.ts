import { HtmlValidate } from 'html-validate';
import { describe, expect, it } from 'vitest';
import { renderHtml } from '../../src/attribution/render/render-attribution.ts';
import { credit, licenseCases, manifest, withTexts } from './records.ts';
import { artworkOf } from './visit-page.ts';

const validator = new HtmlValidate({ extends: ['html-validate:standard'] });

const MANIFESTS = {
  'every licence case': manifest(licenseCases()),
  'texts of licences': withTexts(),
  'no icon': manifest([]),
  'a build that is not complete': manifest([credit()], { complete: false }),
  'enough icons for the search box': manifest(
    Array.from({ length: 40 }, (_, index) =>
      credit({ id: String(index + 1), term: `Icon ${index}` }),
    ),
  ),
};

describe('the credits page is valid HTML', () => {
  it.each(Object.entries(MANIFESTS))('with %s', async (_, subject) => {
    const report = await validator.validateString(renderHtml(subject, artworkOf(subject)));
    expect(
      report.results.flatMap(({ messages }) =>
        messages.map(({ ruleId, message, line }) => `${line} ${ruleId}: ${message}`),
      ),
    ).toEqual([]);
  });

  it('which the validator would say otherwise', async () => {
    const report = await validator.validateString(
      '<!doctype html><html><body><p><div></div></p><img></body></html>',
    );
    expect(report.valid).toBe(false);
  });
});
