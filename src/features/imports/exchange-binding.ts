import type { AccountAliasesTable } from '../../db/schema.ts';
import type { BareWriteTx } from '../../db/unit-of-work.ts';
import { deleteBinding, findBinding, putBinding } from './targets.queries.ts';

/** How an account number is bound before an import and after it. */
export interface ExchangedBinding {
  before: AccountAliasesTable | null;
  after: AccountAliasesTable | null;
}

/** Binds an account number, as its HMAC, to an account; answers what that changed. */
export async function bindNumber(tx: BareWriteTx, numberHash: string, accountId: string): Promise<ExchangedBinding[]> {
  const before = (await findBinding(tx, numberHash)) ?? null;
  if (before?.account_id === accountId) return [];
  const after = {
    namespace: 'number',
    external_id: numberHash,
    account_id: accountId,
    first_seen_at: tx.now,
    last_seen_at: tx.now,
  };
  await putBinding(tx, after);
  return [{ before, after }];
}

/** Puts a binding back as it was; one that changed meanwhile stays (36.11). Answers whether it was done. */
export async function exchangeBinding(
  tx: BareWriteTx,
  { before: from, after: to }: ExchangedBinding,
): Promise<boolean> {
  const hash = (from ?? to)?.external_id;
  if (hash === undefined) return false;
  const current = await findBinding(tx, hash);
  if (current?.account_id !== from?.account_id) return false;
  if (to) await putBinding(tx, to);
  else await deleteBinding(tx, hash);
  return true;
}
