import type { TransactionOriginsTable } from '../../db/schema.ts';
import type { BareWriteTx } from '../../db/unit-of-work.ts';
import { deleteAlias, deleteOrigin, findOriginOf, insertOrigins, putAlias, type BankId } from './ledger.queries.ts';

/** What was known of a row entered by hand before an import made it its own, and after. */
export interface ExchangedOrigin {
  before: TransactionOriginsTable | null;
  after: TransactionOriginsTable | null;
  /** The bank's id that came with it, where the row did not have it yet. */
  alias?: BankId | null;
}

/** Puts it back as it was; what another file delivered meanwhile stays (36.11). Answers whether it was done. */
export async function exchangeOrigin(tx: BareWriteTx, exchanged: ExchangedOrigin): Promise<boolean> {
  const { before: from, after: to, alias } = exchanged;
  const id = (from ?? to)?.transaction_id;
  if (id === undefined) return false;
  const current = await findOriginOf(tx, id);
  if (current?.import_id !== from?.import_id || current?.content_key !== from?.content_key) return false;
  if (to) await insertOrigins(tx, [to]);
  else await deleteOrigin(tx, id);
  if (alias) await (to ? putAlias(tx, id, alias) : deleteAlias(tx, id, alias));
  return true;
}
