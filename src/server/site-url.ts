/** The public site on which the permalinks of installed icon sets are pages. */
export const EMBEDDED_SITE_URL = 'https://icon-sets.iconify.design';
