import { composeLine } from '../attribution/compose-line.ts';
import type { Credit } from '../types.ts';
import { createShare } from './share-equal.ts';

/** Credits of thousands of icons. What goes in and what comes out are the caller's, to do with as it likes. */
export interface CreditList {
  /** The first of an icon counts. */
  add(credit: Credit): void;
  /** One a distinct icon, sorted by id as the catalog writes it. */
  all(): Credit[];
}

/** A credit without its line, a third of its text, which is made of the rest. */
type Kept = Omit<Credit, 'credit'> & { credit: Omit<Credit['credit'], 'line'> };

/** Holds what icons have in common once. */
export function createCreditList(): CreditList {
  const kept = new Map<string, Kept>();
  const share = createShare();

  return {
    add({ id, title, creator, credit, source, license, changes, collections }) {
      if (kept.has(id)) return;
      const { requested, required, drawn, notices } = credit;
      // Field by field: objects made by spreading one are described by V8 one by one.
      kept.set(id, {
        id,
        title,
        creator: share(creator),
        credit:
          (drawn ?? notices) === undefined
            ? { requested, required }
            : {
                requested,
                required,
                ...(drawn && { drawn: [...drawn] }),
                ...(notices && { notices: share(notices) }),
              },
        source: { url: source.url, sha256: source.sha256 },
        license: share(license),
        changes: share(changes),
        collections: share(collections),
      });
    },
    all: () => structuredClone([...kept.values()].map(whole)).toSorted(byId),
  };
}

/** In the order of fields that every credit has. */
function whole({ credit: { requested, ...said }, ...parts }: Kept): Credit {
  const { id, title, creator, source, license, changes, collections } = parts;
  const credit = { requested, line: composeLine(parts), ...said };
  return { id, title, creator, credit, source, license, changes, collections };
}

function byId(a: Credit, b: Credit): number {
  return a.id < b.id ? -1 : 1;
}
