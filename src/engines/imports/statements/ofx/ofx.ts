import { AppError } from '../../../../kernel/errors.ts';
import type { Detection, ReadContext, ReadOptions } from '../../analysis.ts';
import { AmountsByShape } from '../statement-amounts.ts';
import { decodedChunks, fromSpool } from '../../bytes/encoding.ts';
import { ofxAccounts, ofxBalance, ofxCurrency } from './ofx-accounts.ts';
import type { OfxStatementParts } from './ofx-accounts.ts';
import { ofxEncoding } from './ofx-encoding.ts';
import { ofxEntry, ofxTrade, setOfxAmount } from './ofx-entries.ts';
import { walkOfx } from './ofx-walk.ts';
import type { OfxListener, OfxValues } from './ofx-walk.ts';
import { mapped, Packed, type BlockStore } from '../../packed.ts';
import { refuseTooLarge, refuseTooManyAccounts, refuseTooManyRecords } from '../../size-limits.ts';
import { BalanceEntries } from '../balance-entries.ts';
import type { Statement, StatementBalance, StatementFile } from '../statement.ts';
import { latestDayOf, skip } from '../statement-fields.ts';
import type { EntryDraft } from '../statement-fields.ts';

const DATE_FORMAT: Detection = { value: 'YYYYMMDD', confidence: 'certain', evidence: ['declared'], candidates: [] };
const MESSAGE_CHARS = 200;
const BALANCE_TEXTS = ['NAME', 'EXTDNAME', 'PAYEE.NAME', 'PAYEE', 'MEMO'] as const;

/**
 * Reads an OFX or QFX file (36.14.1), SGML or XML. Throws an AppError for other files, a bank's error answer and
 * files with a part missing; an unreadable entry carries its reason. Pending entries are rows
 * with status `pending`, whatever `options.pending` says.
 */
export function readOfx(bytes: Uint8Array, options: ReadOptions, context: ReadContext): StatementFile {
  refuseTooLarge(bytes);
  const encoding = ofxEncoding(bytes, options.encoding);
  const source = fromSpool(encoding.source, context);
  const parts = new OfxParts(latestDayOf(context), context.store);
  walkOfx(() => decodedChunks(source), parts);
  return {
    format: parts.isIntuit ? 'qfx' : 'ofx',
    encoding: encoding.detection,
    date_format: DATE_FORMAT,
    bank_id_namespace: 'ofx:fitid',
    statements: parts.statements(),
    warnings: encoding.warnings,
  };
}

interface OpenStatement extends OfxStatementParts {
  /** Each with its TRNAMT, which is read once all of them are known. */
  readonly entries: Packed<{ draft: EntryDraft; amount: string }>;
  readonly balances: BalanceEntries;
}

/** Gathers a file's statements; amounts wait for the end, because all of them together show the separator. */
class OfxParts implements OfxListener {
  isIntuit = false;
  readonly #latestDay: number;
  readonly #store: BlockStore | undefined;
  readonly #amounts = new AmountsByShape(undefined, 'download the statement as CSV instead');
  readonly #statements: OpenStatement[] = [];
  #open: OpenStatement | null = null;
  #entries = 0;
  #institution = { name: '', id: '', intuitName: '', intuitId: '' };

  constructor(latestDay: number, store: BlockStore | undefined) {
    this.#latestDay = latestDay;
    this.#store = store;
  }

  statementBegins(kind: string): void {
    const entries: OpenStatement['entries'] = new Packed(this.#store);
    const balances = new BalanceEntries();
    this.#open = { kind, currency: null, account: null, ledger: null, available: null, entries, balances };
  }

  statementEnds(): void {
    if (this.#open) this.#statements.push(this.#open);
    refuseTooManyRecords(this.#statements.length);
    this.#open = null;
  }

  entry(name: string, values: OfxValues, isPending: boolean): void {
    this.#entries++;
    refuseTooManyRecords(this.#entries);
    const isTransaction = name === 'STMTTRN' || name === 'STMTTRNP';
    const amount = isTransaction ? (values.get('TRNAMT') ?? '') : '';
    this.#amounts.note(amount);
    const draft = isTransaction
      ? ofxEntry(values, this.#entries, isPending, this.#latestDay)
      : ofxTrade(name, values, this.#entries);
    this.#open?.entries.push({ draft, amount });
    const texts = BALANCE_TEXTS.map((text) => values.get(text) ?? '');
    if (isTransaction) this.#open?.balances.note(this.#entries, texts, draft.date);
  }

  record(name: string, values: OfxValues, path: string): void {
    if (name === 'STATUS') refuseFailure(values, path);
    else if (name === 'FI')
      this.#institution = { ...this.#institution, name: values.get('ORG') ?? '', id: values.get('FID') ?? '' };
    else if (this.#open) this.#statementRecord(this.#open, name, values);
  }

  leaf(name: string, value: string): void {
    if (name === 'CURDEF' && this.#open) this.#open.currency ??= ofxCurrency(value);
    if (!name.startsWith('INTU.')) return;
    this.isIntuit = true;
    if (name === 'INTU.ORG') this.#institution.intuitName ||= value;
    if (name === 'INTU.BID') this.#institution.intuitId ||= value;
  }

  statements(): Statement[] {
    if (this.#statements.length === 0) {
      throw new AppError(
        'INVALID_FILE',
        'The file contains no statement of a bank account, card or investment account. Download the transactions of an account as OFX.',
      );
    }
    if (this.#entries === 0) {
      throw new AppError(
        'NO_ROWS',
        'The statements in the file contain no transactions. Download a period that has some.',
      );
    }
    const accounts = ofxAccounts(this.#statements);
    refuseTooManyAccounts(new Set(accounts.map((account) => account.account_identifier)).size);
    const { name, id, intuitName, intuitId } = this.#institution;
    return this.#statements.map((open, i) => {
      const account = accounts[i] as (typeof accounts)[number];
      const entries = mapped(open.entries, ({ draft, amount }) => {
        setOfxAmount(draft, amount, this.#amounts, open.currency);
        const reason = open.balances.reasonOf(draft.line);
        if (reason !== null) skip(draft, reason);
        return draft;
      });
      const ledger = ofxBalance(open.ledger, this.#amounts, open.currency);
      return {
        ...account,
        institution_name: name || intuitName || null,
        institution_id: id || intuitId || null,
        iso_currency_code: open.currency,
        ...balancesOf(ledger, open.balances.balances(entries)),
        available: ofxBalance(open.available, this.#amounts, open.currency),
        entries,
      };
    });
  }

  #statementRecord(open: OpenStatement, name: string, values: OfxValues): void {
    if (name === 'LEDGERBAL' || name === 'AVAILBAL') {
      this.#amounts.note(values.get('BALAMT') ?? '');
      if (name === 'LEDGERBAL') open.ledger ??= values;
      else open.available ??= values;
    } else {
      open.account ??= values;
    }
  }
}

/** The balance of a statement is that of its download; only where its entries close with the same, they prove it. */
function balancesOf(
  ledger: StatementBalance | null,
  { opening, closing }: ReturnType<BalanceEntries['balances']>,
): Pick<Statement, 'opening' | 'closing'> {
  const isProof = opening !== null && closing !== null && (ledger === null || ledger.cents === closing.cents);
  return { opening: isProof ? opening : null, closing: ledger ?? closing };
}

/** A bank that could not serve the download says so in the file. */
function refuseFailure(values: OfxValues, path: string): void {
  const code = Number(values.get('CODE') || '0');
  if (!Number.isFinite(code) || code === 0) return;
  const words = values.get('MESSAGE') ?? '';
  throw new AppError(
    'INVALID_FILE',
    `The bank could not create the statement and put an error (${code}) in the file instead. Download it again.`,
    { details: [{ path, message: words === '' ? `error ${code}` : words.slice(0, MESSAGE_CHARS) }] },
  );
}
