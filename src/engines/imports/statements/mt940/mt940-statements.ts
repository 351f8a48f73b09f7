import { AppError } from '../../../../kernel/errors.ts';
import { accountIdentifier, accountMask } from '../../cells/account-number.ts';
import { currencyOf } from '../../lexicon/currency.ts';
import { Mt940Entry } from './mt940-entry.ts';
import type { Mt940Balance } from './mt940-fields.ts';
import { readBalance } from './mt940-fields.ts';
import { Packed, type BlockStore } from '../../packed.ts';
import { refuseTooManyRecords } from '../../size-limits.ts';
import type { Statement, StatementEntry } from '../statement.ts';

/** A statement while its lines are read. */
interface Draft {
  readonly line: number;
  account: string | null;
  opening: Mt940Balance | null;
  closing: Mt940Balance | null;
  available: Mt940Balance | null;
  readonly entries: Packed<StatementEntry>;
}

/** Builds statements from the tags of an MT940 file, one after another. */
export class Mt940Statements {
  /** BIC of the sending bank, when the envelope names it. */
  sender: string | null = null;
  /** The envelope says that the message is an interim report (MT942). */
  isInterim = false;
  readonly #latestYear: number;
  readonly #store: BlockStore | undefined;
  readonly #done: Statement[] = [];
  #draft: Draft | null = null;
  #entry: Mt940Entry | null = null;
  #count = 0;

  constructor(latestYear: number, store?: BlockStore) {
    this.#latestYear = latestYear;
    this.#store = store;
  }

  get isInsideEntry(): boolean {
    return this.#entry !== null && this.#draft?.closing === null;
  }

  tag(name: string, text: string, line: number): void {
    // A second account within an entry is a mistyped :86:.
    if (name === '25' && this.isInsideEntry) return this.#entry?.text('86', text);
    if (name === '86' || name === 'NS') {
      this.#entry?.text(name, text);
      return;
    }
    if (name === '20') return this.#beginAt(line);
    if (name === '61') return this.#movement(text, line);
    this.#endEntry();
    if (name === '34F' || name === '90D' || name === '90C') this.isInterim = true;
    // Without :20:, the account begins a statement.
    if ((name === '25' || name === '25P') && (!this.#draft || this.#draft.closing)) this.#beginAt(line);
    if (name === '25' || name === '25P') this.#at(line, name).account = text.trim();
    else if (name === '60F' || name === '60M' || name === '60') this.#opening(text, line);
    else if (name === '62F' || name === '62M' || name === '62') {
      this.#at(line, name).closing = this.#balance(text, line, ':62');
    } else if (name === '64') this.#at(line, name).available = this.#balance(text, line, ':64');
  }

  /** A line without a tag, which continues the tag before it. */
  continueTag(text: string): void {
    this.#entry?.more(text);
  }

  beginMessage(): void {
    this.#endEntry();
  }

  /** `-` ends a message only after its closing balance; before that it is text. */
  endMessage(line: string): void {
    if (this.#draft?.closing) this.#endEntry();
    else this.continueTag(line);
  }

  finish(): Statement[] {
    this.#close();
    if (this.#done.length === 0)
      throw new AppError(
        'INVALID_FILE',
        'The file contains no MT940 statement: no line begins with :20:. Check that it is the right file.',
      );
    return this.#done;
  }

  #beginAt(line: number): void {
    this.#close();
    this.#draft = draftAt(line, null, new Packed(this.#store));
  }

  #at(line: number, name: string): Draft {
    if (this.#draft) return this.#draft;
    throw new AppError(
      'INVALID_FILE',
      `Line ${line} (:${name}:) is outside a statement, which begins with :20: or :25:. The file seems incomplete. Download it from the bank again.`,
    );
  }

  #opening(text: string, line: number): void {
    const draft = this.#at(line, '60F');
    const balance = this.#balance(text, line, ':60');
    if (balance.currency === '') throw noBalance(line, ':60');
    if (draft.opening !== null) {
      // The next statement of the same message shares its account.
      this.#close();
      this.#draft = draftAt(line, draft.account, new Packed(this.#store));
    }
    (this.#draft as Draft).opening = balance;
  }

  #movement(text: string, line: number): void {
    this.#endEntry();
    this.#at(line, '61');
    this.#count++;
    refuseTooManyRecords(this.#count);
    this.#entry = new Mt940Entry(text, line, this.#latestYear);
  }

  #balance(text: string, line: number, tag: string): Mt940Balance {
    const balance = readBalance(text, this.#latestYear);
    if (balance) return balance;
    throw noBalance(line, tag);
  }

  #endEntry(): void {
    if (this.#entry) this.#draft?.entries.push(this.#entry.finish());
    this.#entry = null;
  }

  #close(): void {
    this.#endEntry();
    if (this.#draft) this.#done.push(this.#statement(this.#draft));
    this.#draft = null;
  }

  #statement(draft: Draft): Statement {
    const { account, opening, closing, available, line } = draft;
    const identifier = account === null ? null : accountIdentifier(account);
    if (identifier === null) throw missing(line, 'account (:25:)');
    if (!opening && this.isInterim) throw interim(line);
    if (!opening) throw missing(line, 'opening balance (:60F:)');
    if (!closing) throw missing(line, 'closing balance (:62F:)');
    if (opening.currency !== (closing.currency || opening.currency)) {
      const message = `The statement that begins on line ${line} opens in one currency and closes in another. Download the file from the bank again.`;
      throw new AppError('INVALID_FILE', message);
    }
    return {
      account_identifier: identifier,
      account_label: account,
      account_name: null,
      institution_name: null,
      institution_id: this.sender,
      mask: accountMask(identifier),
      account_type: null,
      account_subtype: null,
      iso_currency_code: currencyOf(opening.currency) ?? null,
      opening: { date: opening.date, cents: opening.cents },
      closing: { date: closing.date, cents: closing.cents },
      available:
        available && (available.currency || opening.currency) === opening.currency
          ? { date: available.date, cents: available.cents }
          : null,
      entries: draft.entries,
    };
  }
}

function draftAt(line: number, account: string | null, entries: Draft['entries']): Draft {
  return { line, account, opening: null, closing: null, available: null, entries };
}

function noBalance(line: number, tag: string): AppError {
  return new AppError(
    'INVALID_FILE',
    `Line ${line} (${tag}) should state a balance with its date, currency and amount, but does not. Download the file from the bank again.`,
  );
}

function missing(line: number, what: string): AppError {
  return new AppError(
    'INVALID_FILE',
    `The statement that begins on line ${line} has no ${what}. The file seems incomplete; download it from the bank again.`,
  );
}

function interim(line: number): AppError {
  return new AppError(
    'INVALID_FILE',
    `The message on line ${line} is an interim report (MT942), which has no balances. Download MT940 instead.`,
  );
}
