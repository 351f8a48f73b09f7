import type { z } from 'zod';

import type { ReadTx } from '../../db/unit-of-work.ts';
import { formatCents } from '../../kernel/money.ts';
import type { Suggestion } from './suggestions.contract.ts';
import {
  selectCandidateAccounts,
  selectCandidates,
  type CandidateAccount,
  type CandidateTransaction,
  type SuggestionRow,
} from './suggestions.queries.ts';

export type SuggestionRecord = z.input<typeof Suggestion>;

/** What suggestions are about, in its current state. */
export interface Subjects {
  readonly transactions: ReadonlyMap<string, CandidateTransaction>;
  readonly accounts: ReadonlyMap<string, CandidateAccount>;
}

export async function loadSubjects(tx: ReadTx, rows: readonly SuggestionRow[]): Promise<Subjects> {
  const transactionIds = rows.flatMap((row) => [
    ...(row.transaction_id === null ? [] : [row.transaction_id]),
    ...row.candidates.map((one) => one.transaction_id),
  ]);
  const accountIds = rows.flatMap((row) => [row.account_id, ...row.accounts.map((one) => one.account_id)]);
  return {
    transactions: await selectCandidates(tx, [...new Set(transactionIds)]),
    accounts: await selectCandidateAccounts(tx, [...new Set(accountIds)]),
  };
}

/** The present status: one whose transaction, or whose every candidate, is gone for good is obsolete (30.9). */
export function statusOf(row: SuggestionRow, subjects: Subjects): SuggestionRecord['status'] {
  if (row.status !== 'open') return row.status;
  const isThere =
    row.transaction_id === null
      ? isLiveAccount(row.account_id, subjects) && row.accounts.some((one) => isLiveAccount(one.account_id, subjects))
      : isAvailable(row.transaction_id, subjects) &&
        row.candidates.some(
          ({ transaction_id: id }) => isAvailable(id, subjects) && isInAccountOf(id, row.transaction_id, subjects),
        );
  return isThere ? 'open' : 'obsolete';
}

/** Neither deleted by somebody nor merged into another one; what a provider withdrew can come back. */
function isAvailable(id: string, { transactions }: Subjects): boolean {
  const row = transactions.get(id);
  return row !== undefined && !isDeletedBySomebody(row) && row.deleted_cause !== 'merged';
}

/** No two are one across accounts. A join that is undone puts the two of its questions there. */
export function isInAccountOf(id: string, otherId: string | null, { transactions }: Subjects): boolean {
  return transactions.get(id)?.account_id === transactions.get(otherId ?? '')?.account_id;
}

export function isDeletedBySomebody({ deleted_cause: cause }: Pick<CandidateTransaction, 'deleted_cause'>): boolean {
  return cause === 'person' || cause === 'agent';
}

function isLiveAccount(id: string, { accounts }: Subjects): boolean {
  return accounts.get(id)?.deleted_at === null;
}

export function toSuggestion(row: SuggestionRow, subjects: Subjects): SuggestionRecord {
  const status = statusOf(row, subjects);
  const isAccepted = status === 'accepted';
  return {
    id: row.id,
    short_id: row.short_id,
    kind: row.kind as SuggestionRecord['kind'],
    status,
    connection_id: row.connection_id,
    account_id: row.account_id,
    transaction_id: row.transaction_id,
    candidates: row.candidates.flatMap(({ transaction_id: id, reasons }) => {
      const one = subjects.transactions.get(id);
      return one ? [{ ...toCandidate(one), reasons: [...reasons] }] : [];
    }),
    accepted_transaction_id: isAccepted ? row.accepted_transaction_id : null,
    accounts: row.accounts.flatMap(({ account_id: id, pair_count, overlap_count }) => {
      const one = subjects.accounts.get(id);
      return one ? [{ ...toCandidateAccount(one), pair_count, overlap_count }] : [];
    }),
    accepted_account_id: isAccepted ? row.accepted_account_id : null,
    created_at: row.created_at,
    resolved_at: status === 'obsolete' ? goneAt(row, subjects) : row.resolved_at,
  };
}

function toCandidate(row: CandidateTransaction) {
  return {
    transaction_id: row.id,
    date: row.date,
    amount: formatCents(row.amount_cents),
    iso_currency_code: row.iso_currency_code,
    name: row.name,
    is_deleted: row.deleted_at !== null,
  };
}

function toCandidateAccount(row: CandidateAccount) {
  return {
    account_id: row.id,
    account_name: row.display_name ?? row.name,
    provider: row.provider as SuggestionRecord['accounts'][number]['provider'],
  };
}

/** When what the suggestion needs was gone: the newest deletion among its subjects. */
function goneAt(row: SuggestionRow, { transactions, accounts }: Subjects): string | null {
  const deletions =
    row.transaction_id === null
      ? [row.account_id, ...row.accounts.map((one) => one.account_id)].map((id) => accounts.get(id)?.deleted_at)
      : [row.transaction_id, ...row.candidates.map((one) => one.transaction_id)].map(
          (id) => transactions.get(id)?.deleted_at,
        );
  return deletions.reduce<string | null>((latest, at) => ((at ?? '') > (latest ?? '') ? (at ?? null) : latest), null);
}
