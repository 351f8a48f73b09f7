import { expect } from 'vitest';

import type { AccountLinksTable, TransactionMatchesTable } from '../../../src/db/schema.ts';
import { accountLinks } from '../../../src/features/account-links/index.ts';
import { reconcileLink, type Reconciliation } from '../../../src/features/transaction-matches/index.ts';
import { addAccount, addMember, addTransactions, type Made } from '../ledger.ts';
import type { Answer, TestApp, TestDatabase } from '../test-app.ts';

/** Date, amount in cents, name, and whatever else the row has. */
export type ShortRow = readonly [date: string, cents: number, name: string, more?: RowExtras];

export interface RowExtras {
  merchant_name?: string | null;
  iso_currency_code?: string | null;
  pending?: 0 | 1;
}

/** Ada owns a card, Ben uses it: two accounts, and a link between them. */
export interface LinkedAccounts {
  app: TestApp;
  ada: Made;
  ben: Made;
  card: Made;
  copy: Made;
  link: AccountLinksTable;
  /** Adds rows without anybody noticing; answers their ids. */
  primary(...rows: readonly ShortRow[]): Promise<string[]>;
  dependent(...rows: readonly ShortRow[]): Promise<string[]>;
  reconcile(link?: AccountLinksTable): Promise<Reconciliation>;
  /** Stored matches, the oldest first. */
  matches(): Promise<TransactionMatchesTable[]>;
  /** Primary and dependent rows of the matches with one of these confidences. */
  pairs(...confidences: readonly string[]): Promise<[string, string][]>;
  decide(match: { short_id: string } | undefined, how: 'confirm' | 'reject'): Promise<Answer>;
  /** A call that must succeed. */
  call(method: string, path: string, body?: unknown): Promise<Answer>;
  /** short_id of the member whom the row is attributed to. */
  attributed(id: string | undefined): Promise<string | null>;
}

export async function addLink(
  app: TestApp,
  primary: Made,
  dependent: Made,
  toleranceDays = 0,
): Promise<AccountLinksTable> {
  return app.write('account_link.create', async (tx) =>
    accountLinks.create(tx, {
      primary_account_id: primary.id,
      dependent_account_id: dependent.id,
      match_tolerance_days: toleranceDays,
      is_attributing: 1,
      is_enabled: 1,
    }),
  );
}

export async function addRows(app: TestApp, account: Made, rows: readonly ShortRow[]): Promise<string[]> {
  const made = await addTransactions(
    app,
    rows.map(([date, amount_cents, name, { pending, ...more } = {}]) => ({
      ...more,
      account,
      date,
      amount_cents,
      name,
      ...(pending === undefined ? {} : { columns: { pending } }),
    })),
  );
  return made.map(({ id }) => id);
}

export async function openLinkedAccounts(database: TestDatabase, toleranceDays = 0): Promise<LinkedAccounts> {
  const app = await database.open();
  const ada = await addMember(app, 'Ada');
  const ben = await addMember(app, 'Ben');
  const card = await addAccount(app, ada, { name: 'Card' });
  const copy = await addAccount(app, ben, { name: 'Copy' });
  const link = await addLink(app, card, copy, toleranceDays);
  const matches = async (): Promise<TransactionMatchesTable[]> =>
    app.app.instance.database.read(async (tx) =>
      tx.q.selectFrom('transaction_matches').selectAll().orderBy('created_at').orderBy('id').execute(),
    );
  return {
    app,
    ada,
    ben,
    card,
    copy,
    link,
    matches,
    primary: (...rows) => addRows(app, card, rows),
    dependent: (...rows) => addRows(app, copy, rows),
    reconcile: (which = link) => app.write('account_link.reconcile', (tx) => reconcileLink(tx, which)),
    async pairs(...confidences) {
      const wanted = confidences.length === 0 ? ['auto', 'confirmed'] : confidences;
      return (await matches())
        .filter(({ confidence }) => wanted.includes(confidence))
        .map((match): [string, string] => [match.primary_transaction_id, match.dependent_transaction_id])
        .sort(([one], [other]) => (one < other ? -1 : 1));
    },
    decide: (match, how) => app.request('POST', `/api/v1/transaction-matches/${match?.short_id}/${how}`),
    async call(method, path, body) {
      app.clock.advance(1_000);
      const answer = await app.request(method, `/api/v1${path}`, body === undefined ? {} : { body });
      expect(answer.status, answer.text).toBeLessThan(300);
      return answer;
    },
    async attributed(id) {
      return (await app.request('GET', `/api/v1/transactions/${id}`)).json.attributed_user_id;
    },
  };
}
