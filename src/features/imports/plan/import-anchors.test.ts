import { expect, test } from 'vitest';

import { listed, sendBytes, type Fields } from '../../../../test/harness/bank-files/bank-files.ts';
import { openHousehold } from '../../../../test/harness/ledger.ts';
import { ofxFile, type OfxStatement } from '../../../../test/harness/bank-files/ofx-files.ts';
import { forEachDatabase, type Answer, type TestApp } from '../../../../test/harness/test-app.ts';

const JANUARY: OfxStatement = {
  closing: ['100.00', '2026-01-31'],
  available: '90.00',
  entries: [{ id: 'A1', date: '2026-01-05', amount: '-3.50', text: 'COFFEE' }],
};
const FEBRUARY: OfxStatement = {
  closing: ['75.50', '2026-02-28'],
  entries: [
    { id: 'A2', date: '2026-02-03', amount: '-4.50', text: 'TEA' },
    { id: 'A3', date: '2026-02-04', amount: '-20.00', text: 'BOOKS' },
  ],
};
const [TEA, BOOKS] = FEBRUARY.entries as [OfxStatement['entries'][number], OfxStatement['entries'][number]];

forEachDatabase((database) => {
  const household = (): Promise<TestApp> => openHousehold(database);

  async function send(app: TestApp, statement: OfxStatement, fields: Fields = {}): Promise<Answer> {
    return sendBytes(app, ofxFile(statement), fields);
  }

  async function balances(app: TestApp, accountId: string): Promise<string[]> {
    const { json } = await app.request('GET', `/api/v1/accounts/${accountId}/balances`);
    return json.balances.map(
      (one: Record<string, string>) => `${one['date']} ${one['balance_current']} ${one['balance_available']}`,
    );
  }

  test('a file with only a closing balance is proved by the balance of an earlier file', async () => {
    const app = await household();
    const first = await send(app, JANUARY);
    expect(first.json.balance_proof).toMatchObject({
      status: 'not_available',
      results: [{ method: 'none', closing_balance: '100.00', continuity: { status: 'not_available' } }],
    });
    expect(await balances(app, first.json.account_id)).toEqual(['2026-01-31 100.00 90.00']);
    const preview = await send(app, FEBRUARY, { dry_run: true });
    expect(preview.json).toMatchObject({ ready: true, balance_proof: { status: 'proved' } });
    const next = await send(app, FEBRUARY);
    expect(next.json.balance_proof).toEqual(preview.json.balance_proof);
    expect(next.json.balance_proof.results).toMatchObject([
      {
        status: 'proved',
        method: 'anchors',
        kind: 'asset',
        opening_balance: null,
        closing_balance: '75.50',
        rows_checked: 2,
        rows_total: 2,
        days_checked: 2,
        days_proved: 2,
        break_count: 0,
        first_break: null,
      },
    ]);
    expect(await balances(app, first.json.account_id)).toEqual(['2026-01-31 100.00 90.00', '2026-02-28 75.50 null']);
    const [account] = (await app.request('GET', '/api/v1/accounts')).json;
    expect([account.balance_current, account.balance_available]).toEqual(['75.50', null]);
    const again = await send(app, FEBRUARY);
    expect([again.json.balance_proof.status, again.json.change_set_id]).toEqual(['proved', null]);
  });

  test('ledger rows since that balance count, and a missing row stops the import', async () => {
    const app = await household();
    await send(app, JANUARY);
    const half = await send(app, { ...FEBRUARY, closing: ['75.50', '2026-02-28'], entries: [TEA] });
    expect([half.status, half.json.error.code]).toEqual([422, 'BALANCE_MISMATCH']);
    expect(half.json.error.balance_proof).toMatchObject({
      status: 'broken',
      proves_with: [],
      results: [
        {
          method: 'anchors',
          first_break: {
            line: null,
            date: '2026-02-28',
            expected: '95.50',
            found: '75.50',
            difference: '-20.00',
            likely_cause: 'missing_row',
            suspect_lines: [],
          },
        },
      ],
    });
    expect(await listed(app)).toHaveLength(1);
    const preview = await send(app, { ...FEBRUARY, entries: [TEA] }, { dry_run: true });
    expect(preview.json).toMatchObject({
      ready: false,
      blockers: [{ code: 'BALANCE_MISMATCH', parameter: 'accept_unproved' }],
    });

    const taken = await send(app, { ...FEBRUARY, entries: [TEA] }, { accept_unproved: true });
    expect([taken.status, taken.json.balance_proof.status]).toEqual([201, 'broken']);
    expect(taken.json.warnings.map((one: { code: string }) => one.code)).toEqual(['PROOF_OVERRIDDEN']);
    expect(await balances(app, taken.json.account_id)).toEqual(['2026-01-31 100.00 90.00']);
    const rest = await send(app, { ...FEBRUARY, entries: [BOOKS] });
    expect([rest.status, rest.json.balance_proof.status]).toEqual([201, 'proved']);
  });

  test('a row on the closing day counts, one on the day after does not', async () => {
    const app = await household();
    await send(app, JANUARY);
    const last = { id: 'A8', date: '2026-02-28', amount: '-1.00', text: 'LATE' };
    const later = { id: 'A9', date: '2026-03-01', amount: '-7.00', text: 'LATER' };
    await send(app, { entries: [last, later] });
    const next = await send(app, { ...FEBRUARY, closing: ['74.50', '2026-02-28'] });
    expect([next.status, next.json.balance_proof.status]).toEqual([201, 'proved']);
  });

  test('an overpaid card is proved with the sign that its earlier balances had', async () => {
    const app = await household();
    const card = { ...JANUARY, type: 'CREDITCARD', closing: ['50.00', '2026-01-31'] as const };
    const first = await send(app, card);
    const paid = { id: 'A2', date: '2026-02-10', amount: '55.00', text: 'PAYMENT' };
    const next = await send(app, { type: 'CREDITCARD', closing: ['-5.00', '2026-02-28'], entries: [paid] });
    expect(next.json.balance_proof.results).toMatchObject([{ status: 'proved', method: 'anchors', kind: 'debt' }]);
    expect((await balances(app, first.json.account_id)).at(-1)).toBe('2026-02-28 -5.00 null');
  });

  test('a flipped or doubled row is reported', async () => {
    const app = await household();
    await send(app, JANUARY);
    for (const [entries, cause] of [
      [[TEA, { ...BOOKS, amount: '20.00' }], 'flipped_sign'],
      [[TEA, { ...BOOKS, amount: '-2000.00' }], 'wrong_decimal'],
      [[TEA, BOOKS, { ...BOOKS, id: 'A9' }], 'doubled_row'],
    ] as const) {
      const { json } = await send(app, { ...FEBRUARY, entries });
      expect(json.error.balance_proof.results[0].first_break.likely_cause).toBe(cause);
    }
    expect(await listed(app)).toHaveLength(1);
  });

  test('the debt of a card is proved whichever sign its bank prints', async () => {
    for (const sign of [1, -1]) {
      const app = await household();
      const owed = (amount: number): string => (sign * amount).toFixed(2);
      const card = { ...JANUARY, type: 'CREDITCARD', closing: [owed(50), '2026-01-31'] as const };
      const first = await send(app, card);
      expect(await balances(app, first.json.account_id)).toEqual(['2026-01-31 50.00 90.00']);
      const next = await send(app, { ...FEBRUARY, type: 'CREDITCARD', closing: [owed(74.5), '2026-02-28'] });
      expect([next.status, next.json.balance_proof.results[0]]).toMatchObject([
        201,
        { status: 'proved', method: 'anchors', kind: sign === 1 ? 'debt' : 'asset', closing_balance: owed(74.5) },
      ]);
      expect(await balances(app, first.json.account_id)).toEqual(['2026-01-31 50.00 90.00', '2026-02-28 74.50 null']);
      const [account] = (await app.request('GET', '/api/v1/accounts')).json;
      expect(account).toMatchObject({ type: 'credit', subtype: 'credit card', balance_current: '74.50' });
    }
  });

  test('a revert removes the balances of the import and restores those of other files', async () => {
    const app = await household();
    const first = await send(app, JANUARY);
    const next = await send(app, FEBRUARY);
    const undone = await app.request('POST', `/api/v1/change-sets/${next.json.change_set_id}/revert`);
    expect(undone.status).toBe(200);
    expect(await balances(app, first.json.account_id)).toEqual(['2026-01-31 100.00 90.00']);
    const back = await send(app, FEBRUARY);
    expect([back.json.counts.added, back.json.balance_proof.status]).toEqual([2, 'proved']);
  });
});
