import type { DateOnly } from '../../src/kernel/dates.ts';

export interface HouseholdOptions {
  seed: number;
  transactions: number;
  /** The last day of the history, inclusive. */
  until: DateOnly;
  /** Length of the history, default 4. Too few transactions for that much ordinary life shorten it. */
  years?: number;
}

export interface HouseholdMember {
  key: string;
  name: string;
  kind: 'admin' | 'member' | 'dependent';
  email: string | null;
}

export interface HouseholdConnection {
  key: string;
  member: string;
  provider: 'plaid' | 'teller' | 'csv';
  institution_name: string;
  status: 'active';
}

export interface HouseholdAccount {
  key: string;
  connection: string;
  name: string;
  display_name: string | null;
  official_name: string | null;
  type: 'depository' | 'credit' | 'loan';
  subtype: string;
  mask: string;
  iso_currency_code: 'USD' | 'EUR';
  owner: string | null;
  is_excluded: boolean;
  /** Posted rows only. Credit and loan accounts count what is owed, so their balance grows with money out. */
  balance_current_cents: number;
  balance_available_cents: number | null;
  balance_limit_cents: number | null;
}

export interface HouseholdCounterparty {
  key: string;
  name: string;
  website_url: string | null;
  mcc: string | null;
  category_slug: string | null;
}

export interface HouseholdSeries {
  key: string;
  name: string;
  type: 'subscription' | 'bill' | 'loan' | 'other';
}

export interface HouseholdTag {
  slug: string;
  name: string;
  color: string;
  description: string;
}

export interface HouseholdBalance {
  account: string;
  date: DateOnly;
  balance_current_cents: number;
}

export interface HouseholdTransaction {
  account: string;
  date: DateOnly;
  authorized_date: DateOnly | null;
  /** Positive = money out. */
  amount_cents: number;
  iso_currency_code: 'USD' | 'EUR';
  name: string;
  merchant_name: string | null;
  counterparty: string | null;
  category_slug: string | null;
  category_source: 'provider' | 'rule' | 'person' | 'agent' | null;
  provider_category_primary: string | null;
  provider_category_detailed: string | null;
  payment_channel: 'online' | 'in_store' | 'other' | null;
  pending: boolean;
  series: string | null;
  tags: string[];
  comment: string | null;
  flagged: boolean;
  external_id: string;
}

export interface Household {
  /** First day of the history, inclusive. */
  since: DateOnly;
  members: HouseholdMember[];
  connections: HouseholdConnection[];
  accounts: HouseholdAccount[];
  counterparties: HouseholdCounterparty[];
  series: HouseholdSeries[];
  tags: HouseholdTag[];
  /** Per account the evening before `since`, every month's end, and the last day. */
  balances: HouseholdBalance[];
  /** Date ascending; every call starts again and gives the same rows. */
  transactions(): IterableIterator<HouseholdTransaction>;
}
