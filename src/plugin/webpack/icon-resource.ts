import { CREDITS_ID } from '../session-types.ts';

/**
 * The resource of an icon module: its id and, as the fragment, its shape. Bundlers know modules by their resource, so
 * that no module outlives the options it was made with.
 */
export function toIconResource(id: string, shape: string): string {
  return `${id}#${shape}`;
}

/** The id that `toIconResource` was given, or `undefined` for any other module's resource. */
export function idOfIconResource(resource: string | undefined): string | undefined {
  if (resource === undefined || !resource.startsWith(ICON_SCHEME)) return undefined;
  const fragment = resource.lastIndexOf('#');
  return fragment === -1 ? resource : resource.slice(0, fragment);
}

export function isCredits(id: string): boolean {
  return id === CREDITS_ID;
}

/** What webpack takes for the scheme of `icon:123`, with its colon. */
const ICON_SCHEME = 'icon:';
