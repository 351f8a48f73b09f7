import type { AccountLinksTable } from '../../db/schema.ts';
import type { ReadTx } from '../../db/unit-of-work.ts';
import type { WriteTx } from '../../journal/write.ts';
import { AppError } from '../../kernel/errors.ts';
import { reconcileLink, type Pairing } from '../transaction-matches/index.ts';
import { accountLinks } from './account-links.entity.ts';
import { selectLinksOf } from './account-links.queries.ts';
import { takeDependent } from './dependent-flag.ts';
import { clashOf } from './refused-links.ts';

export interface NewLink {
  primaryId: string;
  dependentId: string;
  toleranceDays: number;
  isAttributing: boolean;
  isEnabled: boolean;
}

/**
 * Links two accounts: takes the dependent one out of totals, and matches its rows (50.1.2, 50.1.3). `pairing`: what was
 * read of them in this transaction, if it was.
 * @throws CONFLICT if they are linked already, or the link would make a chain
 */
export async function linkAccounts(tx: WriteTx, link: NewLink, pairing?: Pairing): Promise<AccountLinksTable> {
  await refuseClash(tx, link.primaryId, link.dependentId);
  const created = await accountLinks.create(tx, {
    primary_account_id: link.primaryId,
    dependent_account_id: link.dependentId,
    match_tolerance_days: link.toleranceDays,
    is_attributing: link.isAttributing ? 1 : 0,
    is_enabled: link.isEnabled ? 1 : 0,
  });
  if (!link.isEnabled) return created;
  await takeDependent(tx, created);
  await reconcileLink(tx, created, pairing);
  return created;
}

/** @throws CONFLICT */
export async function refuseClash(tx: ReadTx, primaryId: string, dependentId: string): Promise<void> {
  const clash = clashOf(await selectLinksOf(tx, [primaryId, dependentId]), primaryId, dependentId);
  if (clash !== null) throw new AppError('CONFLICT', clash);
}
