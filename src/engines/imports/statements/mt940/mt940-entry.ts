import { AppError } from '../../../../kernel/errors.ts';
import { LIMITS } from '../../../../kernel/limits.ts';
import { hasIbanForm } from '../../cells/account-number.ts';
import { collapsed, said } from '../../text/cell-text.ts';
import { readMovement } from './mt940-fields.ts';
import type { Mt940Movement } from './mt940-fields.ts';
import { readTexts } from './mt940-text.ts';
import type { Mt940Text } from './mt940-text.ts';
import type { StatementEntry } from '../statement.ts';

/** One `:61:` and the lines that belong to it. */
export class Mt940Entry {
  readonly #line: number;
  readonly #first: string;
  #movement: Mt940Movement;
  readonly #latestYear: number;
  readonly #details: string[] = [];
  /** Each `:86:` with its lines. */
  readonly #texts: string[][] = [];
  readonly #notes: string[] = [];
  #open: string[] = this.#details;
  #size = 0;

  constructor(text: string, line: number, latestYear: number) {
    this.#line = line;
    this.#first = text;
    this.#latestYear = latestYear;
    this.#movement = readMovement(text, latestYear);
  }

  /** `:86:`, or the `:NS:` in which some banks repeat it line by line. */
  text(tag: string, text: string): void {
    this.#open = this.#notes;
    if (tag !== 'NS') this.#texts.push((this.#open = []));
    this.more(text);
  }

  more(text: string): void {
    this.#size += text.length + 1;
    if (this.#size > LIMITS.importRecordBytes)
      throw new AppError(
        'INVALID_FILE',
        `The entry on line ${this.#line} is longer than 1 MiB, so the file is damaged. Download it from the bank again.`,
      );
    this.#open.push(text);
  }

  /** Some banks break the line before the amount. */
  #join(): void {
    const next = this.#details[0];
    if (this.#movement.amount.cents !== null || next === undefined) return;
    const whole = readMovement(this.#first.trimEnd() + next.trimStart(), this.#latestYear);
    if (whole.amount.cents === null) return;
    this.#movement = whole;
    this.#details.shift();
  }

  finish(): StatementEntry {
    this.#join();
    const { date, valueDate, mark, amount, type, ownerReference, bankReference } = this.#movement;
    const texts = this.#texts.filter((lines) => lines.some((line) => line.trim() !== ''));
    const read = readTexts(texts.length > 0 ? texts : [purposeNotes(this.#notes)], (amount.cents ?? 0) > 0);
    const details = said(this.#details.join(' '));
    const reference = isPlaceholder(ownerReference) ? '' : (ownerReference ?? '');
    const problem = this.#problem();
    const isNamed = read.otherSide !== '' || read.bookingText !== '';
    return {
      line: this.#line,
      part: 1,
      outcome: problem ? 'invalid' : 'row',
      reason: problem?.reason ?? null,
      message: problem?.message ?? null,
      status: mark.startsWith('E') ? 'pending' : 'posted',
      date,
      authorized_date: null,
      datetime: null,
      amount_cents: amount.cents,
      iso_currency_code: null,
      description: read.description || (isNamed ? '' : details || reference),
      merchant_name: read.otherSide || sideNote(this.#notes) || nameBehind(reference) || null,
      category: null,
      type: read.bookingText || type,
      bank_id: isPlaceholder(bankReference) ? null : bankReference,
      check_number: type === 'NCHK' && /^\d+$/.test(reference) ? reference : null,
      counterparty_account: counterparty(read, reference, details),
      correction: null,
      fields: this.#fields(valueDate),
    };
  }

  #problem(): { reason: string; message: string } | null {
    const { date, amount } = this.#movement;
    if (date === null) return { reason: 'DATE_INVALID', message: 'the date of the entry is not a date' };
    return amount.cents === null ? amount : null;
  }

  #fields(valueDate: string | null): Record<string, string> {
    const lines: [string, string][] = [
      [':61:', [this.#first, ...this.#details].join('\n')],
      [':86:', this.#texts.flat().join('\n')],
      [':NS:', this.#notes.join('\n')],
      ['value_date', valueDate ?? ''],
    ];
    return Object.fromEntries(
      lines.flatMap(([name, text]) => (text === '' ? [] : [[name, text.slice(0, LIMITS.importEntryFieldChars)]])),
    );
  }
}

function isPlaceholder(reference: string | null): boolean {
  return reference === null || said(reference) === '';
}

/** The other side's account: from the text, else from the movement itself, where some banks put it. */
function counterparty(read: Mt940Text, reference: string, details: string): string | null {
  if (read.otherAccount !== '') return read.otherAccount;
  return [reference, details].find(hasIbanForm) ?? null;
}

/** A name that some banks put after the 16 characters of the reference. */
function nameBehind(reference: string): string {
  return /\p{L}/u.test(reference.slice(16)) && reference.charAt(15) === ' ' ? collapsed(reference.slice(16)) : '';
}

/** `:NS:` lines begin with two digits: 01–14 purpose, 15 and 16 the other side. */
function purposeNotes(notes: readonly string[]): string[] {
  return numbered(notes, 1, 14);
}

function sideNote(notes: readonly string[]): string {
  return collapsed(numbered(notes, 15, 16).join(' '));
}

function numbered(notes: readonly string[], from: number, to: number): string[] {
  return notes.flatMap((note) => {
    const number = /^\d\d/.test(note) ? Number(note.slice(0, 2)) : -1;
    return number >= from && number <= to ? [note.slice(2)] : [];
  });
}
