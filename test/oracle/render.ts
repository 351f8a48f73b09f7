import { formatCents } from '../../src/kernel/money.ts';
import { languageOf, monthName } from './dialect.ts';
import type { Column, Dates, Dialect, Numbers } from './dialect.ts';
import { CURRENCIES_WITHOUT_CENTS } from './known-ledger.ts';
import type { Choices, KnownAccount, KnownLedger, KnownRow } from './known-ledger.ts';
import { answeredByContent, rightAnswers } from './known-answers.ts';
import type { ExpectedRow, KnownFile } from './verdict.ts';
import { writtenBytes } from './written-bytes.ts';

/** A row as the file has it. */
export interface WrittenRow {
  readonly account: KnownAccount;
  readonly row: KnownRow;
  /** What the amount columns hold; the rest is the fee. */
  readonly cents: number;
  readonly feeCents: number;
  readonly otherDate: string;
  readonly text: string;
  readonly typeWord: string;
  readonly statusWord: string;
}

export interface RenderedFile extends KnownFile {
  readonly dialect: Dialect;
  readonly ledger: KnownLedger;
  readonly text: string;
}

/** A ledger in the words of a dialect, and how it must be read. */
export function rendered(choices: Choices, ledger: KnownLedger, wanted: Dialect): RenderedFile {
  const written = ordered(ledger, wanted).map((one) => writtenRow(choices, one, wanted));
  const text = fileText(choices, ledger, written, wanted);
  const own = writtenBytes(text, wanted.encoding);
  const dialect: Dialect = own ? wanted : { ...wanted, encoding: 'utf-8' };
  const bytes = own ?? new TextEncoder().encode(text);
  return {
    dialect,
    ledger,
    text,
    bytes,
    rows: written.map((row) => expectedRow(row, dialect)),
    answers: rightAnswers({ dialect, written, text, bytes }),
    isNeedless: (parameter) => answeredByContent(parameter, { dialect, written, text, bytes }),
  };
}

type Placed = Pick<WrittenRow, 'account' | 'row'>;

function ordered({ accounts }: KnownLedger, { isMerged, newestFirst }: Dialect): Placed[] {
  const blocks = accounts.map((account) => account.rows.map((row) => ({ account, row })));
  const merged = isMerged
    ? [blocks.flat().toSorted((a, b) => (a.row.date < b.row.date ? -1 : a.row.date > b.row.date ? 1 : 0))]
    : blocks;
  return merged.flatMap((block) => (newestFirst ? block.toReversed() : block));
}

function writtenRow(choices: Choices, { account, row }: Placed, dialect: Dialect): WrittenRow {
  const { fees, words } = dialect;
  const step = CURRENCIES_WITHOUT_CENTS.has(account.currency) ? 100 : 1;
  const hasFee = row.cents > 1_000 && (fees === 'included' || fees === 'separate') && choices.oneIn(3);
  const feeCents = hasFee ? step * (1 + choices.below(5)) : 0;
  const odd =
    dialect.oddTexts && choices.oneIn(3) ? choices.of([', "Nord"', '; Süd', ' | 2, 3', '\nLine 2', " 'x'"]) : '';
  const [day, month] = [Number(row.date.slice(8)), row.date.slice(0, 8)];
  return {
    account,
    row,
    cents: fees === 'separate' ? row.cents - feeCents : row.cents,
    feeCents,
    otherDate: `${month}${String(Math.max(1, day - choices.below(3))).padStart(2, '0')}`,
    text: row.text + odd,
    typeWord: typeWord(row, account, dialect),
    statusWord: words[row.status].split('|')[0] as string,
  };
}

/** Where the words must tell the way of the money, only those that do. */
function typeWord(
  { kind, cents }: KnownRow,
  { currency }: KnownAccount,
  { amounts, types, words, directions }: Dialect,
): string {
  const language = languageOf(words.code);
  if (amounts === 'type words') {
    if (types === 'instruments') return cents < 0 ? directions[1] : directions[0];
    if (kind === 'refund') return words.refund;
    return language.types[
      kind === 'transferIn' ? 'salary' : kind === 'transferOut' || kind === 'directDebit' ? 'card' : kind
    ];
  }
  if (types === 'instruments')
    return kind === 'card' || kind === 'refund' || kind === 'cash'
      ? language.instruments.card
      : language.instruments.transfer;
  if (kind === 'refund') return currency === 'EUR' ? words.refund : language.types.card;
  return language.types[kind];
}

function expectedRow({ account, row, text }: WrittenRow, dialect: Dialect): ExpectedRow {
  const { columns, hasHeader, accountIs } = dialect;
  return {
    date: row.date,
    cents: row.cents,
    currency: statesCurrency(account.currency, dialect) ? account.currency : null,
    unsaid: account.currency,
    text: hasHeader ? text.replace(/\s+/gu, ' ') : '',
    account: columns.includes('account') && hasHeader ? account[accountIs] : null,
    status: columns.includes('status') ? row.status : 'posted',
  };
}

const SYMBOLS: Readonly<Record<string, string>> = {
  EUR: '€',
  USD: '$',
  GBP: '£',
  CHF: 'Fr.',
  PLN: 'zł',
  SEK: 'kr',
  JPY: '¥',
  KRW: '₩',
  ISK: 'kr',
  VND: '₫',
};
const SHARED_SYMBOLS: ReadonlySet<string> = new Set(['$', 'kr', '¥', 'Fr.']);

function statesCurrency(currency: string, { columns, currencyInName, numbers: { symbol } }: Dialect): boolean {
  if (columns.includes('currency') || currencyInName || symbol.startsWith('code')) return true;
  return symbol !== '' && !SHARED_SYMBOLS.has(SYMBOLS[currency] ?? '');
}

function fileText(choices: Choices, ledger: KnownLedger, written: readonly WrittenRow[], dialect: Dialect): string {
  const { hasHeader, names, lineEnd, separatorLine, delimiter, repeatedHeader, blankLines } = dialect;
  const records: string[] = [];
  const line = (cells: readonly string[], isText = false): void => void records.push(recordOf(cells, dialect, isText));
  if (separatorLine) records.push(`sep=${delimiter}`);
  for (const cells of preambleOf(ledger, dialect)) line(cells, true);
  if (hasHeader) line(names, true);
  const rows = written.map((row, at) => cellsOf(row, at, dialect));
  const openings = openingRow(ledger, dialect);
  const middle = Math.floor(rows.length / 2);
  if (!dialect.newestFirst) for (const cells of openings) line(cells);
  rows.forEach((cells, at) => {
    if (blankLines && at === middle) records.push('');
    if (repeatedHeader && at === middle && at > 0) line(names, true);
    line(cells);
  });
  if (dialect.newestFirst) for (const cells of openings) line(cells);
  for (const cells of footerOf(written, dialect)) line(cells, true);
  return `${records.join(lineEnd)}${choices.oneIn(10) ? '' : lineEnd}`;
}

function recordOf(
  cells: readonly string[],
  { delimiter, quoting, columns, trailingDelimiter }: Dialect,
  isText: boolean,
): string {
  const quoted = cells.map((cell, at) => {
    const isNeeded = cell.includes(delimiter) || /["\r\n]/u.test(cell);
    const isTextColumn = isText || columns[at] === 'text' || columns[at] === 'counterparty';
    const isWanted = cell !== '' && (quoting === 'all' || (quoting === 'texts' && isTextColumn));
    return isNeeded || isWanted ? `"${cell.replaceAll('"', '""')}"` : cell;
  });
  return quoted.join(delimiter) + (trailingDelimiter && cells.length > 1 ? delimiter : '');
}

function cellsOf(written: WrittenRow, at: number, dialect: Dialect): string[] {
  const { account, row } = written;
  const amount = amountCells(written.cents, account.currency, dialect);
  const cells: Readonly<Record<Column, string>> = {
    date: dateText(row.date, dialect.dates, dialect.words.code),
    otherDate: dateText(written.otherDate, dialect.otherDates, dialect.words.code),
    text: written.text,
    counterparty: row.counterparty,
    counterpartyAccount: row.kind === 'transferOut' ? 'NL91ABNA0417164300' : '',
    category: row.cents < 0 ? 'Income' : 'Other',
    type: written.typeWord,
    status: written.statusWord,
    ...amount,
    fee: money(written.feeCents, account.currency, dialect.numbers),
    balance: row.status === 'posted' ? balanceText(row.balanceCents, account, dialect) : '',
    currency: account.currency,
    account: account[dialect.accountIs],
    bankId: `7${String(at * 7919 + 100_003)}`,
    nothing: '',
  };
  return dialect.columns.map((column) => cells[column]);
}

/** The cells that say how much and which way; `cents` positive = out. */
function amountCells(
  cents: number,
  currency: string,
  dialect: Dialect,
): Pick<Record<Column, string>, 'amount' | 'debit' | 'credit' | 'direction'> {
  const { amounts, numbers, directions, filler } = dialect;
  const isIn = cents < 0;
  const size = money(Math.abs(cents), currency, numbers);
  const negative = money(-Math.abs(cents) + 0, currency, numbers);
  const other = filler === 'zero' ? money(0, currency, numbers) : '';
  const direction = directions[isIn ? 1 : 0];
  const none = { amount: '', debit: '', credit: '', direction: '' };
  switch (amounts) {
    case 'positive is in':
      return { ...none, amount: money(-cents + 0, currency, numbers) };
    case 'positive is out':
      return { ...none, amount: money(cents, currency, numbers) };
    case 'suffix':
      return { ...none, amount: size + direction };
    case 'direction':
      return { ...none, amount: size, direction };
    case 'type words':
      return { ...none, amount: size };
    case 'pair, out negative':
      return { ...none, debit: isIn ? other : negative, credit: isIn ? size : other };
    case 'pair, in negative':
      return { ...none, debit: isIn ? other : size, credit: isIn ? negative : other };
    case 'pair':
    default:
      return { ...none, debit: isIn ? other : size, credit: isIn ? size : other };
  }
}

function balanceText(cents: number, { currency, kind }: KnownAccount, { numbers, owedIsPositive }: Dialect): string {
  return money(kind !== 'checking' && owedIsPositive ? -cents + 0 : cents, currency, numbers);
}

export function money(cents: number, currency: string, numbers: Numbers): string {
  const { decimal, grouping, minus, plus, digits, symbol } = numbers;
  const plain = formatCents(Math.abs(cents));
  const [units = '', fraction = ''] = plain.split('.');
  const shown =
    fraction === '00' && (digits !== 'all' || CURRENCIES_WITHOUT_CENTS.has(currency))
      ? ''
      : digits === 'bare'
        ? fraction.replace(/0$/u, '')
        : fraction;
  const grouped = grouping === '' ? units : units.replace(/\B(?=(?:\d{3})+$)/gu, grouping);
  const size = shown === '' ? grouped : `${grouped}${decimal}${shown}`;
  const sign = cents < 0 ? '-' : plus && cents > 0 ? '+' : '';
  if (symbol === 'before') return `${sign}${SYMBOLS[currency] ?? ''}${size}`;
  if (symbol === 'behind') return `${sign}${size} ${SYMBOLS[currency] ?? ''}`;
  if (symbol === 'code before') return `${currency} ${sign}${size}`;
  if (symbol === 'code behind') return `${sign}${size} ${currency}`;
  if (cents >= 0) return `${sign}${size}`;
  return {
    before: `-${size}`,
    behind: `${size}-`,
    parentheses: `(${size})`,
    spaced: `- ${size}`,
    typographic: `\u2212${size}`,
  }[minus];
}

function dateText(date: string, { order, separator, month, year, padded, time }: Dates, code: string): string {
  const [y = '', m = '', d = ''] = date.split('-');
  const short = (part: string): string => (padded ? part : String(Number(part)));
  const named = month === 'digits' ? short(m) : monthName(code, Number(m), month);
  const parts = { Y: year === 2 ? y.slice(2) : y, M: named, D: short(d) };
  return (
    order
      .split('')
      .map((letter) => parts[letter as 'Y'])
      .join(separator) + time
  );
}

function preambleOf(ledger: KnownLedger, dialect: Dialect): string[][] {
  const { words, preamble, balances } = dialect;
  const [account] = ledger.accounts;
  const lines: string[][] = [];
  const dated = (date: string): string => dateText(date, { ...dialect.dates, time: '' }, words.code);
  if (account && ledger.accounts.length === 1 && balances === 'preamble') {
    const last = account.rows.filter(({ status }) => status === 'posted').at(-1)?.date ?? '';
    lines.push([first(words.opening), balanceText(account.openingCents, account, dialect)]);
    lines.push([`${first(words.closing)} ${dated(last)}`, balanceText(account.closingCents, account, dialect)]);
  }
  const more = [
    [words.title],
    [],
    ...(ledger.accounts.length === 1 ? [[first(words.account), account?.iban ?? '']] : []),
    ['Homebank'],
    [],
  ];
  while (lines.length < preamble) lines.push(more[lines.length % more.length] as string[]);
  return lines;
}

function first(words: string): string {
  return words.split('|')[0] as string;
}

function openingRow({ accounts }: KnownLedger, dialect: Dialect): string[][] {
  const [account] = accounts;
  if (dialect.opening === 'none' || !account || accounts.length > 1) return [];
  const isAmount = dialect.opening === 'row with amount';
  const none = { amount: '', debit: '', credit: '', direction: '' };
  const cells: Partial<Record<Column, string>> = {
    ...(isAmount ? amountCells(-account.openingCents + 0, account.currency, dialect) : none),
    date: dateText(account.rows[0]?.date ?? '', dialect.dates, dialect.words.code),
    text: first(dialect.words.opening),
    balance: balanceText(account.openingCents, account, dialect),
    currency: account.currency,
    account: account[dialect.accountIs],
  };
  return [dialect.columns.map((column) => cells[column] ?? '')];
}

function footerOf(written: readonly WrittenRow[], dialect: Dialect): string[][] {
  const { footer, columns, words } = dialect;
  if (footer === 'none') return [];
  if (footer === 'note') return [[], [words.title]];
  const sum = written.reduce((total, { cents }) => total + cents, 0);
  const cells: Partial<Record<Column, string>> = {
    text: words.total,
    ...amountCells(sum, written[0]?.account.currency ?? '', dialect),
    direction: '',
  };
  return [columns.map((column) => cells[column] ?? '')];
}
