import type { BalanceSnapshotsTable } from '../../db/schema.ts';
import type { WriteTx } from '../../journal/write.ts';
import { AppError } from '../../kernel/errors.ts';
import { actorOf, handleWrite } from '../handler.ts';
import { resolveMember } from '../users/index.ts';
import { createAccount as operation } from './accounts-by-hand.contract.ts';
import { followNewest } from './accounts.entity.ts';
import { findNamesake, getAccountRow } from './accounts.queries.ts';
import { toAccount } from './accounts.table.ts';
import { insertSnapshot } from './balances.queries.ts';
import { makeCsvAccount, makeCsvConnection } from './make-csv-account.ts';
import { balanceField, balanceValue } from './stated-balances.ts';

export const createAccount = handleWrite(operation, 'account.create', async ({ tx, principal }, { body }) => {
  const user = await resolveMember(tx, { given: body.user_id, callerId: actorOf(principal).userId });
  await refuseNamesake(tx, user.id, body.name);
  const { name, type, iso_currency_code, subtype = null, display_name = null } = body;
  const institutionName = body.institution_name ?? name;
  const connection = await makeCsvConnection(tx, { user, institutionName, lastSyncAt: null }, { revertible: true });
  const opening = openingOf(tx, body);
  const account = await makeCsvAccount(
    tx,
    connection,
    { name, display_name, type, subtype, iso_currency_code, mask: null },
    { revertible: true, balances: opening ? { [balanceField(opening)]: balanceValue(opening) } : {} },
  );
  if (opening) {
    await insertSnapshot(tx, { ...opening, account_id: account.id });
    await followNewest(tx, account.id);
  }
  tx.journal.summarise(`Created the account ${display_name ?? name}`);
  return toAccount(await getAccountRow(tx, account.id), undefined);
});

/** A file that names its account would not know which of two is meant. @throws CONFLICT */
async function refuseNamesake(tx: WriteTx, userId: string, name: string): Promise<void> {
  const namesake = await findNamesake(tx, userId, name);
  if (!namesake) return;
  throw new AppError(
    'CONFLICT',
    `The member already has an account with this name: ${namesake.short_id}. Use it, or send another name.`,
  );
}

interface Opening {
  opening_balance?: number | undefined;
  opening_date?: string | undefined;
  iso_currency_code: string;
}

function openingOf(tx: WriteTx, { opening_balance: cents, opening_date: date, ...body }: Opening) {
  if (cents === undefined || date === undefined) return null;
  return {
    account_id: '',
    date,
    iso_currency_code: body.iso_currency_code,
    balance_current_cents: cents,
    balance_available_cents: null,
    balance_limit_cents: null,
    source: 'manual',
    import_id: null,
    recorded_at: tx.now,
    pending_cents: null,
  } satisfies BalanceSnapshotsTable;
}
