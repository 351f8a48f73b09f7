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
  /** When it was last written: an instant, which sorts as text. */
  readonly changedAt: string;
  /** How the import that delivered it read its file; null for rows that no import delivered. */
  readonly sourceKey: string | null;
  readonly isProvider: boolean;
  /** Somebody entered it by hand: its texts stay theirs, even after a file delivers the same row. */
  readonly isEntered: boolean;
  readonly contentKey: string | null;
  /** Keys of rows that were joined into this one. */
  readonly otherContentKeys: readonly string[];
  /** In the form of `bankIdKey`, the newest last. */
  readonly bankIds: readonly string[];
  /** Those of them that came after the row, with a file that contained it too. */
  readonly laterBankIds: readonly string[];
}

export interface MatchOptions {
  readonly sourceKey: string;
  /** Namespace of the file's bank ids. */
  readonly namespace: string | null;
  /** Lines to add although they match something. */
  readonly includeLines: ReadonlySet<number>;
  /** Between these dates a pending row that the file no longer lists is stale. */
  readonly firstDate: string | null;
  readonly lastDate: string | null;
  /** Pending rows that the file lists but that are not imported. */
  readonly listedPending: readonly { readonly amountCents: number | null; readonly name: string }[];
}

const SEPARATOR = '\u001f';

export function bankIdKey(namespace: string, id: string): string {
  return `${namespace}${SEPARATOR}${id}`;
}

/** Whether the ledger row has a newer id in this namespace, which makes this id outdated. */
export function isOutdated(ledger: LedgerCandidate, namespace: string | null, bankId: string | null): boolean {
  if (namespace === null || bankId === null || ledger.bankIds.length < 2) return false;
  const own = ledger.bankIds.filter((key) => key.startsWith(`${namespace}${SEPARATOR}`));
  const key = bankIdKey(namespace, bankId);
  return own.includes(key) && own.at(-1) !== key;
}

/** Whether the ledger row has an id in this namespace other than this one. */
export function hasOtherBankId(ledger: LedgerCandidate, namespace: string | null, bankId: string | null): boolean {
  if (namespace === null || bankId === null || ledger.bankIds.length === 0) return false;
  const own = bankIdKey(namespace, bankId);
  const prefix = `${namespace}${SEPARATOR}`;
  return ledger.bankIds.some((key) => key.startsWith(prefix)) && !ledger.bankIds.includes(own);
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
