/** What the Plaid simulator keeps. Names of the wire are those of contract 35.2. */

export interface PlaidBalances {
  available: number | null;
  current: number | null;
  limit: number | null;
  iso_currency_code: string | null;
  unofficial_currency_code: string | null;
}

export interface PlaidAccount {
  account_id: string;
  name: string;
  official_name: string | null;
  mask: string | null;
  type: string;
  subtype: string | null;
  /** Most banks give none. */
  persistent_account_id?: string | undefined;
  balances: PlaidBalances;
}

/** The facts of a transaction; the rest of what Plaid sends is the same for all and filled in by the answer. */
export interface PlaidFacts {
  transaction_id: string;
  account_id: string;
  amount: number;
  date: string;
  name: string;
  pending: boolean;
  [field: string]: unknown;
}

export type UpdateStatus =
  | 'NOT_READY'
  | 'INITIAL_UPDATE_COMPLETE'
  | 'HISTORICAL_UPDATE_COMPLETE'
  | 'TRANSACTIONS_UPDATE_STATUS_UNKNOWN';

/** What a transaction was from a version on; null once it is removed. */
export interface RowState {
  version: number;
  facts: PlaidFacts | null;
}

export interface RowChange {
  put: readonly PlaidFacts[];
  removed: readonly string[];
}

export interface PlaidItem {
  item_id: string;
  access_token: string;
  institution_id: string;
  institution_name: string;
  accounts: PlaidAccount[];
  webhook: string;
  /** The code of what is wrong with its login. */
  error: string | null;
  consent_expiration_time: string | null;
  transactions_update_status: UpdateStatus;
  isRemoved: boolean;
  /** Grows with every change of the transactions. */
  version: number;
  rows: Map<string, RowState[]>;
  /** Which row changed in which version, oldest first. */
  changes: { version: number; id: string }[];
  /** Changes that wait until a client has read everything before them. */
  deferred: RowChange[];
}

export interface PublicToken {
  token: string;
  itemId: string;
  madeAt: number;
  isUsed: boolean;
}

export interface LinkToken {
  token: string;
  expiresAt: number;
  isUsed: boolean;
  webhook: string;
  /** The item to be repaired; null for a new link. */
  itemId: string | null;
}
