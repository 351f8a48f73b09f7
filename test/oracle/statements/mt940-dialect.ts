import { addDays } from '../../../src/kernel/dates.ts';
import { Choices } from '../known-ledger.ts';
import type { KnownRow } from '../known-ledger.ts';
import {
  compactDate,
  encodingsOf,
  expectedRow,
  ledgerFor,
  partsOf,
  pick,
  plainAmount,
  writtenIn,
} from './statement-pieces.ts';
import type { Part, StatementCase } from './statement-pieces.ts';

/** MT940 as banks write it. */
export interface Mt940Dialect {
  readonly envelope: 'none' | 'blocks' | 'blocks in one line' | 'dashes';
  readonly lineEnd: '\n' | '\r\n';
  readonly account: 'IBAN' | 'IBAN and currency' | 'bank and number' | 'slash' | '25P';
  readonly number: '28C' | '28' | 'none';
  readonly parts: number;
  readonly parting: 'pages' | 'statements';
  readonly dates: 'value only' | 'both' | 'spaces' | 'another value date';
  readonly reversals: 'plain' | 'R marks';
  readonly funds: boolean;
  readonly amounts: 'two decimals' | 'bare comma' | 'short' | 'leading zeros';
  readonly type: 'NTRF' | 'NMSC' | 'N051' | 'FMSC' | 'S940';
  readonly reference: 'NONREF' | 'number' | 'long';
  readonly bankReference: 'none' | 'unique' | 'NONREF' | 'long';
  readonly details: 'none' | 'line' | '/TRCD/';
  readonly texts:
    | 'subfields'
    | 'subfields and marks'
    | 'plain'
    | 'plain behind a code'
    | 'pairs'
    | 'labels'
    | 'other subfield sign'
    | 'details only';
  readonly available: boolean;
  readonly closingText: 'none' | 'sums' | 'words';
  readonly hasBlankLines: boolean;
  readonly order: 'oldest first' | 'newest first';
  readonly encoding: 'utf-8' | 'utf-8 with mark' | 'windows-1252' | 'windows-1250' | 'iso-8859-1' | 'ibm852';
}

function chosenDialect(choices: Choices): Mt940Dialect {
  return {
    envelope: choices.of(['none', 'blocks', 'blocks in one line', 'dashes', 'dashes']),
    lineEnd: choices.of(['\n', '\r\n', '\r\n']),
    account: choices.of(['IBAN', 'IBAN and currency', 'bank and number', 'slash', '25P']),
    number: choices.of(['28C', '28C', '28', 'none']),
    parts: choices.oneIn(3) ? 2 + choices.below(3) : 1,
    parting: choices.of(['pages', 'statements']),
    dates: choices.of(['value only', 'both', 'both', 'spaces', 'another value date']),
    reversals: choices.of(['plain', 'R marks']),
    funds: choices.oneIn(3),
    amounts: choices.of(['two decimals', 'bare comma', 'short', 'leading zeros']),
    type: choices.of(['NTRF', 'NMSC', 'N051', 'FMSC', 'S940']),
    reference: choices.of(['NONREF', 'number', 'long']),
    bankReference: choices.of(['none', 'unique', 'NONREF', 'long']),
    details: choices.of(['none', 'none', 'line', '/TRCD/']),
    texts: choices.of([
      'subfields',
      'subfields and marks',
      'plain',
      'plain behind a code',
      'pairs',
      'labels',
      'other subfield sign',
      'details only',
    ]),
    available: choices.oneIn(3),
    closingText: pick<Mt940Dialect['closingText']>(choices, 'none', ['sums', 'words'], 3),
    hasBlankLines: choices.oneIn(6),
    order: choices.oneIn(5) ? 'newest first' : 'oldest first',
    encoding: choices.of(['utf-8', 'utf-8', 'utf-8 with mark', 'windows-1252', 'windows-1250', 'iso-8859-1', 'ibm852']),
  };
}

/** The MT940 file of a number. */
export function mt940Case(seed: number): StatementCase {
  const choices = new Choices(seed);
  const dialect = chosenDialect(choices);
  const ledger = ledgerFor(choices, (traits) => ({ ...traits, pending: false, ignored: false }));
  const parts = ledger.accounts.flatMap((account) => partsOf(account, dialect.parts));
  const text = fileText(parts, dialect);
  const { bytes, encoding } = writtenIn(text, [dialect.encoding, 'windows-1250', 'utf-8']);
  return {
    dialect: { ...dialect, written: encoding },
    file: {
      bytes,
      rows: parts.flatMap((part) => inOrder(part, dialect).map((row) => expectedRow(row, part.account))),
      answers: { encoding: encodingsOf(bytes, text) },
      isNeedless: (parameter) => parameter !== 'encoding' || encoding.startsWith('utf-8'),
    },
  };
}

function inOrder({ rows }: Part, { order }: Mt940Dialect): readonly KnownRow[] {
  return order === 'newest first' ? rows.toReversed() : rows;
}

function fileText(parts: readonly Part[], dialect: Mt940Dialect): string {
  const { lineEnd, hasBlankLines, envelope } = dialect;
  const messages = parts.map((part) => {
    const lines = statementLines(part, dialect);
    if (envelope === 'none') return lines.join(lineEnd);
    if (envelope === 'dashes') return [...lines, '-'].join(lineEnd);
    const blocks = ['{1:F01TESTDEFFAXXX0000000000}', '{2:I940TESTDEFFXXXXN}', '{4:'];
    const head = envelope === 'blocks' ? blocks.join(lineEnd) : blocks.join('');
    return [head, ...lines, '-}'].join(lineEnd);
  });
  return messages.join(hasBlankLines ? lineEnd.repeat(2) : lineEnd) + lineEnd;
}

function statementLines(part: Part, dialect: Mt940Dialect): string[] {
  const { number, available, closingText, parting } = dialect;
  const { currency } = part.account;
  const isPaged = parting === 'pages';
  const opening = balance(part.openingCents, addDays(part.from, -1), currency, dialect);
  const closing = balance(part.closingCents, part.to, currency, dialect);
  const entries = inOrder(part, dialect).flatMap((row, i) => entryLines(row, i, part, dialect));
  return [
    ':20:STARTUMS',
    `:${dialect.account === '25P' ? '25P' : '25'}:${accountText(part, dialect)}`,
    ...(number === 'none'
      ? []
      : [
          `:${number}:${isPaged ? '00042' : String(part.page).padStart(5, '0')}/${isPaged ? String(part.page).padStart(3, '0') : '001'}`,
        ]),
    `:60${isPaged && part.page > 1 ? 'M' : 'F'}:${opening}`,
    ...entries,
    `:62${isPaged && !part.isLast ? 'M' : 'F'}:${closing}`,
    ...(available ? [`:64:${closing}`, `:65:${closing}`] : []),
    ...(closingText === 'none'
      ? []
      : [
          closingText === 'sums' ? ':86:/SUM/1/2/3,00/4,00/' : ':86:THANK YOU FOR BANKING WITH US',
          ...(closingText === 'words' ? ['MORE WORDS OF THE BANK'] : []),
        ]),
  ];
}

function accountText({ account: { iban, currency } }: Part, { account }: Mt940Dialect): string {
  return {
    IBAN: iban,
    'IBAN and currency': `${iban}${currency}`,
    'bank and number': `${iban.slice(4, 12)}/${iban.slice(12)}`,
    slash: `/${iban}`,
    '25P': iban,
  }[account];
}

function balance(cents: number, date: string, currency: string, dialect: Mt940Dialect): string {
  return `${cents < 0 ? 'D' : 'C'}${short(date)}${currency}${amountText(cents, dialect)}`;
}

function short(date: string): string {
  return compactDate(date).slice(2);
}

function amountText(cents: number, { amounts }: Mt940Dialect): string {
  const plain = plainAmount(cents).replace('.', ',');
  if (amounts === 'leading zeros') return plain.padStart(12, '0');
  if (amounts === 'bare comma') return plain.replace(/,00$/, ',');
  return amounts === 'short' ? plain.replace(/0{1,2}$/, '') : plain;
}

function entryLines(row: KnownRow, index: number, part: Part, dialect: Mt940Dialect): string[] {
  const { dates, reversals, funds, type, reference, bankReference, details, texts } = dialect;
  const value = dates === 'another value date' ? addDays(row.date, index % 2 === 0 ? 3 : -4) : row.date;
  const entry = {
    'value only': '',
    both: short(row.date).slice(2),
    spaces: '    ',
    'another value date': short(row.date).slice(2),
  }[dates];
  const isReversal = reversals === 'R marks' && row.kind === 'refund';
  const mark = row.cents > 0 ? (isReversal ? 'RC' : 'D') : isReversal ? 'RD' : 'C';
  const own = { NONREF: 'NONREF', number: `REF${1000 + index}`, long: `BIPI-${String(index).padStart(20, '0')}` }[
    reference
  ];
  const theirs = {
    none: '',
    unique: `//B${short(row.date)}${index}`,
    NONREF: '//NONREF',
    long: `//${short(row.date)}${String(index).padStart(20, '0')}`,
  }[bankReference];
  const first = `:61:${short(value)}${entry}${mark}${funds ? part.account.currency.slice(2) : ''}${amountText(row.cents, dialect)}${type}${own}${theirs}`;
  if (texts === 'details only') return [first, row.text];
  const second = { none: [], line: ['CARD 1234 XX'], '/TRCD/': ['/TRCD/00112/'] }[details];
  return [first, ...second, ...textLines(row, dialect)];
}

function textLines({ text, counterparty, cents }: KnownRow, { texts }: Mt940Dialect): string[] {
  switch (texts) {
    case 'subfields':
      return subfieldLines('?', text, counterparty, cents);
    case 'other subfield sign':
      return subfieldLines('>', text, counterparty, cents);
    case 'subfields and marks':
      return subfieldLines('?', `EREF+NOTPROVIDED SVWZ+${text}`, counterparty, cents);
    case 'plain':
      return cut(`:86:${text}`, 65);
    case 'plain behind a code':
      return cut(`:86:020 ${text}`, 65);
    case 'pairs':
      return cut(
        `:86:/TRTP/SEPA OVERBOEKING/IBAN/DE02120300000000202051/BIC/BYLADEM1001/NAME/${counterparty}/REMI/${text}/EREF/NOTPROVIDED`,
        65,
      );
    case 'labels':
      return cut(
        `:86:SEPA Overboeking IBAN: DE02120300000000202051 BIC: BYLADEM1001 Naam: ${counterparty} Omschrijving: ${text}`,
        65,
      );
    case 'details only':
    default:
      return [];
  }
}

/** Purpose lines of 27 characters, each behind its number. */
function subfieldLines(sign: string, purpose: string, counterparty: string, cents: number): string[] {
  const chunks = cut(purpose, 27).map((chunk, i) => `${sign}${20 + i}${chunk}`);
  const fields = [
    `${sign}00${cents > 0 ? 'BASISLASTSCHRIFT' : 'GUTSCHRIFT'}`,
    `${sign}109310`,
    ...chunks,
    `${sign}30BYLADEM1001`,
    `${sign}31DE02120300000000202051`,
    `${sign}32${counterparty}`,
  ];
  return cut(`:86:166${fields.join('')}`, 65);
}

/** Pieces of at most so many characters; no piece ends in a space. */
function cut(text: string, size: number): string[] {
  const pieces: string[] = [];
  let from = 0;
  while (from < text.length) {
    let to = Math.min(from + size, text.length);
    while (to < text.length && to > from + 1 && text.charAt(to - 1) === ' ') to--;
    pieces.push(text.slice(from, to));
    from = to;
  }
  return pieces;
}
