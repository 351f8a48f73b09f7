import { sql } from 'kysely';

import type { ReadTx } from '../../db/unit-of-work.ts';
import type { EntityUndo, NetChange, Obstacle } from '../../journal/undo.ts';
import type { WriteTx } from '../../journal/write.ts';
import { touchedRows } from '../touched-rows.ts';
import { settleAttribution } from './attribution.ts';
import { endMatches } from './end-matches.ts';
import { insertMatches } from './insert-matches.ts';
import { replay } from './replay-matches.ts';
import { selectMatchesById, selectMatchesOfRows, selectOfDisabledLinks } from './stored-matches.queries.ts';
import { transactionMatches, type MatchRow } from './transaction-matches.entity.ts';

const TAKEN: Obstacle = {
  reason: 'exists',
  fields: ['confidence'],
  message: 'Someone has since confirmed another match of one of its transactions.',
};

/**
 * Reverts changes of matches. What Homeledger found is no conflict, because it is found again or not; what people decided
 * since is. A match that comes back displaces `auto` matches of its rows (contract 50.1.3).
 */
export const undo: EntityUndo = {
  ...transactionMatches.undo,
  extended: transactionMatches.undo,
  replay,
  async undo(tx, changes) {
    const state: State = { current: await selectMatchesById(tx, changes.map(idOf)), obstacles: new Map() };
    await undoCreations(
      tx,
      changes.filter((change) => change.operation === 'create'),
      state,
    );
    await undoUpdates(
      tx,
      changes.filter((change) => change.operation === 'update'),
      state,
    );
    await undoDeletions(
      tx,
      changes.filter((change) => change.operation === 'delete'),
      state,
    );
    return state.obstacles;
  },
  async finish(tx) {
    await endMatches(tx);
    if (touchedRows(tx)?.isRelinked) await removeAndSettle(tx, await selectOfDisabledLinks(tx));
    await settleAttribution(tx, touchedRows(tx)?.attributed ?? []);
  },
};

interface State {
  readonly current: ReadonlyMap<string, MatchRow>;
  readonly obstacles: Map<string, Obstacle | null>;
}

function idOf({ entityId }: NetChange): string {
  return entityId;
}

/** Every match goes if the set created its link; otherwise only those that nobody has decided about since. */
async function undoCreations(tx: WriteTx, changes: readonly NetChange[], state: State): Promise<void> {
  const links = await selectLinksCreatedBy(tx, changes[0]?.changeSetId);
  const removed: MatchRow[] = [];
  for (const change of changes) {
    const row = state.current.get(change.entityId);
    if (!row) state.obstacles.set(change.entityId, null);
    else if (row.confidence === change.after?.['confidence'] || links.has(row.account_link_id)) removed.push(row);
    else state.obstacles.set(change.entityId, decidedSince());
  }
  await removeAndSettle(tx, removed);
}

async function selectLinksCreatedBy(tx: ReadTx, setId: string | undefined): Promise<ReadonlySet<string>> {
  if (setId === undefined) return new Set();
  const { rows } = await sql<{ id: string }>`select entity_id as id from changes
    where change_set_id = ${setId} and entity_type = 'account_link' and operation = 'create'`.execute(tx.q);
  return new Set(rows.map(({ id }) => id));
}

async function removeAndSettle(tx: WriteTx, rows: readonly MatchRow[]): Promise<void> {
  await transactionMatches.removeMany(tx, rows);
  await settleAttribution(tx, rows.map(primaryOf));
}

function primaryOf({ primary_transaction_id: id }: MatchRow): string {
  return id;
}

function decidedSince(): Obstacle {
  return {
    reason: 'changed_since',
    fields: ['confidence'],
    message: 'Someone has since confirmed or rejected this match.',
  };
}

async function undoUpdates(tx: WriteTx, changes: readonly NetChange[], state: State): Promise<void> {
  for (const change of changes) {
    const row = state.current.get(change.entityId);
    const { confidence: was, ...others } = change.before ?? {};
    if (!row) {
      const gone = { reason: 'missing', fields: [], message: 'The match no longer exists.' } as const;
      state.obstacles.set(change.entityId, was === undefined ? null : gone);
      continue;
    }
    if (was !== undefined && row.confidence !== change.after?.['confidence']) {
      state.obstacles.set(change.entityId, decidedSince());
      continue;
    }
    const wanted = withColumns(row, { ...others, ...(was === undefined ? {} : { confidence: was }) });
    const obstacle = await makeRoom(tx, wanted);
    if (obstacle) state.obstacles.set(change.entityId, obstacle);
    else await transactionMatches.change(tx, row, wanted);
    await settleAttribution(tx, [row.primary_transaction_id, wanted.primary_transaction_id]);
  }
}

/** The row with fields as the journal has them. */
function withColumns(row: MatchRow, fields: Readonly<Record<string, unknown>>): MatchRow {
  const { matched_on, ...plain } = fields;
  return {
    ...row,
    ...(plain as Partial<MatchRow>),
    ...(matched_on === undefined ? {} : { matched_on: JSON.stringify(matched_on) }),
  };
}

/** Removes the matches that stand in the way of this one, unless somebody decided them. */
async function makeRoom(tx: WriteTx, wanted: MatchRow): Promise<Obstacle | null> {
  const [primary, dependent] = [wanted.primary_transaction_id, wanted.dependent_transaction_id];
  const others = (await selectMatchesOfRows(tx, [primary, dependent])).filter(({ id }) => id !== wanted.id);
  const inTheWay = others.filter(
    (other) =>
      (wanted.confidence !== 'rejected' && other.confidence !== 'rejected') ||
      (other.primary_transaction_id === primary && other.dependent_transaction_id === dependent),
  );
  if (inTheWay.some(({ confidence }) => confidence !== 'auto')) return TAKEN;
  await removeAndSettle(tx, inTheWay);
  return null;
}

/** Brings matches back; one that Homeledger had found only if its rows are still open. */
async function undoDeletions(tx: WriteTx, changes: readonly NetChange[], state: State): Promise<void> {
  const wanted = changes.flatMap((change) => {
    if (state.current.has(change.entityId)) state.obstacles.set(change.entityId, null);
    return state.current.has(change.entityId) ? [] : [toRow(change)];
  });
  const known = await selectKnown(tx, wanted);
  const isOpen = openFor(await selectMatchesOfRows(tx, wanted.flatMap(rowsOf)));
  const restored: MatchRow[] = [];
  for (const row of wanted) {
    if (!known(row)) state.obstacles.set(row.id, row.confidence === 'auto' ? null : MISSING);
    else if (row.confidence === 'auto' && !isOpen(row)) state.obstacles.set(row.id, null);
    else {
      const obstacle = row.confidence === 'auto' ? null : await makeRoom(tx, row);
      if (obstacle) state.obstacles.set(row.id, obstacle);
      else restored.push(row);
    }
  }
  await insertMatches(tx, restored);
  await settleAttribution(tx, restored.map(primaryOf));
}

const MISSING: Obstacle = {
  reason: 'reference_missing',
  fields: ['account_link_id'],
  message: 'Its account link or one of its transactions no longer exists.',
};

function toRow({ before }: NetChange): MatchRow {
  const fields = before as unknown as MatchRow;
  return { ...fields, matched_on: JSON.stringify(fields.matched_on) };
}

function rowsOf(match: MatchRow): string[] {
  return [match.primary_transaction_id, match.dependent_transaction_id];
}

/** Tells of a match that Homeledger had found whether these leave room for it. */
function openFor(matches: readonly MatchRow[]): (match: MatchRow) => boolean {
  const live = matches.filter(({ confidence }) => confidence !== 'rejected');
  const taken = new Set(live.flatMap(rowsOf));
  const rejected = new Set(matches.map((match) => rowsOf(match).join(' ')));
  return (match) => !rowsOf(match).some((id) => taken.has(id)) && !rejected.has(rowsOf(match).join(' '));
}

/** Tells of a match whether its link and both its rows exist. */
async function selectKnown(tx: ReadTx, matches: readonly MatchRow[]): Promise<(match: MatchRow) => boolean> {
  const ids = [...new Set(matches.flatMap(rowsOf))];
  const { rows } = await sql<{ id: string }>`select id from transactions
    where ${tx.portable.inList(sql.ref('id'), ids)}`.execute(tx.q);
  const links = await sql<{ id: string }>`select id from account_links`.execute(tx.q);
  const known = new Set([...rows, ...links.rows].map(({ id }) => id));
  return (match) => [match.account_link_id, ...rowsOf(match)].every((id) => known.has(id));
}
