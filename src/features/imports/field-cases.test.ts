import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { sendBytes } from '../../../test/harness/bank-files/bank-files.ts';
import { openHousehold } from '../../../test/harness/ledger.ts';
import { forEachDatabase, type Answer, type TestApp } from '../../../test/harness/test-app.ts';

const FOLDER = join(import.meta.dirname, '../../../test/fixtures/field');

interface FieldCase {
  readonly id: string;
  readonly why: string;
  readonly steps: readonly { readonly file: string; readonly fields: Readonly<Record<string, unknown>> }[];
  readonly expect: readonly (readonly [date: string, amount: string, currency: string | null])[];
  readonly or: string | null;
}

const CASES: readonly FieldCase[] = JSON.parse(readFileSync(join(FOLDER, 'cases.json'), 'utf8'));

/** From the day on which tests begin to one after every row. */
const DAYS_ON = 200 * 86_400_000;

/** What may stand in `or`. */
const ACCEPTED: Readonly<Record<string, (answers: readonly Answer[]) => boolean>> = {
  'warning PROBABLE_DUPLICATES or a question': (answers) =>
    answers.some(isQuestion) || answers.some((answer) => warnings(answer).includes('PROBABLE_DUPLICATES')),
  AMBIGUOUS_FORMAT: (answers) => answers.some(({ json }) => json.error?.code === 'AMBIGUOUS_FORMAT'),
  'pending rows marked pending, or a question': (answers) => answers.some(isQuestion),
  'a question on accounts.Joint Checking': (answers) =>
    answers.some(({ json }) =>
      json.error?.details?.some(({ path }: { path: string }) => path === 'accounts.Joint Checking'),
    ),
  'a refusal that names MT940 and :20:': (answers) =>
    answers.some(({ json }) => /MT940/.test(json.error?.message) && /:20:/.test(json.error?.message)),
  'a question, or USD': (answers) => answers.some(isQuestion),
};

function isQuestion({ status, json }: Answer): boolean {
  return (
    (status === 422 && json.error.code === 'AMBIGUOUS_FORMAT') || (status === 400 && json.error.details?.length > 1)
  );
}

function warnings({ json }: Answer): string[] {
  return (json.warnings ?? []).map(({ code }: { code: string }) => code);
}

async function post(app: TestApp, { steps }: FieldCase): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (const { file, fields } of steps) {
    app.clock.advance(1_000);
    answers.push(await sendBytes(app, readFileSync(join(FOLDER, file)), { file_name: file, ...fields }));
  }
  return answers;
}

async function live(app: TestApp): Promise<Record<string, unknown>[]> {
  const { json } = await app.request('GET', '/api/v1/transactions', { query: { limit: 500 } });
  return json.transactions;
}

/** The rows without their order. */
function inOrder(rows: readonly unknown[]): string[] {
  return rows.map((row) => JSON.stringify(row)).sort();
}

async function expectHolds(app: TestApp, one: FieldCase): Promise<void> {
  app.clock.advance(DAYS_ON);
  const answers = await post(app, one);
  if (one.or !== null && ACCEPTED[one.or]?.(answers)) return;
  expect(answers.map(({ status, json }) => [status, json.error?.message ?? null])).toEqual(
    answers.map(() => [201, null]),
  );
  const rows = await live(app);
  const short = rows.map((row) => [row['date'], row['amount'], row['iso_currency_code']]);
  expect(inOrder(short)).toEqual(inOrder(one.expect));
  await post(app, one);
  expect(inOrder(await live(app))).toEqual(inOrder(rows));
  await revertAll(app);
  expect(await live(app)).toEqual([]);
}

/** Reverts the imports, newest first. */
async function revertAll(app: TestApp): Promise<void> {
  const { json } = await app.request('GET', '/api/v1/imports', { query: { limit: 500 } });
  for (const { id } of json.imports) {
    const { status, json: told } = await app.request('POST', `/api/v1/imports/${id}/revert`);
    expect(['NOT_REVERTIBLE', 'ALREADY_REVERTED', undefined], `${status}`).toContain(told.error?.code);
  }
}

forEachDatabase((database) => {
  test.each(CASES)('$id: $why', async (one) => {
    await expectHolds(await openHousehold(database), one);
  });

  test('h04: the export of a household, posted into it without fields by two requests', async () => {
    const app = await openHousehold(database);
    app.clock.advance(DAYS_ON);
    for (const id of ['h01', 'h11']) await post(app, CASES.find((one) => one.id === id) as FieldCase);
    const rows = await live(app);
    expect(rows.length).toBeGreaterThan(4);
    const file = (await app.request('GET', '/api/v1/transactions/export', { query: { format: 'csv' } })).text;
    for (const _ of [1, 2]) {
      app.clock.advance(1_000);
      const { json } = await sendBytes(app, file, { file_name: 'homeledger.csv' });
      expect(json).toMatchObject({ change_set_id: null, counts: { total: rows.length, duplicate: rows.length } });
      expect(await live(app)).toEqual(rows);
    }
    // What the export lists stays when the files' imports go, and goes with its own.
    await revertAll(app);
    expect((await live(app)).map(({ id }) => id)).toEqual(rows.map(({ id }) => id));
    await revertAll(app);
    expect(await live(app)).toEqual([]);
  });
});
