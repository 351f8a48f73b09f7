import type { AccountLinksTable } from '../../db/schema.ts';
import type { ReadTx } from '../../db/unit-of-work.ts';
import { flag, IDS, recorded, reference, STAMPS } from '../../journal/columns.ts';
import { defineEntity, type RowChange } from '../../journal/entity.ts';
import type { NetChange, Obstacle } from '../../journal/undo.ts';
import type { WriteTx } from '../../journal/write.ts';
import { notFound } from '../../kernel/errors.ts';
import { refreshAttribution, releaseLink } from '../transaction-matches/index.ts';
import { selectLinksOf } from './account-links.queries.ts';
import { releaseDependent, takeDependent } from './dependent-flag.ts';
import { clashOf, type Pair } from './refused-links.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Two accounts that show the same transactions; the dependent one stays out of totals (contract 50.1). Removing a link, or
 * undoing its creation, also removes its matches and attributions.
 */
export const accountLinks = defineEntity('account_links', {
  type: 'account_link',
  columns: {
    ...IDS,
    primary_account_id: reference('accounts', 'deleted_at'),
    dependent_account_id: reference('accounts', 'deleted_at'),
    match_tolerance_days: recorded,
    is_attributing: flag('attribute'),
    is_enabled: flag('enabled'),
    ...STAMPS,
  },
  async removeBelongings(tx, id) {
    const link = await getLink(tx, id);
    await releaseDependent(tx, link);
    await releaseLink(tx, link, 'all');
  },
  async restoreBelongings(tx, { entityId }) {
    await followEnabled(tx, await getLink(tx, entityId));
  },
  undo: { findObstacle, restoreElsewhere },
});

/** @throws NOT_FOUND */
export async function getLink(tx: ReadTx, anyId: string): Promise<AccountLinksTable> {
  const link = await accountLinks.find(tx, anyId);
  if (!link) throw notFound('account link');
  return link;
}

async function followEnabled(tx: WriteTx, link: AccountLinksTable): Promise<void> {
  await (link.is_enabled === 1 ? takeDependent(tx, link) : releaseDependent(tx, link));
  await refreshAttribution(tx, link);
}

/** `beside` is what else changes: a pair that is unlinked can be linked anew. */
async function findObstacle(
  tx: ReadTx,
  id: string,
  fields: Fields,
  beside: readonly RowChange[] = [],
): Promise<Obstacle | null> {
  const link = await accountLinks.find(tx, id);
  const { primary_account_id: primaryId, dependent_account_id: dependentId } = {
    ...link,
    ...(fields as Partial<Pair>),
  };
  if (primaryId === undefined || dependentId === undefined) return null;
  const others = new Map<string, Pair>(
    (await selectLinksOf(tx, [primaryId, dependentId])).map((other) => [other.id, other]),
  );
  for (const { entityId, after } of beside) {
    if (after === null) others.delete(entityId);
    else if ('primary_account_id' in after)
      others.set(entityId, { ...others.get(entityId), ...(after as Fields & Pair) });
  }
  others.delete(id);
  const message = clashOf([...others.values()], primaryId, dependentId);
  return message === null ? null : { reason: 'exists', fields: ['dependent_account_id'], message };
}

async function restoreElsewhere(tx: WriteTx, change: NetChange): Promise<void> {
  const link = await getLink(tx, change.entityId);
  const former = change.after?.['dependent_account_id'];
  if (typeof former === 'string') await releaseDependent(tx, { id: link.id, dependent_account_id: former });
  await followEnabled(tx, link);
}
