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
  /** Somebody entered it by hand. */
  readonly isEntered: boolean;
  /** What a provider last said of it; null if none ever reported it. */
  readonly feed: {
    readonly namespace: string;
    /** Its present id. */
    readonly externalId: string | null;
    readonly externalAccountId: string;
    /** When the provider removed the present id. */
    readonly removedAt: string | null;
  } | null;
  readonly createdAt: string;
}

/** Everything one sync brings for one account, collapsed: the last word about each external id. */
export interface AccountBatch {
  /** The name of the provider. */
  readonly namespace: string;
  /** The present source: the external id under which the account is reported now. */
  readonly externalAccountId: string;
  readonly delivery: 'changes' | 'window';
  readonly rowIds: 'lasting' | 'posted' | 'none';
  /** In the order of delivery. */
  readonly rows: readonly BankRow[];
  /** External ids that the provider named as removed. */
  readonly removedIds: readonly string[];
  /** The dates that were read completely, both inclusive; null for a provider that delivers changes. */
  readonly read: { readonly from: string; readonly to: string } | null;
  /** Everything from the beginning was read, and it is all that the provider has. */
  readonly isCompleteRead: boolean;
  /** When the account was attached again under another source. */
  readonly relinkedAt: string | null;
  readonly now: string;
}

/** The account's side of the ledger, as far as the batch can reach. */
export interface AccountLedger {
  readonly rows: readonly KnownRow[];
  /** External id → transaction id: every alias of this provider among the ids of the batch and of the rows. */
  readonly aliases: ReadonlyMap<string, string>;
  /** Keys of `pairKey` that are not to be suggested again. */
  readonly separated: ReadonlySet<string>;
}

export type Rule = 'R1' | 'R2' | 'R3a' | 'R3b' | 'R3c' | 'R4' | 'R5';

/** What one row of the batch is: a transaction that exists already, or (R5) a new one. */
export interface RowDecision {
  /** Index into the rows of the batch. */
  readonly row: number;
  readonly known: KnownRow | null;
  readonly rule: Rule;
}

export type SuggestionReason =
  | 'same_amount'
  | 'tip_amount'
  | 'hold'
  | 'compatible_name'
  | 'close_date'
  | 'provider_link';

export interface PlannedSuggestion {
  readonly kind: 'pending_posted' | 'possible_duplicate';
  /** The newly stored transaction: an index into the rows of the batch, or one stored by an earlier sync (R4, 5). */
  readonly of: { readonly row: number } | { readonly transactionId: string };
  /** Best first, 1 to 10. */
  readonly candidates: readonly { readonly transactionId: string; readonly reasons: readonly SuggestionReason[] }[];
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
