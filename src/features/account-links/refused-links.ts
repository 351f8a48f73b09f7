import type { AccountLinksTable } from '../../db/schema.ts';

/** The accounts of a link. */
export type Pair = Pick<AccountLinksTable, 'primary_account_id' | 'dependent_account_id'>;

/** Why two accounts cannot be linked, given their other links; null if they can (50.1.2). */
export function clashOf(links: readonly Pair[], primaryId: string, dependentId: string): string | null {
  const isPair = ({ primary_account_id: one, dependent_account_id: other }: Pair): boolean =>
    [one, other].includes(primaryId) && [one, other].includes(dependentId);
  if (links.some(isPair)) return 'The two accounts are already linked. Change or delete that account link instead.';
  if (links.some((link) => link.dependent_account_id === primaryId)) {
    return 'The primary account is itself the dependent account of another link. Delete that account link first.';
  }
  if (links.some((link) => link.primary_account_id === dependentId)) {
    return 'The dependent account is the primary account of another link. Delete that account link first.';
  }
  return null;
}
