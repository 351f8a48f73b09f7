import { expect } from 'vitest';

import type { BankRow } from '../../../src/engines/sync/account-plan.ts';
import { proveAccounts, suggestSameAccount, type Proof } from '../../../src/features/suggestions/index.ts';
import type { Origin } from '../../../src/journal/write.ts';
import { addDays } from '../../../src/kernel/dates.ts';
import { addMember, type Made } from '../ledger.ts';
import type { TestApp } from '../test-app.ts';
import { addBank, addBankAccount, deliver, type BankAccount } from './synced-ledger.ts';

/** An account of files and one of a bank, which show the same purchases. */

export const SUGGESTIONS = '/api/v1/sync/suggestions';
export const FIRST = '2026-01-05';

interface Row {
  date: string;
  cents: number;
  text: string;
}

/** One purchase a week, each of another amount. */
export const weeks = (count: number, from = 0): Row[] =>
  Array.from({ length: count }, (_one, at) => ({
    date: addDays(FIRST, (from + at) * 7),
    cents: 1_000 + from + at,
    text: `Shop ${from + at}`,
  }));

/** Imports a file as the household would: without account number or currency, with texts of its own. */
export async function importRows(app: TestApp, rows: readonly Row[], target: object = {}) {
  const lines = rows.map(
    ({ date, cents, text }) => `${date},CARD 4711 ${text.toUpperCase()} REF,-${(cents / 100).toFixed(2)}`,
  );
  const csv = ['Booked,Details,Value', ...lines].join('\n');
  const body = { csv_base64: Buffer.from(csv).toString('base64'), ...target };
  const answer = await app.request('POST', '/api/v1/connections/csv/import', { body });
  expect([answer.status, answer.text.slice(0, 300)]).toEqual([
    answer.status < 300 ? answer.status : 201,
    expect.anything(),
  ]);
  return answer.json;
}

export const accountsOf = async (app: TestApp) => (await app.request('GET', '/api/v1/accounts')).json;
export const rowsIn = async (app: TestApp, id: string) =>
  (await app.request('GET', '/api/v1/transactions', { query: { account_id: id, limit: '500' } })).json.transactions;
export const delivered = (rows: readonly Row[]) =>
  rows.map(({ date, cents, text }) => ({
    date,
    amount_cents: cents,
    name: text,
    columns: { provider_category_primary: 'GENERAL' },
  }));
export const revert = (app: TestApp, id: unknown, body: object = {}) =>
  app.request('POST', `/api/v1/change-sets/${String(id)}/revert`, { body });

function arriving({ externalId }: BankAccount, { date, cents, text }: Row): BankRow {
  return {
    externalId: `arriving-${date}`,
    externalAccountId: externalId,
    pendingExternalId: null,
    pending: false,
    date,
    authorizedDate: null,
    amountCents: cents,
    currency: 'USD',
    name: text,
    merchantName: null,
    categoryPrimary: null,
    categoryDetailed: null,
  };
}

/** What a sync does before its commit, and asks in it. */
export async function prove(app: TestApp, account: BankAccount, rows: readonly Row[]): Promise<Proof> {
  const { bank } = account;
  const origin: Origin = {
    actor: { type: 'system', id: bank.id, userId: null, name: 'Plaid sync' },
    surface: 'system',
    source: 'sync',
    action: 'sync',
    reason: null,
    requestId: null,
    syncLogId: crypto.randomUUID(),
  };
  const incoming = [
    { externalAccountId: account.externalId, rows: rows.map((row) => arriving(account, row)), removedIds: [] },
  ];
  const proof = await proveAccounts(app.app.instance, {
    connectionId: bank.id,
    incoming,
    isHistoryComplete: true,
    origin,
    fence: async () => undefined,
  });
  await app.write('test.sync', async (tx) => {
    for (const one of proof.suggestions) await suggestSameAccount(tx, one);
  });
  return proof;
}

interface Scene {
  app: TestApp;
  csv: Made;
  account: BankAccount;
}

/** A household with files of these rows, which then links a bank that has delivered those. */
export async function linked(
  app: TestApp,
  files: readonly Row[],
  bankRows: readonly Row[],
  columns = {},
): Promise<Scene> {
  const ana = await addMember(app, 'Ana');
  await importRows(app, files, { account_name: 'Everyday' });
  const [csv] = (await accountsOf(app)) as [Made];
  const account = await addBankAccount(app, await addBank(app, ana), columns);
  await deliver(app, account, delivered(bankRows));
  return { app, csv, account };
}
