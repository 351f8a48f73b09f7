import type { AccountLinksTable } from '../../db/schema.ts';
import type { Patch } from '../../journal/entity.ts';
import type { WriteTx } from '../../journal/write.ts';
import { reconcileLink, refreshAttribution, releaseLink } from '../transaction-matches/index.ts';
import { accountLinks } from './account-links.entity.ts';
import { releaseDependent, takeDependent } from './dependent-flag.ts';

type Link = AccountLinksTable;

/** Changes a link, with what the change does to the dependent account, the matches and the attribution (50.1.3). */
export async function changeLink(
  tx: WriteTx,
  link: Link,
  patch: Pick<Patch<Link>, 'match_tolerance_days' | 'is_attributing' | 'is_enabled'>,
): Promise<Link> {
  const changed = await accountLinks.change(tx, link, patch);
  if (changed.is_enabled === 0) {
    if (link.is_enabled === 1) await release(tx, changed);
    return changed;
  }
  if (link.is_enabled === 0) await takeDependent(tx, changed);
  const isMatchedAgain = link.is_enabled === 0 || changed.match_tolerance_days !== link.match_tolerance_days;
  if (isMatchedAgain) await reconcileLink(tx, changed);
  if (isMatchedAgain || changed.is_attributing !== link.is_attributing) await refreshAttribution(tx, changed);
  return changed;
}

async function release(tx: WriteTx, link: Link): Promise<void> {
  await releaseDependent(tx, link);
  await releaseLink(tx, link, 'auto');
}
