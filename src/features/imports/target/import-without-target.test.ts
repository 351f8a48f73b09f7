import { expect, test } from 'vitest';

import {
  base64,
  csvOf,
  csvWithBalance,
  importFile,
  listed,
  previewFile,
  sendBytes,
  type Fields,
} from '../../../../test/harness/bank-files/bank-files.ts';
import { addAccount, addMember, addTransactions, openHousehold } from '../../../../test/harness/ledger.ts';
import { forEachDatabase, type Answer, type TestApp } from '../../../../test/harness/test-app.ts';

const JANUARY = csvOf('2026-01-02 COFFEE SHOP -3.50', '2026-01-05 SALARY 1000.00', '2026-01-31 RENT -800.00');
const FEBRUARY = csvOf('2026-02-02 COFFEE SHOP -4.50', '2026-02-05 SALARY 1001.00');
/** The months of January, of another account. */
const SAVINGS = csvOf('2026-01-03 INTEREST 1.00', '2026-01-30 TRANSFER 50.00');

/** Every way a file comes in. */
const DOORS: Readonly<Record<string, (app: TestApp, text: string, fields?: Fields) => Promise<Answer>>> = {
  'POST /imports': (app, text, fields) => sendBytes(app, text, { file_name: 'bank.csv', ...fields }),
  'POST /connections/csv/import': importFile,
  'POST /connections': (app, text, { user_id: userId, ...fields } = {}) =>
    app.request('POST', '/api/v1/connections', {
      body: {
        provider: 'csv',
        ...(userId === undefined ? {} : { user_id: userId }),
        credentials: { csv_base64: base64(text), file_name: 'bank.csv', ...fields },
      },
    }),
};

forEachDatabase((database) => {
  const household = (): Promise<TestApp> => openHousehold(database);

  async function counts(app: TestApp): Promise<Record<string, number>> {
    const [accounts, rows] = [await app.request('GET', '/api/v1/accounts'), await listed(app)];
    return { accounts: accounts.json.length, rows: rows.length };
  }

  const recordOf = ({ json }: Answer) => json.import ?? json;
  const codes = (answer: Answer): string[] => recordOf(answer).warnings.map(({ code }: { code: string }) => code);
  const asked = ({ status, json }: Answer): unknown[] => [status, json.error?.code, json.error?.details[0].path];
  const ASKED = [400, 'VALIDATION_ERROR', 'account_id'];

  for (const [name, send] of Object.entries(DOORS)) {
    test(`${name}: the same file never doubles, whatever fields are left out and whatever it is called`, async () => {
      const app = await household();
      const first = await send(app, JANUARY, { account_name: 'Giro' });
      expect(first.status).toBe(201);
      const { account_id: accountId } = recordOf(first);
      const ways: Fields[] = [{}, { file_name: 'other.csv' }, { account_name: 'giro' }, { account_id: accountId }];
      for (const other of Object.values(DOORS)) {
        for (const way of ways) {
          const shown = await other(app, JANUARY, { ...way, dry_run: true });
          expect([shown.status, shown.json.ready, shown.json.counts.duplicate]).toEqual([200, true, 3]);
          const again = await other(app, JANUARY, way);
          expect([again.status, recordOf(again).account_id]).toEqual([201, accountId]);
          expect(recordOf(again).counts).toMatchObject({ added: 0, duplicate: 3 });
        }
      }
      expect(await counts(app)).toEqual({ accounts: 1, rows: 3 });
    });

    test(`${name}: next month’s file goes where the last one went, says so, and the preview shows it`, async () => {
      const app = await household();
      const first = recordOf(await send(app, JANUARY));
      const shown = await send(app, FEBRUARY, { file_name: 'feb.csv', dry_run: true });
      const next = await send(app, FEBRUARY, { file_name: 'feb.csv' });
      for (const told of [shown.json, recordOf(next)]) {
        expect(told.accounts).toMatchObject([{ account_id: first.account_id, suggested: true, created: false }]);
        expect(told.detection.account).toMatchObject({ value: first.account_id, confidence: 'assumed' });
        expect(told.warnings.map(({ code }: { code: string }) => code)).toContain('ACCOUNT_ASSUMED');
      }
      expect(await counts(app)).toEqual({ accounts: 1, rows: 5 });
      const overlap = csvOf('2026-02-02 COFFEE SHOP -4.50', '2026-02-05 SALARY 1001.00', '2026-03-01 RENT -800.00');
      const met = await send(app, overlap);
      expect([recordOf(met).detection.account.evidence, codes(met)]).toEqual([['header_names', 'ledger_overlap'], []]);
      expect(await counts(app)).toEqual({ accounts: 1, rows: 6 });
    });

    test(`${name}: another account’s file with a known header is asked about, and the answer works`, async () => {
      const app = await household();
      const giro = recordOf(await send(app, JANUARY, { account_name: 'Giro' }));
      const shown = await send(app, SAVINGS, { dry_run: true });
      expect([shown.status, shown.json.ready, shown.json.blockers[0].code]).toEqual([200, false, 'VALIDATION_ERROR']);
      expect(shown.json.blockers[0]).toMatchObject({ parameter: 'account_id', candidates: [{ raw: 'Giro' }] });
      expect(shown.json.detection.account).toMatchObject({ value: null, confidence: 'ambiguous' });
      const question = await send(app, SAVINGS);
      expect(asked(question)).toEqual(ASKED);
      const [choice, last] = question.json.error.details;
      expect(choice.message).toMatch(/^\w{8}: Giro, last row 2026-01-31, differs/);
      expect(last.path).toBe('account_name');
      expect(await counts(app)).toEqual({ accounts: 1, rows: 3 });

      const made = await send(app, SAVINGS, { account_name: 'Savings', sign: 'positive_is_in' });
      expect([made.status, codes(made)]).toEqual([201, expect.arrayContaining(['NEW_ACCOUNT_FOR_KNOWN_FORMAT'])]);
      expect(await counts(app)).toEqual({ accounts: 2, rows: 5 });
      const more = csvOf(
        '2026-01-03 INTEREST 1.00',
        '2026-01-30 TRANSFER 50.00',
        '2026-01-31 FEE -1.00',
        '2026-02-01 X 2.00',
      );
      expect(asked(await send(app, FEBRUARY))).toEqual(ASKED);
      const meets = await send(app, more.replace('2026-01-31,FEE,-1.00,EUR\n', ''));
      expect(recordOf(meets).account_id).toBe(recordOf(made).account_id);
      const answered = await send(app, FEBRUARY, { account_id: choice.message.slice(0, 8) });
      expect(recordOf(answered).account_id).toBe(giro.account_id);
    });
  }

  test('an export cut within its last day matches the next one by the other days; without other days there is a warning', async () => {
    const app = await household();
    await importFile(app, csvOf('2026-01-20 COFFEE -3.50', '2026-01-31 RENT -800.00'), { account_name: 'Giro' });
    const rest = ['2026-01-31 RENT -800.00', '2026-01-31 TEA -2.50', '2026-01-31 CAKE -4.50', '2026-02-01 SOAP -1.50'];
    const told = await previewFile(app, csvOf(...rest));
    expect(told.json.detection.account).toMatchObject({ confidence: 'assumed', evidence: ['header_names', 'default'] });
    const met = await importFile(app, csvOf('2026-01-20 COFFEE -3.50', ...rest));
    expect([met.status, met.json.imported_transactions, codes(met)]).toEqual([201, 3, ['SIGN_ASSUMED']]);
    expect(met.json.import.detection.account.evidence).toEqual(['header_names', 'ledger_overlap']);
    for (const other of [
      ['2026-01-20 COFFEE -3.51', ...rest],
      ['2026-01-20 COFFEE -3.50', '2026-01-31 RENT -801.00', '2026-02-01 TEA -2.50', '2026-02-01 SOAP -1.55'],
    ]) {
      const app2 = await household();
      await importFile(app2, csvOf('2026-01-20 COFFEE -3.50', '2026-01-31 RENT -800.00'), { account_name: 'Giro' });
      expect(asked(await importFile(app2, csvOf(...other)))).toEqual(ASKED);
    }
  });

  test('a reverted import still shows where its file goes', async () => {
    const app = await household();
    const first = await importFile(app, JANUARY, { account_name: 'Giro' });
    await app.request('POST', `/api/v1/imports/${first.json.import.id}/revert`);
    const shown = await previewFile(app, FEBRUARY);
    expect(shown.json.accounts[0].account_id).toBe(first.json.account_id);
    const again = await importFile(app, JANUARY);
    expect([again.json.account_id, again.json.imported_transactions]).toEqual([first.json.account_id, 3]);
    expect(codes(again)).toContain('ACCOUNT_ASSUMED');
    expect(await counts(app)).toEqual({ accounts: 1, rows: 3 });
  });

  test('the balances of a file show which of two accounts it continues', async () => {
    const app = await household();
    const giro = await importFile(app, csvWithBalance(50_000, '2026-01-02 COFFEE -3.50', '2026-01-03 TEA -2.50'), {
      account_name: 'Giro',
      account_type: 'depository',
    });
    const savings = await importFile(app, csvWithBalance(900_000, '2026-01-02 INTEREST 1.00', '2026-01-03 FEE -2.00'), {
      account_name: 'Savings',
      account_type: 'depository',
    });
    const next = await importFile(app, csvWithBalance(899_900, '2026-02-02 INTEREST 1.00', '2026-02-03 FEE -2.00'));
    expect([next.status, next.json.account_id]).toEqual([201, savings.json.account_id]);
    expect(next.json.import.detection.account.evidence).toEqual(['header_names', 'balance_proof']);
    const other = await importFile(app, csvWithBalance(49_400, '2026-02-02 COFFEE -3.50', '2026-02-03 TEA -2.50'));
    expect(other.json.account_id).toBe(giro.json.account_id);
    const neither = await importFile(app, csvWithBalance(12_345, '2026-03-02 COFFEE -3.50', '2026-03-03 TEA -2.50'));
    expect(asked(neither)).toEqual(ASKED);
  });

  test('two members: a known account needs no user_id; else the error lists the members', async () => {
    const app = await household();
    const ben = await addMember(app, 'Ben');
    for (const send of Object.values(DOORS)) {
      const open = await send(app, JANUARY);
      expect([open.status, open.json.error.code]).toEqual([400, 'INVALID_PARAMETER']);
      expect(open.json.error.details).toMatchObject([
        { path: 'user_id', message: expect.stringMatching(/^\w{8}: Ana$/) },
        { path: 'user_id', message: `${ben.short_id}: Ben` },
      ]);
    }
    const done = await importFile(app, JANUARY, { account_name: 'Giro', user_id: ben.short_id });
    for (const [text, fields] of [
      [JANUARY, {}],
      [FEBRUARY, {}],
      [SAVINGS, { account_name: 'giro' }],
    ] as const) {
      const next = await importFile(app, text, fields);
      expect([next.status, next.json.account_id, next.json.import.user_id]).toEqual([
        201,
        done.json.account_id,
        ben.short_id,
      ]);
    }
    const ana = (await app.request('GET', '/api/v1/users')).json.find((one: { name: string }) => one.name === 'Ana');
    const others = await importFile(app, JANUARY, { user_id: ana.id });
    expect([others.status, others.json.error.code]).toEqual([409, 'CONFLICT']);
    const own = await importFile(app, JANUARY, { user_id: ana.id, account_name: 'Mine' });
    expect([own.status, codes(own)]).toEqual([201, ['NEW_ACCOUNT_FOR_KNOWN_FORMAT']]);
  });

  test('a file without a target matches rows that a bank delivered, and no account is created', async () => {
    const app = await household();
    const ana = (await app.request('GET', '/api/v1/users')).json[0];
    const bank = await addAccount(app, ana, { name: 'Linked', currency: 'EUR' });
    const other = await addAccount(app, ana, { name: 'Card', currency: 'EUR' });
    await app.write('test.provider', async (tx) => {
      await tx.q.updateTable('accounts').set({ provider: 'plaid' }).execute();
      await tx.q.updateTable('connections').set({ provider: 'plaid' }).execute();
      tx.journal.recordCreatedRows('account', 2);
      tx.journal.recordCreatedRows('connection', 2);
    });
    const days = Array.from({ length: 20 }, (_, n) => `2026-01-${String(n + 5).padStart(2, '0')}`);
    await addTransactions(
      app,
      days.map((date, n) => ({
        account: bank,
        date,
        amount_cents: 100 + n,
        name: `SHOP ${n}`,
        iso_currency_code: 'EUR',
      })),
    );
    await addTransactions(
      app,
      days.map((date, n) => ({
        account: other,
        date,
        amount_cents: 90_000 + n,
        name: 'OTHER',
        iso_currency_code: 'EUR',
      })),
    );
    const file = csvOf(...days.map((date, n) => `${date} SHOP ${n} -${((100 + n) / 100).toFixed(2)}`));
    const done = await importFile(app, file);
    expect(done.json).toMatchObject({ account_id: bank.id, imported_transactions: 0, skipped_duplicates: 20 });
    expect(done.json.import.accounts).toMatchObject([{ suggested: true, created: false }]);
    expect(done.json.import.detection.account).toMatchObject({ value: bank.id, evidence: ['ledger_overlap'] });
    expect(await counts(app)).toMatchObject({ accounts: 2 });

    const few = `Day;Text;Sum\n${days
      .slice(0, 4)
      .map((date, n) => `${date};SHOP ${n};-${((100 + n) / 100).toFixed(2)}`)
      .join('\n')}\n`;
    const fields = { column_mapping: { date: 'Day', description: 'Text', amount: 'Sum' } };
    const question = await importFile(app, few, fields);
    expect(asked(question)).toEqual(ASKED);
    expect(question.json.error.details[0].message).toMatch(/^\w{8}: Linked/);
    const answered = await importFile(app, few, { ...fields, account_id: bank.short_id });
    expect([answered.status, answered.json.skipped_duplicates]).toEqual([201, 4]);
    expect((await importFile(app, few, fields)).json).toMatchObject({ account_id: bank.id, skipped_duplicates: 4 });
  });

  test('two simultaneous first imports of one file create one account', async () => {
    const app = await household();
    const answers = await Promise.all(Object.values(DOORS).map((send) => send(app, JANUARY)));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(new Set(answers.map((answer) => recordOf(answer).account_id)).size).toBe(1);
    expect(await counts(app)).toEqual({ accounts: 1, rows: 3 });
    const other = await household();
    const both = await Promise.all([
      importFile(other, JANUARY),
      importFile(other, JANUARY, { sign: 'positive_is_out' }),
    ]);
    // The second one is read as the first one was, or refused: it depends on which of the two came first.
    expect([201, 409]).toEqual(expect.arrayContaining(both.map(({ status }) => status)));
    expect(await counts(other)).toEqual({ accounts: 1, rows: 3 });
    const third = await household();
    const two = await Promise.all([importFile(third, JANUARY), importFile(third, SAVINGS, { sign: 'positive_is_in' })]);
    expect(two.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 400]);
  });

  test('two different headers create two accounts with different names', async () => {
    const app = await household();
    await importFile(app, JANUARY);
    await importFile(app, JANUARY.replace('Description', 'Details'));
    await importFile(app, JANUARY.replace('Description', 'Memo'));
    const accounts = (await app.request('GET', '/api/v1/accounts')).json;
    expect(accounts.map(({ name }: { name: string }) => name).toSorted()).toEqual(['bank', 'bank 2', 'bank 3']);
  });

  test('a file with several accounts finds them again after other imports', async () => {
    const app = await household();
    const file = 'Account,Date,Description,Amount\nCash,2026-01-02,BREAD,-2.50\nPurse,2026-01-03,MILK,-1.20\n';
    const done = await importFile(app, file, { iso_currency_code: 'EUR' });
    const cash = done.json.import.accounts[0].account_id;
    await importFile(app, JANUARY, { account_id: cash });
    const again = await importFile(app, file, { file_name: 'renamed.csv' });
    expect(again.json.import.counts).toMatchObject({ added: 0, duplicate: 2 });
    expect((await app.request('GET', '/api/v1/accounts')).json).toHaveLength(2);
  });
});
