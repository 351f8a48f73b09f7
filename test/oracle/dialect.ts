import { LANGUAGES } from '../harness/bank-files/csv-languages.ts';
import type { Language } from '../harness/bank-files/csv-languages.ts';
import { WORDS } from './column-names.ts';
import type { Words } from './column-names.ts';
import type { Choices, LedgerTraits } from './known-ledger.ts';

/** How a bank writes its files, as a value. What a seed chose can be replaced, trait by trait. */

export type Order = 'YMD' | 'DMY' | 'MDY';
export type Column =
  | 'date'
  | 'otherDate'
  | 'text'
  | 'counterparty'
  | 'counterpartyAccount'
  | 'category'
  | 'type'
  | 'status'
  | 'amount'
  | 'debit'
  | 'credit'
  | 'direction'
  | 'fee'
  | 'balance'
  | 'currency'
  | 'account'
  | 'bankId'
  | 'nothing';

export interface Dates {
  readonly order: Order;
  readonly separator: '-' | '/' | '.' | ' ' | '';
  readonly month: 'digits' | 'short' | 'long';
  readonly year: 2 | 4;
  readonly padded: boolean;
  readonly time: '' | ' 14:23' | ' 14:23:05' | 'T14:23:05' | 'T14:23:05Z' | ' 2:23 PM';
}

export interface Numbers {
  readonly decimal: '.' | ',';
  readonly grouping: '' | ',' | '.' | ' ' | '\u00a0' | '\u202f' | "'" | '’';
  readonly minus: 'before' | 'behind' | 'parentheses' | 'spaced' | 'typographic';
  readonly plus: boolean;
  /** Digits behind the separator: as many as the currency has, none for whole amounts, or no zeros at the end. */
  readonly digits: 'all' | 'whole' | 'bare';
  readonly symbol: '' | 'before' | 'behind' | 'code before' | 'code behind';
}

export type Amounts =
  | 'positive is in'
  | 'positive is out'
  | 'pair'
  | 'pair, out negative'
  | 'pair, in negative'
  | 'direction'
  | 'suffix'
  | 'type words';

export interface Dialect {
  readonly words: Words;
  readonly columns: readonly Column[];
  /** The names above them; `` for files without a header. */
  readonly names: readonly string[];
  readonly hasHeader: boolean;
  readonly amounts: Amounts;
  /** Words or letters of a direction column or a suffix: out, in. */
  readonly directions: readonly [out: string, into: string];
  readonly types: 'kinds' | 'instruments';
  readonly dates: Dates;
  readonly otherDates: Dates;
  readonly numbers: Numbers;
  /** A name such as `Amount (EUR)`. */
  readonly currencyInName: boolean;
  readonly delimiter: ',' | ';' | '\t' | '|';
  readonly quoting: 'needed' | 'texts' | 'all';
  readonly encoding: Encoding;
  readonly lineEnd: '\r\n' | '\n' | '\r';
  readonly newestFirst: boolean;
  /** Rows of several accounts: one account after the other, or by date. */
  readonly isMerged: boolean;
  readonly balances: 'none' | 'running' | 'preamble';
  readonly opening: 'none' | 'row' | 'row with amount';
  readonly owedIsPositive: boolean;
  readonly preamble: number;
  readonly footer: 'none' | 'note' | 'total';
  readonly separatorLine: boolean;
  readonly repeatedHeader: boolean;
  readonly blankLines: boolean;
  readonly trailingDelimiter: boolean;
  readonly fees: 'none' | 'zero' | 'included' | 'separate';
  /** Texts with delimiters, quotes and line breaks in them. */
  readonly oddTexts: boolean;
  /** What the other cell of a pair holds. */
  readonly filler: 'nothing' | 'zero';
  /** An account column with names or with numbers. */
  readonly accountIs: 'name' | 'iban';
}

export type Encoding =
  | 'utf-8'
  | 'utf-8 with mark'
  | 'utf-16le'
  | 'utf-16le with mark'
  | 'utf-16be with mark'
  | 'windows-1252'
  | 'iso-8859-15'
  | 'windows-1250'
  | 'iso-8859-2'
  | 'ibm850'
  | 'ibm852'
  | 'macintosh';

const SIGNED: ReadonlySet<Amounts> = new Set(['positive is in', 'positive is out']);

export function languageOf(code: string): Language {
  return LANGUAGES.find((language) => language.code === code) as Language;
}

export function isSigned({ amounts }: Pick<Dialect, 'amounts'>): boolean {
  return SIGNED.has(amounts);
}

export function chosenDialect(choices: Choices, traits: LedgerTraits): Dialect {
  const words = WORDS.find(({ code }) => code === traits.language.code) as Words;
  const amounts = chosenAmounts(choices);
  const hasHeader = !choices.oneIn(10);
  const balances = choices.of(['none', 'none', 'running', 'running', 'running', 'preamble'] as const);
  const isSeveral = traits.currencies.length > 1;
  const fees =
    hasHeader && amounts !== 'suffix' && choices.oneIn(25)
      ? choices.of(['zero', 'included', 'separate'] as const)
      : 'none';
  const currencyInName = hasHeader && !isSeveral && choices.oneIn(8);
  const columns = chosenColumns(choices, traits, { amounts, hasHeader, balances, fees, currencyInName });
  const numbers = chosenNumbers(choices, traits, amounts);
  const dates = chosenDates(choices, words.code, numbers.decimal === ',');
  const directions = choices.of(words.directions.split('|')).split(/\+(?=.)/u) as [string, string];
  return {
    words,
    columns,
    names: namesOf(choices, words, columns, currencyInName ? (traits.currencies[0] as string) : ''),
    hasHeader,
    amounts,
    directions: amounts === 'suffix' ? suffixes(choices, words.code) : directions,
    types: choices.of(['kinds', 'kinds', 'instruments']),
    dates,
    otherDates: choices.oneIn(6) ? chosenDates(choices, words.code, numbers.decimal === ',', dates.order) : dates,
    numbers,
    currencyInName,
    delimiter: choices.of(numbers.decimal === ',' ? [';', ';', ';', '\t', '|', ','] : [',', ',', ',', ';', '\t', '|']),
    quoting: choices.of(['needed', 'needed', 'texts', 'all']),
    encoding: chosenEncoding(choices, words.code),
    lineEnd: choices.of(['\r\n', '\r\n', '\n', '\n', '\r']),
    newestFirst: choices.oneIn(2),
    isMerged: choices.oneIn(2),
    balances: balances === 'preamble' && (isSeveral || !hasHeader) ? 'none' : balances,
    opening: choices.oneIn(10)
      ? choices.of(balances === 'running' ? ['row', 'row with amount'] : ['row with amount'])
      : 'none',
    owedIsPositive: traits.kind !== 'checking' && choices.oneIn(2),
    preamble: hasHeader && choices.oneIn(3) ? choices.below(14) : 0,
    footer: hasHeader && choices.oneIn(8) ? choices.of(['note', 'total']) : 'none',
    separatorLine: hasHeader && choices.oneIn(40),
    repeatedHeader: hasHeader && choices.oneIn(25),
    blankLines: choices.oneIn(15),
    trailingDelimiter: choices.oneIn(15),
    fees,
    oddTexts: choices.oneIn(6),
    filler: choices.oneIn(4) ? 'zero' : 'nothing',
    accountIs: choices.of(['name', 'iban']),
  };
}

function chosenAmounts(choices: Choices): Amounts {
  return choices.of([
    'positive is in',
    'positive is in',
    'positive is in',
    'positive is out',
    'pair',
    'pair',
    choices.of(['pair, out negative', 'pair, in negative'] as const),
    'direction',
    'direction',
    'suffix',
    'type words',
  ] as const);
}

type Fixed = Pick<Dialect, 'amounts' | 'hasHeader' | 'balances' | 'fees' | 'currencyInName'>;

function chosenColumns(choices: Choices, traits: LedgerTraits, fixed: Fixed): Column[] {
  const { amounts, hasHeader, balances, fees, currencyInName } = fixed;
  const isPair = amounts.startsWith('pair');
  const money: Column[] = isPair
    ? ['debit', 'credit']
    : amounts === 'direction'
      ? choices.shuffled(['amount', 'direction'])
      : ['amount'];
  const isSeveral = traits.currencies.length > 1;
  const isTwin = new Set(traits.currencies).size < traits.currencies.length;
  const maybe = (column: Column, times: number): Column[] => (choices.oneIn(times) ? [column] : []);
  const texts: Column[] = ['text', ...maybe('counterparty', 4)];
  const more: Column[] = hasHeader
    ? [...maybe('counterpartyAccount', 8), ...maybe('category', 8), ...maybe('bankId', 6), ...maybe('nothing', 12)]
    : [];
  const type: Column[] = amounts === 'type words' ? ['type'] : maybe('type', 3);
  const status: Column[] = traits.pending || traits.ignored ? ['status'] : maybe('status', 12);
  const currency: Column[] = currencyInName ? [] : isSeveral ? ['currency'] : maybe('currency', 4);
  const account: Column[] = isTwin ? ['account'] : isSeveral ? maybe('account', 2) : maybe('account', 8);
  const dates: Column[] = ['date', ...(hasHeader ? maybe('otherDate', 5) : [])];
  const fee: Column[] = fees === 'none' ? [] : ['fee'];
  const before = [...choices.shuffled([...texts, ...type]), ...more];
  const behind: Column[] = [...money, ...fee, ...currency, ...(balances === 'running' ? (['balance'] as const) : [])];
  return choices.oneIn(4)
    ? [...account, ...status, ...dates, ...behind, ...before]
    : [...account, ...dates, ...before, ...behind, ...status];
}

function namesOf(choices: Choices, words: Words, columns: readonly Column[], currency: string): string[] {
  const one = (text: string): string => choices.of(text.split('|'));
  const [out = '', into = ''] = one(words.pair).split('+');
  const second = columns.includes('otherDate');
  const isPosting = choices.oneIn(2);
  const inName = (name: string): string => (currency === '' ? name : `${name} (${currency})`);
  const names: Readonly<Record<Column, string>> = {
    date: second ? one(isPosting ? words.posting : words.transaction) : one(words.date),
    otherDate: isPosting ? one(words.transaction) : one(words.value),
    text: one(words.text),
    counterparty: one(words.counterparty),
    counterpartyAccount: one(words.counterpartyAccount),
    category: one(words.category),
    type: one(words.type),
    status: one(words.status),
    amount: inName(one(words.amount)),
    debit: inName(out),
    credit: inName(into),
    direction: one(words.direction),
    fee: one(words.fee),
    balance: one(words.balance),
    currency: one(words.currency),
    account: one(words.account),
    bankId: one(words.bankId),
    nothing: 'Info',
  };
  const isLoud = choices.oneIn(8);
  return columns.map((column) => (isLoud ? names[column].toUpperCase() : names[column]));
}

/** Where the month comes first, cents come after a point and no full stops stand between the parts of a date. */
function chosenDates(choices: Choices, code: string, hasComma: boolean, order?: Order): Dates {
  const time = choices.oneIn(8) ? choices.of([' 14:23', ' 14:23:05'] as const) : '';
  const chosen =
    order ??
    choices.of(code === 'en' && !hasComma ? (['YMD', 'DMY', 'MDY', 'MDY'] as const) : (['YMD', 'DMY', 'DMY'] as const));
  const isNamed = chosen !== 'YMD' && MONTHS.has(code) && choices.oneIn(8);
  if (chosen === 'YMD') {
    const zoned = choices.oneIn(10) ? choices.of(['T14:23:05', 'T14:23:05Z'] as const) : time;
    const separator = choices.of(['-', '-', '-', '/', '.', ''] as const);
    return { order: 'YMD', separator, month: 'digits', year: 4, padded: true, time: separator === '' ? '' : zoned };
  }
  const separator = choices.of(
    chosen === 'MDY'
      ? (['/', '/', '-'] as const)
      : code === 'en'
        ? (['/', '/', '-', '.'] as const)
        : (['.', '.', '/', '-', ' '] as const),
  );
  return {
    order: chosen,
    separator: isNamed ? choices.of([' ', '-'] as const) : separator,
    month: isNamed ? choices.of(['short', 'long'] as const) : 'digits',
    year: choices.oneIn(6) ? 2 : 4,
    padded: separator === ' ' || !choices.oneIn(5),
    time: code === 'en' && time !== '' && choices.oneIn(2) ? ' 2:23 PM' : time,
  };
}

/** Languages whose month names are read (36.5.6). */
const MONTHS: ReadonlyMap<string, { readonly short: readonly string[]; readonly long: readonly string[] }> = new Map(
  ['en', 'de', 'nl', 'fr', 'es', 'it', 'pt'].map((code) => {
    const names = (month: 'short' | 'long'): string[] => {
      const format = new Intl.DateTimeFormat(code, { month, timeZone: 'UTC' });
      return Array.from({ length: 12 }, (_, i) => format.format(Date.UTC(2025, i, 15)));
    };
    return [code, { short: names('short'), long: names('long') }];
  }),
);

export function monthName(code: string, month: number, form: 'short' | 'long'): string {
  return MONTHS.get(code)?.[form][month - 1] ?? String(month);
}

function chosenNumbers(
  choices: Choices,
  { language, currencies, amounts: sizes }: LedgerTraits,
  amounts: Amounts,
): Numbers {
  const hasPoint = language.code === 'en' ? !choices.oneIn(12) : choices.oneIn(4);
  const decimal = hasPoint ? '.' : ',';
  const western = language.western && choices.oneIn(6);
  const groups = hasPoint
    ? ([',', ',', "'", ' '] as const)
    : western
      ? (['\u00a0', '\u202f', '’'] as const)
      : (['.', '.', ' ', '\u00a0'] as const);
  const isSuffix = amounts === 'suffix';
  const isSeveral = currencies.length > 1;
  const symbol =
    isSuffix || isSeveral || !choices.oneIn(6)
      ? ''
      : choices.of(['before', 'behind', 'code before', 'code behind'] as const);
  return {
    decimal,
    grouping: choices.oneIn(2) ? '' : choices.of(groups),
    minus:
      isSuffix || symbol !== ''
        ? 'before'
        : choices.of([
            'before',
            'before',
            'before',
            'before',
            'before',
            'before',
            'behind',
            'parentheses',
            'spaced',
            'typographic',
          ]),
    plus: !isSuffix && symbol === '' && choices.oneIn(12),
    digits: sizes !== 'any' && choices.oneIn(2) ? 'whole' : choices.oneIn(10) ? 'bare' : 'all',
    symbol,
  };
}

function suffixes(choices: Choices, code: string): [string, string] {
  if (code === 'de')
    return choices.of([
      ['S', 'H'],
      ['D', 'C'],
    ]);
  return choices.of([
    ['DR', 'CR'],
    ['D', 'C'],
    [' DR', ' CR'],
    [' Dr.', ' Cr.'],
  ]);
}

function chosenEncoding(choices: Choices, code: string): Encoding {
  const isWestern = LANGUAGES.some((language) => language.code === code && language.western);
  const bytes: readonly Encoding[] = isWestern
    ? ['windows-1252', 'windows-1252', 'iso-8859-15', 'ibm850', 'macintosh']
    : ['windows-1250', 'windows-1250', 'iso-8859-2', 'ibm852'];
  return choices.of([
    'utf-8',
    'utf-8',
    'utf-8',
    'utf-8 with mark',
    'utf-8 with mark',
    'utf-16le',
    'utf-16le with mark',
    'utf-16be with mark',
    choices.of(bytes),
    choices.of(bytes),
  ]);
}
