import type { WriteTx } from '../../journal/write.ts';
import { reconcileLink, refreshAttribution } from '../transaction-matches/index.ts';
import { accountLinks } from './account-links.entity.ts';
import { selectLinksOf } from './account-links.queries.ts';
import { changeLink } from './change-link.ts';
import { takeDependent } from './dependent-flag.ts';

/** What happens to links when their accounts change (50.1.3). */

/** Deletes the links of accounts that are deleted or erased, as a request for each would. */
export async function endLinks(tx: WriteTx, accountIds: readonly string[]): Promise<void> {
  for (const link of await selectLinksOf(tx, accountIds)) await accountLinks.remove(tx, link);
}

/** Disables links whose primary account loses its rows, so that the rows of the copies count again. */
export async function disableLinksOfPrimaries(tx: WriteTx, accountIds: readonly string[]): Promise<void> {
  const links = (await selectLinksOf(tx, accountIds)).filter(
    (link) => link.is_enabled === 1 && accountIds.includes(link.primary_account_id),
  );
  for (const link of links) await changeLink(tx, link, { is_enabled: 0 });
}

/** Attributes matched purchases to the new effective owners of these dependent accounts. */
export async function followOwners(tx: WriteTx, accountIds: readonly string[]): Promise<void> {
  for (const link of await selectLinksOf(tx, accountIds)) {
    if (link.is_enabled === 1 && accountIds.includes(link.dependent_account_id)) await refreshAttribution(tx, link);
  }
}

/**
 * The links of an account that becomes another one follow it. One that would then link the account with itself, or
 * a pair that is linked already, ends.
 */
export async function moveLinks(tx: WriteTx, fromId: string, toId: string): Promise<void> {
  const others = await selectLinksOf(tx, [toId]);
  const partners = new Set(others.flatMap((link) => [link.primary_account_id, link.dependent_account_id]));
  for (const link of await selectLinksOf(tx, [fromId])) {
    const isPrimary = link.primary_account_id === fromId;
    const partner = isPrimary ? link.dependent_account_id : link.primary_account_id;
    if (partner === toId || partners.has(partner)) {
      await accountLinks.remove(tx, link);
      continue;
    }
    const moved = await accountLinks.change(tx, link, {
      [isPrimary ? 'primary_account_id' : 'dependent_account_id']: toId,
    });
    if (moved.is_enabled === 0) continue;
    await takeDependent(tx, moved);
    await reconcileLink(tx, moved);
  }
}
