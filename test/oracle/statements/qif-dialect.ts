import { Choices } from '../known-ledger.ts';
import type { KnownRow } from '../known-ledger.ts';
import {
  encodingsOf,
  expectedRow,
  grouped,
  ledgerFor,
  partsOf,
  pick,
  plainAmount,
  writtenIn,
} from './statement-pieces.ts';
import type { Part, StatementCase } from './statement-pieces.ts';

/** QIF as banks and programs write it. */
export interface QifDialect {
  readonly order: 'DMY' | 'MDY' | 'YMD';
  readonly separator: '/' | '.' | '-' | ' ';
  readonly year: 'four' | 'two' | 'apostrophe and two' | 'apostrophe and four' | 'month names';
  readonly padding: 'zero' | 'space' | 'none';
  readonly amounts: 'point' | 'comma' | 'grouped' | 'comma and points' | 'short' | 'plus';
  readonly amountCodes: 'T' | 'U' | 'U and T';
  readonly section: 'Bank' | 'CCard' | 'Cash' | 'Oth A' | 'Oth L';
  readonly sectionLine: 'usual' | 'lower case' | 'space behind' | 'small type';
  readonly accounts: 'none' | 'block' | 'list' | 'list and block';
  readonly opening: 'none' | 'record';
  readonly texts: 'P' | 'M' | 'P and M' | 'same twice' | 'M and address';
  readonly category: 'none' | 'plain' | 'transfer' | 'splits';
  readonly others: 'none' | 'categories above' | 'classes above' | 'prices below';
  readonly lineEnd: '\n' | '\r\n' | '\r';
  readonly hasBlankLines: boolean;
  readonly lacksLastEnd: boolean;
  readonly isNumbered: boolean;
  readonly cleared: '' | '*' | 'X' | 'c' | 'R';
  readonly recordOrder: 'date first' | 'amount first' | 'text first';
  readonly order_of_rows: 'oldest first' | 'newest first';
  readonly encoding: 'utf-8' | 'utf-8 with mark' | 'windows-1252' | 'windows-1250' | 'iso-8859-15' | 'macintosh';
}

function chosenDialect(choices: Choices): QifDialect {
  return {
    order: choices.of(['DMY', 'DMY', 'MDY', 'MDY', 'YMD']),
    separator: choices.of(['/', '/', '/', '.', '-']),
    year: choices.of(['four', 'four', 'two', 'apostrophe and two', 'apostrophe and four', 'month names']),
    padding: choices.of(['zero', 'zero', 'space', 'none']),
    amounts: choices.of(['point', 'point', 'comma', 'grouped', 'comma and points', 'short', 'plus']),
    amountCodes: choices.of(['T', 'T', 'U', 'U and T']),
    section: choices.of(['Bank', 'Bank', 'CCard', 'Cash', 'Oth A', 'Oth L']),
    sectionLine: pick<QifDialect['sectionLine']>(choices, 'usual', ['lower case', 'space behind', 'small type']),
    accounts: choices.of(['none', 'none', 'block', 'list', 'list and block']),
    opening: choices.oneIn(5) ? 'record' : 'none',
    texts: choices.of(['P', 'M', 'P and M', 'same twice', 'M and address']),
    category: choices.of(['none', 'none', 'plain', 'transfer', 'splits']),
    others: pick<QifDialect['others']>(choices, 'none', ['categories above', 'classes above', 'prices below']),
    lineEnd: choices.of(['\n', '\r\n', '\r\n', '\r']),
    hasBlankLines: choices.oneIn(5),
    lacksLastEnd: choices.oneIn(6),
    isNumbered: choices.oneIn(4),
    cleared: choices.of(['', '*', 'X', 'c', 'R']),
    recordOrder: choices.of(['date first', 'date first', 'amount first', 'text first']),
    order_of_rows: choices.oneIn(3) ? 'newest first' : 'oldest first',
    encoding: choices.of([
      'utf-8',
      'utf-8',
      'utf-8 with mark',
      'windows-1252',
      'windows-1250',
      'iso-8859-15',
      'macintosh',
    ]),
  };
}

/** The QIF file of a number. */
export function qifCase(seed: number): StatementCase {
  const choices = new Choices(seed);
  const chosen = chosenDialect(choices);
  const ledger = ledgerFor(choices, (traits) => ({
    ...traits,
    kind: chosen.section === 'CCard' ? 'card' : chosen.section === 'Oth L' ? 'loan' : 'checking',
    pending: false,
    ignored: false,
  }));
  const dialect = feasible(chosen, ledger.accounts.length);
  const parts = ledger.accounts.flatMap((account) => partsOf(account, 1));
  const text = fileText(parts, dialect);
  const { bytes, encoding } = writtenIn(text, [dialect.encoding, 'windows-1250', 'utf-8']);
  const rows = parts.flatMap((part) =>
    inOrder(part, dialect).map((row) => ({ ...expectedRow(row, part.account), currency: null })),
  );
  const isTold =
    dialect.order === 'YMD' || dialect.year === 'month names' || rows.some(({ date }) => date.slice(8) > '12');
  return {
    dialect: { ...dialect, written: encoding },
    file: {
      bytes,
      rows,
      answers: {
        date_format: { DMY: 'DD/MM/YYYY', MDY: 'MM/DD/YYYY', YMD: 'YYYY/MM/DD' }[dialect.order],
        decimal_separator: dialect.amounts.startsWith('comma') ? ',' : '.',
        encoding: encodingsOf(bytes, text),
      },
      isNeedless: (parameter) =>
        (parameter === 'date_format' && isTold) || (parameter === 'encoding' && encoding.startsWith('utf-8')),
    },
  };
}

/** Several accounts need names; years first have four digits; nobody writes the month first with full stops. */
function feasible(dialect: QifDialect, accounts: number): QifDialect {
  const isYearFirst = dialect.order === 'YMD';
  const separator = dialect.order === 'MDY' && dialect.separator === '.' ? '/' : dialect.separator;
  return {
    ...dialect,
    accounts:
      accounts > 1 && dialect.accounts === 'none'
        ? 'block'
        : accounts > 1 && dialect.accounts === 'list'
          ? 'list and block'
          : dialect.accounts,
    year: isYearFirst ? 'four' : dialect.year,
    separator:
      dialect.year === 'month names' && !isYearFirst ? ' ' : isYearFirst && separator === '.' ? '-' : separator,
    padding: dialect.separator !== '/' && dialect.padding === 'space' ? 'zero' : dialect.padding,
  };
}

function inOrder({ rows }: Part, dialect: QifDialect): readonly KnownRow[] {
  return dialect.order_of_rows === 'newest first' ? rows.toReversed() : rows;
}

function fileText(parts: readonly Part[], dialect: QifDialect): string {
  const { accounts, others, lineEnd, hasBlankLines, lacksLastEnd } = dialect;
  const lines: string[] = [];
  if (others === 'categories above') lines.push('!Type:Cat', 'NFood', 'E', '^', 'NRent', 'E', '^');
  if (others === 'classes above') lines.push('!Type:Class', 'NHome', '^');
  if (accounts.startsWith('list')) {
    lines.push('!Option:AutoSwitch', '!Account');
    for (const part of parts) lines.push(...accountLines(part, dialect));
    lines.push('!Clear:AutoSwitch');
  }
  for (const part of parts) {
    if (accounts.endsWith('block')) lines.push('!Account', ...accountLines(part, dialect));
    lines.push(sectionLine(dialect));
    if (dialect.opening === 'record') lines.push(...openingLines(part, dialect));
    for (const row of inOrder(part, dialect)) {
      lines.push(...record(row, dialect));
      if (hasBlankLines) lines.push('');
    }
  }
  if (others === 'prices below') lines.push('!Type:Prices', '"ACME",12.50,"1/1\'25"', '^');
  if (lacksLastEnd && others !== 'prices below') while (lines.at(-1) === '' || lines.at(-1) === '^') lines.pop();
  return lines.join(lineEnd) + lineEnd;
}

function accountLines({ account }: Part, { section }: QifDialect): string[] {
  return [`N${account.name}`, `T${section}`, '^'];
}

function sectionLine({ section, sectionLine: form }: QifDialect): string {
  const line = `!Type:${section}`;
  return {
    usual: line,
    'lower case': line.toLowerCase(),
    'space behind': `${line} `,
    'small type': `!type:${section}`,
  }[form];
}

function openingLines({ account, from }: Part, dialect: QifDialect): string[] {
  return [
    `D${dateIn(from, dialect)}`,
    `T${amountIn(-account.openingCents, dialect)}`,
    'CX',
    'POpening Balance',
    `L[${account.name}]`,
    '^',
  ];
}

function record(row: KnownRow, dialect: QifDialect): string[] {
  const { amountCodes, recordOrder, cleared, isNumbered } = dialect;
  const amount = amountIn(row.cents, dialect);
  const date = [`D${dateIn(row.date, dialect)}`];
  const money =
    amountCodes === 'T' ? [`T${amount}`] : amountCodes === 'U' ? [`U${amount}`] : [`U${amount}`, `T${amount}`];
  const texts = textLines(row, dialect);
  const more = [...(cleared === '' ? [] : [`C${cleared}`]), ...(isNumbered ? ['N1042'] : [])];
  const ordered = {
    'date first': [date, money, more, texts],
    'amount first': [money, date, texts, more],
    'text first': [texts, date, more, money],
  }[recordOrder];
  return [...ordered.flat(), ...categoryLines(row, dialect), '^'];
}

function textLines({ text, counterparty }: KnownRow, { texts }: QifDialect): string[] {
  return {
    P: [`P${text}`],
    M: [`M${text}`],
    'P and M': [`P${counterparty}`, `M${text}`],
    'same twice': [`P${text}`, `M${text}`],
    'M and address': [`P${text}`, 'M', 'A1 High Street', 'ATown'],
  }[texts];
}

function categoryLines({ cents }: KnownRow, dialect: QifDialect): string[] {
  if (dialect.category === 'none') return [];
  if (dialect.category === 'plain') return ['LFood:Market'];
  if (dialect.category === 'transfer') return ['L[Savings]'];
  const first = Math.trunc(cents / 200) * 100;
  return ['LFood', 'SFood', 'Ea note', `$${amountIn(first, dialect)}`, 'SHome', `$${amountIn(cents - first, dialect)}`];
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

function dateIn(date: string, { order, separator, year: form, padding }: QifDialect): string {
  const [year, month, day] = date.split('-').map(Number) as [number, number, number];
  const fill = (part: number): string => {
    const text = String(part);
    return padding === 'zero' ? text.padStart(2, '0') : padding === 'space' ? text.padStart(2, ' ') : text;
  };
  if (order === 'YMD')
    return `${year}${separator}${String(month).padStart(2, '0')}${separator}${String(day).padStart(2, '0')}`;
  const name = MONTHS[month - 1] as string;
  if (form === 'month names')
    return order === 'DMY' ? `${fill(day).trim()} ${name} ${year}` : `${name} ${fill(day).trim()}, ${year}`;
  const short = String(year).slice(2);
  const [first, second] = order === 'DMY' ? [day, month] : [month, day];
  const last = {
    four: `${separator}${year}`,
    two: `${separator}${short}`,
    'apostrophe and two': `'${padding === 'space' ? String(Number(short)).padStart(2, ' ') : short}`,
    'apostrophe and four': `'${year}`,
  }[form];
  return `${fill(first)}${separator}${fill(second)}${last}`;
}

function amountIn(cents: number, { amounts }: QifDialect): string {
  const sign = cents > 0 ? '-' : amounts === 'plus' ? '+' : '';
  const plain = plainAmount(cents);
  const shapes: Readonly<Record<QifDialect['amounts'], string>> = {
    point: plain,
    plus: plain,
    comma: plain.replace('.', ','),
    grouped: grouped(plain, ','),
    'comma and points': grouped(plain.replace('.', ','), '.'),
    short: plain.endsWith('.00') ? plain.slice(0, -3) : plain.replace(/0$/, ''),
  };
  return sign + shapes[amounts];
}
