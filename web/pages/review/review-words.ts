import type { OutputOf } from '../../../src/contract/operation.ts';
import type { getReview } from '../../../src/features/review/review.contract.ts';
import type { bulkUpdateTransactions } from '../../../src/features/transactions/transaction-bulk.contract.ts';
import type { CallOf } from '../../../src/contract/operation.ts';
import { inWords } from '../../lib/days.ts';
import { counted, inDigits } from '../../lib/numbers.ts';

export type Review = OutputOf<typeof getReview>;
export type Group = Review['groups'][number];
export type Reason = Group['reason'];
export type Changes = NonNullable<CallOf<typeof bulkUpdateTransactions>['body']>['changes'];

export const NEEDS_REVIEW = 'needs-review';
export const REASON_WORDS: Readonly<Record<Reason, string>> = {
  needs_review: 'New',
  uncategorized: 'Without category',
  flagged: 'Flagged',
};

/** What *Right* does with a group. */
export function rightFor({ reason, category_id: present, guess }: Group): { changes: Changes; does: string } {
  if (reason === 'flagged') return { changes: { flagged: false }, does: 'Take the flag off' };
  if (reason === 'uncategorized') {
    if (guess) return { changes: { category_id: guess.category_id }, does: 'Right' };
    return { changes: { category_id: null }, does: 'Leave without category' };
  }
  const seen = { tags_to_remove: [NEEDS_REVIEW] };
  if (present !== null || !guess) return { changes: seen, does: 'Right' };
  return { changes: { ...seen, category_id: guess.category_id }, does: 'Right' };
}

/** What another category does: of what is new, it was looked at, too. */
export function changesFor({ reason }: Group, categoryId: string | null): Changes {
  const chosen = { category_id: categoryId };
  return reason === 'needs_review' ? { ...chosen, tags_to_remove: [NEEDS_REVIEW] } : chosen;
}

/** Why we think so. */
export function whyGuess({ guess }: Group): string | null {
  if (!guess) return null;
  if (guess.from === 'present') return null;
  return guess.count === 1 ? 'chosen once before' : `chosen ${inDigits(guess.count ?? 0)} times lately`;
}

export function daysOf({ first_date: first, last_date: last }: Group): string {
  return first === last ? inWords(last) : `${inWords(first)} – ${inWords(last)}`;
}

export function rowsOf(count: number): string {
  return counted(count, 'row');
}

export function totalOf({ needs_review: open, uncategorized, flagged }: Review['total_rows']): number {
  return open + uncategorized + flagged;
}

/** "214 new, 12 without category, 1 flagged". */
export function reasonsInWords({ needs_review: open, uncategorized, flagged }: Review['total_rows']): string {
  const parts = [
    open > 0 && `${inDigits(open)} new`,
    uncategorized > 0 && `${inDigits(uncategorized)} without category`,
    flagged > 0 && `${inDigits(flagged)} flagged`,
  ];
  return parts.filter((part) => part !== false).join(', ');
}
