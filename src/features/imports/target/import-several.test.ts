import { expect, test } from 'vitest';

import { importFile, listed, sendBytes, type Fields } from '../../../../test/harness/bank-files/bank-files.ts';
import { addAccount, openHousehold } from '../../../../test/harness/ledger.ts';
import { ofxFile } from '../../../../test/harness/bank-files/ofx-files.ts';
import { asCamt, asMt940, type SampleStatement } from '../../../../test/harness/bank-files/statement-files.ts';
import { rowsOf } from '../../../../test/harness/table-rows.ts';
import { forEachDatabase, type Answer, type TestApp } from '../../../../test/harness/test-app.ts';

const IBAN = 'DE89370400440532013000';
const TWO = ofxFile(
  {
    account: '11112222',
    closing: ['100.00', '2026-01-31'],
    entries: [{ id: 'A1', date: '2026-01-05', amount: '-3.50', text: 'COFFEE' }],
  },
  {
    account: '4111000033334444',
    type: 'CREDITCARD',
    closing: ['-20.00', '2026-01-31'],
    entries: [
      { id: 'A1', date: '2026-01-06', amount: '-9.00', text: 'BOOKS' },
      { id: 'B2', date: '2026-01-07', amount: '-11.00', text: 'TEA' },
    ],
  },
);

function statement(account: string, from: number, to: number): SampleStatement {
  return {
    account,
    openingCents: from,
    openingDate: '2026-01-01',
    closingCents: to,
    closingDate: '2026-01-31',
    entries: [{ date: '2026-01-15', cents: from - to, text: `ROW OF ${account.slice(-2)}`, id: `R${account}` }],
  };
}

/** `Account,Date,Description,Amount,Currency` rows. */
function byAccount(...rows: readonly string[]): string {
  const lines = rows.map((row) => `${row.split(' ').join(',')},EUR`);
  return `Account,Date,Description,Amount,Currency\n${lines.join('\n')}\n`;
}

forEachDatabase((database) => {
  const household = (): Promise<TestApp> => openHousehold(database);

  async function accountsOf(app: TestApp): Promise<Record<string, string>[]> {
    return (await app.request('GET', '/api/v1/accounts')).json;
  }

  /** Names and amounts per account. */
  async function ledger(app: TestApp): Promise<Record<string, string[]>> {
    const rows = await rowsOf(
      app.app.instance.database,
      `select a.name as account, t.name from transactions t join accounts a on a.id = t.account_id
       where t.deleted_at is null order by t.name`,
    );
    const found: Record<string, string[]> = {};
    for (const { account, name } of rows) (found[String(account)] ??= []).push(String(name));
    return found;
  }

  function refusal({ status, json }: Answer): unknown[] {
    return [status, json.error.code, json.error.details?.[0]?.path];
  }

  test('the statements of one file create their own accounts in one connection, and find them again', async () => {
    const app = await household();
    const done = await sendBytes(app, TWO, { file_name: 'all.ofx' });
    expect(done.json).toMatchObject({
      account_id: null,
      counts: { added: 3 },
      accounts: [
        { file_value: '…2222', account_name: 'First Bank 2222', created: true, row_count: 1, added_count: 1 },
        { file_value: '…4444', account_name: 'First Bank 4444', created: true, row_count: 2, added_count: 2 },
      ],
    });
    const accounts = await accountsOf(app);
    expect(
      accounts.map((one) => [one['name'], one['type'], one['subtype'], one['mask'], one['balance_current']]),
    ).toEqual([
      ['First Bank 2222', 'depository', 'checking', '2222', '100.00'],
      ['First Bank 4444', 'credit', 'credit card', '4444', '20.00'],
    ]);
    expect(new Set(accounts.map((one) => one['connection_id']))).toEqual(new Set([done.json.connection_id]));
    const again = await sendBytes(app, TWO, { file_name: 'renamed.ofx' });
    expect(again.json).toMatchObject({
      change_set_id: null,
      counts: { duplicate: 3 },
      accounts: [{ suggested: true }, { suggested: true }],
    });
    const one = await sendBytes(app, TWO, { account_filter: '…4444', dry_run: true });
    expect(one.json).toMatchObject({ counts: { duplicate: 2, skipped: 1 } });
    const undone = await app.request('POST', `/api/v1/change-sets/${done.json.change_set_id}/revert`);
    expect([undone.status, await listed(app), (await accountsOf(app)).length]).toEqual([200, [], 2]);
    const back = await sendBytes(app, TWO);
    expect([back.json.counts.added, (await accountsOf(app)).length]).toEqual([3, 2]);
    expect(back.json.accounts.map((account: { created: boolean }) => account.created)).toEqual([false, false]);
  });

  test('each account of the file goes where the caller says', async () => {
    const app = await household();
    const [ana] = await rowsOf(app.app.instance.database, 'select * from users');
    const giro = await addAccount(app, ana as never, { name: 'Giro', currency: 'EUR' });
    const file = byAccount('A 2026-01-02 ONE -1.00', 'B 2026-01-03 TWO -2.00', 'C 2026-01-04 THREE -3.00');
    const send = (fields: Fields): Promise<Answer> => importFile(app, file, fields);
    const done = await send({ accounts: { A: giro.short_id, B: { name: 'Purse' }, C: null } });
    expect(done.json.import.counts).toMatchObject({ added: 2, skipped: 1 });
    expect(done.json.import.skipped_rows).toMatchObject([
      { line: 4, outcome: 'skipped', reason: 'OTHER_ACCOUNT', account_id: null, raw: 'C,2026-01-04,THREE,-3.00,EUR' },
    ]);
    expect(await ledger(app)).toEqual({ Giro: ['ONE'], Purse: ['TWO'] });
    const elsewhere = await send({ accounts: { A: giro.short_id, B: { name: 'Purse' }, C: null }, include_lines: [4] });
    expect([elsewhere.status, elsewhere.json.error.details[0].path]).toEqual([400, 'include_lines']);
    expect(elsewhere.json.error.message).toContain('line 4 is a row of another account');
    const joined = await send({ accounts: { A: giro.id, B: giro.id, C: giro.id } });
    expect(joined.json.import.counts).toMatchObject({ added: 2, duplicate: 1 });
    expect(joined.json.account_id).toBe(giro.id);
    const app2 = await household();
    const same = await importFile(app2, file, { accounts: { A: { name: 'All' }, B: { name: 'All' } } });
    expect(same.json.import.accounts).toMatchObject([
      { account_name: 'All', row_count: 2, added_count: 2 },
      { account_name: 'C', row_count: 1 },
    ]);
    expect(await ledger(app2)).toEqual({ All: ['ONE', 'TWO'], C: ['THREE'] });
  });

  test('a choice that the file or the household lacks is refused', async () => {
    const app = await household();
    const file = byAccount('A 2026-01-02 ONE -1.00', 'B 2026-01-03 TWO -2.00', 'B 2026-01-04 TWO -2.00');
    const first = await importFile(app, file);
    const [account] = await accountsOf(app);
    const both = await importFile(app, file, { account_id: account?.['id'] });
    expect(refusal(both)).toEqual([400, 'VALIDATION_ERROR', 'account_filter']);
    expect(both.json.error.details[0].message).toContain('A: 1 row, B: 2 rows');
    expect(refusal(await importFile(app, file, { account_name: 'One' }))).toEqual([
      400,
      'VALIDATION_ERROR',
      'account_filter',
    ]);
    const one = await importFile(app, file, { account_name: 'One', account_filter: 'A' });
    expect(one.json.import).toMatchObject({
      counts: { added: 1, skipped: 2 },
      accounts: [{ account_name: 'One', created: true }],
    });
    expect(one.json.connection_id).not.toBe(first.json.connection_id);
    for (const [fields, path, code] of [
      [{ account_filter: ['A', 'Z'] }, 'account_filter', 'VALIDATION_ERROR'],
      [{ accounts: { Z: null } }, 'accounts', 'VALIDATION_ERROR'],
      [{ accounts: { A: 'zzzzzzzz' } }, 'accounts', 'INVALID_PARAMETER'],
      [{ accounts: { A: { title: 'x' } } }, 'accounts.A', 'VALIDATION_ERROR'],
      [{ accounts: [] }, 'accounts', 'VALIDATION_ERROR'],
    ] as const) {
      const answer = await importFile(app, file, fields);
      expect([fields, ...refusal(answer)]).toEqual([fields, 400, code, path]);
    }
    const within = await importFile(app, file, { account_id: account?.['id'], account_filter: ['A'] });
    expect(within.json.import.counts).toMatchObject({ duplicate: 1, skipped: 2 });
    const other = await importFile(app, file, { connection_id: first.json.connection_id });
    expect(other.json.import.counts).toMatchObject({ duplicate: 3 });
    const many = Array.from({ length: 101 }, (_, n) => `Account${n} 2026-01-02 ROW -1.00`);
    expect(refusal(await importFile(app, byAccount(...many)))).toEqual([422, 'INVALID_FILE', undefined]);
    const statements = Array.from({ length: 101 }, (_, n) =>
      statement(`DE${10 + (n % 80)}37040044053201${1000 + n}`, 100, 50),
    );
    expect(refusal(await sendBytes(app, asCamt(statements)))).toEqual([422, 'INVALID_FILE', undefined]);
  });

  test('an account number in a file always means the same account, in every format', async () => {
    const app = await household();
    const camt = await sendBytes(app, asCamt([statement(IBAN, 10_000, 5_000)]), { file_name: 'one.xml' });
    const mt940 = await sendBytes(app, asMt940([statement(IBAN, 10_000, 5_000)]), { file_name: 'two.sta' });
    expect(mt940.json).toMatchObject({ account_id: camt.json.account_id, counts: { added: 0, duplicate: 1 } });
    const proofs = [camt, mt940].map(({ json }) => json.balance_proof.results[0]);
    for (const proof of proofs) {
      expect(proof).toMatchObject({ status: 'proved', opening_balance: '100.00', closing_balance: '50.00' });
    }
    const spaced = IBAN.replace(/(.{4})/g, '$1 ').trim();
    const csv = await importFile(app, `Account,Date,Description,Amount\n${spaced},2026-02-01,CSV,-1.00\n`);
    expect(csv.json).toMatchObject({ account_id: camt.json.account_id, imported_transactions: 1 });

    const [ana] = await rowsOf(app.app.instance.database, 'select * from users');
    const other = await addAccount(app, ana as never, { name: 'Other', currency: 'EUR' });
    const next = asCamt([statement(IBAN, 5_000, 4_000)]);
    const elsewhere = await sendBytes(app, next, { account_id: other.id });
    expect(refusal(elsewhere)).toEqual([409, 'CONFLICT', 'account_id']);
    const outside = await sendBytes(app, next, { connection_id: other.connection.id });
    expect(refusal(outside)).toEqual([409, 'CONFLICT', 'connection_id']);
    const bound = (await accountsOf(app)).find((one) => one['id'] === camt.json.account_id);
    for (const { json } of [elsewhere, outside]) expect(json.error.message).toContain(`(${bound?.['short_id']})`);
    const preview = await sendBytes(app, next, { account_id: other.id, dry_run: true });
    expect([preview.status, preview.json.ready, preview.json.blockers[0].code]).toEqual([200, false, 'CONFLICT']);

    const unbound = asCamt([statement('FR7630006000011234567890189', 5_000, 4_000)]);
    expect((await sendBytes(app, unbound, { account_id: other.id })).status).toBe(201);
    expect((await sendBytes(app, unbound)).json).toMatchObject({
      account_id: other.id,
      accounts: [{ suggested: true }],
    });
  });

  test('a file with another account number never goes to an account with the same name', async () => {
    const app = await household();
    const [one, other] = ['DE89370400440532013000', 'DE02120300000000202051'].map((number) =>
      asCamt([statement(number, 100, 50)]),
    ) as [string, string];
    const first = await sendBytes(app, one, { file_name: 'statement.xml' });
    const second = await sendBytes(app, other, { file_name: 'statement.xml' });
    expect(second.json.accounts).toMatchObject([{ created: true, account_name: 'statement 2' }]);
    expect(second.json.account_id).not.toBe(first.json.account_id);
    expect((await sendBytes(app, other)).json.account_id).toBe(second.json.account_id);
  });

  test('two numbers with the same ending are told apart, and a preview shows what is left out', async () => {
    const app = await household();
    const entries = [{ id: 'A1', date: '2026-01-05', amount: '-3.50', text: 'COFFEE' }];
    const file = ofxFile({ account: '11114444', entries }, { account: '22224444', entries });
    const preview = await sendBytes(app, file, { dry_run: true, accounts: { '…4444 (2)': null } });
    expect(preview.json).toMatchObject({
      accounts: [{ file_value: '…4444' }],
      rows: [
        { outcome: 'added' },
        { outcome: 'skipped', reason: 'OTHER_ACCOUNT', raw: expect.stringContaining('COFFEE') },
      ],
    });
    const both = await sendBytes(app, file, { dry_run: true });
    expect(both.json.accounts.map((account: Record<string, string>) => account['file_value'])).toEqual([
      '…4444',
      '…4444 (2)',
    ]);
  });

  test('a revert undoes the binding of an account number, and reverting that restores it', async () => {
    const app = await household();
    const [ana] = await rowsOf(app.app.instance.database, 'select * from users');
    const giro = await addAccount(app, ana as never, { name: 'Giro', currency: 'EUR' });
    const file = asCamt([statement(IBAN, 10_000, 5_000)]);
    const done = await sendBytes(app, file, { account_id: giro.id });
    const bound = async (): Promise<unknown> =>
      rowsOf(app.app.instance.database, 'select account_id from account_aliases');
    expect(await bound()).toEqual([{ account_id: giro.id }]);
    const undone = await app.request('POST', `/api/v1/change-sets/${done.json.change_set_id}/revert`);
    expect([undone.status, await bound()]).toEqual([200, []]);
    await app.request('POST', `/api/v1/change-sets/${String(undone.headers['x-change-set-id'])}/revert`);
    expect(await bound()).toEqual([{ account_id: giro.id }]);
  });

  test('an account that was left out before comes in when the filter names it', async () => {
    const app = await household();
    const one = await sendBytes(app, TWO, { accounts: { '…4444': null } });
    expect(one.json.counts).toMatchObject({ added: 1, skipped: 2 });
    expect((await sendBytes(app, TWO)).json.counts).toMatchObject({ added: 0, duplicate: 1, skipped: 2 });
    const named = await sendBytes(app, TWO, { account_filter: '…4444' });
    expect(named.json.counts).toMatchObject({ added: 2, skipped: 1 });
    expect((await sendBytes(app, TWO)).json.counts).toMatchObject({ added: 0, duplicate: 3, skipped: 0 });
  });

  test('a binding on which a later file relies outlives the revert of the first', async () => {
    const app = await household();
    const [ana] = await rowsOf(app.app.instance.database, 'select * from users');
    const giro = await addAccount(app, ana as never, { name: 'Giro', currency: 'EUR' });
    const take = async (file: string, fields: Fields = {}): Promise<Answer['json']> => {
      app.clock.advance(1_000);
      return (await sendBytes(app, file, fields)).json;
    };
    await take(ofxFile({ entries: [{ id: 'A1', date: '2025-12-05', amount: '-3.50', text: 'COFFEE' }] }), {
      account_id: giro.id,
    });
    const first = await take(asCamt([statement(IBAN, 10_000, 5_000)]), { account_id: giro.id });
    const entries = [{ date: '2026-02-15', cents: 1_000, text: 'TEA', id: 'R2' }];
    const second = await take(asCamt([{ ...statement(IBAN, 5_000, 4_000), closingDate: '2026-02-28', entries }]));
    expect(second).toMatchObject({ account_id: giro.id, counts: { added: 1 } });
    for (const { change_set_id: id } of [first, second]) {
      await app.request('POST', `/api/v1/change-sets/${id}/revert`);
      const next = await take(asMt940([statement(IBAN, 4_000, 1_000)]), { dry_run: true });
      expect(next.accounts).toMatchObject([{ account_id: giro.id, suggested: true }]);
    }
  });

  test('a file that adds nothing keeps no binding after the revert of the first', async () => {
    const app = await household();
    const [ana] = await rowsOf(app.app.instance.database, 'select * from users');
    const wrong = await addAccount(app, ana as never, { name: 'Wrong', currency: 'EUR' });
    const file = asCamt([statement(IBAN, 10_000, 5_000)]);
    const first = (await sendBytes(app, file, { account_id: wrong.id })).json;
    app.clock.advance(1_000);
    const again = (await sendBytes(app, file)).json;
    expect(again).toMatchObject({ account_id: wrong.id, change_set_id: null });
    await app.request('POST', `/api/v1/change-sets/${first.change_set_id}/revert`);
    expect(await rowsOf(app.app.instance.database, 'select * from account_aliases')).toEqual([]);
  });

  test('no answer contains a full account number, except rows that carry it', async () => {
    const app = await household();
    const numbers = [IBAN, 'NL91ABNA0417164300', '11112222', '4111000033334444'];
    const camt = asCamt([statement(numbers[0] as string, 100, 50), statement(numbers[1] as string, 100, 50)]);
    const said: string[] = [];
    for (const file of [camt, TWO]) {
      const preview = await sendBytes(app, file, { dry_run: true });
      const done = await sendBytes(app, file);
      const account = done.json.accounts[0].account_id;
      const undecided = await sendBytes(app, file, { account_id: account });
      const conflict = await sendBytes(app, file, {
        account_id: account,
        account_filter: done.json.accounts[1].file_value,
      });
      expect([preview.status, done.status, undecided.status, conflict.status]).toEqual([200, 201, 400, 409]);
      said.push(preview.text, done.text, undecided.text, conflict.text);
    }
    for (const path of ['imports', 'accounts', 'change-sets', 'transactions', 'import-profiles']) {
      said.push((await app.request('GET', `/api/v1/${path}`)).text);
    }
    for (const { id } of (await app.request('GET', '/api/v1/change-sets')).json.change_sets) {
      said.push((await app.request('GET', `/api/v1/change-sets/${id}`)).text);
    }
    for (const number of numbers) expect(said.filter((text) => text.includes(number))).toEqual([]);
    for (const number of numbers) expect(app.logs.filter((line) => line.includes(number))).toEqual([]);
    const stored = await rowsOf(app.app.instance.database, 'select namespace, external_id from account_aliases');
    expect(stored.filter(({ namespace }) => namespace === 'number')).toHaveLength(4);
    for (const { external_id: hash } of stored) expect(hash).toMatch(/^[0-9a-f]{64}$/);
  });
});
