import type { InputOf } from '../../contract/operation.ts';
import { difference, type WriteTx } from '../../journal/write.ts';
import { notFound, validationError } from '../../kernel/errors.ts';
import { handleWrite } from '../handler.ts';
import { findUser, unknownUser } from '../users/index.ts';
import { accountAnswer } from './account-answer.ts';
import { updateAccount as operation } from './accounts.contract.ts';
import { findAccount, updateAccountRow } from './accounts.queries.ts';
import { toAccount, type AccountRecord } from './accounts.table.ts';
import { giveCurrency } from './give-currency.ts';

/** What a bank says of its account, and people of one that files or hands feed. */
const OF_FILES = ['name', 'type', 'subtype', 'iso_currency_code'] as const;

type Body = InputOf<typeof operation>['body'];

export const updateAccount = handleWrite(operation, 'account.update', async ({ tx }, { params, body }) => {
  const row = await findAccount(tx, params.id);
  if (!row) throw notFound('The account was');
  refuseBankFields(row.provider, body);
  const before = toAccount(row);
  const owner = await resolveOwner(tx, body.owner_user_id);
  const changed = difference({ ...before }, wantedFields(before, body, owner));
  if (changed) await write(tx, row.id, { ...before, ...changed.after }, owner);
  const { iso_currency_code: currency } = body;
  const moved = currency === undefined ? [] : await giveCurrency(tx, row.id, currency);
  if (!changed && moved.length === 0) return accountAnswer(tx, row.id);
  const turnsDependent = changed !== null && 'is_dependent_linked' in changed.after;
  if (turnsDependent) await markByHand(tx, row.id, changed.after['is_dependent_linked'] === true);
  const internal = {
    ...(turnsDependent ? { columns: { is_dependent_by_hand: row.is_dependent_by_hand } } : {}),
    ...(moved.length > 0 ? { moved } : {}),
  };
  tx.journal.record({
    entityType: 'account',
    entityId: row.id,
    entityShortId: row.short_id,
    operation: 'update',
    ...(changed ?? { before: {}, after: {} }),
    ...(Object.keys(internal).length > 0 ? { internal } : {}),
    revertible: true,
  });
  tx.journal.summarise(`Changed the account ${body.display_name ?? before.display_name ?? body.name ?? before.name}`);
  return accountAnswer(tx, row.id);
});

async function write(tx: WriteTx, id: string, after: AccountRecord, owner: Owner): Promise<void> {
  const { display_name, name, type, subtype, iso_currency_code } = after;
  await updateAccountRow(tx, id, {
    display_name,
    name,
    type,
    subtype,
    iso_currency_code,
    is_excluded: after.is_excluded ? 1 : 0,
    is_dependent_linked: after.is_dependent_linked ? 1 : 0,
    ...(owner === undefined ? {} : { owner_user_id: owner?.id ?? null }),
    updated_at: tx.now,
  });
}

/** A person's word outlives the links: releasing one leaves a flag that a person set (50.1.6). */
async function markByHand(tx: WriteTx, id: string, isDependent: boolean): Promise<void> {
  await updateAccountRow(tx, id, { is_dependent_by_hand: isDependent ? 1 : 0 });
}

/** @throws VALIDATION_ERROR */
function refuseBankFields(provider: string, body: Body): void {
  const field = OF_FILES.find((name) => body[name] !== undefined);
  if (provider === 'csv' || field === undefined) return;
  throw validationError(
    field,
    `${field}: a bank feeds this account and decides this. Send display_name to label the account.`,
  );
}

/** Every field that PATCH can write, as it is to be. */
function wantedFields(before: AccountRecord, body: Body, owner: Owner): Record<string, unknown> {
  const { display_name: label = before.display_name, subtype = before.subtype } = body;
  return {
    display_name: label,
    is_excluded: body.is_excluded ?? before.is_excluded,
    is_dependent_linked: body.is_dependent_linked ?? before.is_dependent_linked,
    owner_user_id: owner === undefined ? before.owner_user_id : (owner?.short_id ?? null),
    name: body.name ?? before.name,
    type: body.type ?? before.type,
    subtype,
    iso_currency_code: body.iso_currency_code ?? before.iso_currency_code,
  };
}

/** undefined = unchanged, null = nobody. */
type Owner = { id: string; short_id: string } | null | undefined;

/** @throws INVALID_PARAMETER */
async function resolveOwner(tx: WriteTx, anyId: string | null | undefined): Promise<Owner> {
  if (anyId === undefined) return undefined;
  if (anyId === null || anyId === '') return null;
  const user = await findUser(tx, anyId);
  if (!user) throw unknownUser('owner_user_id', anyId);
  return user;
}
