import type { AccountLinksTable } from '../../db/schema.ts';
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
  const isKept = await tx.q
    .selectFrom('account_links')
    .select('id')
    .where('dependent_account_id', '=', link.dependent_account_id)
    .where('is_enabled', '=', 1)
    .where('id', '!=', link.id)
    .executeTakeFirst();
  if (!isKept) await setFlag(tx, link.dependent_account_id, 0);
}

async function setFlag(tx: WriteTx, accountId: string, flag: 0 | 1): Promise<void> {
  const account = await accounts.find(tx, accountId);
  if (!account || account.is_dependent_by_hand === 1) return;
  await accounts.change(tx, account, { is_dependent_linked: flag }, { internal: FOLLOWS_LINKS });
}
