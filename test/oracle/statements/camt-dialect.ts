import { addDays } from '../../../src/kernel/dates.ts';
import { Choices } from '../known-ledger.ts';
import type { KnownRow } from '../known-ledger.ts';
import { encodingsOf, expectedRow, ledgerFor, partsOf, pick, plainAmount, writtenIn } from './statement-pieces.ts';
import type { Part, StatementCase } from './statement-pieces.ts';

/** CAMT.053 as banks write it. */
export interface CamtDialect {
  readonly version: '02' | '03' | '04' | '06' | '08' | '10' | '13';
  readonly prefix: '' | 'ns2:' | 'camt:';
  readonly declaration: 'UTF-8' | 'utf-8' | 'ISO-8859-1' | 'windows-1252' | 'UTF-16' | 'none';
  readonly encoding: 'as declared' | 'with mark';
  readonly layout: 'one line' | 'lines' | 'indented' | 'tabs and CR LF';
  readonly account: 'IBAN' | 'IBAN in groups' | 'other' | 'other with scheme';
  readonly hasCurrency: boolean;
  readonly hasServicer: boolean;
  readonly balances: 'OPBD' | 'PRCD' | 'both' | 'pages' | 'none' | 'closing only';
  readonly hasAvailable: boolean;
  readonly parts: number;
  readonly status: 'BOOK' | 'none';
  readonly dates: 'day' | 'time' | 'zone' | 'milliseconds';
  readonly posted: 'booking' | 'value only' | 'both the same' | 'another value date';
  readonly amounts: 'two decimals' | 'leading zeros' | 'short' | 'five decimals';
  readonly details:
    | 'none'
    | 'one'
    | 'one with amount'
    | 'one with charges'
    | 'batches'
    | 'batches without amounts'
    | 'empty';
  readonly ids: 'servicer' | 'entry' | 'detail' | 'none' | 'placeholder';
  readonly text: 'free' | 'free in pieces' | 'structured' | 'additional' | 'cdata';
  readonly hasParties: boolean;
  readonly marksReversals: boolean;
  readonly hasComments: boolean;
  readonly order: 'oldest first' | 'newest first';
  readonly balancesStand: 'above' | 'below';
  readonly hasSummary: boolean;
}

function chosenDialect(choices: Choices): CamtDialect {
  return {
    version: choices.of(['02', '02', '03', '04', '06', '08', '08', '10', '13']),
    prefix: pick<CamtDialect['prefix']>(choices, '', ['ns2:', 'camt:']),
    declaration: pick<CamtDialect['declaration']>(
      choices,
      'UTF-8',
      ['utf-8', 'ISO-8859-1', 'windows-1252', 'UTF-16', 'none'],
      3,
    ),
    encoding: choices.oneIn(5) ? 'with mark' : 'as declared',
    layout: choices.of(['one line', 'lines', 'indented', 'tabs and CR LF']),
    account: pick<CamtDialect['account']>(choices, 'IBAN', ['IBAN in groups', 'other', 'other with scheme']),
    hasCurrency: !choices.oneIn(4),
    hasServicer: choices.oneIn(2),
    balances: choices.of(['OPBD', 'OPBD', 'PRCD', 'both', 'pages', 'none', 'closing only']),
    hasAvailable: choices.oneIn(4),
    parts: choices.oneIn(4) ? 2 + choices.below(3) : 1,
    status: choices.oneIn(6) ? 'none' : 'BOOK',
    dates: choices.of(['day', 'day', 'time', 'zone', 'milliseconds']),
    posted: choices.of(['booking', 'value only', 'both the same', 'another value date']),
    amounts: choices.of(['two decimals', 'two decimals', 'leading zeros', 'short', 'five decimals']),
    details: choices.of([
      'none',
      'one',
      'one',
      'one with amount',
      'one with charges',
      'batches',
      'batches without amounts',
      'empty',
    ]),
    ids: choices.of(['servicer', 'entry', 'detail', 'none', 'placeholder']),
    text: choices.of(['free', 'free', 'free in pieces', 'structured', 'additional', 'cdata']),
    hasParties: choices.oneIn(2),
    marksReversals: choices.oneIn(4),
    hasComments: choices.oneIn(8),
    order: choices.oneIn(4) ? 'newest first' : 'oldest first',
    balancesStand: choices.oneIn(10) ? 'below' : 'above',
    hasSummary: choices.oneIn(3),
  };
}

/** The CAMT.053 file of a number. */
export function camtCase(seed: number): StatementCase {
  const choices = new Choices(seed);
  const chosen = chosenDialect(choices);
  const ledger = ledgerFor(choices, (traits) => traits);
  const hasRest = ledger.accounts.some(({ rows }) => rows.some(({ status }) => status !== 'posted'));
  const dialect = hasRest ? { ...chosen, status: 'BOOK' as const } : chosen;
  const parts = ledger.accounts.flatMap((account) => partsOf(account, dialect.parts));
  const writer = new CamtText(dialect);
  const text = writer.file(parts);
  const { bytes, encoding } = written(text, dialect);
  return {
    dialect: { ...dialect, written: encoding },
    file: {
      bytes,
      rows: parts.flatMap((part) =>
        entriesOf(part, dialect).flatMap((rows) =>
          expectedOf(rows, dialect).map((row) => expectedRow(row, part.account)),
        ),
      ),
      answers: { encoding: encodingsOf(bytes, text) },
      isNeedless: () => true,
    },
  };
}

function written(text: string, { declaration, encoding }: CamtDialect): { bytes: Uint8Array; encoding: string } {
  const mark = encoding === 'with mark' ? ' with mark' : '';
  const wanted = {
    'UTF-8': `utf-8${mark}`,
    'utf-8': `utf-8${mark}`,
    none: `utf-8${mark}`,
    'ISO-8859-1': 'iso-8859-1',
    'windows-1252': 'windows-1252',
    'UTF-16': mark === '' ? 'utf-16le with mark' : 'utf-16be with mark',
  }[declaration];
  const found = writtenIn(text, [wanted]);
  if (found.encoding === wanted) return found;
  // The declaration must name what the letters need.
  return writtenIn(text.replace(`encoding="${declaration}"`, 'encoding="UTF-8"'), ['utf-8']);
}

/** Rows in the order of the file, those of one entry together. */
function entriesOf({ rows }: Part, { order, details }: CamtDialect): KnownRow[][] {
  const sorted = order === 'newest first' ? rows.toReversed() : rows;
  const entries: KnownRow[][] = [];
  for (const row of sorted) {
    const last = entries.at(-1);
    const first = last?.[0];
    const joins =
      first?.date === row.date &&
      first.cents > 0 === row.cents > 0 &&
      first.status === row.status &&
      row.cents !== 0 &&
      first.cents !== 0;
    if (details.startsWith('batches') && last && joins && last.length < 4) last.push(row);
    else entries.push([row]);
  }
  return entries;
}

/** A batch without amounts of its own is one row. */
function expectedOf(rows: readonly KnownRow[], { details }: CamtDialect): readonly KnownRow[] {
  const [first] = rows;
  if (!first || rows.length === 1 || details !== 'batches without amounts') return rows;
  return [{ ...first, cents: rows.reduce((sum, { cents }) => sum + cents, 0) }];
}

type Content = string | readonly Content[];

class CamtText {
  readonly #dialect: CamtDialect;
  #count = 0;

  constructor(dialect: CamtDialect) {
    this.#dialect = dialect;
  }

  file(parts: readonly Part[]): string {
    const { version, prefix, declaration, layout } = this.#dialect;
    const space = `urn:iso:std:iso:20022:tech:xsd:camt.053.001.${version}`;
    const attributes = ` xmlns${prefix === '' ? '' : `:${prefix.slice(0, -1)}`}="${space}" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"`;
    const head = this.#element('GrpHdr', [this.#leaf('MsgId', 'MSG-1'), this.#leaf('CreDtTm', '2026-11-20T08:00:00')]);
    const body = this.#element('BkToCstmrStmt', [head, ...parts.map((part) => this.#statement(part))]);
    const root = this.#element('Document', [body], attributes);
    const xml = declaration === 'none' ? '' : `<?xml version="1.0" encoding="${declaration}"?>`;
    const lineEnd = layout === 'tabs and CR LF' ? '\r\n' : layout === 'one line' ? '' : '\n';
    return xml + (xml === '' ? '' : lineEnd) + laidOut(root, 0, layout, lineEnd);
  }

  #statement(part: Part): Content {
    const { balances, hasCurrency, hasServicer, account, balancesStand, hasSummary, hasComments } = this.#dialect;
    const { iban, currency } = part.account;
    const id = {
      IBAN: this.#leaf('IBAN', iban),
      'IBAN in groups': this.#leaf('IBAN', iban.replaceAll(/(.{4})(?=.)/g, '$1 ')),
      other: this.#element('Othr', [this.#leaf('Id', iban.slice(12))]),
      'other with scheme': this.#element('Othr', [
        this.#leaf('Id', iban.slice(4)),
        this.#element('SchmeNm', [this.#leaf('Cd', 'BBAN')]),
      ]),
    }[account];
    const servicer = this.#element('Svcr', [
      this.#element('FinInstnId', [this.#leaf(this.#dialect.version > '02' ? 'BICFI' : 'BIC', 'TESTDEFF')]),
    ]);
    const entries = entriesOf(part, this.#dialect).map((rows) => this.#entry(rows, part));
    const stated = balances === 'none' ? [] : this.#balances(part);
    return this.#element('Stmt', [
      this.#leaf('Id', `S${part.page}`),
      ...(balances === 'pages'
        ? [
            this.#element('StmtPgntn', [
              this.#leaf('PgNb', String(part.page)),
              this.#leaf('LastPgInd', String(part.isLast)),
            ]),
          ]
        : []),
      this.#leaf('ElctrncSeqNb', String(part.page)),
      this.#leaf('CreDtTm', '2026-11-20T08:00:00.000+01:00'),
      this.#element('Acct', [
        this.#element('Id', [id]),
        ...(hasCurrency ? [this.#leaf('Ccy', currency)] : []),
        ...(hasServicer ? [servicer] : []),
      ]),
      ...(balancesStand === 'above' ? stated : []),
      ...(hasSummary
        ? [
            this.#element('TxsSummry', [
              this.#element('TtlNtries', [this.#leaf('NbOfNtries', String(entries.length)), this.#leaf('Sum', '1.00')]),
            ]),
          ]
        : []),
      ...(hasComments ? ['<!-- entries of the day -->'] : []),
      ...entries,
      ...(balancesStand === 'below' ? stated : []),
    ]);
  }

  #balances(part: Part): Content[] {
    const { balances, hasAvailable } = this.#dialect;
    const { openingCents, closingCents, from, to } = part;
    const closing = (kind: string): Content => this.#balance(kind, closingCents, to, part);
    const opening = (kind: string): Content =>
      this.#balance(kind, openingCents, kind === 'PRCD' ? addDays(from, -1) : from, part);
    const found = {
      OPBD: [opening('OPBD'), closing('CLBD')],
      PRCD: [opening('PRCD'), closing('CLBD')],
      both: [opening('PRCD'), opening('OPBD'), closing('CLBD')],
      pages: [opening(part.page === 1 ? 'OPBD' : 'ITBD'), closing(part.isLast ? 'CLBD' : 'ITBD')],
      'closing only': [closing('CLBD')],
      none: [],
    }[balances];
    return hasAvailable
      ? [
          ...found,
          this.#balance('CLAV', closingCents + 10_000, to, part),
          this.#balance('FWAV', closingCents, to, part),
        ]
      : found;
  }

  #balance(kind: string, cents: number, date: string, part: Part): Content {
    return this.#element('Bal', [
      this.#element('Tp', [this.#element('CdOrPrtry', [this.#leaf('Cd', kind)])]),
      this.#amount('Amt', cents, part),
      this.#leaf('CdtDbtInd', cents < 0 ? 'DBIT' : 'CRDT'),
      this.#element('Dt', [this.#leaf('Dt', date)]),
    ]);
  }

  #entry(rows: readonly KnownRow[], part: Part): Content {
    const { marksReversals, ids, details, posted } = this.#dialect;
    const first = rows[0] as KnownRow;
    const cents = rows.reduce((sum, row) => sum + row.cents, 0);
    const id = `R${compact(first.date)}${++this.#count}`;
    const value = posted === 'another value date' ? addDays(first.date, this.#count % 2 === 0 ? 2 : -3) : first.date;
    return this.#element('Ntry', [
      ...(ids === 'entry' || ids === 'placeholder'
        ? [this.#leaf('NtryRef', ids === 'entry' ? id : 'NOTPROVIDED')]
        : []),
      this.#amount('Amt', cents, part),
      this.#leaf('CdtDbtInd', cents > 0 ? 'DBIT' : 'CRDT'),
      ...(marksReversals ? [this.#leaf('RvslInd', String(first.kind === 'refund'))] : []),
      ...this.#status(first),
      ...(posted === 'value only' ? [] : [this.#date('BookgDt', first.date)]),
      ...(posted === 'booking' ? [] : [this.#date('ValDt', value)]),
      ...(ids === 'servicer' ? [this.#leaf('AcctSvcrRef', id)] : []),
      this.#element('BkTxCd', [this.#element('Domn', [this.#leaf('Cd', 'PMNT')])]),
      ...(details === 'none'
        ? []
        : details === 'empty'
          ? [`<${this.#name('NtryDtls')}/>`]
          : [this.#details(rows, part)]),
      ...(this.#hasOwnText(rows) ? [this.#leaf('AddtlNtryInf', first.text)] : []),
    ]);
  }

  /** The text of the entry itself, where no detail tells it. */
  #hasOwnText(rows: readonly KnownRow[]): boolean {
    const { details, text } = this.#dialect;
    return details === 'none' || details === 'empty' || (text === 'additional' && rows.length === 1);
  }

  #status({ status }: KnownRow): Content[] {
    if (this.#dialect.status === 'none') return [];
    const word = { posted: 'BOOK', pending: 'PDNG', ignored: 'INFO' }[status];
    return [this.#dialect.version >= '04' ? this.#element('Sts', [this.#leaf('Cd', word)]) : this.#leaf('Sts', word)];
  }

  #date(name: string, date: string): Content {
    const { dates } = this.#dialect;
    if (dates === 'day') return this.#element(name, [this.#leaf('Dt', date)]);
    const time = { time: 'T00:00:00', zone: 'T23:30:00+02:00', milliseconds: 'T12:00:00.123Z' }[dates];
    return this.#element(name, [this.#leaf('DtTm', date + time)]);
  }

  #details(rows: readonly KnownRow[], part: Part): Content {
    const { details } = this.#dialect;
    const isBatch = rows.length > 1;
    const sum = rows.reduce((total, { cents }) => total + cents, 0);
    const batch = isBatch
      ? [this.#element('Btch', [this.#leaf('NbOfTxs', String(rows.length)), this.#amount('TtlAmt', sum, part)])]
      : [];
    const hasAmounts = details === 'batches' || details === 'one with amount' || details === 'one with charges';
    return this.#element('NtryDtls', [...batch, ...rows.map((row) => this.#detail(row, part, hasAmounts))]);
  }

  #detail(row: KnownRow, part: Part, hasAmount: boolean): Content {
    const { version, ids, details, hasParties } = this.#dialect;
    const isNew = version >= '04';
    const amount = isNew
      ? [this.#amount('Amt', row.cents, part), this.#leaf('CdtDbtInd', row.cents > 0 ? 'DBIT' : 'CRDT')]
      : [this.#element('AmtDtls', [this.#element('TxAmt', [this.#amount('Amt', row.cents, part)])])];
    const charges = this.#element('Chrgs', [
      this.#element('Rcrd', [this.#amount('Amt', 100, part), this.#leaf('CdtDbtInd', 'DBIT')]),
    ]);
    return this.#element('TxDtls', [
      this.#element('Refs', [
        ...(ids === 'detail' ? [this.#leaf('AcctSvcrRef', `D${compact(row.date)}${++this.#count}`)] : []),
        this.#leaf('EndToEndId', 'NOTPROVIDED'),
      ]),
      ...(hasAmount ? amount : []),
      ...(details === 'one with charges' ? [charges] : []),
      ...(hasParties ? [this.#parties(row, part)] : []),
      ...this.#remittance(row),
    ]);
  }

  #parties({ cents, counterparty }: KnownRow, { account }: Part): Content {
    const name = (text: string): Content => {
      const leaf = this.#leaf('Nm', text);
      return this.#dialect.version >= '08' ? this.#element('Pty', [leaf]) : leaf;
    };
    const [debtor, creditor] = cents > 0 ? ['Own Name', counterparty] : [counterparty, 'Own Name'];
    const own = this.#element('Id', [this.#leaf('IBAN', account.iban)]);
    return this.#element('RltdPties', [
      this.#element('Dbtr', [name(debtor)]),
      ...(cents > 0 ? [this.#element('DbtrAcct', [own])] : []),
      this.#element('Cdtr', [name(creditor)]),
    ]);
  }

  #remittance({ text }: KnownRow): Content[] {
    const free = (value: string): Content => this.#leaf('Ustrd', value);
    const at = text.indexOf(' ', 3);
    switch (this.#dialect.text) {
      case 'free':
        return [this.#element('RmtInf', [free(text)])];
      case 'cdata':
        return [this.#element('RmtInf', [`<${this.#name('Ustrd')}><![CDATA[${text}]]></${this.#name('Ustrd')}>`])];
      case 'free in pieces':
        return [this.#element('RmtInf', at < 0 ? [free(text)] : [free(text.slice(0, at)), free(text.slice(at + 1))])];
      case 'structured':
        return [
          this.#element('RmtInf', [this.#element('Strd', [this.#element('CdtrRefInf', [this.#leaf('Ref', text)])])]),
        ];
      case 'additional':
      default:
        return [this.#leaf('AddtlTxInf', text)];
    }
  }

  #amount(name: string, cents: number, { account }: Part): Content {
    const plain = plainAmount(cents);
    const value = {
      'two decimals': plain,
      'leading zeros': plain.padStart(18, '0'),
      short: plain.replace(/\.?0+$/, ''),
      'five decimals': `${plain}000`,
    }[this.#dialect.amounts];
    return `<${this.#name(name)} Ccy="${account.currency}">${value === '' ? '0' : plain.endsWith('.00') && this.#dialect.amounts === 'short' ? plain.slice(0, -3) : value}</${this.#name(name)}>`;
  }

  #leaf(name: string, value: string): string {
    return `<${this.#name(name)}>${value.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</${this.#name(name)}>`;
  }

  #element(name: string, content: readonly Content[], attributes = ''): Content {
    return [`<${this.#name(name)}${attributes}>`, content, `</${this.#name(name)}>`];
  }

  #name(name: string): string {
    return this.#dialect.prefix + name;
  }
}

function compact(date: string): string {
  return date.replaceAll('-', '');
}

/** An element is its start, a list of what it holds, and its end. */
function laidOut(content: Content, depth: number, layout: CamtDialect['layout'], lineEnd: string): string {
  const indent = layout === 'indented' ? '  '.repeat(depth) : layout === 'tabs and CR LF' ? '\t'.repeat(depth) : '';
  if (typeof content === 'string') return indent + content + lineEnd;
  const [start, inner, end] = content as readonly [string, readonly Content[], string];
  return `${indent}${start}${lineEnd}${inner.map((one) => laidOut(one, depth + 1, layout, lineEnd)).join('')}${indent}${end}${lineEnd}`;
}
