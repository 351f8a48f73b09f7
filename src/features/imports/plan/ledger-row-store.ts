import type { LedgerRow } from './load-ledger.ts';
import { always, choice, flag, hash, integer, rareTexts, rowStoreOf, uuid, word } from './row-store.ts';

/** What the ledger says about a row; what joined it is set afterwards. */
export type LedgerRowInput = Omit<LedgerRow, 'otherContentKeys' | 'bankIds' | 'laterBankIds'>;

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
  sourceKey: word,
  isProvider: flag,
  isEntered: flag,
  contentKey: hash,
  otherContentKeys: rareTexts,
  bankIds: rareTexts,
  laterBankIds: rareTexts,
});
