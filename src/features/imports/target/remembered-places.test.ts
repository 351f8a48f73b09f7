import { expect, test } from 'vitest';

import {
  base64,
  importFile,
  previewFile,
  sendBytes,
  type Fields,
} from '../../../../test/harness/bank-files/bank-files.ts';
import { addAccount, addMember, openHousehold, type Made } from '../../../../test/harness/ledger.ts';
import { rowsOf } from '../../../../test/harness/table-rows.ts';
import { forEachDatabase, type Answer, type TestApp } from '../../../../test/harness/test-app.ts';

/** A CSV file from rows such as `Account 2026-01-02 NAME -1.00`; `_` is an empty cell. */
function byAccount(...rows: readonly string[]): string {
  const lines = rows.map((row) => `${row.split(' ').join(',').replace('_', '')},EUR`);
  return `Account,Date,Description,Amount,Currency\n${lines.join('\n')}\n`;
}

const JANUARY = byAccount('A 2026-01-02 ONE -1.00', 'B 2026-01-03 TWO -2.00', 'C 2026-01-04 THREE -3.00');
const FEBRUARY = byAccount('A 2026-02-02 FOUR -4.00', 'B 2026-02-03 FIVE -5.00', 'C 2026-02-04 SIX -6.00');

forEachDatabase((database) => {
  const household = (): Promise<TestApp> => openHousehold(database);

  async function ledger(app: TestApp): Promise<Record<string, string[]>> {
    const rows = await rowsOf(
      app.app.instance.database,
      `select a.name as account, t.name from accounts a left join transactions t
       on a.id = t.account_id and t.deleted_at is null order by a.name, t.date, t.name`,
    );
    const found: Record<string, string[]> = {};
    for (const { account, name } of rows) (found[String(account)] ??= []).push(String(name));
    return found;
  }

  async function ana(app: TestApp): Promise<Made> {
    const [row] = await rowsOf(app.app.instance.database, 'select * from users');
    return row as unknown as Made;
  }

  const recordOf = ({ json }: Answer) => json.import ?? json;
  /** The warnings, except the one about the sign, which these files leave open. */
  const warnings = (answer: Answer): { code: string; message: string }[] =>
    recordOf(answer).warnings.filter(({ code }: { code: string }) => code !== 'SIGN_ASSUMED');
  const codes = (answer: Answer): string[] => warnings(answer).map(({ code }) => code);

  /** Every endpoint that takes a file. */
  const ENDPOINTS: readonly ((app: TestApp, text: string, fields?: Fields) => Promise<Answer>)[] = [
    (app, text, fields) => sendBytes(app, text, { file_name: 'other.csv', ...fields }),
    importFile,
    (app, text, fields) =>
      app.request('POST', '/api/v1/connections', {
        body: { provider: 'csv', credentials: { csv_base64: base64(text), ...fields } },
      }),
  ];

  test('a choice of accounts holds for the same file, whatever fields are left out later', async () => {
    const app = await household();
    const giro = await addAccount(app, await ana(app), { name: 'Giro', currency: 'EUR' });
    const said = { accounts: { A: giro.short_id, B: { name: 'Purse' }, C: null } };
    const first = recordOf(await importFile(app, JANUARY, said));
    const expected = { Giro: ['ONE'], Purse: ['TWO'] };
    expect(await ledger(app)).toEqual(expected);
    for (const send of ENDPOINTS) {
      for (const fields of [{}, { account_filter: ['A', 'B'] }, said]) {
        const shown = await send(app, JANUARY, { ...fields, dry_run: true });
        expect([shown.status, shown.json.ready, shown.json.counts]).toMatchObject([200, true, { duplicate: 2 }]);
        const again = await send(app, JANUARY, fields);
        expect([again.status, recordOf(again).counts]).toMatchObject([201, { added: 0, duplicate: 2, skipped: 1 }]);
        if ('accounts' in fields) continue;
        for (const told of [shown.json, recordOf(again)]) {
          expect(told.accounts).toMatchObject([
            { account_id: giro.id, suggested: true },
            { account_id: first.accounts[1].account_id, suggested: true },
          ]);
          expect(told.detection.account.evidence).toEqual(['content', 'header_names']);
        }
      }
      expect(codes(await send(app, JANUARY))).toEqual(['FILE_ALREADY_IMPORTED', 'ACCOUNT_ASSUMED']);
    }
    const later = recordOf(await importFile(app, JANUARY, { accounts: { C: { name: 'Third' } } }));
    expect(later.counts).toMatchObject({ added: 1, duplicate: 2 });
    expect(await ledger(app)).toEqual({ ...expected, Third: ['THREE'] });
    expect(recordOf(await importFile(app, JANUARY)).counts).toMatchObject({ duplicate: 3 });
  });

  test('next month’s file goes where the last one went; values left out before are asked about, and each answer works', async () => {
    const app = await household();
    const giro = await addAccount(app, await ana(app), { name: 'Giro', currency: 'EUR' });
    await importFile(app, JANUARY, { accounts: { A: giro.short_id, B: { name: 'Purse' }, C: null } });
    const shown = await previewFile(app, FEBRUARY);
    expect(shown.json).toMatchObject({ ready: false, blockers: [{ parameter: 'accounts.C', candidates: [] }] });
    const asked = await importFile(app, FEBRUARY);
    expect([asked.status, asked.json.error]).toMatchObject([
      400,
      {
        code: 'VALIDATION_ERROR',
        details: [
          { path: 'accounts.C', message: 'to create an account: send {"name": its name}' },
          { path: 'accounts.C', message: 'to leave its rows out: send null' },
        ],
      },
    ]);
    const done = await importFile(app, FEBRUARY, { accounts: { C: null } });
    expect([done.status, codes(done)]).toEqual([201, ['ACCOUNT_ASSUMED']]);
    expect(warnings(done)[0]?.message).toContain(`Giro (${giro.short_id}), Purse (`);
    expect(await ledger(app)).toEqual({ Giro: ['ONE', 'FOUR'], Purse: ['TWO', 'FIVE'] });
    const more = byAccount('A 2026-02-02 FOUR -4.00', 'B 2026-02-03 FIVE -5.00', 'B 2026-03-03 NEXT -7.00');
    const met = await importFile(app, more);
    expect([met.status, codes(met)]).toEqual([201, []]);
    expect(recordOf(met).detection.account.evidence).toEqual(['header_names', 'ledger_overlap']);
    expect(await ledger(app)).toEqual({ Giro: ['ONE', 'FOUR'], Purse: ['TWO', 'FIVE', 'NEXT'] });
  });

  test('a request that names new accounts creates them once', async () => {
    const app = await household();
    const said = { accounts: { A: { name: 'Giro' }, B: { name: 'Purse' } } };
    await importFile(app, JANUARY, said);
    const again = await importFile(app, JANUARY, said);
    expect(recordOf(again).counts).toMatchObject({ added: 0, duplicate: 3 });
    await importFile(app, FEBRUARY, said);
    expect(await ledger(app)).toEqual({ C: ['THREE', 'SIX'], Giro: ['ONE', 'FOUR'], Purse: ['TWO', 'FIVE'] });
  });

  test('rows with an empty account column stay one account, whatever the file is called', async () => {
    const app = await household();
    const file = byAccount('A 2026-01-02 ONE -1.00', '_ 2026-01-03 TWO -2.00');
    await importFile(app, file, { file_name: 'first.csv' });
    const again = await importFile(app, file, { file_name: 'second.csv' });
    expect(recordOf(again).counts).toMatchObject({ added: 0, duplicate: 2 });
    const next = byAccount('A 2026-02-02 FOUR -4.00', '_ 2026-02-03 FIVE -5.00');
    await importFile(app, next, { file_name: 'third.csv' });
    expect(await ledger(app)).toEqual({ A: ['ONE', 'FOUR'], first: ['TWO', 'FIVE'] });
  });

  test('accounts of two members with the same name are never mixed up', async () => {
    const app = await household();
    const owner = await ana(app);
    const ben = await addMember(app, 'Ben');
    await importFile(app, JANUARY, { user_id: owner.short_id });
    const his = byAccount('A 2026-01-02 MINE -7.00', 'B 2026-01-04 HIS -8.00');
    const asked = await importFile(app, his);
    expect([asked.status, asked.json.error.code]).toEqual([400, 'VALIDATION_ERROR']);
    const details: { path: string; message: string }[] = asked.json.error.details;
    expect(details.map(({ path }) => path)).toEqual([
      ...Array.from({ length: 3 }, () => 'accounts.A'),
      ...Array.from({ length: 3 }, () => 'accounts.B'),
      'user_id',
      'user_id',
    ]);
    expect(details[0]?.message).toMatch(/^\w{8}: A, last row 2026-01-02, differs/);
    const answers = { user_id: ben.short_id, accounts: { A: { name: 'Ben A' }, B: { name: 'Ben B' } } };
    expect((await importFile(app, his, answers)).status).toBe(201);
    const expected = { A: ['ONE'], B: ['TWO'], 'Ben A': ['MINE'], 'Ben B': ['HIS'], C: ['THREE'] };
    expect(await ledger(app)).toEqual(expected);
    for (const text of [his, JANUARY]) expect((await importFile(app, text)).status).toBe(201);
    expect(await ledger(app)).toEqual(expected);
    const open = await importFile(app, FEBRUARY);
    expect(open.json.error.details.map(({ path }: { path: string }) => path)).toContain('accounts.A');
    const known = await importFile(app, FEBRUARY, { user_id: owner.short_id });
    expect([known.status, recordOf(known).user_id]).toEqual([201, owner.short_id]);
    expect(await ledger(app)).toMatchObject({ A: ['ONE', 'FOUR'], 'Ben A': ['MINE'] });
  });

  test('files with the same columns but different account names go to different accounts', async () => {
    const app = await household();
    const checking = byAccount('Checking 2026-01-02 ONE -1.00', 'Checking 2026-01-03 TWO -2.00');
    const first = recordOf(await importFile(app, checking, { file_name: 'a.csv' }));
    const savings = byAccount('Savings 2026-02-02 INTEREST 1.00');
    const asked = await importFile(app, savings, { file_name: 'b.csv' });
    expect([asked.status, asked.json.error.details[0].path]).toEqual([400, 'account_id']);
    expect(asked.json.error.details[0].message).toContain('this file names its account differently');
    const second = recordOf(await importFile(app, savings, { account_name: 'Rainy days', sign: 'positive_is_in' }));
    for (const [text, id] of [
      [byAccount('Savings 2026-03-02 INTEREST 2.00'), second.account_id],
      [byAccount('Checking 2026-03-02 TEA -2.00'), first.account_id],
    ]) {
      const next = await importFile(app, text);
      expect([next.status, recordOf(next).account_id, codes(next)]).toEqual([201, id, ['ACCOUNT_ASSUMED']]);
    }
    const both = byAccount('Checking 2026-04-02 COAL -1.00', 'Savings 2026-04-02 INTEREST 3.00');
    expect((await importFile(app, both)).status).toBe(201);
    expect(await ledger(app)).toEqual({
      a: ['ONE', 'TWO', 'TEA', 'COAL'],
      'Rainy days': ['INTEREST', 'INTEREST', 'INTEREST'],
    });
  });

  const BEFORE = [
    'Checking 2026-03-01 GROCER -20.00',
    'Checking 2026-03-02 CAFE -4.00',
    'Savings 2026-03-03 INTEREST 1.00',
  ];

  test('an account that was renamed in its app is asked about, and the answer holds for the next file', async () => {
    for (const isNewFirst of [true, false]) {
      const app = await household();
      const first = recordOf(await importFile(app, byAccount(...BEFORE)));
      const [checking] = first.accounts;
      const rows = BEFORE.map((row) => row.replace('Checking', 'Joint'));
      if (!isNewFirst) rows.reverse();
      const after = byAccount(...rows, 'Joint 2026-03-09 BUS -2.00');
      for (const where of [{}, { connection_id: first.connection_id }]) {
        const shown = await previewFile(app, after, where);
        expect(shown.json).toMatchObject({ ready: false, blockers: [{ parameter: 'accounts.Joint' }] });
        const asked = await importFile(app, after, where);
        expect([asked.status, asked.json.error.code]).toEqual([400, 'VALIDATION_ERROR']);
        const told = asked.json.error.details.map(({ message }: { message: string }) => message);
        expect(told[0]).toMatch(/Checking, .*meets: it already has rows.*names its account differently/);
        expect(told.slice(1)).toEqual([
          'to create an account: send {"name": its name}',
          'to leave its rows out: send null',
        ]);
        expect(asked.json.error.candidates).toMatchObject([
          { parameter: 'accounts.Joint', values: [{ raw: 'Checking' }] },
        ]);
      }
      const done = await importFile(app, after, { accounts: { Joint: checking.account_id } });
      expect(recordOf(done).counts).toMatchObject({ added: 1, duplicate: 3 });
      const next = byAccount('Joint 2026-04-02 COAL -1.00', 'Savings 2026-04-02 INTEREST 3.00');
      expect((await importFile(app, next)).status).toBe(201);
      const expected = { Checking: ['GROCER', 'CAFE', 'BUS', 'COAL'], Savings: ['INTEREST', 'INTEREST'] };
      expect(await ledger(app)).toEqual(expected);
      expect(recordOf(await importFile(app, byAccount(...BEFORE))).counts).toMatchObject({ duplicate: 3 });
    }
  });

  test('a new account beside known ones is created without a question, also under the name of a renamed one', async () => {
    const app = await household();
    await importFile(app, byAccount(...BEFORE));
    const more = byAccount(...BEFORE, 'Purse 2026-03-02 KIOSK -4.00', 'Purse 2026-03-03 KIOSK -6.00');
    expect(recordOf(await importFile(app, more)).counts).toMatchObject({ added: 2, duplicate: 3 });
    const swapped = byAccount(
      ...BEFORE.map((row) => row.replace('Checking', 'Joint')),
      'Checking 2026-03-01 NEW -7.00',
      'Checking 2026-03-02 NEW -8.00',
    );
    const asked = await importFile(app, swapped, { accounts: { Checking: { name: 'Checking, new' } } });
    expect(asked.json.error.details[0].path).toBe('accounts.Joint');
    expect(Object.keys(await ledger(app))).toEqual(['Checking', 'Purse', 'Savings']);
  });
});
