import type { PlannedRow } from './plan.ts';
import {
  always,
  centsOrNull,
  choice,
  flag,
  hash,
  integer,
  rare,
  rareTexts,
  rowElsewhere,
  rowStoreOf,
  text,
  uuid,
  word,
} from './row-store.ts';

/** The fields that are known when a record is added; matching sets the others. */
export type PlannedRowInput = Omit<
  PlannedRow,
  'match' | 'ledger' | 'ownId' | 'transactionId' | 'formerBankIds' | 'isRedelivered' | 'knownPlace' | 'beside'
>;

/** The planned records of a file, in file order. A file has at most LIMITS.importAccounts accounts. */
export const PlannedRowStore = rowStoreOf<PlannedRow, PlannedRowInput>({
  line: integer,
  part: integer,
  account: choice<PlannedRow['account']>(null),
  outcome: choice('added', 'updated', 'duplicate', 'deleted', 'skipped', 'invalid'),
  reason: word,
  match: choice<PlannedRow['match']>(null, 'certain', 'probable'),
  ledger: rowElsewhere(),
  ownId: uuid,
  transactionId: uuid,
  date: word,
  authorizedDate: word,
  datetime: rare(),
  time: word,
  amountCents: centsOrNull,
  currency: word,
  name: always(word),
  merchantName: word,
  category: word,
  notes: rare(),
  tags: rare(),
  contentKey: (expected, words) => {
    const keys = hash(expected, words);
    return { get: (at) => keys.get(at) ?? '', set: (at, key) => keys.set(at, key === '' ? null : key) };
  },
  bankId: text,
  formerBankIds: rareTexts,
  correction: rare(),
  pending: flag,
  balanceCents: centsOrNull,
  message: rare(),
  raw: rare(),
  isRedelivered: flag,
  knownPlace: integer,
  beside: rowElsewhere(),
});
