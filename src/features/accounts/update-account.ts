import { difference, type WriteTx } from '../../journal/write.ts';
import { notFound } from '../../kernel/errors.ts';
import { handleWrite } from '../handler.ts';
import { findUser, unknownUser } from '../users/index.ts';
import { updateAccount as operation } from './accounts.contract.ts';
import { findAccount, updateAccountRow } from './accounts.queries.ts';
import { toAccount } from './accounts.table.ts';

export const updateAccount = handleWrite(operation, 'account.update', async ({ tx }, { params, body }) => {
  const row = await findAccount(tx, params.id);
  if (!row) throw notFound('The account was');
  const before = toAccount(row);
  const owner = await resolveOwner(tx, body.owner_user_id);
  const changed = difference(
    { ...before },
    {
      display_name: body.display_name === undefined ? before.display_name : body.display_name,
      is_excluded: body.is_excluded ?? before.is_excluded,
      is_dependent_linked: body.is_dependent_linked ?? before.is_dependent_linked,
      owner_user_id: owner === undefined ? before.owner_user_id : (owner?.short_id ?? null),
    },
  );
  if (!changed) return before;
  const after = { ...before, ...changed.after };
  const turnsDependent = after.is_dependent_linked !== before.is_dependent_linked;
  await updateAccountRow(tx, row.id, {
    display_name: after.display_name,
    is_excluded: after.is_excluded ? 1 : 0,
    is_dependent_linked: after.is_dependent_linked ? 1 : 0,
    // A person's word outlives the links: releasing one leaves a flag that a person set (50.1.6).
    ...(turnsDependent ? { is_dependent_by_hand: after.is_dependent_linked ? (1 as const) : (0 as const) } : {}),
    ...(owner === undefined ? {} : { owner_user_id: owner?.id ?? null }),
    updated_at: tx.now,
  });
  tx.journal.record({
    entityType: 'account',
    entityId: row.id,
    entityShortId: row.short_id,
    operation: 'update',
    ...changed,
    ...(turnsDependent ? { internal: { columns: { is_dependent_by_hand: row.is_dependent_by_hand } } } : {}),
    revertible: true,
  });
  tx.journal.summarise(`Changed the account ${after.display_name ?? after.name}`);
  const now = await findAccount(tx, row.id);
  if (!now) throw notFound('The account was');
  return toAccount(now);
});

/** undefined = unchanged, null = nobody. @throws INVALID_PARAMETER */
async function resolveOwner(
  tx: WriteTx,
  anyId: string | null | undefined,
): Promise<{ id: string; short_id: string } | null | undefined> {
  if (anyId === undefined) return undefined;
  if (anyId === null || anyId === '') return null;
  const user = await findUser(tx, anyId);
  if (!user) throw unknownUser('owner_user_id', anyId);
  return user;
}
