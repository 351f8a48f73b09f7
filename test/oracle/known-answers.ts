import { isSigned } from './dialect.ts';
import type { Dialect } from './dialect.ts';
import { money } from './render.ts';
import type { WrittenRow } from './render.ts';
import type { RightAnswers } from './verdict.ts';
import { decodedAs } from './written-bytes.ts';

/** What is right about a rendered file, and what a reader who knows nothing but the file could see by itself. */

interface Rendered {
  readonly dialect: Dialect;
  readonly written: readonly WrittenRow[];
  readonly text: string;
  readonly bytes: Uint8Array;
}

const ENCODINGS =
  'utf-8 utf-16le utf-16be windows-1250 windows-1251 windows-1252 iso-8859-1 iso-8859-2 iso-8859-15 macintosh ibm437 ibm850 ibm852';
const LATEST = '2026-12-22';

export function rightAnswers(file: Rendered): RightAnswers {
  const { dialect, written, text } = file;
  const { amounts, dates, numbers, columns, fees, preamble } = dialect;
  const at = (column: Dialect['columns'][number]): Record<string, number> =>
    columns.includes(column) ? { [column]: columns.indexOf(column) } : {};
  const words = (isIn: boolean): string[] => [
    ...new Set(written.filter(({ cents }) => cents < 0 === isIn && cents !== 0).map(({ typeWord }) => typeWord)),
  ];
  const kind = written[0]?.account.kind;
  const direction = amounts === 'type words' ? { direction: columns.indexOf('type') } : at('direction');
  const headerAt = dialect.hasHeader
    ? text.split(dialect.lineEnd).findIndex((line) => line.includes(dialect.names[0] ?? '\0')) + 1
    : 0;
  return {
    date_format: formatOf(dates.order, dates.separator),
    decimal_separator: numbers.decimal,
    ...(isSigned(dialect) ? { sign: amounts === 'positive is in' ? 'positive_is_in' : 'positive_is_out' } : {}),
    ...(fees === 'none' ? {} : { fee_mode: fees === 'separate' ? 'separate' : 'included' }),
    get encoding() {
      return [dialect.encoding, ...ENCODINGS.split(' ').filter((label) => decodedAs(file.bytes, label) === text)];
    },
    column_mapping: {
      ...at('date'),
      description: columns.indexOf('text'),
      ...at('amount'),
      ...at('debit'),
      ...at('credit'),
      ...direction,
      ...at('balance'),
    },
    ...(dialect.hasHeader && preamble < 30 ? { header_line: headerAt } : {}),
    ...(amounts === 'type words' ? { direction_values: { out: words(false), in: words(true) } } : {}),
    account_type: kind === 'checking' ? 'depository' : kind === 'card' ? 'credit' : 'loan',
  };
}

function formatOf(order: string, separator: string): string {
  const parts: Readonly<Record<string, string>> = { Y: 'YYYY', M: 'MM', D: 'DD' };
  return [...order].map((letter) => parts[letter]).join(separator);
}

/** True where the content alone answers the question: asking it was needless. */
export function answeredByContent(parameter: string, file: Rendered): boolean {
  const { dialect, bytes } = file;
  switch (parameter) {
    case 'encoding':
      return dialect.encoding.startsWith('utf') || isUtf8(bytes);
    case 'date_format':
      return isDateClear(file);
    case 'decimal_separator':
      return isDecimalClear(file);
    case 'sign':
      return dialect.amounts !== 'type words' && ((!isSigned(dialect) && !isNamelessPair(file)) || chains(file));
    case 'fee_mode':
      return dialect.fees === 'zero' || (chains(file) && hasFeeBetweenBalances(file));
    case 'column_mapping':
    case 'header_line':
      return dialect.hasHeader;
    default:
      return false;
  }
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/** Without column names, nothing but balances tells which column of a pair is which. */
function isNamelessPair({ dialect }: Rendered): boolean {
  return !dialect.hasHeader && dialect.amounts.startsWith('pair');
}

/** Balances of what is owned, after three rows or more: only one sign, one separator and one way with fees fits them. */
function chains({ dialect, written }: Rendered): boolean {
  const { balances, owedIsPositive } = dialect;
  const moving = written.filter(({ row }) => row.status === 'posted' && row.cents !== 0);
  return balances === 'running' && !owedIsPositive && moving.length >= 3;
}

/** A fee of the first row of an account, or of a row that is left out, stands between no two balances. */
function hasFeeBetweenBalances({ written }: Rendered): boolean {
  const posted = written.filter(({ row }) => row.status === 'posted');
  return [...Map.groupBy(posted, ({ account }) => account).values()].some((rows) => {
    const first = rows.map(({ row }) => row.date).sort()[0];
    return rows.some(({ row, feeCents }) => feeCents !== 0 && row.date !== first);
  });
}

/** A day after the 12th, a month by name, a swapped day in the future, or days that only run one way if read right. */
function isDateClear(file: Rendered): boolean {
  const { dialect, written } = file;
  const { dates, newestFirst, isMerged } = dialect;
  if (dates.order === 'YMD' || dates.month !== 'digits') return true;
  const swapped = written.map(({ row: { date } }) => `${date.slice(0, 4)}-${date.slice(8)}-${date.slice(5, 7)}`);
  if (swapped.some((date) => Number(date.slice(5, 7)) > 12 || date > LATEST)) return true;
  if (written.every(({ row }, i) => row.date === swapped[i])) return true;
  if (!chains(file) || !(isMerged || new Set(written.map(({ account }) => account)).size === 1)) return false;
  const inTime = newestFirst ? swapped.toReversed() : swapped;
  return inTime.some((date, i) => i > 0 && date < (inTime[i - 1] as string));
}

/** An amount that only one separator reads; or one without any, in a chain of balances that the other would break. */
function isDecimalClear({ dialect, written }: Rendered): boolean {
  const { numbers, balances } = dialect;
  const cells = written.flatMap(({ account, row, cents }) => [
    money(Math.abs(cents), account.currency, { ...numbers, symbol: '' }),
    ...(balances === 'running' && row.status === 'posted'
      ? [money(Math.abs(row.balanceCents), account.currency, { ...numbers, symbol: '' })]
      : []),
  ]);
  const isOpen = (cell: string): boolean => /^\+?[1-9]\d{0,2}[.,]\d{3}$/u.test(cell);
  return cells.some((cell) => /[.,]/u.test(cell) && !isOpen(cell)) || !cells.some((cell) => /[.,]/u.test(cell));
}
