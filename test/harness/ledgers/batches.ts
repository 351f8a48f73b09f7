import { addAccount, addMember, addTransactions, type Made, type NewTransaction } from '../ledger.ts';
import { allRows, rowsOf } from '../table-rows.ts';
import type { Answer, TestApp } from '../test-app.ts';

/** What tests of writes to many transactions share. */

export const NOBODY = '01981f6e-7c1a-7b3e-9a44-2f6d0c5e8b10';
export const COFFEE = 'food_and_drink_coffee';
export const GROCERIES = 'food_and_drink_groceries';

export type Operation = Readonly<Record<string, unknown>>;

/** Transactions alike, in an account of their own. */
export async function household(app: TestApp, count: number, extra: Partial<NewTransaction> = {}): Promise<Made[]> {
  const account = await addAccount(app, await addMember(app, 'Ana'));
  const row = { account, date: '2026-04-20', amount_cents: 450, name: 'Corner Cafe', ...extra };
  return addTransactions(
    app,
    Array.from({ length: count }, () => row),
  );
}

export async function update(app: TestApp, operations: readonly Operation[], more: Operation = {}): Promise<Answer> {
  return app.request('POST', '/api/v1/transactions/update', { body: { operations, ...more } });
}

export const changeSet = async (app: TestApp, { headers }: Answer) =>
  (await app.request('GET', `/api/v1/change-sets/${String(headers['x-change-set-id'])}`)).json;
export const record = async (app: TestApp, { id }: Made) =>
  (await app.request('GET', `/api/v1/transactions/${id}`)).json;
export const locksOf = async (app: TestApp, { id }: Made): Promise<string[]> => {
  const query = `select locks from transactions where id = '${id}'`;
  return JSON.parse((await rowsOf<{ locks: string }>(app.app.instance.database, query))[0]?.locks ?? '') as string[];
};
export const everything = (app: TestApp) => allRows(app.app.instance.database, ['api_key_uses']);
export const codes = ({ json }: Answer): (string | null)[] =>
  (json.results ?? json.error.results).map((one: { error: { code: string } | null }) => one.error?.code ?? null);

export async function archive(app: TestApp, { id, short_id: shortId }: Made): Promise<void> {
  await app.write('test.archive', async (tx) => {
    await tx.q.updateTable('categories').set({ is_archived: 1 }).where('id', '=', id).execute();
    const of = { entityType: 'category', entityId: id, entityShortId: shortId } as const;
    tx.journal.record({ ...of, operation: 'update', before: {}, after: {}, revertible: false });
  });
}
