import { systemOrigin, write, type Origin } from '../../journal/write.ts';
import { defineTask, type Instance } from '../handler.ts';
import { selectEnabledLinks, type Amounts } from './open-rows.queries.ts';
import { reconcileRows } from './reconcile.ts';

/** Why links are reconciled by themselves: the accounts whose rows changed, and the sync or import that did it. */
export interface ReconcileCause {
  readonly accountIds: readonly string[];
  readonly syncLogId?: string | null;
  readonly importId?: string | null;
}

/** Reconciles the links of accounts in a thread where there are threads. @throws what stopped it */
export const reconcileAccountLinks = defineTask<ReconcileCause>(
  { name: 'reconcileAccountLinks', group: 'transaction-matches' },
  async ({ instance }, cause) => reconcileEach(instance, cause, null),
);

/**
 * Reconciles every enabled link of these accounts, the oldest first, each with a change set of its own (contract 50.1.3).
 * `amounts`: only rows with these.
 */
export async function reconcileEach(
  instance: Instance,
  { accountIds, ...cause }: ReconcileCause,
  amounts: Amounts,
): Promise<void> {
  const links = await instance.database.read((tx) => selectEnabledLinks(tx, accountIds));
  for (const { id } of links) {
    await write(instance.database, originOf(cause), async (tx) => {
      // It may have been changed since.
      const link = (await selectEnabledLinks(tx, accountIds)).find((one) => one.id === id);
      if (link) await reconcileRows(tx, link, amounts);
      tx.journal.summarise('Matched transactions of linked accounts');
    });
  }
}

function originOf({ syncLogId = null, importId = null }: Omit<ReconcileCause, 'accountIds'>): Origin {
  return systemOrigin('account links', 'account_link.reconcile', { source: 'link', syncLogId, importId });
}
