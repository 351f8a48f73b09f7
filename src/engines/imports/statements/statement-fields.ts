import { dayNumber } from '../../../kernel/dates.ts';
import { LIMITS } from '../../../kernel/limits.ts';
import type { ReadContext } from '../analysis.ts';
import type { StatementEntry } from './statement.ts';

const FIELD_CHARS = 500;
const ALL_FIELDS_CHARS = 4_000;

/** An entry while the rest of the file is still unread. */
export type EntryDraft = { -readonly [Member in keyof StatementEntry]: StatementEntry[Member] };

/** An entry that says nothing yet. */
export function entryDraft(line: number): EntryDraft {
  return {
    line,
    part: 1,
    outcome: 'row',
    reason: null,
    message: null,
    status: 'posted',
    date: null,
    authorized_date: null,
    datetime: null,
    amount_cents: null,
    iso_currency_code: null,
    description: '',
    merchant_name: null,
    category: null,
    type: null,
    bank_id: null,
    check_number: null,
    counterparty_account: null,
    correction: null,
    fields: {},
  };
}

/** Marks an entry as one that cannot be read; the first reason stays. */
export function refuse(entry: EntryDraft, reason: string, message: string | null): void {
  if (entry.outcome !== 'row') return;
  entry.outcome = 'invalid';
  entry.reason = reason;
  entry.message = message;
}

/** Marks an entry that is not a transaction of the account. */
export function skip(entry: EntryDraft, reason: string): void {
  entry.outcome = 'skipped';
  entry.reason = reason;
  entry.message = null;
}

/** Fields of the raw row, cut to a few kilobytes. */
export function cutFields(fields: Iterable<readonly [string, string]>): Record<string, string> {
  const out: Record<string, string> = {};
  let chars = 0;
  for (const [name, value] of fields) {
    if (value === '') continue;
    const cut = value.length > FIELD_CHARS ? value.slice(0, FIELD_CHARS) : value;
    chars += name.length + cut.length;
    if (chars > ALL_FIELDS_CHARS) break;
    out[name] = cut;
  }
  return out;
}

/** The last day that an entry may have: 31 days from today. */
export function latestDayOf(context: ReadContext): number {
  return dayNumber(context.today) + LIMITS.importFutureDays;
}
