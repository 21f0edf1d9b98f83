export interface Decision {
  /** What the interface leaves open. */
  question: string;
  /** What the embedded catalog does. */
  answer: string;
}

/**
 * What the interface says is "not shown", decided once. The table of the documentation is made from this one;
 * the conformance suite checks each row that can be seen from outside.
 */
export const DECISIONS: readonly Decision[] = [
  {
    question: 'Signature method and transport',
    answer:
      'HMAC-SHA1 without a token; parameters in the Authorization header or in the query, not in both; `oauth_version` absent or 1.0; a timestamp within 300 seconds of the clock of the catalog; a nonce is used once in that window.',
  },
  {
    question: 'Shape of an error body',
    answer: '`{ "message": string }`, in every answer that is not 200.',
  },
  {
    question: 'Status of an invalid parameter, path token or body',
    answer:
      '400. Also for a parameter given twice and for blacklists beyond the limits of the key. A body above 4 MiB: 413.',
  },
  {
    question: 'Status of a download that the access level forbids',
    answer: '403. In records, `icon_url` is left out instead.',
  },
  {
    question:
      'Status of an unknown id, a path that is none of the interface, HEAD or another method',
    answer: '404.',
  },
  {
    question: 'PNG of an icon that cannot be drawn',
    answer:
      '422 for files that are no drawing, that hold active content or references to other files, or that take longer than 10 s; filters that may never end are left out. 501 where the renderer `@resvg/resvg-js` is not installed.',
  },
  {
    question: 'Whether addresses of thumbnails and previews expire',
    answer:
      'No, and they are not signed: they show no more than the public pages of the sets, and a page of results stays whole. Addresses of icon files are signed and expire an hour after the call.',
  },
  {
    question: 'A path with a slash at its end',
    answer: 'Is the path without it.',
  },
  {
    question: 'Integer flags with other values than 1',
    answer: '0 is off, any other integer is on.',
  },
  {
    question: 'Default and largest `limit`',
    answer: '50, in v2 and v1; 10 for suggestions. A larger limit than 1000 is read as 1000.',
  },
  { question: 'Default `thumbnail_size`', answer: '200.' },
  {
    question: 'Defaults of a download',
    answer:
      '`filetype` svg; `color` black, files with colours of their own keep them; `size` 1200. PNG files are square, the icon centred.',
  },
  {
    question: '`color` on files of several tones',
    answer:
      'They keep their own colours. `currentColor` is painted, and so is the one tone of a file that has only one.',
  },
  {
    question: 'No `query` in a list',
    answer: 'The whole list, in the order of the sets. `query` is required for suggestions.',
  },
  {
    question: '`total`',
    answer:
      'Of a list: all items that match, over all pages. Of a single icon: 1. Of a single collection: its icons, over all pages.',
  },
  {
    question: 'Page tokens',
    answer:
      'Left out at the end. A token belongs to its list and filters: with others it is refused with 400; `limit` may change between pages.',
  },
  { question: 'Blacklisted item asked by its id with `blacklist` set', answer: '404.' },
  {
    question: 'What a blacklisted term matches',
    answer: 'Its words side by side in a name or a tag, in any case. In suggestions likewise.',
  },
  { question: 'Default of `overwrite`', answer: 'false.' },
  {
    question: 'What the ten-minute blacklist cache covers',
    answer: 'GET of the blacklist. Filters and the answers of writes see a change at once.',
  },
  {
    question: 'Hourly and daily limits',
    answer:
      'None unless the key has them; 5000 calls a month by default. Periods are UTC hours, days and months. 429 carries `Retry-After`.',
  },
  {
    question: 'Which operations count toward usage',
    answer:
      'Every call with a right signature counts one, usage reports included. Refused signatures, answers with 429 and asset addresses count nothing.',
  },
  {
    question: 'Values of `license_description`',
    answer:
      '`creative-commons-attribution` for CC BY sets, `public-domain` for CC0 and public-domain sets, the SPDX identifier of the set otherwise, its own title where it has none; `project-file` for folders without a stated licence.',
  },
  {
    question: 'Permalinks',
    answer:
      'Paths of the public site of Iconify icon sets for installed sets, which v2 records name in `site_url`; `/<folder>/<icon>/` for folders.',
  },
  {
    question: 'Texts of licences',
    answer:
      'v2 records of sets name the author’s address in `creator_url` and that of the licence file in `license_url`, where the set states them. Single icons have in `license_text` what a LICENSE or COPYING file of the set’s package, or of the folder, says. Lists have each text once, in `license_texts`; their icons name it by `license_text_digest`, its SHA-256.',
  },
  {
    question: 'Which colour an icon has of its own',
    answer:
      'v2 records say it in `own_color`: six hex digits, or `several`. It is left out for black, in which `currentColor` is painted, so that a client knows whether `color` changes anything.',
  },
  {
    question: 'Which styles an icon has',
    answer:
      'Measured in its markup. Stroked and not filled: line. Filled: solid. Both or neither: none. A line weight where the widths vary by at most 20 % around their mean.',
  },
  { question: 'v1 search without a hit', answer: '200 with an empty list.' },
  {
    question: 'v1 icon by term',
    answer: 'The first icon with that very name, in any case; 404 without one.',
  },
  {
    question: 'v1 address of the 1200 px PNG',
    answer: '`preview_url_1200`, temporary and signed, with `include_png_1200` only.',
  },
  {
    question: 'v1 attribution preview',
    answer:
      'An SVG picture of the icon above its credit text. Left out for public-domain icons, which need no credit.',
  },
  {
    question: 'v1 users',
    answer: 'A set is one user and one collection: its prefix is user name and slug.',
  },
  { question: 'v1 sponsors, campaigns and templates', answer: 'Empty.' },
  {
    question: 'v1 dates',
    answer: 'The day of the set’s last change; 2026-01-01 for sets and folders that name none.',
  },
];
