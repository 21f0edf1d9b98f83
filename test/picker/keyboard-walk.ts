import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/**
 * By keyboard alone, on the page without a query: searches `calendar`, adds the second hit as `day` and copies its import.
 *
 * @returns the key strokes beyond the two words, the id of the icon, and what the clipboard holds
 */
export async function takeCalendarByKeyboard(
  page: Page,
): Promise<{ strokes: number; id: string; copied: string }> {
  let strokes = 0;
  const press = async (key: string): Promise<void> => {
    strokes += 1;
    await page.keyboard.press(key);
  };
  await page.locator('#query:focus').waitFor();
  // In one piece: a busy machine would rest between two keys, and a rest searches.
  await page.keyboard.insertText('calendar');
  await press('Enter');
  await page.locator('.count-line', { hasText: 'icons · 1 call' }).waitFor();
  await press('ArrowDown');
  await press('ArrowRight');
  const focused = page.locator('[role=gridcell]:focus');
  const id = (await focused.getAttribute('data-id')) ?? '';
  await press('a');
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('alias');
  await page.keyboard.type('day');
  await press('Enter');
  await page.locator('.toast', { hasText: 'Added day' }).waitFor();
  // The page knows the name, and the focus is back on the grid.
  await page.locator('.has-alias').waitFor();
  await focused.waitFor();
  await press('c');
  await page.locator('.toast', { hasText: 'Copied import' }).waitFor();
  return {
    strokes,
    id,
    copied: await page.evaluate(() => navigator.clipboard.readText()),
  };
}
