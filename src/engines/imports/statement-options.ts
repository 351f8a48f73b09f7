import { validationError } from '../../kernel/errors.ts';
import type { ReadOptions, StatementFormat } from './analysis.ts';

const TABLE_ONLY = [
  'delimiter',
  'has_header',
  'header_line',
  'column_mapping',
  'has_debit_credit',
  'direction_values',
  'fee_mode',
] as const;
const STATED = ['date_format', 'decimal_separator', 'sign', 'positive_is_debit'] as const;

/** What some formats leave open after all, so that a caller may say it. */
const OPEN: Readonly<Record<StatementFormat, readonly string[]>> = {
  camt053: [],
  mt940: [],
  ofx: ['sign', 'positive_is_debit'],
  qfx: ['sign', 'positive_is_debit'],
  qif: ['date_format', 'decimal_separator', 'sign', 'positive_is_debit'],
};

const NAMES: Readonly<Record<StatementFormat, string>> = {
  camt053: 'CAMT.053',
  mt940: 'MT940',
  ofx: 'OFX',
  qfx: 'QFX',
  qif: 'QIF',
};

/** @throws VALIDATION_ERROR for an option that only makes sense for delimited text (36.14). */
export function refuseTableOptions(format: StatementFormat, options: ReadOptions): void {
  for (const name of [...TABLE_ONLY, ...STATED]) {
    const value = options[name];
    if (value === undefined || OPEN[format].includes(name)) continue;
    if (name === 'column_mapping' && Object.keys(value).length === 0) continue;
    throw validationError(name, `Leave ${name} out: a ${NAMES[format]} file states it by its format.`);
  }
}
