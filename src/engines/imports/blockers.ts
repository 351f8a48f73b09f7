import { formatCents } from '../../kernel/money.ts';
import type {
  AnalysedRow,
  BalanceBreak,
  BalanceProof,
  Blocker,
  Detection,
  DetectionCandidate,
  Detections,
  ReadOptions,
} from './analysis.ts';
import { quotedCell } from './cell-text.ts';
import type { Survey } from './columns.ts';
import { isDateColumn, isNumberColumn } from './columns.ts';
import type { OutcomeCounts } from './csv-summary.ts';
import type { Mapping } from './mapping.ts';
import { missingFields } from './missing-fields.ts';
import { problemPath } from './rows.ts';
import type { Table } from './table.ts';

export interface BlockerInput {
  readonly survey: Survey;
  readonly table: Table;
  readonly mapping: Mapping;
  readonly options: ReadOptions;
  readonly detection: Detections;
  readonly counts: OutcomeCounts;
  readonly problems: readonly AnalysedRow[];
  readonly proof: BalanceProof;
  readonly asksAccountType: boolean;
}

/** What an import of this file with these options would be refused for, in the order of 36.15. */
export function blockersOf(input: BlockerInput): Blocker[] {
  const encoding = ambiguity(input, 'encoding');
  const mapping = wrongMapping(input);
  if (mapping) return [...encoding, mapping];
  const open = (['date_format', 'decimal_separator', 'sign', 'fee_mode'] as const).flatMap((key) =>
    ambiguity(input, key),
  );
  const rows = invalidRows(input, ' Check column_mapping, date_format and decimal_separator.');
  const proof = brokenProof(input);
  return [...encoding, ...open, ...rows, ...proof];
}

export const QUESTIONS = {
  encoding: 'The characters of the file can be read in several ways. Send encoding.',
  date_format: 'Every date reads as day first and as month first. Send date_format.',
  decimal_separator: 'It is not clear which of . and , is the decimal separator. Send decimal_separator.',
  sign: 'The file does not say which amounts are money out. Send sign.',
  fee_mode: 'It is not clear whether the fee is part of the amount or comes on top. Send fee_mode.',
} as const;

function ambiguity(input: BlockerInput, key: keyof typeof QUESTIONS): Blocker[] {
  const { value, confidence, candidates, evidence } = input.detection[key];
  const isRefused = confidence === 'assumed' && input.options.refuse_assumptions === true;
  if (confidence !== 'ambiguous' && !isRefused) return [];
  let message: string = QUESTIONS[key];
  if (key === 'decimal_separator' && evidence.includes('both_separators'))
    message =
      'The file mixes amounts with a decimal point and amounts with a decimal comma. Send decimal_separator to say which is right.';
  if (key === 'date_format' && candidates.some((one) => one.value.startsWith('Y')))
    message = 'The dates are written in more than one order. Send date_format.';
  if (key === 'sign' && input.asksAccountType)
    message =
      'The balances fit one sign on a deposit account and the other on a credit card. Send sign, or account_type.';
  if (key === 'sign' && !isRefused && input.detection.sign.evidence.includes('content'))
    message += directionHint(input);
  if (key === 'sign' && isRefused) message = `The sign ${value} would only be assumed. Send sign.`;
  return [openQuestion(key, input.detection[key], message)];
}

/** The blocker of a detection that two readings share. */
export function openQuestion(parameter: string, { value, candidates }: Detection, message: string): Blocker {
  const values = candidates.map((one) => one.value).join(' and ') || String(value);
  return {
    code: 'AMBIGUOUS_FORMAT',
    message,
    parameter,
    candidates,
    details: [{ path: parameter, message: `${values} ${candidates.length > 1 ? 'both fit' : 'is only assumed'}` }],
  };
}

/** What to do about a direction column whose words are not known. */
function directionHint({ mapping, survey, table }: BlockerInput): string {
  const index = mapping.get('direction')?.columns[0];
  const words = index === undefined ? null : survey.columns[index]?.words;
  if (index === undefined || !words || words.size < 2) return '';
  const listed = [...words.keys()].slice(0, 6).map((word) => quotedCell(word));
  return ` Column ${quotedCell(table.headers[index] ?? '')} may say it with ${listed.join(', ')}: then send direction_values instead.`;
}

function wrongMapping({ mapping, survey, table, options }: BlockerInput): Blocker | null {
  const missing = missingFields(mapping);
  if (missing) {
    return {
      code: 'WRONG_MAPPING',
      message: missing.message,
      parameter: 'column_mapping',
      candidates: [],
      details: missing.extra.details ?? [],
    };
  }
  const date = mapping.get('date');
  const dateColumn = survey.columns[date?.columns[0] ?? -1];
  if (
    date?.source === 'given' &&
    options.date_format === undefined &&
    dateColumn &&
    dateColumn.dates * 2 < survey.full
  ) {
    return wrongColumn(
      'date',
      table.headers[date.columns[0] as number] ?? '',
      'dates',
      betterColumns(survey, table, isDateColumn),
    );
  }
  const amounts = (['amount', 'debit', 'credit'] as const).flatMap((field) => {
    const mapped = mapping.get(field);
    return mapped?.source === 'given' ? [{ field, index: mapped.columns[0] as number }] : [];
  });
  const numbers = amounts.reduce((sum, { index }) => sum + (survey.columns[index]?.numbers ?? 0), 0);
  const first = amounts[0];
  if (first && numbers * 2 < survey.full)
    return wrongColumn(
      first.field,
      table.headers[first.index] ?? '',
      'amounts',
      betterColumns(survey, table, isNumberColumn),
    );
  return null;
}

function betterColumns(
  survey: Survey,
  table: Table,
  test: (column: Survey['columns'][number]) => boolean,
): DetectionCandidate[] {
  return survey.columns.flatMap((column, index) => {
    if (!test(column) || column.filled * 2 < survey.full) return [];
    const sample = column.firstDate ?? column.firstOfVote.find((cell) => cell !== undefined);
    return [
      {
        value: table.headers[index] ?? `column_${index + 1}`,
        line: sample?.line ?? 1,
        raw: sample?.raw ?? '',
        read_as: `column ${index}`,
      },
    ];
  });
}

function wrongColumn(field: string, name: string, what: string, candidates: DetectionCandidate[]): Blocker {
  const better = candidates[0] ? ` Column "${candidates[0].value}" does.` : '';
  return {
    code: 'WRONG_MAPPING',
    message: `Less than half of column "${name}" reads as ${what}.${better} Change column_mapping.${field}.`,
    parameter: 'column_mapping',
    candidates,
    details: [{ path: `column_mapping.${field}`, message: `"${name}" does not hold ${what}` }],
  };
}

type Unread = Pick<BlockerInput, 'options' | 'problems'> & { readonly counts: { rows: number; invalid: number } };

/** Records that cannot be read, unless the caller lets them be left out. `remedyForAll`: what to do when none can. */
export function invalidRows({ counts, options, problems }: Unread, remedyForAll: string): Blocker[] {
  if (counts.invalid === 0) return [];
  const isAll = counts.rows === 0;
  if (options.skip_invalid === true && !isAll) return [];
  const first = problems[0];
  const example = first ? ` The first is on line ${first.line}: ${first.message}.` : '';
  const remedy = isAll ? remedyForAll : ' Correct the file, or send skip_invalid to import the others.';
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
  wrong_balance: 'the balance there looks mistyped',
  flipped_sign: 'an amount seems to have the wrong sign',
  wrong_decimal: 'an amount seems to have its decimal point in the wrong place',
  doubled_row: 'a row seems to stand there twice',
  missing_row: 'a row seems to be missing',
} as const;

export function brokenProof({ proof, options }: Pick<BlockerInput, 'proof' | 'options'>): Blocker[] {
  if (proof.status !== 'broken' || options.accept_unproved === true) return [];
  const broken = proof.results.find((result) => result.status === 'broken');
  const first = broken?.first_break;
  const where = first
    ? ` ${placeOf(first)} the balance should be ${formatCents(first.expected_cents)} but is ${formatCents(first.found_cents)}: ${CAUSES[first.likely_cause]}.`
    : '';
  const [other] = proof.proves_with;
  const remedy = other
    ? ` They do fit with ${proof.proves_with.map((one) => `${one.parameter}: ${one.value}`).join(', ')}.`
    : ' Download the file again, or send accept_unproved to import it as it is.';
  return [
    {
      code: 'BALANCE_MISMATCH',
      message: `The balances in the file do not follow from its amounts.${where}${remedy}`,
      parameter: other ? other.parameter : 'accept_unproved',
      candidates: [],
      details: first ? [{ path: pathOf(first), message: CAUSES[first.likely_cause] }] : [],
    },
  ];
}

function placeOf({ line, date }: BalanceBreak): string {
  return line === null ? `In the statement of ${date}` : `On line ${line} (${date})`;
}

function pathOf({ line, date }: BalanceBreak): string {
  return `${line === null ? `statement of ${date}` : `line ${line}`}: balance`;
}
