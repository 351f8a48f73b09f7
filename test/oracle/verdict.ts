import type { Blocker, DetectionCandidate, FileAnalysis, ReadOptions } from '../../src/engines/imports/analysis.ts';
import { analyseFile } from '../../src/features/imports/doors/analyse-file.ts';
import { AppError } from '../../src/kernel/errors.ts';
import { formatCents } from '../../src/kernel/money.ts';

/** What became of a file whose ledger is known, read by the product without a word from anybody. */

/**
 * `asked…`: it asked, was given the right answers, and read right (or not). `refused`: it named no way on that fits a
 * sound file. `wrong`: it read without a question, and not as itself. `assumed_wrong`: so too, but the contract gives
 * the default where nothing in the file tells, and a warning says so.
 */
export type Verdict = 'right' | 'asked_right' | 'asked_wrong' | 'refused' | 'wrong' | 'assumed_wrong';

export interface ExpectedRow {
  readonly date: string;
  /** Positive = money out. */
  readonly cents: number;
  /** null where the file does not say, and `unsaid` is what it is. */
  readonly currency: string | null;
  readonly unsaid?: string;
  /** Occurs in what was read as the description or as the other side; empty for anything. */
  readonly text: string;
  /** Any name that is the same for all rows of one account, and for those only; null for anything. */
  readonly account: string | null;
  readonly status: 'posted' | 'pending' | 'ignored';
}

/** The right answers to whatever may be asked; one that is absent has no right answer, because the file is sound. */
export interface RightAnswers {
  /** Its order of day, month and year: the candidate with the same order is the answer. */
  readonly date_format?: string;
  readonly decimal_separator?: '.' | ',';
  readonly sign?: 'positive_is_in' | 'positive_is_out';
  readonly fee_mode?: 'separate' | 'included';
  /** Encodings in which the file has its own letters. */
  readonly encoding?: readonly string[];
  readonly column_mapping?: Readonly<Record<string, number>>;
  readonly header_line?: number;
  readonly account_type?: string;
  readonly direction_values?: { readonly out: readonly string[]; readonly in: readonly string[] };
}

export interface KnownFile {
  readonly bytes: Uint8Array;
  /** In the order of the file. */
  readonly rows: readonly ExpectedRow[];
  readonly answers: RightAnswers;
  /** True for a question that the content of the file answers by itself. */
  isNeedless(parameter: string): boolean;
}

export interface Judgement {
  readonly verdict: Verdict;
  /** For an `assumed_wrong` the warning and its evidence; else the first difference or the last question. */
  readonly why: string;
  /** `CODE parameter` of each question, in the order asked. */
  readonly questions: readonly string[];
  readonly needless: readonly string[];
}

const CONTEXT = { today: '2026-11-21', profiles: [], account: null, file_name: null };
const MOST_QUESTIONS = 6;

export function judge(file: KnownFile): Judgement {
  const questions: string[] = [];
  const needless: string[] = [];
  const end = (verdict: Verdict, why: string): Judgement => ({ verdict, why, questions, needless });
  let options: ReadOptions = {};
  for (;;) {
    const read = readingOf(file, options);
    if (read instanceof AppError) return end(questions.length > 0 ? 'asked_wrong' : 'refused', read.code);
    const [blocker] = read.blockers;
    if (!blocker) {
      const why = difference(file.rows, read);
      if (why === null) return end(questions.length > 0 ? 'asked_right' : 'right', '');
      const assumed = assumptionOf(file, read);
      if (assumed !== null) return end('assumed_wrong', assumed);
      return end(questions.length > 0 ? 'asked_wrong' : 'wrong', why);
    }
    const question = `${blocker.code} ${blocker.parameter ?? '-'}`;
    const answer = answerTo(blocker, file.answers, options) ?? signOfRowShown(blocker, file.rows, options);
    const isNew = answer !== null && questions.length < MOST_QUESTIONS;
    const isAsked = questions.length > 0 || blocker.code === 'AMBIGUOUS_FORMAT';
    if (!isNew) return end(isAsked ? 'asked_wrong' : 'refused', `${question} has no right answer`);
    questions.push(question);
    if (file.isNeedless(blocker.parameter ?? '')) needless.push(question);
    options = { ...options, ...answer };
  }
}

/** How the product takes the bytes; an error only where it refuses them. */
function readingOf({ bytes }: Pick<KnownFile, 'bytes'>, options: ReadOptions = {}): FileAnalysis | AppError {
  try {
    return analyseFile(bytes, { wanted: 'auto', endpoint: 'any' }, options, CONTEXT);
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

/** What somebody who knows the file answers, and has not answered yet; null where none of the choices is right. */
function answerTo(blocker: Blocker, answers: RightAnswers, given: ReadOptions): ReadOptions | null {
  const { parameter, candidates, details } = blocker;
  const paths = new Set(details.map(({ path }) => path));
  const isOpen = (field: keyof RightAnswers & keyof ReadOptions): boolean =>
    answers[field] !== undefined && given[field] === undefined;
  if (paths.has('direction_values') && isOpen('direction_values')) return pick(answers, 'direction_values');
  if (parameter === 'column_mapping') return columnsAmong(candidates, answers.column_mapping);
  if (parameter !== null && parameter in given)
    return paths.has('account_type') && isOpen('account_type') ? pick(answers, 'account_type') : null;
  if (parameter === 'date_format') {
    const wanted = answers.date_format;
    if (wanted === undefined) return null;
    if (candidates.length === 0) return { date_format: wanted };
    const found = candidates.find(({ value }) => orderOf(value) === orderOf(wanted));
    return found ? { date_format: found.value } : null;
  }
  if (parameter === 'encoding') {
    const found = candidates.find(({ value }) => answers.encoding?.includes(value));
    return found ? { encoding: found.value } : null;
  }
  const known = answers[parameter as keyof RightAnswers];
  if (parameter === null || known === undefined) return null;
  const text = typeof known === 'number' ? String(known) : known;
  const isOffered = candidates.length === 0 || candidates.some(({ value }) => value === text);
  return isOffered ? { [parameter]: known } : null;
}

/** Who knows of no sign, because money out has a column of its own, still knows where the money of the row went. */
function signOfRowShown(
  { parameter, candidates }: Blocker,
  rows: KnownFile['rows'],
  given: ReadOptions,
): ReadOptions | null {
  if (parameter !== 'sign' || given.sign !== undefined) return null;
  const cents = Math.abs(Math.round(Number(candidates[0]?.raw) * 100));
  const ways = new Set(rows.filter((row) => Math.abs(row.cents) === cents).map((row) => Math.sign(row.cents)));
  if (ways.size !== 1) return null;
  const way = ways.has(1) ? 'money out' : 'money in';
  const found = candidates.find(({ read_as: readAs }) => readAs === way)?.value;
  return found === 'positive_is_in' || found === 'positive_is_out' ? { sign: found } : null;
}

function pick(answers: RightAnswers, field: keyof RightAnswers): ReadOptions {
  return { [field]: answers[field] };
}

/** A choice between whole readings, or the columns themselves where only those are listed. */
function columnsAmong(
  candidates: readonly DetectionCandidate[],
  wanted: RightAnswers['column_mapping'],
): ReadOptions | null {
  if (!wanted) return null;
  if (!candidates.some(({ value }) => value.startsWith('{'))) return { column_mapping: wanted };
  const readings = candidates.map(({ value }) => JSON.parse(value) as Record<string, number>);
  const money = ['amount', 'debit', 'credit'];
  const found = readings.find((one) => money.every((field) => one[field] === wanted[field]));
  return found ? { column_mapping: found } : null;
}

/** `DMY` of `DD/MM/YYYY`. */
function orderOf(format: string): string {
  return [...new Set(format.replace(/\[[^\]]*\]/gu, '').replace(/[^YMD]/gu, ''))].join('');
}

/** The first thing that was not read as itself; null when everything was. */
function difference(expected: readonly ExpectedRow[], file: FileAnalysis): string | null {
  const read = [...file.rows()];
  const found = read.filter(({ outcome }) => outcome === 'row');
  const posted = expected.filter(({ status }) => status === 'posted');
  const left = (reason: string): number => read.filter((row) => row.reason === reason).length;
  const invalid = read.find(({ outcome }) => outcome === 'invalid');
  if (invalid) return `line ${invalid.line} is invalid: ${invalid.reason}`;
  if (posted.length !== found.length) return `${posted.length} rows are read as ${found.length}`;
  for (const [status, reason] of [
    ['pending', 'PENDING'],
    ['ignored', 'STATUS_IGNORED'],
  ] as const) {
    const count = expected.filter((row) => row.status === status).length;
    if (left(reason) !== count) return `${count} ${status} rows are read as ${left(reason)}`;
  }
  const accounts = new Map<string, string | null>();
  for (const [i, row] of posted.entries()) {
    const own = found[i] as (typeof found)[number];
    const wanted = lineOf(row.date, row.cents, row.currency);
    const isUnsaid = row.currency === null && (own.iso_currency_code ?? row.unsaid) === row.unsaid;
    const currency = isUnsaid ? null : own.iso_currency_code;
    const got = lineOf(own.date ?? '-', own.amount_cents ?? 0, currency);
    if (wanted !== got) return `line ${own.line}: ${wanted} is read as ${got}`;
    const texts = `${own.description} ${own.merchant_name ?? ''}`;
    if (!texts.includes(row.text)) return `line ${own.line}: the text ${row.text} is read as ${texts}`;
    if (row.account === null) continue;
    const name = accounts.get(row.account) ?? own.account_value;
    if (name !== own.account_value) return `line ${own.line}: the account ${row.account} is read as two`;
    accounts.set(row.account, name);
  }
  const isApart = new Set(accounts.values()).size === accounts.size;
  return isApart ? null : 'two accounts are read as one';
}

function lineOf(date: string, cents: number, currency: string | null): string {
  return `${date} ${formatCents(cents)} ${currency ?? '?'}`;
}

/** Why the contract allows this reading: the other sign, with a warning, where nothing in the file tells which it is. */
function assumptionOf({ rows }: KnownFile, read: FileAnalysis): string | null {
  const { sign } = read.detection;
  if (sign.confidence !== 'assumed' || !read.warnings.some(({ code }) => code === 'SIGN_ASSUMED')) return null;
  const flipped = rows.map((row) => ({ ...row, cents: -row.cents + 0 }));
  return difference(flipped, read) === null ? `SIGN_ASSUMED ${sign.evidence.join(' ')}` : null;
}
