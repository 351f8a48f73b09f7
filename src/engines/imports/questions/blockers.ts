import { formatCents } from '../../../kernel/money.ts';
import type {
  AnalysedRow,
  BalanceBreak,
  BalanceProof,
  Blocker,
  Detection,
  Detections,
  ReadOptions,
} from '../analysis.ts';
import { quotedCell } from '../text/cell-text.ts';
import { columnCandidates } from '../columns/column-choice.ts';
import type { TableStats } from '../columns/column-stats.ts';
import { isDateColumn, isNumberColumn } from '../columns/column-stats.ts';
import type { OutcomeCounts } from '../interpret/csv-summary.ts';
import type { Head } from '../table/known-header.ts';
import type { Mapping } from '../columns/mapping.ts';
import { missingFields } from '../columns/mapping.ts';
import {
  DAMAGED_LETTERS,
  hintFor,
  KIND_OF_ACCOUNT,
  MIXED_DATES,
  MIXED_DECIMALS,
  QUESTIONS,
  readingInWords,
} from './wording.ts';
import { problemPath } from '../interpret/rows.ts';
import type { Table } from '../cells/table.ts';

const NAMES_LISTED = 5;

interface BlockerInput {
  readonly stats: TableStats;
  readonly table: Table;
  /** Records above the column names that read as transactions. */
  readonly leftOut: readonly Head[];
  readonly mapping: Mapping;
  readonly options: ReadOptions;
  readonly detection: Detections;
  readonly counts: OutcomeCounts;
  readonly problems: readonly AnalysedRow[];
  readonly proof: BalanceProof;
  readonly provesOwed: boolean;
  readonly asksAccountType: boolean;
  /** Which columns hold the amounts, where a file without a header leaves it open. */
  readonly moneyQuestion: Blocker | null;
}

/** What an import of this file with these options would be refused for, in the order of 36.15. */
export function blockersOf(input: BlockerInput): Blocker[] {
  const structure = [...ambiguity(input, 'encoding'), ...rowsAbove(input)];
  const mapping = wrongMapping(input);
  if (mapping) return [...structure, mapping];
  const open = (['date_format', 'decimal_separator', 'sign', 'fee_mode'] as const).flatMap((key) =>
    ambiguity(input, key),
  );
  // Rows and proof follow from the first candidate and say nothing about the others.
  if (input.moneyQuestion)
    return [...structure, input.moneyQuestion, ...open.filter(({ parameter }) => parameter !== 'sign')];
  const rows = invalidRows(
    input,
    ' Check which columns hold the date and the amount, and how dates and amounts are written.',
  );
  const proof = brokenProof(input);
  return [...structure, ...open, ...rows, ...proof];
}

/** Asks where the table begins if what reads as transactions is above its column names. */
function rowsAbove({ leftOut, detection: { header } }: BlockerInput): Blocker[] {
  const [first] = leftOut;
  if (!first) return [];
  const [what, where] = leftOut.length === 1 ? ['1 row', 'it is'] : [`${leftOut.length} rows`, 'the first is'];
  return [
    {
      code: 'AMBIGUOUS_FORMAT',
      message:
        `${what} above the column names on line ${header.value} would be left out; ${where} on line ${first.line}. ` +
        'Choose the line with the column names, or split the file so that each list has a file of its own.',
      parameter: 'header_line',
      candidates: header.candidates,
      details: [
        ...leftOut.map(({ line }) => ({ path: `line ${line}`, message: 'looks like a transaction' })),
        {
          path: 'header_line',
          message: hintFor(
            'header_line',
            header.candidates.map(({ value }) => value),
          ),
        },
      ],
    },
  ];
}

function ambiguity(input: BlockerInput, key: keyof typeof QUESTIONS): Blocker[] {
  const { value, confidence, candidates, evidence } = input.detection[key];
  const isRefused = confidence === 'assumed' && input.options.refuse_assumptions === true;
  if (confidence !== 'ambiguous' && !isRefused) return [];
  let message: string = QUESTIONS[key];
  if (key === 'encoding' && candidates[0]?.value === 'utf-8') message = DAMAGED_LETTERS;
  if (key === 'decimal_separator' && evidence.includes('both_separators')) message = MIXED_DECIMALS;
  if (key === 'date_format' && candidates.some((one) => one.value.startsWith('Y'))) message = MIXED_DATES;
  if (key === 'sign' && input.asksAccountType) message = KIND_OF_ACCOUNT;
  const mayHint = evidence.includes('content') || evidence.includes('type_words');
  const hint = key === 'sign' && !isRefused && mayHint ? directionHint(input) : null;
  if (hint) message += hint.message;
  if (isRefused) message += ` ${assumption(key, String(value))}`;
  const question = openQuestion(key, input.detection[key], message);
  const more = hint ? [hint.detail] : key === 'sign' && input.asksAccountType ? [ACCOUNT_HINT] : [];
  return [{ ...question, details: [...question.details, ...more] }];
}

const ACCOUNT_HINT = { path: 'account_type', message: 'Or send account_type: depository or credit.' };

const OWED_HINT = { path: 'account_type', message: 'Or send account_type: credit, if it is a card or a loan.' };

/** Why something is asked that would otherwise be assumed. */
function assumption(key: keyof typeof QUESTIONS, value: string): string {
  return `Without an answer, we would have to assume that ${readingInWords(key, value)}.`;
}

/** The blocker of a detection that leaves several values possible. */
export function openQuestion(parameter: string, { value, candidates }: Detection, message: string): Blocker {
  const values = candidates.length > 0 ? candidates.map((one) => one.value) : value === null ? [] : [value];
  const details = [{ path: parameter, message: hintFor(parameter, values) }];
  return { code: 'AMBIGUOUS_FORMAT', message, parameter, candidates, details };
}

/** What to do about a column of directions, or of types beside amounts without a sign, whose words are not all known. */
function directionHint({ mapping, stats, table }: BlockerInput): {
  message: string;
  detail: { path: string; message: string };
} | null {
  const amount = stats.columns[mapping.get('amount')?.columns[0] ?? -1];
  const types = amount?.negatives === 0 ? mapping.get('type')?.columns[0] : undefined;
  const index = mapping.get('direction')?.columns[0] ?? types;
  const words = index === undefined ? null : stats.columns[index]?.words;
  if (index === undefined || !words || words.size < 2) return null;
  const listed = [...words.keys()].slice(0, 6).map((word) => quotedCell(word));
  return {
    message: ` Column ${quotedCell(table.headers[index] ?? '')} may show this with the words ${listed.join(', ')}. Say which of them mean money spent.`,
    detail: { path: 'direction_values', message: 'Send direction_values: {"out": [words], "in": [words]}.' },
  };
}

function wrongMapping({ mapping, stats, table, options }: BlockerInput): Blocker | null {
  const missing = missingFields(mapping);
  if (missing.length > 0) return unrecognised(missing, stats, table);
  const date = mapping.get('date');
  const dateColumn = stats.columns[date?.columns[0] ?? -1];
  if (
    date?.source === 'given' &&
    options.date_format === undefined &&
    dateColumn &&
    dateColumn.dates * 2 < stats.completeRecords
  ) {
    return wrongColumn('date', table.headers[date.columns[0] as number] ?? '', 'dates', stats, table, isDateColumn);
  }
  const amounts = (['amount', 'debit', 'credit'] as const).flatMap((field) => {
    const mapped = mapping.get(field);
    return mapped?.source === 'given' ? [{ field, index: mapped.columns[0] as number }] : [];
  });
  const numbers = amounts.reduce((sum, { index }) => sum + (stats.columns[index]?.numbers ?? 0), 0);
  const first = amounts[0];
  if (first && numbers * 2 < stats.completeRecords)
    return wrongColumn(first.field, table.headers[first.index] ?? '', 'amounts', stats, table, isNumberColumn);
  return null;
}

/** Asks for columns that were not recognised; lists every column of the file with what it could be. */
function unrecognised(missing: readonly ('date' | 'amount')[], stats: TableStats, table: Table): Blocker {
  const what = missing.map((field) => (field === 'date' ? 'the date' : 'the amount')).join(' and ');
  return {
    code: 'WRONG_MAPPING',
    message: `We could not find the column with ${what}. Choose it from the columns of the file.`,
    parameter: 'column_mapping',
    candidates: columnCandidates(stats, table),
    details: missing.map((field) => {
      const fitting = columnCandidates(stats, table, field === 'date' ? isDateColumn : isNumberColumn);
      const names = fitting.slice(0, NAMES_LISTED).map(({ value }) => quotedCell(value));
      const could = names.length > 0 ? ` It could be ${names.join(' or ')}.` : '';
      return { path: `column_mapping.${field}`, message: `Which column is the ${field}?${could}` };
    }),
  };
}

function wrongColumn(
  field: string,
  name: string,
  what: string,
  stats: TableStats,
  table: Table,
  test: (column: TableStats['columns'][number]) => boolean,
): Blocker {
  const candidates = columnCandidates(
    stats,
    table,
    (column) => test(column) && column.filled * 2 >= stats.completeRecords,
  );
  const better = candidates[0] ? `, but column ${quotedCell(candidates[0].value)} can` : '';
  return {
    code: 'WRONG_MAPPING',
    message: `Less than half of column ${quotedCell(name)} can be read as ${what}${better}. Choose another column.`,
    parameter: 'column_mapping',
    candidates,
    details: [{ path: `column_mapping.${field}`, message: `${quotedCell(name)} does not contain ${what}` }],
  };
}

type Unread = Pick<BlockerInput, 'options' | 'problems'> & { readonly counts: { rows: number; invalid: number } };

/** Unreadable records, unless the caller lets us skip them. `remedyForAll`: what to do when no record is readable. */
export function invalidRows({ counts, options, problems }: Unread, remedyForAll: string): Blocker[] {
  if (counts.invalid === 0) return [];
  const isAll = counts.rows === 0;
  if (options.skip_invalid === true && !isAll) return [];
  const first = problems[0];
  const place = counts.invalid === 1 ? 'It' : 'The first';
  const example = first ? ` ${place} is on line ${first.line}: ${first.message}.` : '';
  const remedy = isAll
    ? remedyForAll
    : counts.invalid === 1
      ? ' Correct the file, or import it without that row.'
      : ' Correct the file, or import it without them.';
  return [
    {
      code: 'INVALID_ROWS',
      message: `${counts.invalid} of ${counts.rows + counts.invalid} rows cannot be read.${example}${remedy}`,
      parameter: isAll ? null : 'skip_invalid',
      candidates: [],
      details: problems.map((row) => ({ path: problemPath(row), message: row.message ?? '' })),
    },
  ];
}

const CAUSES = {
  wrong_balance: 'the balance on that line looks wrong',
  flipped_sign: 'an amount seems to have the wrong sign',
  wrong_decimal: 'an amount seems to have its decimal point in the wrong place',
  doubled_row: 'a row seems to be duplicated',
  missing_row: 'a row seems to be missing',
} as const;

export function brokenProof({
  proof,
  options,
  provesOwed = false,
}: Pick<BlockerInput, 'proof' | 'options'> & { readonly provesOwed?: boolean }): Blocker[] {
  if (proof.status !== 'broken' || options.accept_unproved === true) return [];
  const broken = proof.results.find((result) => result.status === 'broken');
  const first = broken?.first_break;
  const where = first
    ? ` ${placeOf(first)} the balance should be ${formatCents(first.expected_cents)} but is ${formatCents(first.found_cents)}: ${CAUSES[first.likely_cause]}.`
    : '';
  const [other] = proof.proves_with;
  const owed = provesOwed && other?.parameter !== 'account_type' ? [OWED_HINT] : [];
  const remedy = other
    ? ` They do if ${proof.proves_with.map((one) => readingInWords(one.parameter, one.value)).join(' and ')}.`
    : ' Download the file from the bank again, or import it as it is if you know the reason.';
  const hint = other
    ? { path: other.parameter, message: `Send ${other.parameter}: ${other.value}.` }
    : { path: 'accept_unproved', message: 'Send accept_unproved: true to import it as it is.' };
  return [
    {
      code: 'BALANCE_MISMATCH',
      message: `The amounts in the file do not add up to its balances.${where}${remedy}`,
      parameter: other ? other.parameter : 'accept_unproved',
      candidates: [],
      details: [...(first ? [{ path: pathOf(first), message: CAUSES[first.likely_cause] }] : []), hint, ...owed],
    },
  ];
}

function placeOf({ line, date }: BalanceBreak): string {
  return line === null ? `In the statement of ${date}` : `On line ${line} (${date})`;
}

function pathOf({ line, date }: BalanceBreak): string {
  return `${line === null ? `statement of ${date}` : `line ${line}`}: balance`;
}
