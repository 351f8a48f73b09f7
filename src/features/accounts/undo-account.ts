import type { AccountsTable } from '../../db/schema.ts';
import type { ReadTx } from '../../db/unit-of-work.ts';
import type { NetChange, Obstacle } from '../../journal/undo.ts';
import { undoRows, type Reference } from '../../journal/undo-rows.ts';
import { findConnectionOf } from '../connections/index.ts';
import { countRulesNaming } from '../rules/index.ts';
import { findUser } from '../users/index.ts';
import { updateAccountRow } from './accounts.queries.ts';
import { toAccountFields } from './accounts.table.ts';
import { selectSnapshotKeys } from './balance-history.queries.ts';
import { findNamesake } from './csv-account-names.ts';
import { countLiveRows, releaseProfiles, returnProfiles } from './csv-accounts.queries.ts';
import { followNewest } from './follow-newest.ts';
import { moveSnapshots, type MovedSnapshot } from './snapshot-currency.queries.ts';
import { balanceField, isBalanceField, reportedSince, restoreStated, statedFields } from './stated-balances.ts';

type Fields = Readonly<Record<string, unknown>>;

/** How accounts are taken back: what PATCH wrote, balances stated by hand, and accounts made or deleted by hand. */
export const undo = undoRows({
  entityType: 'account',
  table: 'accounts',
  goneSince: 'deleted_at',
  async toFields(row, tx) {
    const account = row as unknown as AccountsTable;
    const { owner_user_id: id } = account;
    const owner = id === null ? undefined : await findUser(tx, id);
    return { ...toAccountFields(account, owner?.short_id ?? null), ...(await statedFields(tx, account.id)) };
  },
  async toColumns(tx, fields) {
    const owner = fields['owner_user_id'];
    const columns: Record<string, string | number | null> = {};
    for (const name of PLAIN) if (name in fields) columns[name] = fields[name] as string | null;
    for (const name of FLAGS) if (name in fields) columns[name] = fields[name] === true ? 1 : 0;
    if ('owner_user_id' in fields) {
      columns['owner_user_id'] = typeof owner === 'string' ? ((await findUser(tx, owner))?.id ?? null) : null;
    }
    if ('updated_at' in fields) columns['updated_at'] = tx.now;
    return columns;
  },
  unique: [],
  references,
  isUsed,
  findObstacle,
  async removeBelongings(tx, id) {
    await updateAccountRow(tx, id, { connection_id: null, updated_at: tx.now });
    return { profiles: await releaseProfiles(tx, id) };
  },
  async restoreBelongings(tx, { entityId, internal }) {
    await returnProfiles(tx, entityId, (internal['profiles'] as readonly string[] | undefined) ?? []);
    return { snapshots: (await selectSnapshotKeys(tx, entityId)).map(balanceField) };
  },
  async restoreElsewhere(tx, { entityId, internal }, fields) {
    const moved = await moveSnapshots(
      tx,
      entityId,
      backwards(internal['moved'] as readonly MovedSnapshot[] | undefined),
    );
    const hasBalances = await restoreStated(tx, entityId, fields);
    if (hasBalances || 'iso_currency_code' in fields) await followNewest(tx, entityId);
    return moved.length > 0 ? { moved } : undefined;
  },
});

const PLAIN = [
  'connection_id',
  'institution_name',
  'name',
  'display_name',
  'official_name',
  'type',
  'subtype',
  'mask',
  'iso_currency_code',
] as const;
const FLAGS = ['is_excluded', 'is_dependent_linked'] as const;

function references(fields: Fields): Reference[] {
  const { owner_user_id: owner, connection_id: connection } = fields;
  return [
    ...(typeof owner === 'string'
      ? [{ field: 'owner_user_id', table: 'users' as const, column: 'short_id' as const, id: owner }]
      : []),
    ...(typeof connection === 'string'
      ? [{ field: 'connection_id', table: 'connections' as const, id: connection }]
      : []),
  ];
}

/** An account is left empty when it has no live row, no rule names it, and nobody stated a balance since. */
async function isUsed(tx: ReadTx, id: string, { after, internal }: NetChange): Promise<boolean> {
  if ((await countLiveRows(tx, id)) > 0 || (await countRulesNaming(tx, id)) > 0) return true;
  const known = new Set([
    ...Object.keys(after ?? {}).filter(isBalanceField),
    ...((internal['snapshots'] as readonly string[] | undefined) ?? []),
  ]);
  return (await selectSnapshotKeys(tx, id)).some((key) => !known.has(balanceField(key)));
}

async function findObstacle(tx: ReadTx, id: string, fields: Fields): Promise<Obstacle | null> {
  const reported = await reportedSince(tx, id, fields);
  if (reported.length > 0) {
    return { reason: 'changed_since', fields: reported, message: 'A bank file has reported this balance since.' };
  }
  // Only a whole account comes back with its id.
  if (!('id' in fields)) return null;
  const connection = await findConnectionOf(tx, fields['connection_id'] as string | null);
  const namesake = connection && (await findNamesake(tx, connection.user_id, String(fields['name'])));
  if (!namesake) return null;
  return { reason: 'exists', fields: ['name'], message: `The account ${namesake.short_id} has its name now.` };
}

function backwards(moved: readonly MovedSnapshot[] = []): MovedSnapshot[] {
  return moved.map((one) => ({ ...one, from: one.to, to: one.from }));
}
