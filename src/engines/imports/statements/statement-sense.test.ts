import { describe, expect, test } from 'vitest';

import { CONTEXT } from '../../../../test/harness/bank-files/statement-files.ts';
import { dayNumber } from '../../../kernel/dates.ts';
import { analyseStatements } from './analyse-statements.ts';
import type { BalanceResult, FileAnalysis, ReadOptions } from '../analysis.ts';
import { proveStatements } from '../proof/statement-proof.ts';
import type { Statement, StatementEntry, StatementFile } from './statement.ts';

describe('balances that are not marked as debit or credit', () => {
  const base: StatementEntry = {
    line: 1,
    part: 1,
    outcome: 'row',
    reason: null,
    message: null,
    status: 'posted',
    date: '2025-01-15',
    authorized_date: null,
    datetime: null,
    amount_cents: 1_000,
    iso_currency_code: null,
    description: 'x',
    merchant_name: null,
    category: null,
    type: 'DEBIT',
    bank_id: null,
    check_number: null,
    counterparty_account: null,
    correction: null,
    fields: {},
  };
  const ofx = (statement: Partial<Statement>, options: ReadOptions = {}): FileAnalysis => {
    const file: StatementFile = {
      format: 'ofx',
      encoding: { value: 'utf-8', confidence: 'certain', evidence: ['strict_decode'], candidates: [] },
      date_format: { value: 'YYYYMMDD', confidence: 'certain', evidence: ['year_first'], candidates: [] },
      bank_id_namespace: 'ofx:fitid',
      statements: [
        {
          account_identifier: '123/456',
          account_label: '456',
          account_name: null,
          institution_name: null,
          institution_id: null,
          mask: '456',
          account_type: 'credit',
          account_subtype: 'credit card',
          iso_currency_code: 'USD',
          opening: null,
          closing: null,
          available: null,
          entries: [base],
          ...statement,
        },
      ],
      warnings: [],
    };
    return analyseStatements(file, options, CONTEXT);
  };

  test('a closing balance alone is left to the anchors of the account', () => {
    const found = ofx({
      closing: { date: '2025-01-31', cents: 5_000 },
      available: { date: '2025-01-31', cents: 90_000 },
    }).balance_proof;
    expect(found.status).toBe('not_available');
    expect(found.results).toMatchObject([
      {
        status: 'not_available',
        method: 'none',
        kind: 'debt',
        opening_cents: null,
        closing_cents: 5_000,
        closings: [{ date: '2025-01-31', balance_cents: 5_000, available_cents: 90_000 }],
      },
    ]);
  });

  test.each([
    ['credit', 5_000, 'debt'],
    ['credit', -5_000, 'asset'],
    ['loan', 5_000, 'debt'],
    ['depository', 5_000, 'asset'],
  ])('on a %s account %i is a balance of %s', (account_type, cents_, kind) => {
    const [result] = ofx({ account_type, closing: { date: '2025-01-31', cents: cents_ } }).balance_proof.results;
    expect(result?.kind).toBe(kind);
  });

  test('a card whose owed balances rise with purchases proves as debt', () => {
    const balances = { opening: { date: null, cents: 5_000 }, closing: { date: '2025-01-31', cents: 6_000 } };
    expect(ofx(balances).balance_proof.results[0]).toMatchObject({ status: 'proved', kind: 'debt' });
    expect(ofx({ ...balances, account_type: 'depository' }).balance_proof.status).toBe('broken');
    expect(
      ofx({ opening: { date: null, cents: -5_000 }, closing: { date: '2025-01-31', cents: -6_000 } }).balance_proof
        .results[0],
    ).toMatchObject({ status: 'proved', kind: 'asset' });
  });

  test('spending printed as positive is asked about, and read as the caller says', () => {
    const entries = [1, 2, 3].map((line) => ({ ...base, line, amount_cents: -1_000 }));
    const asked = ofx({ entries });
    expect(asked.blockers).toMatchObject([{ code: 'AMBIGUOUS_FORMAT', parameter: 'sign' }]);
    expect(asked.detection.sign.candidates).toEqual([
      { value: 'positive_is_in', line: 1, raw: 'DEBIT 10.00', read_as: 'money in' },
      { value: 'positive_is_out', line: 1, raw: 'DEBIT 10.00', read_as: 'money out' },
    ]);
    const told = ofx({ entries }, { sign: 'positive_is_out' });
    expect([told.blockers, [...told.rows()].map((row) => row.amount_cents)]).toEqual([[], [1_000, 1_000, 1_000]]);
    expect(ofx({ entries: entries.slice(1) }).blockers).toEqual([]);
  });
});

describe('the proof itself', () => {
  const at = (opening: number | null, closing: number | null, ...amounts: number[]) => ({
    opening,
    closing,
    available: null,
    day: dayNumber('2025-01-31'),
    lines: amounts.map((_, i) => i + 1),
    days: amounts.map(() => dayNumber('2025-01-15')),
    amounts,
  });
  const identity = { file_value: null, iso_currency_code: 'EUR' };
  const prove = (...statements: ReturnType<typeof at>[]): BalanceResult =>
    proveStatements(statements, identity, { mayOwe: false, countsOwed: false });

  test('lists no line when a long statement lacks a row', () => {
    const amounts = Array.from({ length: 11 }, (_, i) => (i + 1) * 13);
    expect(prove(at(0, -1, ...amounts)).first_break).toMatchObject({ likely_cause: 'missing_row', suspect_lines: [] });
  });

  test('needs both balances of a statement, or two that should join', () => {
    expect(prove(at(0, null, 5)).status).toBe('not_available');
    expect(prove(at(null, 5, 5)).status).toBe('not_available');
    expect(prove(at(null, 5, 5), at(5, null, 5)).status).toBe('proved');
    expect(prove(at(null, 5, 5), { ...at(6, null, 5), day: dayNumber('2025-02-28') }).status).toBe('broken');
    expect(prove(at(7, 7)).status).toBe('proved');
  });

  test('counts every break', () => {
    expect(prove(at(0, 1), at(2, 3), at(3, 3))).toMatchObject({ status: 'broken', break_count: 3 });
  });
});
