import { toAccess } from '../../../src/providers/access.ts';
import { createPlaid, type PlaidSettings } from '../../../src/providers/plaid/plaid-provider.ts';
import type { FetchedPart, FetchOutcome, FetchRequest, Outside, Provider } from '../../../src/providers/provider.ts';

/** What Plaid answers, and clients of it for tests that script every answer. */

export const TOKEN = 'access-sandbox-7c0d1c1e';
export const ACCESS = toAccess('item-1', TOKEN);

export function plaidAt(baseUrl: string, outside: Outside, change: Partial<PlaidSettings> = {}): Provider {
  return createPlaid(
    {
      clientId: 'client-1',
      secret: 'the-secret',
      environment: 'sandbox',
      baseUrl: `${baseUrl}/`,
      countryCodes: ['US', 'CA'],
      language: 'en',
      redirectUri: null,
      webhookUrl: null,
      ...change,
    },
    outside,
  );
}

export const ROW = {
  transaction_id: 'txn-7',
  account_id: 'acc-1',
  amount: 12.1,
  iso_currency_code: 'USD',
  unofficial_currency_code: null,
  date: '2026-02-28',
  authorized_date: '2026-02-27',
  datetime: null,
  authorized_datetime: '2026-02-27T10:34:50Z',
  name: 'SQ *BLUE BOTTLE #1234',
  merchant_name: 'Blue Bottle Coffee',
  payment_channel: 'in store',
  pending: false,
  pending_transaction_id: 'txn-3',
  personal_finance_category: {
    primary: 'FOOD_AND_DRINK',
    detailed: 'FOOD_AND_DRINK_COFFEE',
    confidence_level: 'VERY_HIGH',
  },
  counterparties: [],
  location: {},
  something_new: { nobody: 'knows' },
};

export const ACCOUNTS = {
  accounts: [
    {
      account_id: 'acc-1',
      name: 'Plaid Checking',
      official_name: 'Plaid Gold Standard Checking',
      mask: '0000',
      type: 'depository',
      subtype: 'checking',
      persistent_account_id: 'persistent-1',
      balances: {
        available: 100,
        current: 110.94,
        limit: null,
        iso_currency_code: 'USD',
        unofficial_currency_code: null,
      },
    },
  ],
  item: {
    item_id: 'item-1',
    institution_id: 'ins_1',
    institution_name: 'First Platypus Bank',
    webhook: '',
    error: null,
    consent_expiration_time: null,
  },
  request_id: 'r-1',
};

export function page(change: object = {}): { json: object } {
  const empty = { added: [], modified: [], removed: [], next_cursor: 'c-1', has_more: false };
  return { json: { ...empty, transactions_update_status: 'HISTORICAL_UPDATE_COMPLETE', request_id: 'r', ...change } };
}

export const error = (
  error_type: string,
  error_code: string,
  status = 400,
  error_message = 'no',
): { status: number; json: object } => ({
  status,
  json: { error_type, error_code, error_message, request_id: 'r-9' },
});

export const request = (change: Partial<FetchRequest> = {}): FetchRequest => ({
  position: null,
  accounts: [],
  isFull: false,
  signal: new AbortController().signal,
  ...change,
});

export async function fetchAll(
  provider: Provider,
  wanted = request(),
): Promise<{ parts: FetchedPart[]; outcome: FetchOutcome }> {
  const parts: FetchedPart[] = [];
  const running = provider.fetch(ACCESS, wanted);
  for (;;) {
    const { value, done } = await running.next();
    if (done) return { parts, outcome: value };
    parts.push(value);
  }
}
