/** What paths of icons begin with: no name that a project would give to a file of its own. */
export const FARM_PREFIX = 'icon-catalog~';

/**
 * Ids as Farm gets them: without `?`, since Farm takes a query off the path, gives `?url` and the like to plugins of
 * its own, and forgets it when it lists the module graph. A canonical id has one `?` and no `&` before it. Without `:`
 * too, since Farm names files after modules, and Windows takes no file of such a name.
 */
export function toFarmPath(id: string): string {
  return id.replace('icon:', FARM_PREFIX).replace('?', '&');
}

/** The canonical id of a module, `icon:credits` included; `undefined` for others. */
export function fromFarmPath(path: string): string | undefined {
  const [icon] = /icon-catalog~(?:\d|credits$|set&|@)[^/\\]*$/.exec(path) ?? [];
  return icon?.replace(FARM_PREFIX, 'icon:').replace('&', '?');
}
