/** RDFa prefixes of the credits; needed on an element around them. */
export const RDFA_PREFIX = 'cc: http://creativecommons.org/ns# dct: http://purl.org/dc/terms/';
