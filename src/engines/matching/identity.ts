import { hash } from 'node:crypto';

const BYTES = 16;

/** The values that matching imported rows with the ledger works on (contract 36.7). */

/** A row of a file, already read. */
export interface ImportedRow {
  readonly line: number;
  readonly date: string;
  readonly authorizedDate: string | null;
  /** Positive = money out. */
  readonly amountCents: number;
  readonly currency: string | null;
  /** The text as stored; identity by content uses the uncut one, inside `contentKey`. */
  readonly name: string;
  readonly merchantName: string | null;
  readonly contentKey: string;
  /** null where the file gives none, a placeholder, or the same id twice. */
  readonly bankId: string | null;
  /** Ids that the bank gave to what this row replaces. */
  readonly formerBankIds?: readonly string[];
  readonly pending: boolean;
  /** The balance that the file states beside it. */
  readonly balanceCents?: number | null;
  /** Place, counted from 1, of the ledger row that this line was when the same file was imported before. */
  readonly knownPlace?: number;
}

/** `kept_deleted`: a person or agent deleted it, so it stays so. `withdrawn`: deleted for any other reason. */
export type LedgerState = 'live' | 'kept_deleted' | 'withdrawn';

/** A row of the target account that a row of the file may already be. */
export interface LedgerCandidate {
  readonly id: string;
  readonly date: string;
  readonly authorizedDate: string | null;
  readonly amountCents: number;
  readonly currency: string | null;
  readonly name: string;
  readonly merchantName: string | null;
  readonly pending: boolean;
  readonly state: LedgerState;
  /** A pending row that was removed because it had become stale. */
  readonly isStale: boolean;
  /** When it was last written: an instant, which sorts as text. */
  readonly changedAt: string;
  /** How the import that delivered it read its file; null for rows that no import delivered. */
  readonly sourceKey: string | null;
  /** How other imports read the files with which they delivered it too. */
  readonly otherSourceKeys: readonly string[];
  readonly isProvider: boolean;
  /** Somebody entered it by hand: its texts stay theirs, even after a file delivers the same row. */
  readonly isEntered: boolean;
  readonly contentKey: string | null;
  /** Keys under which other files delivered it, and those of rows that were joined into this one. */
  readonly otherContentKeys: readonly string[];
  /** In the form of `bankIdKey`. */
  readonly bankIds: readonly string[];
  /** Ids that the bank itself replaced by another one, in the same form. */
  readonly formerBankIds: readonly string[];
  /** The balance that the file states beside it which delivered it first, and those of other files. */
  readonly balanceCents: number | null;
  readonly otherBalances: readonly number[];
}

/** From one day to another, both included. */
export interface Span {
  readonly first: string;
  readonly last: string;
}

/** What the amounts of a file add up to in a currency, by the balances that it begins and ends with. */
export interface StatedSum {
  readonly currency: string | null;
  readonly cents: bigint;
}

/** What is known about the days of a file and of the account besides the rows (36.7). */
export interface Evidence {
  /** From the first to the last posted row of the file. */
  readonly days: Span | null;
  /** The days of earlier imports in force, and those that a bank connection delivered. */
  readonly covered: readonly Span[];
  /** The balances in the file prove its rows. */
  readonly isProved: boolean;
  /** null unless the file begins and ends with a balance in each of its currencies. */
  readonly sums: readonly StatedSum[] | null;
  /** The file goes on where the ledger ends, in the middle of its first day. */
  readonly goesOn: boolean;
  /** The ids of ledger rows that an import lists whose days end later than those of the file. */
  readonly listedLater: ReadonlySet<string>;
}

export interface MatchOptions extends Evidence {
  readonly sourceKey: string;
  /** Namespace of the file's bank ids. */
  readonly namespace: string | null;
  /** Lines to add although they match something. */
  readonly includeLines: ReadonlySet<number>;
  /** Pending rows that the file lists but that are not imported. */
  readonly listedPending: readonly { readonly amountCents: number | null; readonly name: string }[];
}

const SEPARATOR = '\u001f';
const NONE: readonly string[] = [];

export function bankIdKey(namespace: string, id: string): string {
  return `${namespace}${SEPARATOR}${id}`;
}

/** The ids that the ledger row has in a namespace, without those that the bank replaced. */
export function bankIdsIn({ bankIds, formerBankIds }: LedgerCandidate, namespace: string | null): readonly string[] {
  if (namespace === null || bankIds.length === 0) return NONE;
  const prefix = `${namespace}${SEPARATOR}`;
  return bankIds.filter((key) => key.startsWith(prefix) && !formerBankIds.includes(key));
}

/** Whether the ledger row has the id of the row of the file, another one, or none of its namespace. */
export function compareBankIds(
  { bankId }: ImportedRow,
  ledger: LedgerCandidate,
  namespace: string | null,
): 'own' | 'other' | 'none' {
  if (namespace === null || bankId === null) return 'none';
  const ids = bankIdsIn(ledger, namespace);
  if (ids.length === 0) return 'none';
  return ids.includes(bankIdKey(namespace, bankId)) ? 'own' : 'other';
}

/**
 * The key that recognises a delivered row (36.7.1). Two rows with one key are told apart by their number.
 * The currency is compared beside it, because it may become known or be corrected later.
 * `descriptionKey` is the normalised text of the uncut description.
 */
export function contentKey(date: string, amountCents: number, descriptionKey: string): string {
  return hash('sha256', `${date}|${amountCents}||${descriptionKey}`, 'buffer').toString('hex', 0, BYTES);
}

/** A currency that is unknown on one side equals any (36.7.1). */
export function isSameCurrency(one: string | null, other: string | null): boolean {
  return one === other || one === null || other === null;
}
