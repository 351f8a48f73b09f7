import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { expectGolden } from '../../../../test/harness/golden.ts';
import { AppError } from '../../../kernel/errors.ts';
import { formatCents } from '../../../kernel/money.ts';
import { analyseStatements } from './analyse-statements.ts';
import type { BalanceResult } from '../analysis.ts';
import { readCamt } from './camt/camt.ts';
import { detectFormat } from '../bytes/format.ts';
import { readMt940 } from './mt940/mt940.ts';

const ROOT = join(import.meta.dirname, '../../../..');
const CONTEXT = { today: '2026-11-21', profiles: [], account: null, file_name: null };
const READERS = { camt: readCamt, mt940: readMt940 } as const;

/** What a file reads as, short enough to be checked against the file by eye. */
function summary(format: 'camt' | 'mt940', path: string): unknown {
  const bytes = new Uint8Array(readFileSync(path));
  try {
    const file = analyseStatements(READERS[format](bytes, {}, CONTEXT), {}, CONTEXT);
    const records = [...file.rows()];
    return {
      recognised_as: detectFormat(bytes),
      encoding: file.detection.encoding.value,
      bank_id_namespace: file.bank_id_namespace,
      blockers: file.blockers.map((blocker) => `${blocker.code} ${blocker.parameter ?? ''}`.trim()),
      warnings: file.warnings.map((warning) => warning.code),
      accounts: file.accounts.map(({ file_value, stated, row_count }) => ({
        account: file_value,
        institution: stated?.institution_name ?? stated?.institution_id ?? null,
        rows: row_count,
      })),
      balance_proof: file.balance_proof.results.map(proof),
      rows: records
        .filter((row) => row.outcome === 'row')
        .map((row) => ({
          line: row.part > 1 ? `${row.line}/${row.part}` : row.line,
          date: row.date,
          amount: formatCents(row.amount_cents ?? 0),
          currency: row.iso_currency_code,
          text: row.description,
          ...(row.merchant_name === null ? {} : { other_side: row.merchant_name }),
          ...(row.counterparty_account === null ? {} : { other_account: row.counterparty_account }),
          ...(row.bank_id === null ? {} : { bank_id: row.bank_id }),
        })),
      others: records.filter((row) => row.outcome !== 'row').map((row) => `line ${row.line}: ${row.reason}`),
    };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { refused: error.code, message: error.message };
  }
}

function proof({ status, opening_cents: opening, closing_cents: closing, rows_checked: rows }: BalanceResult): string {
  const money = (cents: number | null): string => (cents === null ? 'none' : formatCents(cents));
  return `${status}: ${money(opening)} to ${money(closing)} over ${rows} rows`;
}

describe.each(['camt', 'mt940'] as const)('%s files as banks write them', (format) => {
  const folder = join(ROOT, 'test/fixtures', format);
  const names = readdirSync(folder).filter((name) => !name.endsWith('.md'));

  test('there are files to read', () => {
    expect(names.length).toBeGreaterThanOrEqual(9);
  });

  test.each(names)('%s reads as its golden summary says', (name) => {
    expectGolden(`${format}/${name}.json`, summary(format, join(folder, name)));
  });
});
