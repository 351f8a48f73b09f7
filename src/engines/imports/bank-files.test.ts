import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { expectGolden } from '../../../test/harness/golden.ts';
import { AppError } from '../../kernel/errors.ts';
import { formatCents } from '../../kernel/money.ts';
import { analyseCsv } from './csv.ts';

const ROOT = join(import.meta.dirname, '../../..');
const FIXTURES = join(ROOT, 'test/fixtures/csv');
const CONTEXT = { today: '2026-11-21', profiles: [], account: null, file_name: null };

/** What a file reads as, short enough to be checked against the file by eye. */
function summary(path: string): unknown {
  try {
    const file = analyseCsv(new Uint8Array(readFileSync(path)), {}, CONTEXT);
    const records = [...file.rows()];
    return {
      profile: file.profile?.slug ?? null,
      encoding: file.detection.encoding.value,
      header_line: file.detection.header.value,
      date_format: file.date_format,
      sign: file.detection.sign.value,
      balance_proof: file.balance_proof.status,
      blockers: file.blockers.map((blocker) => `${blocker.code} ${blocker.parameter ?? ''}`.trim()),
      warnings: file.warnings.map((warning) => warning.code),
      rows: records
        .filter((row) => row.outcome === 'row')
        .map((row) => ({
          line: row.line,
          date: row.date,
          amount: formatCents(row.amount_cents ?? 0),
          currency: row.iso_currency_code,
          text: row.description,
          ...(row.bank_id === null ? {} : { bank_id: row.bank_id }),
          ...(row.account_value === null ? {} : { account: row.account_value }),
        })),
      others: records.filter((row) => row.outcome !== 'row').map((row) => `line ${row.line}: ${row.reason}`),
    };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { refused: error.code, message: error.message };
  }
}

describe('bank files as banks write them', () => {
  const names = readdirSync(FIXTURES).filter((name) => !name.endsWith('.md'));

  test('there are files to read', () => {
    expect(names.length).toBeGreaterThanOrEqual(23);
  });

  test.each(names)('%s reads as its golden summary says', (name) => {
    expectGolden(`csv/${name}.json`, summary(join(FIXTURES, name)));
  });
});
