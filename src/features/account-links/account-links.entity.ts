import type { AccountLinksTable } from '../../db/schema.ts';
import type { ReadTx } from '../../db/unit-of-work.ts';
import { flag, IDS, recorded, reference, STAMPS } from '../../journal/columns.ts';
import { defineEntity } from '../../journal/entity.ts';
import type { WriteTx } from '../../journal/write.ts';
import { AppError } from '../../kernel/errors.ts';
import { accounts } from '../accounts/index.ts';

/** Two accounts that show the same transactions; the dependent one stays out of totals (contract 50.1). */
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
  undo: {},
});

interface NewLink {
  primaryId: string;
  dependentId: string;
  toleranceDays: number;
  isAttributing: boolean;
}

/**
 * Links two accounts and takes the dependent one out of totals (50.1.2, 50.1.6).
 * @throws CONFLICT if they are linked already, or the link would make a chain
 */
export async function linkAccounts(tx: WriteTx, link: NewLink): Promise<AccountLinksTable> {
  const { primaryId, dependentId, toleranceDays, isAttributing } = link;
  await refuseLink(tx, primaryId, dependentId);
  const created = await accountLinks.create(tx, {
    primary_account_id: primaryId,
    dependent_account_id: dependentId,
    match_tolerance_days: toleranceDays,
    is_attributing: isAttributing ? 1 : 0,
    is_enabled: 1,
  });
  await countAgain(tx, dependentId);
  return created;
}

/** @throws CONFLICT */
async function refuseLink(tx: ReadTx, primaryId: string, dependentId: string): Promise<void> {
  const links = await selectLinksOf(tx, [primaryId, dependentId]);
  const isPair = ({ primary_account_id: one, dependent_account_id: other }: AccountLinksTable): boolean =>
    [one, other].includes(primaryId) && [one, other].includes(dependentId);
  if (links.some(isPair)) throw new AppError('CONFLICT', 'The two accounts are already linked.');
  const isChain = links.some(
    (link) => link.dependent_account_id === primaryId || link.primary_account_id === dependentId,
  );
  if (isChain) {
    throw new AppError(
      'CONFLICT',
      'A copy of an account cannot have copies of its own. Delete the other account link of these accounts first.',
    );
  }
}

/** The links in which any of these accounts is one of the two, oldest first. */
export async function selectLinksOf(tx: ReadTx, accountIds: readonly string[]): Promise<AccountLinksTable[]> {
  return tx.q
    .selectFrom('account_links')
    .selectAll()
    .where((link) =>
      link.or([link('primary_account_id', 'in', accountIds), link('dependent_account_id', 'in', accountIds)]),
    )
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

/** Disables the links whose primary account loses its rows, so that those of the copies count again (50.1.3). */
export async function disableLinksOfPrimaries(tx: WriteTx, accountIds: readonly string[]): Promise<void> {
  if (accountIds.length === 0) return;
  const links = (await selectLinksOf(tx, accountIds)).filter(
    (link) => link.is_enabled === 1 && accountIds.includes(link.primary_account_id),
  );
  await accountLinks.changeMany(
    tx,
    links.map((row) => ({ row, patch: { is_enabled: 0 as const } })),
  );
  for (const link of links) await countAgain(tx, link.dependent_account_id);
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
    if (partner === toId || partners.has(partner)) await accountLinks.remove(tx, link);
    else await accountLinks.change(tx, link, { [isPrimary ? 'primary_account_id' : 'dependent_account_id']: toId });
    await countAgain(tx, partner);
  }
  await countAgain(tx, toId);
}

/** Sets the flag of an account from its links; one that a person set stays (50.1.6). */
async function countAgain(tx: WriteTx, accountId: string): Promise<void> {
  const account = await accounts.find(tx, accountId);
  if (!account || account.is_dependent_by_hand === 1) return;
  const links = await selectLinksOf(tx, [accountId]);
  const isDependent = links.some((link) => link.is_enabled === 1 && link.dependent_account_id === accountId);
  await accounts.change(tx, account, { is_dependent_linked: isDependent ? 1 : 0 });
}
