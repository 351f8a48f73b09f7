import type { AccountLinksTable } from '../../db/schema.ts';
import type { EntityUndo, NetChange } from '../../journal/undo.ts';
import type { WriteTx } from '../../journal/write.ts';
import { accounts, FOLLOWS_LINKS } from '../accounts/index.ts';

/** `is_dependent_linked` of an account, which remembers whether a link or a person set it (50.1.6). */

type Link = Pick<AccountLinksTable, 'id' | 'dependent_account_id'>;

/** An enabled link takes its dependent account out of totals. */
export async function takeDependent(tx: WriteTx, link: Link): Promise<void> {
  await setFlag(tx, link.dependent_account_id, 1);
}

/** Without the link its dependent account counts again, unless another link or a person keeps it out of totals. */
export async function releaseDependent(tx: WriteTx, link: Link): Promise<void> {
  const isKept = await isCopy(tx, link.dependent_account_id, link.id);
  if (!isKept) await setFlag(tx, link.dependent_account_id, 0);
}

/** The account counts in totals unless an enabled link or a person keeps it out. */
export async function settleDependent(tx: WriteTx, accountId: string): Promise<void> {
  await setFlag(tx, accountId, (await isCopy(tx, accountId)) ? 1 : 0);
}

/** Whether an enabled link has the account as its dependent. */
async function isCopy(tx: WriteTx, accountId: string, exceptLinkId = ''): Promise<boolean> {
  const link = await tx.q
    .selectFrom('account_links')
    .select('id')
    .where('dependent_account_id', '=', accountId)
    .where('is_enabled', '=', 1)
    .where('id', '!=', exceptLinkId)
    .executeTakeFirst();
  return link !== undefined;
}

async function setFlag(tx: WriteTx, accountId: string, flag: 0 | 1): Promise<void> {
  const account = await accounts.find(tx, accountId);
  if (!account || account.is_dependent_by_hand === 1 || account.is_dependent_linked === flag) return;
  await accounts.change(tx, account, { is_dependent_linked: flag }, { internal: FOLLOWS_LINKS });
}

/**
 * Undoing that a person took an account out of totals gives it back to the link that has made it a copy since. Otherwise
 * its rows would count twice, and nobody would notice.
 */
export function leftToLinks(undo: EntityUndo): EntityUndo {
  return {
    ...undo,
    extended: undo,
    async undo(tx, changes, isForced) {
      const copies = await selectCopies(tx, changes.filter(wasTakenOutByHand));
      return undo.undo(
        tx,
        changes.map((change) => (copies.has(change.entityId) ? withoutFlag(change) : change)),
        isForced,
      );
    },
  };
}

function wasTakenOutByHand({ operation, before, after, internal }: NetChange): boolean {
  const [was, is] = [before?.['is_dependent_linked'], after?.['is_dependent_linked']];
  return operation === 'update' && was === false && is === true && internal['followsLinks'] !== true;
}

/** The accounts of these changes that a link has made its dependent since. One that was there already was overruled. */
async function selectCopies(tx: WriteTx, changes: readonly NetChange[]): Promise<ReadonlySet<string>> {
  const copies = new Set<string>();
  for (const { entityId, changeSetId } of changes) {
    const links = await tx.q
      .selectFrom('account_links')
      .select('id')
      .where('is_enabled', '=', 1)
      .where('dependent_account_id', '=', entityId)
      .execute();
    for (const { id } of links) if (await wasEnabledSince(tx, id, changeSetId)) copies.add(entityId);
  }
  return copies;
}

/** Whether a later change set created or enabled the link. Ids of change sets are in the order of time. */
async function wasEnabledSince(tx: WriteTx, linkId: string, changeSetId: string): Promise<boolean> {
  const later = await tx.q
    .selectFrom('changes')
    .select('after')
    .where('entity_type', '=', 'account_link')
    .where('entity_id', '=', linkId)
    .where('change_set_id', '>', changeSetId)
    .execute();
  return later.some(({ after }) => (JSON.parse(after ?? '{}') as { enabled?: boolean }).enabled === true);
}

/** Who set the flag is among the internal values of the change, and is undone all the same. */
function withoutFlag(change: NetChange): NetChange {
  const { is_dependent_linked: _was, ...before } = change.before ?? {};
  const { is_dependent_linked: _is, ...after } = change.after ?? {};
  return { ...change, before, after };
}
