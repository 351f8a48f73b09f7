import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { expectGolden } from '../../../../test/harness/golden.ts';
import { AppError } from '../../../kernel/errors.ts';
import { formatCents } from '../../../kernel/money.ts';
import { readOfx } from './ofx/ofx.ts';
import { readQif } from './qif/qif.ts';
import type { Statement, StatementBalance } from './statement.ts';

const ROOT = join(import.meta.dirname, '../../../..');
const CONTEXT = { today: '2026-11-21', profiles: [], account: null, file_name: null };
const READERS = { ofx: readOfx, qif: readQif } as const;

/** What a file reads as, short enough to be checked against the file by eye. */
function summary(format: 'ofx' | 'qif', path: string): unknown {
  try {
    const file = READERS[format](new Uint8Array(readFileSync(path)), {}, CONTEXT);
    return {
      format: file.format,
      encoding: file.encoding.value,
      date_format: file.date_format.value,
      warnings: file.warnings.map((warning) => warning.code),
      statements: file.statements.map(statementSummary),
    };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { refused: error.code, message: error.message, details: error.extra.details ?? [] };
  }
}

function statementSummary(statement: Statement): unknown {
  const entries = [...statement.entries];
  return {
    account: statement.account_identifier ?? statement.account_name,
    type: `${statement.account_type}/${statement.account_subtype}`,
    institution: statement.institution_name,
    currency: statement.iso_currency_code,
    opening: balance(statement.opening),
    closing: balance(statement.closing),
    available: balance(statement.available),
    rows: entries
      .filter((entry) => entry.outcome === 'row')
      .map((entry) => ({
        line: entry.line,
        date: entry.date,
        amount: formatCents(entry.amount_cents ?? 0),
        currency: entry.iso_currency_code,
        text: entry.description,
        ...(entry.bank_id === null ? {} : { bank_id: entry.bank_id }),
        ...(entry.status === 'posted' ? {} : { status: entry.status }),
      })),
    others: entries
      .filter((entry) => entry.outcome !== 'row')
      .map((entry) => `line ${entry.line}: ${entry.reason}${entry.message === null ? '' : ` (${entry.message})`}`),
  };
}

function balance(stated: StatementBalance | null): string | null {
  return stated === null ? null : `${stated.date} ${formatCents(stated.cents)}`;
}

describe.each(['ofx', 'qif'] as const)('%s files as banks and programs write them', (format) => {
  const folder = join(ROOT, 'test/fixtures', format);
  const names = readdirSync(folder).filter((name) => !name.endsWith('.md'));

  test('there are files to read', () => {
    expect(names.length).toBeGreaterThanOrEqual(format === 'ofx' ? 9 : 3);
  });

  test.each(names)('%s reads as its golden summary says', (name) => {
    expectGolden(`${format}/${name}.json`, summary(format, join(folder, name)));
  });
});
