import { expect } from 'vitest';

import { addAccount, addMember, addTransactions, type Made } from '../ledger.ts';
import type { Answer, TestApp, TestDatabase } from '../test-app.ts';

/** Transactions alike, whose timelines are read after writes at a second of their own each. */

export type Entry = Readonly<Record<string, unknown>>;

export async function ledger(database: TestDatabase, count = 1) {
  const app = await database.open();
  const account = await addAccount(app, await addMember(app, 'Ana'));
  const names = Array.from({ length: count }, (_, index) => `Row ${index}`);
  const common = { account, date: '2026-04-20', amount_cents: 450 };
  const rows = await addTransactions(
    app,
    names.map((name) => ({ ...common, name })),
  );
  const [row] = rows as [Made];
  const path = `/api/v1/transactions/${row.id}`;
  const call = async (method: string, to: string, body?: unknown): Promise<Answer> => {
    app.clock.advance(1_000);
    const answer = await app.request(method, to, body === undefined ? {} : { body });
    expect(answer.status, answer.text).toBeLessThan(300);
    return answer;
  };
  const edit = (method: string, rest: string, body?: unknown): Promise<Answer> => call(method, `${path}${rest}`, body);
  return { app, account, row, rows, path, call, edit };
}

export async function timeline(app: TestApp, of: Made | string, query: Record<string, string> = {}): Promise<Entry[]> {
  const id = typeof of === 'string' ? of : of.id;
  const answer = await app.request('GET', `/api/v1/transactions/${id}/annotations`, { query });
  expect(answer.status, answer.text).toBe(200);
  return answer.json as Entry[];
}
