/**
 * Ids as Farm gets them: without `?`, since Farm takes a query off the path, gives `?url` and the like to plugins of
 * its own, and forgets it when it lists the module graph. A canonical id has one `?` and no `&` before it.
 */
export function toFarmPath(id: string): string {
  return id.replace('?', '&');
}

/** The canonical id of a module, `icon:credits` included; `undefined` for others. */
export function fromFarmPath(path: string): string | undefined {
  const [icon] = /icon:(?:\d|credits$)[^/\\]*$/.exec(path) ?? [];
  return icon?.replace('&', '?');
}
