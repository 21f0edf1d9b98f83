import type { Page } from 'playwright-core';

/** The source of everything that a page draws: its own drawings, symbols, images, pictures of styles. */
export async function readDrawings(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const read = async (address: string): Promise<string> => (await fetch(address)).text();
    const addresses = new Set([...document.images].map(({ src }) => src));
    for (const element of document.querySelectorAll('*')) {
      const { backgroundImage, maskImage } = getComputedStyle(element);
      for (const [, address = ''] of `${backgroundImage} ${maskImage}`.matchAll(
        /url\("((?:[^"\\]|\\.)*)"\)/g,
      ))
        addresses.add(address.replaceAll('\\', ''));
    }
    const drawings = [...document.querySelectorAll('svg')].map((svg) => svg.outerHTML);
    for (const use of document.querySelectorAll('use')) {
      const address = new URL(use.href.baseVal, document.baseURI);
      const file = new DOMParser().parseFromString(await read(address.href), 'image/svg+xml');
      drawings.push(file.getElementById(address.hash.slice(1))?.outerHTML ?? '');
    }
    for (const address of addresses) drawings.push(await read(address));
    await Promise.all([...document.images].map((image) => image.decode()));
    return drawings;
  });
}
