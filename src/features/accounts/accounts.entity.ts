import type { AccountsTable, BalanceSnapshotsTable } from '../../db/schema.ts';
import type { ReadTx } from '../../db/unit-of-work.ts';
import {
  flag,
  IDS,
  internal,
  recorded,
  reference,
  referenceByShortId,
  STAMPS,
  unjournaled,
} from '../../journal/columns.ts';
import { defineEntity } from '../../journal/entity.ts';
import type { NetChange, Obstacle } from '../../journal/undo.ts';
import type { WriteTx } from '../../journal/write.ts';
import { findConnectionOf } from '../connections/index.ts';
import { countRulesNaming } from '../rules/index.ts';
import {
  countLiveRows,
  findAccountOrDeleted,
  findNamesake,
  isLinked,
  leaveConnection,
  releaseProfiles,
  returnProfiles,
} from './accounts.queries.ts';
import { moveSnapshots, type MovedSnapshot } from './assumed-currency.queries.ts';
import { findNewestSnapshot, selectSnapshotKeys } from './balances.queries.ts';
import {
  balanceField,
  balanceValue,
  isBalanceField,
  reportedSince,
  restoreStated,
  statedFields,
} from './stated-balances.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Marks a change of `is_dependent_linked` by an account link: it is undone with the link, not by itself. */
export const FOLLOWS_LINKS = { followsLinks: true } as const;

/**
 * Balances that were stated by hand are fields of the account; those that banks report have a history of their own.
 * A deleted account leaves its connection, which goes with its last account.
 */
export const accounts = defineEntity('accounts', {
  type: 'account',
  columns: {
    ...IDS,
    connection_id: reference('connections'),
    provider: recorded,
    institution_name: recorded,
    external_id: unjournaled,
    persistent_external_id: unjournaled,
    name: recorded,
    display_name: recorded,
    official_name: recorded,
    type: recorded,
    subtype: recorded,
    mask: recorded,
    iso_currency_code: recorded,
    balance_current_cents: unjournaled,
    balance_available_cents: unjournaled,
    balance_limit_cents: unjournaled,
    balance_date: unjournaled,
    balance_updated_at: unjournaled,
    is_excluded: flag(),
    is_dependent_linked: flag(),
    is_dependent_by_hand: internal,
    owner_user_id: referenceByShortId('users'),
    relinked_at: unjournaled,
    created_at: STAMPS.created_at,
    // Restoring an account is an update of it.
    updated_at: { role: 'recorded', toColumn: (_value, tx) => tx.now },
    deleted_at: unjournaled,
  },
  removedAt: 'deleted_at',
  fieldsElsewhere: statedFields,
  async removeBelongings(tx, id) {
    await leaveConnection(tx, id);
    return { profiles: await releaseProfiles(tx, id) };
  },
  async restoreBelongings(tx, { entityId, internal: { profiles = [], followsLinks } }) {
    await returnProfiles(tx, entityId, profiles as readonly string[]);
    const snapshots = (await selectSnapshotKeys(tx, entityId)).map(balanceField);
    return { snapshots, ...(followsLinks === true ? FOLLOWS_LINKS : {}) };
  },
  undo: {
    isUsed,
    findObstacle,
    async restoreElsewhere(tx, { entityId, internal: { moved = [] } }, fields) {
      const movedBack = await moveSnapshots(tx, entityId, (moved as readonly MovedSnapshot[]).map(backwards));
      const hasBalances = await restoreStated(tx, entityId, fields);
      if (hasBalances || 'iso_currency_code' in fields) await followNewest(tx, entityId);
      return movedBack.length > 0 ? { moved: movedBack } : {};
    },
  },
});

/** Makes the balance of an account, also of a deleted one, that of its newest snapshot (contract 10.2.3). */
export async function followNewest(tx: WriteTx, accountId: string): Promise<void> {
  const account = await findAccountOrDeleted(tx, accountId);
  if (!account) return;
  const newest = await findNewestSnapshot(tx, account);
  await accounts.change(tx, account, {
    balance_current_cents: newest?.balance_current_cents ?? null,
    balance_available_cents: newest?.balance_available_cents ?? null,
    balance_limit_cents: newest?.balance_limit_cents ?? null,
    balance_date: newest?.date ?? null,
    balance_updated_at: newest?.recorded_at ?? null,
  });
}

/** Records a balance stated by hand, before and after; undefined where none was or is stated. */
export async function recordBalance(
  tx: WriteTx,
  account: AccountsTable,
  before: BalanceSnapshotsTable | undefined,
  after: BalanceSnapshotsTable | undefined,
): Promise<void> {
  const toFields = (row: BalanceSnapshotsTable | undefined) => (row ? { [balanceField(row)]: balanceValue(row) } : {});
  await accounts.change(tx, account, {}, { fields: { before: toFields(before), after: toFields(after) } });
  await followNewest(tx, account.id);
}

/** Whether it has a live row, a rule or an account link refers to it, or somebody stated a balance since. */
async function isUsed(tx: ReadTx, id: string, { after, internal: kept }: NetChange): Promise<boolean> {
  if ((await countLiveRows(tx, id)) > 0 || (await countRulesNaming(tx, id)) > 0) return true;
  if (await isLinked(tx, id)) return true;
  const known = new Set([
    ...Object.keys(after ?? {}).filter(isBalanceField),
    ...((kept['snapshots'] as readonly string[] | undefined) ?? []),
  ]);
  return (await selectSnapshotKeys(tx, id)).some((key) => !known.has(balanceField(key)));
}

async function findObstacle(tx: ReadTx, id: string, fields: Fields): Promise<Obstacle | null> {
  const reported = await reportedSince(tx, id, fields);
  if (reported.length > 0) {
    return { reason: 'changed_since', fields: reported, message: 'A bank file has since reported this balance.' };
  }
  // Only a restored account has its id among the fields. A bank's account is not found by its name.
  if (!('id' in fields) || fields['provider'] !== 'csv') return null;
  const connection = await findConnectionOf(tx, fields['connection_id'] as string | null);
  const namesake = connection && (await findNamesake(tx, connection.user_id, String(fields['name'])));
  if (!namesake) return null;
  return { reason: 'exists', fields: ['name'], message: `The account ${namesake.short_id} now has this name.` };
}

function backwards({ from, to, ...snapshot }: MovedSnapshot): MovedSnapshot {
  return { ...snapshot, from: to, to: from };
}
