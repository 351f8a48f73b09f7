import type { Insertable } from 'kysely';

import type { Schema } from '../../../src/db/schema.ts';
import { accounts } from '../../../src/features/accounts/index.ts';
import { connections } from '../../../src/features/connections/index.ts';
import { storeSuggestions, type NewSuggestion } from '../../../src/features/suggestions/index.ts';
import { addTransactions, type Made, type NewTransaction } from '../ledger.ts';
import type { TestApp } from '../test-app.ts';

/** What syncs leave behind, written straight into the tables, for tests of what comes after. */

export interface Bank extends Made {
  provider: string;
}

/** A connection to a bank, with no accounts. */
export async function addBank(
  app: TestApp,
  member: Made,
  given: { provider?: string; status?: string; institution?: string } = {},
): Promise<Bank> {
  const provider = given.provider ?? 'plaid';
  const row = await app.write('test.bank', (tx) =>
    connections.create(tx, {
      user_id: member.id,
      provider,
      institution_id: null,
      institution_name: given.institution ?? 'First Bank',
      external_id: `item-${crypto.randomUUID()}`,
      status: given.status ?? 'active',
      paused: 0,
      consecutive_failures: 0,
    }),
  );
  return { id: row.id, short_id: row.short_id, provider };
}

export interface BankAccount extends Made {
  bank: Bank;
  externalId: string;
}

/** An account that a sync made for the bank. */
export async function addBankAccount(
  app: TestApp,
  bank: Bank,
  columns: Partial<Insertable<Schema['accounts']>> = {},
): Promise<BankAccount> {
  const externalId = `account-${crypto.randomUUID()}`;
  return app.write('test.account', async (tx) => {
    const row = await accounts.create(tx, {
      connection_id: bank.id,
      provider: bank.provider,
      institution_name: 'First Bank',
      external_id: externalId,
      name: 'Plaid Checking',
      official_name: 'Plaid Gold Checking',
      type: 'depository',
      subtype: 'checking',
      mask: '0000',
      iso_currency_code: 'USD',
      is_excluded: 0,
      is_dependent_linked: 0,
      is_dependent_by_hand: 0,
      ...columns,
    });
    const alias = { namespace: bank.provider, external_id: externalId, account_id: row.id };
    await tx.q
      .insertInto('account_aliases')
      .values({ ...alias, first_seen_at: tx.now, last_seen_at: tx.now })
      .execute();
    await tx.q
      .insertInto('account_feeds')
      .values({
        account_id: row.id,
        connection_id: bank.id,
        external_account_id: externalId,
        first_synced_at: tx.now,
        state: 'open',
      })
      .execute();
    return { id: row.id, short_id: row.short_id, bank, externalId };
  });
}

export type Delivered = Omit<NewTransaction, 'account'> & { externalId?: string };

/** Transactions that the bank of the account delivered. */
export async function deliver(app: TestApp, account: BankAccount, rows: readonly Delivered[]): Promise<Made[]> {
  const made = await addTransactions(
    app,
    rows.map((row) => ({ ...row, account })),
  );
  await app.write('test.feeds', async (tx) => {
    for (const [at, { id }] of made.entries()) {
      const namespace = account.bank.provider;
      const externalId = rows[at]?.externalId ?? `row-${crypto.randomUUID()}`;
      const source = { namespace, external_id: externalId, external_account_id: account.externalId };
      await tx.q
        .insertInto('transaction_feeds')
        .values({ transaction_id: id, ...source, sync_log_id: crypto.randomUUID(), raw: '{}' })
        .execute();
      await tx.q
        .insertInto('transaction_aliases')
        .values({ transaction_id: id, account_id: account.id, ...source, first_seen_at: tx.now, last_seen_at: tx.now })
        .execute();
    }
    tx.journal.allowUnjournaled('transaction');
  });
  return made;
}

/** Stores suggestions as a sync does. */
export async function suggest(app: TestApp, wanted: readonly NewSuggestion[]): Promise<void> {
  await app.write('test.suggestions', (tx) => storeSuggestions(tx, wanted));
}
