/** Something stands behind the scheme. Whether it is an icon is for the grammar of requests to say. */
export function isIconReference(text: string): boolean {
  return text.startsWith('icon:') && text.length > 'icon:'.length;
}
