import { numbered } from '../../kernel/sequence.ts';
import { bankIdsIn, compareBankIds, type LedgerCandidate } from './identity.ts';
import { KeyIndex } from './key-index.ts';
import type { Matching } from './matching.ts';

const NEEDED = 2;

/** What the ids of a file are worth in an account (36.7.1). */
export interface WorthOfIds {
  /** `changed`: ignored. `proved`: count fully. `open`: count on equal dates only. */
  readonly are: 'changed' | 'proved' | 'open';
  /** The ledger itself shows that the bank gives its rows new ids, or its ids to new rows. */
  readonly isKnown: boolean;
}

/** Decided after passes 1 and 2, by the ids of the rows that they met. */
export function worthOfIds<L extends LedgerCandidate>(matching: Matching<L>): WorthOfIds {
  const { rowAt, ledgerAt, placeOf, options } = matching;
  const { namespace } = options;
  if (namespace === null) return { are: 'open', isKnown: false };
  const met = { own: 0, other: 0, none: 0 };
  for (const [index, place] of placeOf.entries()) {
    if (place < 0) continue;
    const pass = matching.passOf(index);
    if (pass === 'content' || pass === 'day') met[compareBankIds(rowAt(index), ledgerAt(place), namespace)] += 1;
  }
  const isKnown = areKnownToChange(matching, namespace);
  if (isKnown || met.other > met.own) return { are: 'changed', isKnown };
  return { are: met.own >= NEEDED && met.other === 0 ? 'proved' : 'open', isKnown };
}

/** Whether two or more ledger rows have several ids, or two share one. */
function areKnownToChange<L extends LedgerCandidate>({ ledger }: Matching<L>, namespace: string): boolean {
  const index = new KeyIndex(ledger.length);
  let withSeveral = 0;
  for (const [place, one] of numbered(ledger)) {
    if (one.state === 'withdrawn') continue;
    const ids = bankIdsIn(one, namespace);
    if (ids.length > 1 && (withSeveral += 1) >= NEEDED) return true;
    for (const id of ids) {
      for (const other of index.placesOf(id)) if (ledger.at(other)?.bankIds.includes(id)) return true;
      index.add(id, place);
    }
  }
  return false;
}
