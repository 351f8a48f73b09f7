import { z } from 'zod';

import { AnyId, CurrencyCode, oneOf, text } from '../../contract/common.ts';
import { describedAs } from '../../contract/described-as.ts';
import { LIMITS } from '../../kernel/limits.ts';

/** Fields of a request that reads a file (36.3.2). In forms and queries, every value arrives as text. */

const TRUE_WORDS = ['true', '1', 'yes', 'on'];
const WORDS = [...TRUE_WORDS, 'false', '0', 'no', 'off'];

export const Flag = describedAs(
  z
    .union([z.boolean(), z.enum(WORDS)], 'must be true, false, 1, 0, yes, no, on or off')
    .transform((value) => (typeof value === 'boolean' ? value : TRUE_WORDS.includes(value))),
  z.boolean(),
);

function integer(min: number, max: number): z.ZodType<number, number | string> {
  const message = `must be a whole number from ${min} to ${max}`;
  const parsed = z
    .union([z.number(), z.string().regex(/^\d{1,9}$/)], message)
    .transform(Number)
    .refine((value) => Number.isInteger(value) && value >= min && value <= max, message);
  return describedAs(parsed, z.int().min(min).max(max));
}

const LINE_MAX = 999_999_999;
const Lines = describedAs(
  z
    .union(
      [z.array(integer(1, LINE_MAX)), integer(1, LINE_MAX).transform((line) => [line])],
      'must be a list of line numbers',
    )
    .refine((lines) => lines.length <= LIMITS.importLinesListed, `must have at most ${LIMITS.importLinesListed} lines`)
    .transform((lines) => [...new Set(lines)]),
  z.array(integer(1, LINE_MAX)).max(LIMITS.importLinesListed),
).default([]);

const ENCODINGS = [
  'utf-8',
  'utf-16le',
  'utf-16be',
  'windows-1250',
  'windows-1251',
  'windows-1252',
  'windows-1253',
  'windows-1254',
  'windows-1255',
  'windows-1257',
  'iso-8859-1',
  'iso-8859-2',
  'iso-8859-15',
  'macintosh',
  'shift_jis',
  'euc-jp',
  'euc-kr',
  'gb18030',
  'big5',
  'ibm437',
  'ibm850',
  'ibm852',
] as const;

const OUTCOMES = ['added', 'updated', 'duplicate', 'deleted', 'skipped', 'invalid'] as const;

const COLUMNS_MAX = LIMITS.importColumns;
const Column = z.union([z.number(), text(LIMITS.importFieldBytes)]);
/** The reader checks it against the file and reports the wrong field. */
export const ColumnMapping = describedAs(
  z.record(
    z.string().max(100),
    z.union(
      [Column, z.array(Column).max(COLUMNS_MAX), z.null()],
      'must be a column index, a column name, a list of them, or null',
    ),
  ),
  z.record(z.string(), z.unknown()).meta({
    id: 'ColumnMapping',
    description: 'Field → column: its index, its name, a list of them, or null for none',
  }),
);

export const Encoding = oneOf(ENCODINGS).meta({ id: 'FileEncoding' });
export const Delimiter = oneOf([',', ';', 'tab', '|']).meta({ id: 'Delimiter' });
export const DecimalSeparator = oneOf(['.', ',']).meta({ id: 'DecimalSeparator' });
export const Sign = oneOf(['positive_is_in', 'positive_is_out']).meta({ id: 'AmountSign' });
export const FeeMode = oneOf(['separate', 'included']).meta({ id: 'FeeMode' });
export const PendingRows = oneOf(['skip', 'import']).meta({ id: 'PendingRows' });

const DirectionWords = z
  .array(text(100, 1))
  .min(1, 'must have at least one word')
  .max(100, 'must have at most 100 words');
export const DirectionValues = z
  .strictObject({ out: DirectionWords, in: DirectionWords })
  .meta({ id: 'DirectionValues', description: 'Words in the file that mean money out and money in' });
const AccountChoice = z.union(
  [AnyId, z.strictObject({ name: text(LIMITS.nameChars, 1) }), z.null()],
  'must be an account id, {"name": …} or null',
);
const AccountValues = describedAs(
  z
    .union([text(LIMITS.importFieldBytes), z.array(text(LIMITS.importFieldBytes)).max(LIMITS.importAccounts)])
    .transform((value) => [value].flat()),
  z.array(z.string()).max(LIMITS.importAccounts),
);
export const Outcome = oneOf(OUTCOMES).meta({ id: 'ImportOutcome' });
const OutcomeList = describedAs(
  z
    .union([z.string(), z.array(z.string())])
    .transform((value) => [value].flat().flatMap((part) => part.split(',')))
    .transform((parts) => [...new Set(parts.map((part) => part.trim()).filter((part) => part !== ''))])
    .pipe(z.array(Outcome)),
  z.array(Outcome),
);

const FORMATS = ['csv', 'ofx', 'qfx', 'qif', 'camt053', 'mt940'] as const;
export const Format = oneOf(FORMATS).meta({ id: 'FileFormat' });

/** Every field of an import except the file. */
export const ImportFields = z
  .strictObject({
    file_name: text(255).optional().meta({ description: 'Defaults to the file name in the form' }),
    format: oneOf(['auto', ...FORMATS])
      .default('auto')
      .meta({ description: 'File format; `auto` detects it from the content' }),
    user_id: AnyId.optional().meta({ description: 'Household member who will own a new connection' }),
    connection_id: AnyId.optional().meta({ description: 'An existing csv connection' }),
    account_id: AnyId.optional().meta({ description: 'An existing account of any provider' }),
    account_name: text(LIMITS.nameChars, 1).optional().meta({ description: 'Name of the account to find or create' }),
    account_type: text(50, 1).optional().meta({ description: 'Type of a new account' }),
    account_subtype: text(50, 1).optional().meta({ description: 'Subtype of a new account' }),
    iso_currency_code: CurrencyCode.regex(/^[A-Za-z]{3}$/, 'must be three letters, such as EUR')
      .transform((code) => code.toUpperCase())
      .optional()
      .meta({ description: 'Used where the file states no currency' }),
    accounts: z.record(z.string(), AccountChoice).default({}).meta({
      description: 'Account value in the file → account id, {"name": …} for a new account, or null to leave it out',
    }),
    account_filter: AccountValues.optional().meta({ description: 'Import only rows with these account values' }),
    profile: text(200, 1).optional().meta({ description: 'Id or slug of an import profile; `none` uses no profile' }),
    encoding: Encoding.optional().meta({
      description: 'How the bytes of the file stand for letters; detected by default',
    }),
    delimiter: describedAs(oneOf([',', ';', 'tab', '\t', '\\t', '|']), Delimiter).optional(),
    has_header: Flag.optional().meta({
      description: 'Whether the file has a line with column names; detected by default',
    }),
    header_line: integer(1, LINE_MAX)
      .optional()
      .meta({ description: 'Number of the line with the column names; detected by default' }),
    column_mapping: ColumnMapping.optional().meta({ description: 'Field → column index or header name' }),
    date_format: text(100, 1)
      .optional()
      .meta({ description: 'Such as MM/DD/YYYY, or 2 January 2006 written as the file writes dates' }),
    decimal_separator: DecimalSeparator.optional().meta({
      description: 'What stands before the cents; detected by default',
    }),
    sign: Sign.optional().meta({ description: 'What a positive amount in the file means; detected by default' }),
    positive_is_debit: Flag.optional().meta({
      description: 'true is short for the sign positive_is_out, false for positive_is_in',
    }),
    has_debit_credit: Flag.optional().meta({
      description: 'Whether separate columns contain money out and money in; detected by default',
    }),
    direction_values: DirectionValues.optional().meta({
      description: 'Words in the direction column that mean money out and money in',
    }),
    fee_mode: FeeMode.optional().meta({
      description: 'Whether the fee is part of the amount (included) or charged on top (separate)',
    }),
    pending: PendingRows.optional().meta({ description: 'What to do with pending rows; `skip` by default' }),
    refuse_assumptions: Flag.default(false).meta({ description: 'Ask instead of assuming anything' }),
    skip_invalid: Flag.default(false).meta({ description: 'Import the readable rows and report the others' }),
    accept_unproved: Flag.default(false).meta({ description: 'Import the file even if its balances do not add up' }),
    include_lines: Lines.meta({ description: 'Lines to import even though they match existing transactions' }),
    exclude_lines: Lines.meta({ description: 'Lines to leave out' }),
    import_tags: Flag.default(false).meta({ description: 'Add the tags in the file to new transactions' }),
    import_notes: Flag.default(false).meta({
      description: 'Store the notes in the file as metadata of new transactions',
    }),
    run_rules: Flag.default(true).meta({ description: 'Run the rules on the imported transactions' }),
    remember_profile: Flag.default(true).meta({ description: 'Remember how to read files with these columns' }),
    profile_name: text(LIMITS.nameChars, 1).optional().meta({ description: 'Name of the remembered profile' }),
    dry_run: Flag.default(false).meta({ description: 'Return a preview and write nothing' }),
    prefer: oneOf(['respond-async', 'wait'])
      .optional()
      .meta({ description: 'Same as the header Prefer; takes precedence over it' }),
    limit: integer(1, LIMITS.pageMax).default(10).meta({ description: 'Number of rows shown in a preview' }),
    outcome: OutcomeList.default([]).meta({ description: 'Outcomes of the rows shown in a preview; all if empty' }),
  })
  .meta({ id: 'FileImport' });

/** The same for the endpoints that read only delimited files. */
export const CsvImportFields = ImportFields.extend({
  format: oneOf(['auto', 'csv']).default('auto').meta({ description: 'This endpoint reads only delimited files' }),
}).meta({ id: 'CsvImport' });

export type ImportFields = z.output<typeof ImportFields>;
