import { cleanLicenseText } from '../license-text.ts';
import type { IconRecord } from '../types.ts';

type Optional<Fields> = { [Name in keyof Fields]?: Fields[Name] | undefined };

/** A record as the lock has it, or as a catalog sends it: anything but its id may be missing. */
type AnyRecord = Pick<IconRecord, 'id'> &
  Optional<Omit<IconRecord, 'id' | 'creator' | 'collections'>> & {
    creator?: Optional<IconRecord['creator']> | undefined;
    collections?:
      | { id: string; name?: string | undefined; permalink?: string | undefined }[]
      | undefined;
  };

/**
 * Leaves out what dies within the hour or changes per call: asset addresses and whatever else the service adds. A record
 * from the lock and one from the catalog are the same afterwards, to the order of their fields.
 */
export function lastingFields(icon: AnyRecord): IconRecord {
  const { id, term = '', attribution = '', creator = {}, collections = [] } = icon;
  const { license_description = '', permalink = '', site_url, styles = [], tags = [] } = icon;
  const { creator_url, license_url } = icon;
  const license_text = cleanLicenseText(icon.license_text);
  return {
    id,
    term,
    attribution,
    creator: {
      name: creator.name ?? '',
      permalink: creator.permalink ?? '',
      username: creator.username ?? '',
    },
    collections: collections.map(({ id, name = '', permalink = '' }) => ({ id, name, permalink })),
    license_description,
    permalink,
    ...(site_url !== undefined && { site_url }),
    ...(creator_url !== undefined && { creator_url }),
    ...(license_url !== undefined && { license_url }),
    ...(license_text !== undefined && { license_text }),
    styles: styles.map(({ style, line_weight }) =>
      line_weight === undefined ? { style } : { style, line_weight },
    ),
    tags,
  };
}
