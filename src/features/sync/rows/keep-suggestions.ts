import type { WriteTx } from '../../../journal/write.ts';
import { storeSuggestions, type NewSuggestion } from '../../suggestions/index.ts';
import type { AccountWork } from './plan-sync.ts';
import type { TransactionOf } from './write-rows.ts';

/** Stores the questions that the plans left open (contract 30.9), now that every row has its transaction. */
export async function keepSuggestions(
  tx: WriteTx,
  connectionId: string,
  works: readonly AccountWork[],
  transactionOf: TransactionOf,
): Promise<void> {
  const found = works.flatMap((work): NewSuggestion[] => {
    const idOf = (of: { row: number } | { transactionId: string }): string =>
      'row' in of ? transactionOf(work, of.row) : of.transactionId;
    return work.plan.suggestions.map(({ kind, of, candidates }) => ({
      kind,
      connectionId,
      accountId: work.attached.account.id,
      transactionId: idOf(of),
      candidates: candidates.map((one) => ({ transaction_id: idOf(one.of), reasons: [...one.reasons] })),
    }));
  });
  await storeSuggestions(tx, found);
}
