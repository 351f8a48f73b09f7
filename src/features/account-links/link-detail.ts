import type { z } from 'zod';

import type { AccountLinksTable } from '../../db/schema.ts';
import type { ReadTx } from '../../db/unit-of-work.ts';
import { findAccount, type AccountRow } from '../accounts/index.ts';
import { countMatches } from '../transaction-matches/index.ts';
import type { AccountLinkDetail, LinkWarning } from './account-links.contract.ts';
import { NO_MATCHES, tallyMatches } from './account-links.queries.ts';
import { toLink } from './account-links.table.ts';
import { selectEvidence, unmatchedTotals, type Evidence } from './link-evidence.queries.ts';

export type LinkDetail = z.input<typeof AccountLinkDetail>;
type Warning = z.output<typeof LinkWarning>;

/** With fewer rows, nothing can be said about how well two accounts match. */
export const ROWS_TO_JUDGE = 20;

/** The full form of a link (50.1.1). */
export async function detailOf(tx: ReadTx, link: AccountLinksTable): Promise<LinkDetail> {
  const [primary, dependent] = await accountsOf(tx, link);
  const tally = (await tallyMatches(tx, link.id)).get(link.id) ?? NO_MATCHES;
  const counts = await countMatches(tx, link);
  return {
    ...toLink(link, tally),
    dependent_account_id: link.dependent_account_id,
    primary_account_name: primary.display_name ?? primary.name,
    dependent_account_name: dependent.display_name ?? dependent.name,
    primary_user_name: primary.owner_user_name,
    dependent_user_name: dependent.owner_user_name,
    match_strategy: 'date_amount_name',
    match_tolerance_days: link.match_tolerance_days,
    attribute: link.is_attributing === 1,
    enabled: link.is_enabled === 1,
    match_count: counts.matched_count,
    unmatched_primary_count: counts.unmatched_primary_count,
    unmatched_dependent_count: counts.unmatched_dependent_count,
    unmatched_dependent_totals: await unmatchedTotals(tx, link),
    warnings: await warningsOf(tx, link, counts.matched_count),
    updated_at: link.updated_at,
  };
}

/** Warnings about an enabled link, in the order of the contract. */
async function warningsOf(tx: ReadTx, link: AccountLinksTable, matchCount: number): Promise<Warning[]> {
  if (link.is_enabled === 0) return [];
  const [primary, dependent] = await accountsOf(tx, link);
  const evidence = await selectEvidence(tx, link);
  const [spender, payer] = [effectiveOwnerOf(dependent), effectiveOwnerOf(primary)];
  const holds: Record<Warning, boolean> = {
    few_matches: hasFewMatches(evidence),
    whole_account: showsWholeAccount(evidence, matchCount),
    uncovered_rows: evidence.hasUncovered,
    primary_not_counted: primary.is_excluded === 1 || primary.is_dependent_linked === 1,
    no_spender: link.is_attributing === 1 && (spender === null || spender === payer),
  };
  return (Object.keys(holds) as Warning[]).filter((warning) => holds[warning]);
}

function hasFewMatches({ overlapping: { count, matched } }: Evidence): boolean {
  return count >= ROWS_TO_JUDGE && matched * 2 < count;
}

/** At least 95 % of what the primary account shows on those dates. */
function showsWholeAccount({ covered: { count, matched } }: Evidence, matchCount: number): boolean {
  return matchCount >= ROWS_TO_JUDGE && matched * 100 >= count * 95;
}

function effectiveOwnerOf({ owner_short_id: own, user_short_id: ofConnection }: AccountRow): string | null {
  return own ?? ofConnection;
}

async function accountsOf(
  tx: ReadTx,
  link: Pick<AccountLinksTable, 'primary_account_id' | 'dependent_account_id'>,
): Promise<[primary: AccountRow, dependent: AccountRow]> {
  const [primary, dependent] = [
    await findAccount(tx, link.primary_account_id),
    await findAccount(tx, link.dependent_account_id),
  ];
  if (!primary || !dependent) throw new Error('An account of a link is gone, but the link is not.');
  return [primary, dependent];
}

/** `Visa (Ben) to Visa`: the dependent account and the primary one, for the journal. */
export async function namesOf(tx: ReadTx, link: AccountLinksTable): Promise<string> {
  const [primary, dependent] = await accountsOf(tx, link);
  return `${dependent.display_name ?? dependent.name} to ${primary.display_name ?? primary.name}`;
}
