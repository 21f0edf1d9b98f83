import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Levels A and AA of WCAG 2.0, 2.1 and 2.2, and what axe advises beyond them. */
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

interface Axe {
  run(
    context: Document | string,
    options: { runOnly: string[]; resultTypes: string[]; selectors: boolean },
  ): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>;
}

/**
 * What axe finds in an open page, which must let foreign scripts run (`bypassCSP`).
 *
 * @param part of the page: a selector. @default the whole page
 */
export async function violationsOf(page: Page, part?: string): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(AXE);
  return page.evaluate(
    async ({ tags, selector }) => {
      const { axe } = globalThis as unknown as { axe: Axe };
      const { violations } = await axe.run(selector ?? document, {
        runOnly: tags,
        // A selector of every element that is right takes half of the time.
        resultTypes: ['violations'],
        selectors: false,
      });
      return violations.map(
        ({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' ')}`,
      );
    },
    { tags: TAGS, selector: part },
  );
}
