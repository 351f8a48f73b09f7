import { currencyAt, NO_CURRENCY, OUTCOME } from '../columns/parsed-columns.ts';
import { dateOfDayNumber } from '../../../kernel/dates.ts';
import type {
  AccountInFile,
  ColumnChoice,
  ColumnRef,
  Detection,
  Detections,
  MappedField,
  ProfileSettings,
  ReadOptions,
  StatedAccount,
} from '../analysis.ts';
import { accountMask, accountNumberOf } from '../cells/account-number.ts';
import type { AmountMode } from '../questions/amount-mode.ts';
import { normalisedName } from '../text/cell-text.ts';
import type { ChosenInterpretation } from './chosen-interpretation.ts';
import type { Mapping } from '../columns/mapping.ts';
import type { Table } from '../cells/table.ts';
import { PENDING } from '../lexicon/statuses.ts';

export interface OutcomeCounts {
  readonly rows: number;
  readonly invalid: number;
  readonly skipped: number;
  readonly pending: number;
  readonly ignored: number;
  readonly firstDay: number | null;
  readonly lastDay: number | null;
}

/** Counts what becomes of the records, before the ledger is asked. */
export function countOutcomes(final: ChosenInterpretation): OutcomeCounts {
  let rows = 0;
  let invalid = 0;
  let pending = 0;
  let ignored = 0;
  let first = Infinity;
  let last = -Infinity;
  for (let row = 0; row < final.parsed.count; row++) {
    const outcome = final.outcomes[row];
    if (outcome === OUTCOME.row) {
      rows++;
      const day = final.days[row] as number;
      first = Math.min(first, day);
      last = Math.max(last, day);
      if (final.parsed.statuses[row] === PENDING) pending++;
    } else if (outcome === OUTCOME.invalid) invalid++;
    else if (outcome === OUTCOME.pending) pending++;
    else if (outcome === OUTCOME.ignored) ignored++;
  }
  return {
    rows,
    invalid,
    skipped: final.parsed.count - rows - invalid,
    pending,
    ignored,
    firstDay: rows > 0 ? first : null,
    lastDay: rows > 0 ? last : null,
  };
}

/** The accounts of the file with their rows; one with a null value for a file without account column. */
export function accountsOf(final: ChosenInterpretation, numberAbove: string | null): AccountInFile[] {
  const { parsed } = final;
  const byAccount = new Map<number, { count: number; first: number; last: number; currencies: Map<number, number> }>();
  for (let row = 0; row < parsed.count; row++) {
    if (final.outcomes[row] !== OUTCOME.row) continue;
    const account = parsed.accountIds.length > 0 ? (parsed.accountIds[row] as number) : 0;
    const day = final.days[row] as number;
    const known = byAccount.get(account) ?? { count: 0, first: day, last: day, currencies: new Map<number, number>() };
    known.count++;
    known.first = Math.min(known.first, day);
    known.last = Math.max(known.last, day);
    const currency = parsed.currencyIds[row] as number;
    known.currencies.set(currency, (known.currencies.get(currency) ?? 0) + 1);
    byAccount.set(account, known);
  }
  return [...byAccount].map(([account, known]) => {
    let best: number = NO_CURRENCY;
    let most = 0;
    for (const [currency, times] of known.currencies) if (times > most) [best, most] = [currency, times];
    return {
      file_value: parsed.accounts[account] ?? null,
      iso_currency_code: currencyAt(parsed, best, final.fallbackCurrency),
      row_count: known.count,
      first_date: dateOfDayNumber(known.first),
      last_date: dateOfDayNumber(known.last),
      stated: byAccount.size === 1 ? numbered(parsed.accounts[account] ?? null, numberAbove) : null,
    };
  });
}

/** The only account of the file, by the number in its account column, else by the one above the header. */
function numbered(value: string | null, numberAbove: string | null): StatedAccount | null {
  const identifier = accountNumberOf(value) ?? numberAbove;
  if (identifier === null) return null;
  return {
    identifier,
    name: null,
    institution_name: null,
    institution_id: null,
    mask: accountMask(identifier),
    type: null,
    subtype: null,
    closing: null,
    available: null,
  };
}

export function mappedFields(mapping: Mapping, table: Table): Record<string, MappedField> {
  const out: Record<string, MappedField> = {};
  for (const [field, { columns, confidence, source }] of mapping) {
    out[field] = { columns: columns.map((index) => refOf(table, index)), confidence, source };
  }
  return out;
}

export function inferredMapping(mapping: Mapping): Record<string, number | readonly number[]> {
  const out: Record<string, number | readonly number[]> = {};
  for (const [field, { columns }] of mapping) out[field] = columns.length === 1 ? (columns[0] as number) : columns;
  return out;
}

export function unmappedColumns(mapping: Mapping, table: Table): ColumnRef[] {
  const used = new Set([...mapping.values()].flatMap(({ columns }) => columns));
  return table.headers.flatMap((_, index) => (used.has(index) ? [] : [refOf(table, index)]));
}

function refOf(table: Table, index: number): ColumnRef {
  return { index, name: table.headers[index] ?? `column_${index + 1}` };
}

/** A column's name as a mapping may state it: the second of the same name is `Name#2`; unnamed ones by number. */
function columnName(table: Table, index: number): string | number {
  const name = table.headers[index] ?? '';
  if (name === '') return index;
  const folded = normalisedName(name);
  let nth = 0;
  for (let i = 0; i <= index; i++) if (normalisedName(table.headers[i] as string) === folded) nth++;
  return nth > 1 ? `${name}#${nth}` : name;
}

/**
 * Whether a detection is known and not merely likely: given, proved, certain, or remembered as such. What is certain
 * only because this file would read the same either way (`content`) says nothing about the next one.
 */
function isKnown({ confidence, evidence }: Detection<unknown>): boolean {
  if (confidence === 'profile') return evidence.includes('stored_profile');
  return (
    confidence === 'given' || confidence === 'proved' || (confidence === 'certain' && !evidence.includes('content'))
  );
}

/** The settings in force, for a profile to remember: the caller's, else the profile's, and what else is known. */
export function settingsOf(
  final: ChosenInterpretation,
  table: Table,
  detection: Detections,
  options: ReadOptions,
  mode: AmountMode,
  delimiter: string,
): ProfileSettings {
  const mappingByName: Record<string, ColumnChoice> = {};
  for (const [field, { columns }] of final.mapping) {
    const names = columns.map((index) => columnName(table, index));
    mappingByName[field] = names.length === 1 ? (names[0] as string | number) : names;
  }
  for (const [field, choice] of Object.entries(options.column_mapping ?? {})) {
    if (choice === null) mappingByName[field] = null;
  }
  const { interpretation } = final;
  return {
    encoding: detection.encoding.value as string,
    delimiter,
    has_header: table.headerLine !== null,
    column_mapping: mappingByName,
    ...(isKnown(detection.date_format) && detection.date_format.value !== null
      ? { date_format: detection.date_format.value }
      : {}),
    ...(isKnown(detection.decimal_separator) ? { decimal_separator: interpretation.decimal } : {}),
    ...(mode === 'signed' && isKnown(detection.sign) ? { sign: interpretation.sign } : {}),
    has_debit_credit: mode === 'pair',
    ...(options.direction_values ? { direction_values: options.direction_values } : {}),
    ...(isKnown(detection.fee_mode) ? { fee_mode: interpretation.feeMode } : {}),
    ...(options.pending ? { pending: options.pending } : {}),
    ...(options.iso_currency_code ? { iso_currency_code: options.iso_currency_code.toUpperCase() } : {}),
  };
}
