/** What planning one account's part of a sync works on, and what it decides (contract 30.8.3, 30.8.4). */

/** A row as a provider delivered it. Positive amounts are money out. */
export interface BankRow {
  /** null for providers without row ids. */
  readonly externalId: string | null;
  readonly externalAccountId: string;
  readonly pendingExternalId: string | null;
  readonly pending: boolean;
  readonly date: string;
  readonly authorizedDate: string | null;
  readonly amountCents: number;
  readonly currency: string | null;
  readonly name: string;
  readonly merchantName: string | null;
  readonly categoryPrimary: string | null;
  readonly categoryDetailed: string | null;
}

export type DeletedCause = 'person' | 'agent' | 'provider' | 'connection' | 'revert' | 'merged';

/** A transaction of the account, deleted ones included. */
export interface KnownRow {
  readonly id: string;
  readonly date: string;
  readonly authorizedDate: string | null;
  readonly amountCents: number;
  readonly currency: string | null;
  readonly name: string;
  readonly merchantName: string | null;
  readonly pending: boolean;
  readonly categoryPrimary: string | null;
  readonly categoryDetailed: string | null;
  /** null: live. */
  readonly deletedCause: DeletedCause | null;
  readonly deletedAt: string | null;
  /** A file delivered it. */
  readonly isFromFile: boolean;
  /** A person entered it by hand. */
  readonly isEntered: boolean;
  /** What a provider last said about it; null if none ever reported it. */
  readonly feed: {
    readonly namespace: string;
    /** Its current id. */
    readonly externalId: string | null;
    readonly externalAccountId: string;
    /** When the provider removed the present id. */
    readonly removedAt: string | null;
    /** It was pending once, so it was not first stored as posted. */
    readonly wasPending: boolean;
  } | null;
  readonly createdAt: string;
}

/** Everything one sync brings for one account, collapsed: the last word about each external id. */
export interface AccountBatch {
  /** The name of the provider. */
  readonly namespace: string;
  /** The current source: the external id under which the account is now reported. */
  readonly externalAccountId: string;
  readonly delivery: 'changes' | 'window';
  readonly rowIds: 'lasting' | 'posted' | 'none';
  /** In the order of delivery. */
  readonly rows: readonly BankRow[];
  /** External ids that the provider named as removed; ids of other accounts are harmless. */
  readonly removedIds: readonly string[];
  /** External ids of rows that came but could not be read, of any account: what they are about is not gone. */
  readonly unreadableIds: ReadonlySet<string>;
  /** The dates of the account that were read completely, both inclusive; null if they were not, or for `changes`. */
  readonly read: { readonly from: string; readonly to: string } | null;
  /** Everything was read from the beginning, and the provider has no more (`changes` only). */
  readonly isCompleteRead: boolean;
  /** The first date in that answer, of any account; null: what the provider has of the others is not known. */
  readonly answeredFrom: string | null;
  /** When the account was attached again under another source. */
  readonly relinkedAt: string | null;
  readonly now: string;
}

/** The ledger, as far as the batch can reach: `idsReached` and `datesReached` say what must be loaded. */
export interface AccountLedger {
  /** Transactions of the account, in any order. */
  readonly rows: readonly KnownRow[];
  /** Transactions of other accounts to which ids of the batch belong: the provider now reports them here. */
  readonly elsewhere: readonly KnownRow[];
  /** Transactions of this account that the provider reports under another account in this sync. */
  readonly leaving: ReadonlySet<string>;
  /** External id → transaction id, of this provider: at least the aliases among `idsReached`. */
  readonly aliases: ReadonlyMap<string, string>;
  /** Keys of `pairKey` that are not to be suggested again. */
  readonly separated: ReadonlySet<string>;
}

export type Rule = 'R1' | 'R2' | 'R3a' | 'R3b' | 'R3c' | 'R4' | 'R5';

/** What one row of the batch is: an existing transaction, one that an earlier row creates, or a new one. */
export interface RowDecision {
  /** Index into the rows of the batch. */
  readonly row: number;
  readonly known: KnownRow | null;
  /** With `known` null: the row of the batch whose new transaction this is too (a posted row and its pending one). */
  readonly sameAs: number | null;
  readonly rule: Rule;
  /** Another row has the last word about the transaction; only this row's id is stored, as an alias. */
  readonly isSuperseded: boolean;
}

/** What happens to a transaction delivered again (30.8.4); a refreshed one stays deleted and counts as unchanged. */
export type Return = 'update' | 'revive' | 'refresh';

export function returnOf({ deletedCause }: KnownRow): Return {
  if (deletedCause === null) return 'update';
  const isMeant = deletedCause === 'person' || deletedCause === 'agent' || deletedCause === 'merged';
  return isMeant ? 'refresh' : 'revive';
}

export type SuggestionReason =
  | 'same_amount'
  | 'tip_amount'
  | 'hold'
  | 'compatible_name'
  | 'close_date'
  | 'provider_link';

/** A transaction of the batch, by the index of its row, or one that was stored before. */
export type Subject = { readonly row: number } | { readonly transactionId: string };

export interface PlannedSuggestion {
  readonly kind: 'pending_posted' | 'possible_duplicate';
  /** The newly stored transaction; by its id if an earlier sync stored it (R4, 6). */
  readonly of: Subject;
  /** Best first, 1 to 10. */
  readonly candidates: readonly { readonly of: Subject; readonly reasons: readonly SuggestionReason[] }[];
}

export interface AccountPlan {
  /** One per row of the batch, in its order. */
  readonly decisions: readonly RowDecision[];
  /** Live transactions to delete with cause `provider`. */
  readonly removed: readonly KnownRow[];
  /** Posted transactions whose present id the provider removed, deleted ones included: `removed_at` is stamped. */
  readonly withdrawnIds: readonly string[];
  /** How many removals of a complete read were held back (30.8.4); 0 if they were done. */
  readonly heldBackCount: number;
  readonly suggestions: readonly PlannedSuggestion[];
}

/** The key of an unordered pair. */
export function pairKey(one: string, other: string): string {
  return one < other ? `${one}|${other}` : `${other}|${one}`;
}
