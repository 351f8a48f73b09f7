import { accountLinks } from '../../../src/features/account-links/index.ts';
import { reconcileLink } from '../../../src/features/transaction-matches/index.ts';
import { addAccount, addMember, addTransactions, type Made } from '../../harness/ledger.ts';
import type { TestApp } from '../../harness/test-app.ts';
import type { Prepared } from '../live-calls.ts';

let made = 0;

/** Two linked accounts with one purchase that both show, and a second one that only each of them shows. */
async function linkedPurchases(app: TestApp): Promise<{ rows: readonly Made[]; matchId: string }> {
  made += 1;
  const primary = await addAccount(app, await addMember(app, `Owner ${made}`), { name: `Card ${made}` });
  const dependent = await addAccount(app, await addMember(app, `User ${made}`), { name: `Card of user ${made}` });
  const shown = { date: '2026-04-20', amount_cents: 1_234, name: 'Bakery' };
  const rows = await addTransactions(app, [
    { ...shown, account: primary },
    { ...shown, account: dependent },
    { ...shown, account: primary, amount_cents: 99 },
    { ...shown, account: dependent, amount_cents: 98 },
  ]);
  await app.write('account_link.create', async (tx) => {
    const link = await accountLinks.create(tx, {
      primary_account_id: primary.id,
      dependent_account_id: dependent.id,
      match_tolerance_days: 0,
      is_attributing: 1,
      is_enabled: 1,
    });
    await reconcileLink(tx, link);
  });
  const match = await app.app.instance.database.read(async (tx) =>
    tx.q
      .selectFrom('transaction_matches')
      .select('short_id')
      .where('primary_transaction_id', '=', (rows[0] as Made).id)
      .executeTakeFirstOrThrow(),
  );
  return { rows, matchId: match.short_id };
}

const onMatch = async (app: TestApp) => ({ params: { id: (await linkedPurchases(app)).matchId } });

/** Calls of operations that need data which a new installation lacks: each creates the data and returns its parameters. */
export const prepared: Prepared = {
  confirmMatch: onMatch,
  rejectMatch: onMatch,
  async matchByHand(app) {
    const { rows } = await linkedPurchases(app);
    return { body: { primary_transaction_id: rows[2]?.short_id, dependent_transaction_id: rows[3]?.short_id } };
  },
};
