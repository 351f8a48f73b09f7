import { Choices } from '../known-ledger.ts';
import type { KnownRow } from '../known-ledger.ts';
import {
  compactDate,
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

/** OFX as banks write it: the form of the text, the header, and what they fill in or leave out. */
export interface OfxDialect {
  readonly form: 'open leaves' | 'closed leaves' | 'xml' | 'one line' | 'xml in one line' | 'values on their own line';
  readonly header: 'usual' | 'in one line' | 'none' | 'blank lines above';
  readonly declared: '1252' | '1250' | '8859-1' | 'UTF-8' | 'UNICODE' | 'NONE';
  readonly encoding: 'as declared' | 'utf-8' | 'utf-8 with mark' | 'windows-1252' | 'windows-1250';
  readonly lineEnd: '\n' | '\r\n' | '\r';
  readonly indent: '' | '  ' | '\t';
  readonly isLowerCase: boolean;
  readonly isQuicken: boolean;
  readonly container: 'bank' | 'card' | 'investment';
  readonly dates:
    | 'day'
    | 'midnight'
    | 'evening'
    | 'zone'
    | 'zone and name'
    | 'milliseconds'
    | 'dashes'
    | 'hour and minute';
  readonly texts: 'name' | 'memo' | 'name and memo' | 'same twice' | 'cut name' | 'payee' | 'extended' | 'type as name';
  readonly amounts:
    | 'point'
    | 'comma'
    | 'plus'
    | 'short'
    | 'grouped'
    | 'comma and points'
    | 'four decimals'
    | 'no leading zero';
  readonly signs: 'as the standard says' | 'spending positive';
  readonly types: 'debit or credit' | 'detailed' | 'other' | 'none';
  readonly ids: 'unique' | 'missing' | 'empty' | 'the same' | 'date';
  readonly balance: 'none' | 'ledger' | 'both' | 'of today' | 'empty';
  readonly parts: number;
  readonly escapes: 'named' | 'numeric' | 'none' | 'cdata';
  readonly hasEmptyLeaves: boolean;
  readonly period: 'before' | 'behind' | 'none';
  readonly order: 'oldest first' | 'newest first';
  readonly currency: 'statement' | 'rows';
  readonly hasCorrection: boolean;
  readonly isClosedWrong: boolean;
  readonly accountType: 'CHECKING' | 'SAVINGS' | 'CREDITLINE' | 'empty' | 'CACC';
}

function chosenDialect(choices: Choices): OfxDialect {
  const form = choices.of([
    'open leaves',
    'open leaves',
    'closed leaves',
    'xml',
    'one line',
    'xml in one line',
    'values on their own line',
  ] as const);
  const container = pick<OfxDialect['container']>(choices, 'bank', ['card', 'card', 'investment'], 3);
  return {
    form,
    header: pick<OfxDialect['header']>(choices, 'usual', ['in one line', 'none', 'blank lines above']),
    declared: pick<OfxDialect['declared']>(choices, '1252', ['8859-1', 'UTF-8', 'UNICODE', 'NONE'], 3),
    encoding: pick<OfxDialect['encoding']>(
      choices,
      'as declared',
      ['utf-8', 'utf-8 with mark', 'windows-1252', 'windows-1250'],
      3,
    ),
    lineEnd: choices.of(['\n', '\r\n', '\r\n', '\r']),
    indent: choices.of(['', '', '  ', '\t']),
    isLowerCase: choices.oneIn(12),
    isQuicken: choices.oneIn(4),
    container,
    dates: choices.of([
      'day',
      'midnight',
      'evening',
      'zone',
      'zone and name',
      'milliseconds',
      'dashes',
      'hour and minute',
    ]),
    texts: choices.of(['name', 'memo', 'name and memo', 'same twice', 'cut name', 'payee', 'extended', 'type as name']),
    amounts: pick<OfxDialect['amounts']>(
      choices,
      'point',
      ['comma', 'plus', 'short', 'grouped', 'comma and points', 'four decimals', 'no leading zero'],
      2,
    ),
    signs: pick<OfxDialect['signs']>(choices, 'as the standard says', ['spending positive'], 6),
    types: choices.of(['debit or credit', 'detailed', 'other', 'none']),
    ids: pick<OfxDialect['ids']>(choices, 'unique', ['missing', 'empty', 'the same', 'date'], 3),
    balance: choices.of(['none', 'ledger', 'both', 'of today', 'empty']),
    parts: choices.oneIn(5) ? 2 + choices.below(2) : 1,
    escapes: choices.of(['named', 'numeric', 'none', 'cdata']),
    hasEmptyLeaves: choices.oneIn(4),
    period: choices.of(['before', 'behind', 'none']),
    order: choices.oneIn(3) ? 'newest first' : 'oldest first',
    currency: choices.oneIn(8) ? 'rows' : 'statement',
    hasCorrection: choices.oneIn(12),
    isClosedWrong: choices.oneIn(20),
    accountType: pick<OfxDialect['accountType']>(choices, 'CHECKING', ['SAVINGS', 'CREDITLINE', 'empty', 'CACC']),
  };
}

/** The OFX file of a number. */
export function ofxCase(seed: number): StatementCase {
  const choices = new Choices(seed);
  const chosen = chosenDialect(choices);
  const ledger = ledgerFor(choices, (traits) => ({
    ...traits,
    kind: chosen.container === 'card' ? 'card' : traits.kind === 'card' ? 'checking' : traits.kind,
    ignored: false,
  }));
  const declares =
    ledger.language.central && ['1252', '8859-1'].includes(chosen.declared) && chosen.encoding === 'as declared';
  const honest: OfxDialect = declares ? { ...chosen, declared: '1250' } : chosen;
  const dialect = feasible(
    honest,
    ledger.accounts.flatMap(({ rows }) => rows),
  );
  const parts = ledger.accounts.flatMap((account) => partsOf(account, dialect.parts));
  const text = new OfxText(dialect, choices).file(parts);
  const declared = {
    '1250': 'windows-1250',
    '1252': 'windows-1252',
    '8859-1': 'iso-8859-1',
    'UTF-8': 'utf-8',
    UNICODE: 'utf-8',
    NONE: 'windows-1252',
  };
  const wanted =
    dialect.encoding === 'as declared' ? declared[isXml(dialect) ? 'UTF-8' : dialect.declared] : dialect.encoding;
  const { bytes, encoding } = writtenIn(text, [wanted, 'windows-1250', 'utf-8']);
  const isUsual = dialect.signs === 'as the standard says';
  return {
    dialect: { ...dialect, written: encoding },
    file: {
      bytes,
      rows: parts.flatMap((part) => inOrder(part, dialect).map((row) => expectedRow(row, part.account))),
      answers: { sign: isUsual ? 'positive_is_in' : 'positive_is_out', encoding: encodingsOf(bytes, text) },
      isNeedless: (parameter) => parameter === 'sign' && isUsual,
    },
  };
}

/** Spending is only printed positive where the types of three rows say what it is, as the contract wants it. */
function feasible(dialect: OfxDialect, rows: readonly KnownRow[]): OfxDialect {
  const spent = rows.filter(({ cents, status }) => cents > 0 && status === 'posted');
  const telling = spent.filter(
    ({ kind }) => dialect.types === 'debit or credit' || (dialect.types === 'detailed' && TELLING.has(kind)),
  );
  const tells = telling.length >= 3;
  const isCut =
    dialect.escapes === 'none' && rows.some(({ text }) => /[<&]/.test(text)) && dialect.form.startsWith('xml');
  return {
    ...dialect,
    signs: tells ? dialect.signs : 'as the standard says',
    escapes: isCut ? 'named' : dialect.escapes,
    isLowerCase: dialect.isLowerCase && dialect.header !== 'none',
  };
}

function isXml({ form }: OfxDialect): boolean {
  return form === 'xml' || form === 'xml in one line';
}

/** Pending rows stand in a list of their own behind the others. */
function inOrder({ rows }: Part, { order }: OfxDialect): KnownRow[] {
  const sorted = order === 'newest first' ? rows.toReversed() : rows;
  return [...sorted.filter(({ status }) => status === 'posted'), ...sorted.filter(({ status }) => status !== 'posted')];
}

const TELLING: ReadonlySet<KnownRow['kind']> = new Set(['card', 'cash', 'fee']);
const TYPES: Readonly<Record<KnownRow['kind'], string>> = {
  card: 'POS',
  transferOut: 'PAYMENT',
  transferIn: 'DEP',
  directDebit: 'DIRECTDEBIT',
  cash: 'ATM',
  fee: 'FEE',
  salary: 'DIRECTDEP',
  refund: 'CREDIT',
};

/** Writes the text of a file, one tag after the other. */
class OfxText {
  readonly #dialect: OfxDialect;
  readonly #choices: Choices;
  readonly #lines: string[] = [];
  #depth = 0;
  #count = 0;

  constructor(dialect: OfxDialect, choices: Choices) {
    this.#dialect = dialect;
    this.#choices = choices;
  }

  file(parts: readonly Part[]): string {
    const { isQuicken, container, form, lineEnd } = this.#dialect;
    this.#open('OFX');
    this.#within('SIGNONMSGSRSV1', () =>
      this.#within('SONRS', () => {
        this.#status();
        this.#leaf('DTSERVER', '20261120120000');
        this.#leaf('LANGUAGE', 'ENG');
        this.#within('FI', () => {
          this.#leaf('ORG', 'Bank of Somewhere');
          this.#leaf('FID', '1001');
        });
        if (isQuicken) this.#leaf('INTU.BID', '1001');
      }),
    );
    const set = { bank: 'BANKMSGSRSV1', card: 'CREDITCARDMSGSRSV1', investment: 'INVSTMTMSGSRSV1' }[container];
    this.#within(set, () => {
      for (const part of parts) this.#statement(part);
    });
    this.#close('OFX');
    const isOneLine = form === 'one line' || form === 'xml in one line';
    return this.#header() + this.#lines.join(isOneLine ? '' : lineEnd) + (isOneLine ? '' : lineEnd);
  }

  #header(): string {
    const { header, declared, lineEnd, form, isLowerCase } = this.#dialect;
    if (isXml(this.#dialect)) {
      const parts = [
        '<?xml version="1.0" encoding="UTF-8" standalone="no"?>',
        '<?OFX OFXHEADER="200" VERSION="211" SECURITY="NONE" OLDFILEUID="NONE" NEWFILEUID="NONE"?>',
      ];
      return (
        (header === 'none' ? parts.slice(1) : parts).join(header === 'in one line' ? '' : lineEnd) +
        (form === 'xml' ? lineEnd : '')
      );
    }
    if (header === 'none' && !isLowerCase) return '';
    const encoding = declared === 'UTF-8' || declared === 'UNICODE' ? declared : 'USASCII';
    const charset = encoding === 'USASCII' ? declared : 'NONE';
    const keys = [
      'OFXHEADER:100',
      'DATA:OFXSGML',
      'VERSION:102',
      'SECURITY:NONE',
      `ENCODING:${encoding}`,
      `CHARSET:${charset}`,
      'COMPRESSION:NONE',
      'OLDFILEUID:NONE',
      'NEWFILEUID:NONE',
    ];
    if (header === 'in one line') return keys.join('');
    return (header === 'blank lines above' ? lineEnd.repeat(2) : '') + keys.join(lineEnd) + lineEnd.repeat(2);
  }

  #statement(part: Part): void {
    const { container, isClosedWrong, currency, period, balance } = this.#dialect;
    const [answer, body] = {
      bank: ['STMTTRNRS', 'STMTRS'],
      card: ['CCSTMTTRNRS', 'CCSTMTRS'],
      investment: ['INVSTMTTRNRS', 'INVSTMTRS'],
    }[container] as [string, string];
    this.#within(answer, () => {
      this.#leaf('TRNUID', '1');
      this.#status();
      this.#open(body);
      if (container === 'investment') this.#leaf('DTASOF', this.#date(part.to));
      this.#leaf('CURDEF', currency === 'rows' ? 'XXX' : part.account.currency);
      this.#account(part);
      const [posted, pending] = [
        inOrder(part, this.#dialect).filter(({ status }) => status === 'posted'),
        part.rows.filter(({ status }) => status === 'pending'),
      ];
      this.#within(container === 'investment' ? 'INVTRANLIST' : 'BANKTRANLIST', () => {
        if (period === 'before') this.#period(part);
        if (container === 'investment') this.#trade(part);
        for (const row of posted) this.#entry(row, part);
        if (period === 'behind') this.#period(part);
      });
      if (pending.length > 0)
        this.#within('BANKTRANLISTP', () => {
          for (const row of pending) this.#entry(row, part);
        });
      if (balance !== 'none') this.#balances(part);
      this.#close(isClosedWrong && container === 'card' ? 'STMTRS' : body);
    });
  }

  #account({ account }: Part): void {
    const { container, accountType } = this.#dialect;
    const number = account.iban.slice(12);
    if (container === 'card') return this.#within('CCACCTFROM', () => this.#leaf('ACCTID', number));
    if (container === 'investment') {
      return this.#within('INVACCTFROM', () => {
        this.#leaf('BROKERID', 'broker.example');
        this.#leaf('ACCTID', number);
      });
    }
    this.#within('BANKACCTFROM', () => {
      this.#leaf('BANKID', account.iban.slice(4, 12));
      if (this.#dialect.hasEmptyLeaves) this.#leaf('BRANCHID', '');
      this.#leaf('ACCTID', number);
      this.#leaf('ACCTTYPE', accountType === 'empty' ? '' : accountType);
    });
  }

  #period({ from, to }: Part): void {
    this.#leaf('DTSTART', this.#date(from));
    this.#leaf('DTEND', this.#date(to));
  }

  #trade({ from }: Part): void {
    this.#within('BUYSTOCK', () => {
      this.#within('INVBUY', () => {
        this.#within('INVTRAN', () => {
          this.#leaf('FITID', 'TRADE1');
          this.#leaf('DTTRADE', this.#date(from));
        });
        this.#leaf('UNITS', '10');
        this.#leaf('UNITPRICE', '12.345678');
        this.#leaf('TOTAL', '-123.46');
      });
      this.#leaf('BUYTYPE', 'BUY');
    });
  }

  #entry(row: KnownRow, part: Part): void {
    const { container, currency, hasCorrection, hasEmptyLeaves } = this.#dialect;
    const write = (): void =>
      this.#within(row.status === 'pending' ? 'STMTTRNP' : 'STMTTRN', () => {
        this.#leaf('TRNTYPE', this.#type(row));
        this.#leaf(row.status === 'pending' ? 'DTTRAN' : 'DTPOSTED', this.#date(row.date));
        if (hasEmptyLeaves) this.#leaf('DTUSER', '');
        this.#leaf('TRNAMT', this.#amount(row.cents));
        this.#id(row);
        if (hasCorrection && this.#count === 1) {
          this.#leaf('CORRECTFITID', 'OLD-1');
          this.#leaf('CORRECTACTION', 'REPLACE');
        }
        if (hasEmptyLeaves) this.#leaf('CHECKNUM', '');
        this.#text(row);
        if (currency === 'rows')
          this.#within('CURRENCY', () => {
            this.#leaf('CURRATE', '1.0');
            this.#leaf('CURSYM', part.account.currency);
          });
      });
    if (container !== 'investment') return write();
    this.#within('INVBANKTRAN', () => {
      write();
      this.#leaf('SUBACCTFUND', 'CASH');
    });
  }

  #type(row: KnownRow): string {
    const { types } = this.#dialect;
    if (types === 'other') return 'OTHER';
    if (types === 'none') return '';
    if (types === 'detailed' && (row.cents > 0 || row.kind === 'refund' || row.cents < 0)) return TYPES[row.kind];
    return row.cents > 0 ? 'DEBIT' : 'CREDIT';
  }

  #id({ date }: KnownRow): void {
    const { ids } = this.#dialect;
    this.#count++;
    if (ids === 'missing') return;
    const value = {
      unique: `${compactDate(date)}${String(this.#count).padStart(5, '0')}`,
      empty: '',
      'the same': '0000000001',
      date: compactDate(date),
    }[ids];
    this.#leaf('FITID', value);
  }

  #text({ text, counterparty, kind }: KnownRow): void {
    const { texts } = this.#dialect;
    const write: Readonly<Record<OfxDialect['texts'], () => void>> = {
      name: () => this.#leaf('NAME', text),
      memo: () => this.#leaf('MEMO', text),
      'name and memo': () => {
        this.#leaf('NAME', text);
        this.#leaf('MEMO', `Ref 4711 ${counterparty}`);
      },
      'same twice': () => {
        this.#leaf('NAME', text);
        this.#leaf('MEMO', text);
      },
      'cut name': () => {
        this.#leaf('NAME', text.slice(0, 12).trim());
        this.#leaf('MEMO', text);
      },
      payee: () => {
        this.#within('PAYEE', () => {
          this.#leaf('NAME', counterparty);
          this.#leaf('ADDR1', '1 High Street');
          this.#leaf('CITY', 'Town');
        });
        this.#leaf('MEMO', text);
      },
      extended: () => {
        this.#leaf('NAME', text.slice(0, 12).trim());
        this.#leaf('EXTDNAME', text);
      },
      'type as name': () => {
        this.#leaf('NAME', kind === 'card' ? 'CARD PAYMENT' : 'TRANSFER');
        this.#leaf('MEMO', text);
      },
    };
    write[texts]();
  }

  #balances(part: Part): void {
    const { balance } = this.#dialect;
    const isToday = balance === 'of today';
    const [cents, date] = isToday ? [part.account.closingCents, '2026-11-20'] : [part.closingCents, part.to];
    const write = (name: string, amount: string): void =>
      this.#within(name, () => {
        this.#leaf('BALAMT', amount);
        this.#leaf('DTASOF', balance === 'empty' ? '' : this.#date(date));
      });
    const amount = balance === 'empty' ? '' : this.#amount(-cents, 'as the standard says');
    write('LEDGERBAL', amount);
    if (balance === 'both') write('AVAILBAL', amount);
  }

  #amount(cents: number, signs = this.#dialect.signs): string {
    const { amounts } = this.#dialect;
    const isMinus = signs === 'as the standard says' ? cents > 0 : cents < 0;
    const sign = isMinus ? '-' : amounts === 'plus' ? '+' : '';
    const plain = plainAmount(cents);
    const shapes: Readonly<Record<OfxDialect['amounts'], string>> = {
      point: plain,
      plus: plain,
      comma: plain.replace('.', ','),
      short: plain.replace(/\.?0+$/, '').replace(/^$/, '0'),
      grouped: grouped(plain, ','),
      'comma and points': grouped(plain.replace('.', ','), '.'),
      'four decimals': `${plain}00`,
      'no leading zero': plain.replace(/^0\./, '.'),
    };
    const shape = amounts === 'short' && !plain.includes('.') ? plain : shapes[amounts];
    return sign + (amounts === 'short' && plain.endsWith('.00') ? plain.slice(0, -3) : shape);
  }

  #date(date: string): string {
    const day = compactDate(date);
    return {
      day,
      midnight: `${day}000000`,
      evening: `${day}235959`,
      zone: `${day}230000[-8:PST]`,
      'zone and name': `${day}120000.000[+2:CEST]`,
      milliseconds: `${day}000000.000`,
      dashes: date,
      'hour and minute': `${day}1120`,
    }[this.#dialect.dates];
  }

  #status(): void {
    this.#within('STATUS', () => {
      this.#leaf('CODE', '0');
      this.#leaf('SEVERITY', 'INFO');
    });
  }

  #within(name: string, content: () => void): void {
    this.#open(name);
    content();
    this.#close(name);
  }

  #open(name: string): void {
    this.#line(`<${this.#name(name)}>`);
    this.#depth++;
  }

  #close(name: string): void {
    this.#depth--;
    this.#line(`</${this.#name(name)}>`);
  }

  #leaf(name: string, value: string): void {
    const { form, lineEnd } = this.#dialect;
    const tag = this.#name(name);
    const content = this.#escaped(value);
    const isClosed = form === 'closed leaves' || isXml(this.#dialect) || form === 'values on their own line';
    if (isClosed && value === '' && this.#choices.oneIn(2)) return this.#line(`<${tag}/>`);
    if (form === 'values on their own line' && value !== '')
      return this.#line(`<${tag}>${lineEnd}\t\t${content}</${tag}>`);
    this.#line(`<${tag}>${content}${isClosed ? `</${tag}>` : ''}`);
  }

  #line(text: string): void {
    this.#lines.push(this.#dialect.indent.repeat(this.#depth) + text);
  }

  #name(name: string): string {
    return this.#dialect.isLowerCase && name !== 'OFX' ? name.toLowerCase() : name;
  }

  #escaped(value: string): string {
    const { escapes } = this.#dialect;
    if (escapes === 'none') return value;
    if (escapes === 'cdata') return /[&<>]/.test(value) ? `<![CDATA[${value}]]>` : value;
    const names: Readonly<Record<string, string>> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot' };
    return value.replaceAll(/[&<>"]/g, (sign) =>
      escapes === 'named' ? `&${names[sign]};` : `&#${sign.charCodeAt(0)};`,
    );
  }
}
