import type { Credit } from '../../src/types.ts';
import { HOSTILE } from '../attribution/hostile.ts';
import { credit } from '../attribution/records.ts';

/** Every hostile text in every field, as a record of a file that anybody wrote could hold it. */
export const HOSTILE_CREDITS: readonly Credit[] = HOSTILE.map((text, index) => {
  const made = credit({ id: `${index} ${text}`, term: text, attribution: text });
  return {
    id: made.id,
    collections: made.collections,
    title: text,
    creator: { name: text, username: text, url: index % 2 === 0 ? 'javascript:hit()' : text },
    credit: { ...made.credit, requested: text, drawn: [text] },
    source: { ...made.source, url: ' javascript:hit()' },
    license: {
      ...made.license,
      name: text,
      spdx: text,
      url: 'data:text/html,<script>hit()</script>',
    },
    changes: [{ kind: 'custom', summary: text, visible: true, by: 'project' }],
  };
});
