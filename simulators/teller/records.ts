/** What the Teller simulator keeps. Names of the wire are those of contract 35.6. */

export interface TellerAccount {
  id: string;
  type: string;
  subtype: string;
  status: 'open' | 'closed';
  currency: string;
  last_four: string;
  name: string;
  balances: { ledger: string | null; available: string | null };
  /** What Teller offers of it; accounts without one are not to be asked for it. */
  links: ('balances' | 'transactions')[];
}

export interface TellerTransaction {
  [field: string]: unknown;
  id: string;
  account_id: string;
  amount: string;
  date: string;
  description: string;
  status: 'pending' | 'posted';
  type: string;
  running_balance: string | null;
  details: {
    [field: string]: unknown;
    processing_status: string;
    category: string | null;
    counterparty: { name: string | null; type: string | null };
  };
}

export interface Enrollment {
  enrollment_id: string;
  access_token: string;
  user_id: string;
  institution: { id: string; name: string };
  accounts: TellerAccount[];
  /** The ending of its code, empty for none; null while it is connected. */
  disconnected: string | null;
  isRevoked: boolean;
  /** Whether a browser was given its token. */
  isLinked: boolean;
  /** By id, in the order of insertion. */
  transactions: Map<string, TellerTransaction>;
  /** Grows with every change of the transactions. */
  version: number;
}
