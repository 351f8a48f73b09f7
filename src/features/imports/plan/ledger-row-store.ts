import type { LedgerRow, ReadLater } from './load-ledger.ts';
import {
  always,
  centsOrNull,
  choice,
  flag,
  hash,
  integer,
  rareNumbers,
  rareTexts,
  rowStoreOf,
  uuid,
  word,
} from './row-store.ts';

/** What the ledger says about a row; what joined it is set afterwards. */
export type LedgerRowInput = Omit<LedgerRow, ReadLater>;

/** The rows of an account around the dates of a file: a file may meet half a million of them. */
export const LedgerRowStore = rowStoreOf<LedgerRow, LedgerRowInput>({
  id: always(uuid),
  date: always(word),
  authorizedDate: word,
  amountCents: integer,
  currency: word,
  name: always(word),
  merchantName: word,
  pending: flag,
  state: choice('live', 'kept_deleted', 'withdrawn'),
  changedAt: always(word),
  isStale: flag,
  sourceKey: word,
  otherSourceKeys: rareTexts,
  isProvider: flag,
  isEntered: flag,
  contentKey: hash,
  otherContentKeys: rareTexts,
  bankIds: rareTexts,
  formerBankIds: rareTexts,
  balanceCents: centsOrNull,
  otherBalances: rareNumbers,
});
