import type { AccountsTable } from '../../db/schema.ts';
import type { BareWriteTx } from '../../db/unit-of-work.ts';
import type { CreatingSet, EntityUndo, Hindrance, NetChange, Obstacle, RevertStatus } from '../../journal/undo.ts';
import type { WriteTx } from '../../journal/write.ts';
import { hasLiveBank } from './accept-same-account.ts';
import { accounts } from '../accounts/index.ts';
import { joinAccounts, type JoinRecord } from './join-accounts.ts';
import { selectJoinsAndSplits, selectSplits } from './join.queries.ts';
import { findFeed } from './proof.queries.ts';
import { splitAccounts, type SplitRecord } from './split-accounts.ts';
import { forgetSeparation, resolveSuggestions, selectAcceptedBy } from './suggestions.queries.ts';

type Obstacles = Map<string, Obstacle | null>;

/** Undoes changes of accounts, joins among them, and tells suggestions about accounts what became of their acceptance. */
export const undo: EntityUndo = {
  ...accounts.undo,
  extended: accounts.undo,
  undo: undoAccounts,
  findHindrance,
  onStatusChanged: followAcceptance,
};

/** Two accounts come apart or become one as a whole: their rows alone would stand beside the same ones of a file. */
async function findHindrance(tx: WriteTx, setId: string): Promise<Hindrance | null> {
  for (const { sequence, internal, ...entity } of await selectJoinsAndSplits(tx, setId)) {
    const older = await accounts.find(tx, entity.entity_id);
    const { join, split: parted } = JSON.parse(internal) as { join?: JoinRecord; split?: SplitRecord };
    const isPossible = join
      ? older !== undefined && (await findFeed(tx, older.id))?.connection_id === join.given.connection_id
      : older !== undefined && parted !== undefined && (await canJoin(tx, older, parted.newerId));
    if (isPossible) continue;
    return { sequence, entityId: entity.entity_id, entityShortId: entity.entity_short_id, obstacle: GONE };
  }
  return null;
}

/** The account that a join removed comes back before the two are split; one that a split brought back goes by a join. */
async function undoAccounts(tx: WriteTx, changes: readonly NetChange[], isForced: boolean): Promise<Obstacles> {
  const isPlain = ({ internal }: NetChange): boolean => !('join' in internal) && !('split' in internal);
  const rejoined = await selectRejoined(tx, changes);
  const plain = changes.filter((change) => isPlain(change) && !rejoined.has(change.entityId));
  const own = plain.filter((change) => !isOnlyLinkFlag(change)).map(withoutLinkFlag);
  const obstacles: Obstacles = new Map(await accounts.undo.undo(tx, own, isForced));
  for (const { entityId } of plain.filter(isOnlyLinkFlag)) obstacles.set(entityId, null);
  for (const change of changes) {
    if ('join' in change.internal) await split(tx, change, obstacles);
    if ('split' in change.internal) await joinAgain(tx, change, obstacles);
  }
  for (const { entityId } of changes) {
    // Joining it again, perhaps before this, removes it.
    if (rejoined.has(entityId) && (await accounts.find(tx, entityId))) obstacles.set(entityId, GONE);
  }
  return obstacles;
}

/** The accounts that the change set of these changes brought back by a split. */
async function selectRejoined(tx: WriteTx, changes: readonly NetChange[]): Promise<ReadonlySet<string>> {
  const brought = changes.find(({ operation }) => operation === 'create');
  if (!brought) return new Set();
  const splits = await selectSplits(tx, brought.changeSetId);
  return new Set(splits.map((internal) => (JSON.parse(internal) as { split: SplitRecord }).split.newerId));
}

/** An account link that set the flag takes care of it when it is undone itself. */
function isOnlyLinkFlag(change: NetChange): boolean {
  const { before, after } = withoutLinkFlag(change);
  return change.internal['followsLinks'] === true && isNothing(before) && isNothing(after);
}

/** A deleted account comes back with the flag, and without it when that is undone: its links, undone first, cleared it. */
function withoutLinkFlag(change: NetChange): NetChange {
  if (change.operation === 'delete' || change.internal['followsLinks'] !== true) return change;
  const { is_dependent_linked: _was, ...before } = change.before ?? {};
  const { is_dependent_linked: _is, ...after } = change.after ?? {};
  const { followsLinks: _mark, ...internal } = change.internal;
  return { ...change, before: change.before && before, after, internal };
}

function isNothing(fields: NetChange['before']): boolean {
  return Object.keys(fields ?? {}).length === 0;
}

async function split(tx: WriteTx, change: NetChange, obstacles: Obstacles): Promise<void> {
  const record = change.internal['join'] as JoinRecord;
  const [older, newer] = [await accounts.find(tx, change.entityId), await accounts.find(tx, record.newerId)];
  const feed = older && (await findFeed(tx, older.id));
  if (older && newer && feed?.connection_id === newer.connection_id) return splitAccounts(tx, change, record);
  obstacles.set(change.entityId, obstacles.get(record.newerId) ?? GONE);
}

async function joinAgain(tx: WriteTx, change: NetChange, obstacles: Obstacles): Promise<void> {
  const { newerId } = change.internal['split'] as SplitRecord;
  const [older, newer] = [await accounts.find(tx, change.entityId), await accounts.find(tx, newerId)];
  if (!older || !newer || !(await canJoin(tx, older, newerId))) {
    for (const id of [change.entityId, newerId]) obstacles.set(id, GONE);
    return;
  }
  await forgetSeparation(tx, newerId, older.id);
  await joinAccounts(tx, newer, older);
}

async function canJoin(tx: WriteTx, older: AccountsTable, newerId: string): Promise<boolean> {
  return (await accounts.find(tx, newerId)) !== undefined && !(await hasLiveBank(tx, older));
}

const GONE: Obstacle = {
  reason: 'changed_since',
  fields: ['connection_id'],
  message: 'One of the two accounts is gone, or another bank connection feeds it.',
};

/** A suggestion is open again when its acceptance is reverted, and accepted again when that is reverted (30.9). */
async function followAcceptance(tx: BareWriteTx, { id, status }: CreatingSet & RevertStatus): Promise<void> {
  for (const row of await selectAcceptedBy(tx, id)) {
    // Those about transactions follow the two transactions themselves.
    if (row.kind !== 'same_account') continue;
    const isOpen = status === 'reverted';
    const resolvedAt = isOpen ? null : (row.resolved_at ?? tx.now);
    await resolveSuggestions(tx, [{ id: row.id, status: isOpen ? 'open' : 'accepted', resolved_at: resolvedAt }]);
  }
}
