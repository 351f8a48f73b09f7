import { shortIdsFor } from '../../db/short-ids.ts';
import type { BareWriteTx } from '../../db/unit-of-work.ts';
import { pairKey } from '../../engines/sync/account-plan.ts';
import { LIMITS } from '../../kernel/limits.ts';
import {
  insertSuggestions,
  resolveSuggestions,
  selectAbout,
  selectSameAccount,
  selectSeparated,
  type StoredAccount,
  type StoredCandidate,
  type SuggestionRow,
} from './suggestions.queries.ts';

/** What a sync would not decide alone about one of its rows. All ids are UUIDs of stored records. */
export interface NewSuggestion {
  readonly kind: 'pending_posted' | 'possible_duplicate';
  readonly connectionId: string;
  readonly accountId: string;
  /** The newer transaction. */
  readonly transactionId: string;
  /** Best first. */
  readonly candidates: readonly StoredCandidate[];
}

/** Accounts that may be the same as a new one. */
export interface SameAccount {
  readonly connectionId: string;
  /** The newer account. */
  readonly accountId: string;
  /** Best first. */
  readonly accounts: readonly StoredAccount[];
}

/**
 * Stores suggestions, without pairs that were suggested before or that somebody wants apart (contract 30.9). Answers how
 * many are new.
 */
export async function storeSuggestions(tx: BareWriteTx, wanted: readonly NewSuggestion[]): Promise<number> {
  if (wanted.length === 0) return 0;
  const known = await knownPairs(tx, wanted);
  const fresh: NewSuggestion[] = [];
  for (const one of wanted) {
    const candidates: StoredCandidate[] = [];
    for (const candidate of one.candidates) {
      const key = pairKey(one.transactionId, candidate.transaction_id);
      if (known.has(key) || candidates.length >= LIMITS.suggestionCandidates) continue;
      known.add(key);
      candidates.push(candidate);
    }
    if (candidates.length > 0) fresh.push({ ...one, candidates });
  }
  await insert(
    tx,
    fresh.map(({ kind, connectionId, accountId, transactionId, candidates }) => ({
      kind,
      connection_id: connectionId,
      account_id: accountId,
      transaction_id: transactionId,
      candidates,
      accounts: [],
    })),
  );
  return fresh.length;
}

async function knownPairs(tx: BareWriteTx, wanted: readonly NewSuggestion[]): Promise<Set<string>> {
  const ids = wanted.flatMap((one) => [one.transactionId, ...one.candidates.map((each) => each.transaction_id)]);
  const suggested = (await selectAbout(tx, [...new Set(ids)])).flatMap((row) =>
    row.candidates.map((one) => pairKey(row.transaction_id as string, one.transaction_id)),
  );
  return new Set([...(await selectSeparated(tx)), ...suggested]);
}

/** Asks once whether a new account is one of these; while that is open, later syncs only bring its counts up to date. */
export async function suggestSameAccount(tx: BareWriteTx, wanted: SameAccount): Promise<void> {
  const separated = await selectSeparated(tx);
  const accounts = wanted.accounts
    .filter((one) => !separated.has(pairKey(wanted.accountId, one.account_id)))
    .slice(0, LIMITS.suggestionCandidates);
  if (accounts.length === 0) return;
  const asked = await selectSameAccount(tx, wanted.accountId);
  const open = asked.find(({ status }) => status === 'open');
  if (open) await resolveSuggestions(tx, [{ id: open.id, accounts: JSON.stringify(accounts) }]);
  if (open) return;
  const known = new Set(asked.flatMap((one) => one.accounts.map((account) => account.account_id)));
  const fresh = accounts.filter((one) => !known.has(one.account_id));
  if (fresh.length > 0) await insert(tx, [aboutAccounts(wanted.connectionId, wanted.accountId, fresh)]);
}

/** After a split, whoever changes their mind finds the question among the dismissed ones. */
export async function askAgainLater(
  tx: BareWriteTx,
  { connectionId, accountId, olderId }: { connectionId: string | null; accountId: string; olderId: string },
): Promise<void> {
  if (connectionId === null || (await selectSameAccount(tx, accountId)).length > 0) return;
  const accounts = [{ account_id: olderId, pair_count: 0, overlap_count: 0 }];
  await insert(tx, [aboutAccounts(connectionId, accountId, accounts)]);
  const asked = await selectSameAccount(tx, accountId);
  const dismissed = { status: 'dismissed', resolved_at: tx.now };
  await resolveSuggestions(
    tx,
    asked.map(({ id }) => ({ id, ...dismissed })),
  );
}

function aboutAccounts(connectionId: string, accountId: string, accounts: readonly StoredAccount[]): Asked {
  return {
    kind: 'same_account',
    connection_id: connectionId,
    account_id: accountId,
    transaction_id: null,
    candidates: [],
    accounts,
  };
}

type Asked = Pick<
  SuggestionRow,
  'kind' | 'connection_id' | 'account_id' | 'transaction_id' | 'candidates' | 'accounts'
>;

async function insert(tx: BareWriteTx, rows: readonly Asked[]): Promise<void> {
  const shortIds = await shortIdsFor(tx, 'sync_suggestions', rows.length);
  await insertSuggestions(
    tx,
    rows.map((row, at) => ({
      id: tx.ids.uuid(),
      short_id: shortIds[at] as string,
      status: 'open',
      ...row,
      accepted_transaction_id: null,
      accepted_account_id: null,
      change_set_id: null,
      created_at: tx.now,
      resolved_at: null,
    })),
  );
}
