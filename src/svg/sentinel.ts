/**
 * The colour that a catalog is asked for: found in none of 15,879 real files, digits only, not shortenable, without a
 * name, not the default that optimisers delete, and near enough to black that masks stay right. Lock files pin the bytes
 * in this colour: another one needs a new `LOCKFILE_VERSION` (src/store/lockfile-format.ts).
 */
export const SENTINEL = '010203';
