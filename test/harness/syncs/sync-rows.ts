import type {
  AccountBatch,
  AccountLedger,
  AccountPlan,
  BankRow,
  KnownRow,
} from '../../../src/engines/sync/account-plan.ts';
import { planAccountRows } from '../../../src/engines/sync/plan-account-rows.ts';

/** Rows, transactions and batches for tests of the sync engine; what a test leaves out does not matter to it. */

export const NOW = '2026-03-01T12:00:00.000Z';

export function bankRow(row: Partial<BankRow> = {}): BankRow {
  return {
    externalId: 'x1',
    externalAccountId: 'A',
    pendingExternalId: null,
    pending: false,
    date: '2026-02-20',
    authorizedDate: null,
    amountCents: 450,
    currency: 'USD',
    name: 'BLUE BOTTLE',
    merchantName: null,
    categoryPrimary: null,
    categoryDetailed: null,
    ...row,
  };
}

export type Feed = NonNullable<KnownRow['feed']>;

export function feed(of: Partial<Feed> = {}): Feed {
  return { namespace: 'plaid', externalId: 'x1', externalAccountId: 'A', removedAt: null, wasPending: false, ...of };
}

export function knownRow(row: Partial<KnownRow> = {}): KnownRow {
  const { externalId: _, externalAccountId: __, pendingExternalId: ___, ...movement } = bankRow();
  return {
    ...movement,
    id: 't1',
    deletedCause: null,
    deletedAt: null,
    isFromFile: false,
    isEntered: false,
    feed: feed(),
    createdAt: '2026-02-20T12:00:00.000Z',
    ...row,
  };
}

export function fromFile(row: Partial<KnownRow> = {}): KnownRow {
  return knownRow({ feed: null, isFromFile: true, createdAt: '2026-01-01T12:00:00.000Z', ...row });
}

export function byHand(row: Partial<KnownRow> = {}): KnownRow {
  return knownRow({ feed: null, isEntered: true, createdAt: '2026-01-01T12:00:00.000Z', ...row });
}

/** Changes of Plaid's kind. */
export function changes(rows: readonly BankRow[], over: Partial<AccountBatch> = {}): AccountBatch {
  return {
    namespace: 'plaid',
    externalAccountId: 'A',
    delivery: 'changes',
    rowIds: 'lasting',
    rows,
    removedIds: [],
    unreadableIds: new Set(),
    read: null,
    isCompleteRead: false,
    answeredFrom: null,
    relinkedAt: null,
    now: NOW,
    ...over,
  };
}

/** A window of Teller's kind. */
export function windowOf(rows: readonly BankRow[], over: Partial<AccountBatch> = {}): AccountBatch {
  const read = { from: '2026-02-01', to: '2026-03-02' };
  return changes(rows, { namespace: 'teller', delivery: 'window', rowIds: 'posted', read, ...over });
}

/** With the aliases that the present ids of that provider make. */
export function ledgerOf(
  rows: readonly KnownRow[],
  over: Partial<AccountLedger> = {},
  namespace = 'plaid',
): AccountLedger {
  const aliases = new Map<string, string>();
  for (const { id, feed: own } of rows) {
    if (own?.namespace === namespace && own.externalId !== null) aliases.set(own.externalId, id);
  }
  return { rows, elsewhere: [], leaving: new Set(), aliases, separated: new Set(), ...over };
}

/** What each row is: `R2 t1`, `R5` for a new one, `R2 = row 1` for one that another row makes. */
export function said({ decisions }: AccountPlan): string[] {
  return decisions.map(({ known, rule, sameAs, isSuperseded }) => {
    const what = known ? ` ${known.id}` : sameAs === null ? '' : ` = row ${sameAs}`;
    return `${rule}${what}${isSuperseded && sameAs === null ? ' superseded' : ''}`;
  });
}

export function removedIn({ removed }: AccountPlan): string[] {
  return removed.map(({ id }) => id);
}

export function asked({ suggestions }: AccountPlan): string[] {
  const nameOf = (one: object): string =>
    'row' in one ? `row ${String(one.row)}` : (one as { transactionId: string }).transactionId;
  return suggestions.map(
    ({ kind, of, candidates }) => `${kind} ${nameOf(of)}: ${candidates.map((one) => nameOf(one.of)).join(' ')}`,
  );
}

export function planRows(batch: AccountBatch, ledger: readonly KnownRow[] | AccountLedger): AccountPlan {
  return planAccountRows(batch, 'rows' in ledger ? ledger : ledgerOf(ledger, {}, batch.namespace));
}

export function pendingKnown(row: Partial<KnownRow> = {}): KnownRow {
  return knownRow({ pending: true, feed: feed({ externalId: 'p1' }), ...row });
}

export function posted(row: Partial<BankRow> = {}): BankRow {
  return bankRow({ externalId: 'x9', date: '2026-02-21', ...row });
}
