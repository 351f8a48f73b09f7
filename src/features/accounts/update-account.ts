import type { InputOf } from '../../contract/operation.ts';
import type { AccountsTable } from '../../db/schema.ts';
import type { Patch } from '../../journal/entity.ts';
import type { WriteTx } from '../../journal/write.ts';
import { validationError } from '../../kernel/errors.ts';
import { followOwners } from '../account-links/index.ts';
import { handleWrite } from '../handler.ts';
import { unknownUser, users } from '../users/index.ts';
import { updateAccount as operation } from './accounts.contract.ts';
import { accounts, followNewest } from './accounts.entity.ts';
import { getAccountRow } from './accounts.queries.ts';
import { toAccount } from './accounts.table.ts';
import { balanceCheckOf } from './balance-checks.ts';
import { giveCurrency } from './give-currency.ts';

type Body = InputOf<typeof operation>['body'];

export const updateAccount = handleWrite(operation, 'account.update', async ({ tx }, { params, body }) => {
  const row = await getAccountRow(tx, params.id);
  refuseBankFields(row.provider, body);
  const patch = await patchOf(tx, row, body);
  const { iso_currency_code: currency } = body;
  const moved = currency === undefined ? [] : await giveCurrency(tx, row.id, currency);
  const changed = await accounts.change(tx, row, patch, moved.length > 0 ? { internal: { moved } } : {});
  if (currency !== undefined) await followNewest(tx, row.id);
  if (changed.owner_user_id !== row.owner_user_id) await followOwners(tx, [row.id]);
  tx.journal.summarise(`Changed the account ${changed.display_name ?? changed.name}`);
  return toAccount(await getAccountRow(tx, row.id), await balanceCheckOf(tx, row.id));
});

/** @throws INVALID_PARAMETER for an unknown owner */
async function patchOf(tx: WriteTx, row: AccountsTable, body: Body): Promise<Patch<AccountsTable>> {
  const { display_name, name, type, subtype, iso_currency_code, owner_user_id: owner } = body;
  const isDependent = flagOf(body.is_dependent_linked);
  const turnsDependent = isDependent !== undefined && isDependent !== row.is_dependent_linked;
  return {
    display_name,
    name,
    type,
    subtype,
    iso_currency_code,
    is_excluded: flagOf(body.is_excluded),
    is_dependent_linked: isDependent,
    // Releasing an account link leaves a flag that somebody set by hand (50.1.6).
    is_dependent_by_hand: turnsDependent ? isDependent : undefined,
    owner_user_id: owner === undefined ? undefined : await ownerId(tx, owner),
  };
}

function flagOf(value: boolean | undefined): 0 | 1 | undefined {
  return value === undefined ? undefined : value ? 1 : 0;
}

/** @throws INVALID_PARAMETER */
async function ownerId(tx: WriteTx, anyId: string | null): Promise<string | null> {
  if (anyId === null || anyId === '') return null;
  const user = await users.find(tx, anyId);
  if (!user) throw unknownUser('owner_user_id', anyId);
  return user.id;
}

/** Fields that the bank decides, except for accounts fed by files or by hand. */
const SET_BY_BANK = ['name', 'type', 'subtype', 'iso_currency_code'] as const;

/** @throws VALIDATION_ERROR */
function refuseBankFields(provider: string, body: Body): void {
  const field = SET_BY_BANK.find((name) => body[name] !== undefined);
  if (provider === 'csv' || field === undefined) return;
  throw validationError(
    field,
    `${field}: the bank sets this for a linked account. Send display_name to label the account.`,
  );
}
