import type { EntityReplay, PlanConflict, PlannedChange } from '../../journal/replay.ts';
import { selectMatchesById, selectMatchesOfRows } from './stored-matches.queries.ts';
import { transactionMatches, type MatchRow } from './transaction-matches.entity.ts';

const base = transactionMatches.undo.replay as EntityReplay;
const SIDES = ['primary_transaction_id', 'dependent_transaction_id'] as const;

type Rows = Pick<MatchRow, 'id' | (typeof SIDES)[number]>;

/** Plans and writes matches. A match needs its rows to be in no other one that stays (contract 50.1.5). */
export const replay: EntityReplay = {
  ...base,
  async findObstacles(tx, changes, planned) {
    const found = new Map(await base.findObstacles(tx, changes, planned));
    const live = changes.filter(({ after }) => after?.['confidence'] !== undefined && !isReleasing({ after }));
    const stored = await selectMatchesById(
      tx,
      live.map(({ entityId }) => entityId),
    );
    const wanted = live.map((change) => ({ change, match: stored.get(change.entityId) ?? rowsOf(change) }));
    const others = await selectMatchesOfRows(
      tx,
      wanted.flatMap(({ match }) => SIDES.map((side) => match[side])),
    );
    const released = new Set(changes.filter(isReleasing).map(({ entityId }) => entityId));
    const staying = Map.groupBy(
      others
        .filter(({ id }) => !released.has(id))
        .flatMap((other) => SIDES.map((side) => ({ row: other[side], other }))),
      ({ row }) => row,
    );
    for (const { change, match } of wanted) {
      const near = SIDES.flatMap((side) => staying.get(match[side]) ?? []).map(({ other }) => other);
      const conflict = takenFrom(match, near);
      if (conflict) found.set(change.sequence, conflict);
    }
    return found;
  },
};

/** The change ends a match, or says that its rows are no pair. */
function isReleasing({ after }: Pick<PlannedChange, 'after'>): boolean {
  return after === null || after['confidence'] === 'rejected';
}

function rowsOf({ entityId, after }: PlannedChange): Rows {
  return { ...(after as unknown as Rows), id: entityId };
}

/** `near`: the matches that stay and have one of its rows. */
function takenFrom(match: Rows, near: readonly MatchRow[]): PlanConflict | null {
  const shared = (other: MatchRow) => SIDES.filter((side) => other[side] === match[side]);
  const inTheWay = near.filter(
    (other) => other.id !== match.id && (other.confidence !== 'rejected' || shared(other).length === SIDES.length),
  );
  const fields = SIDES.filter((side) => inTheWay.some((other) => other[side] === match[side]));
  if (fields.length === 0) return null;
  return {
    reason: 'exists',
    fields,
    message: 'Another match of one of its transactions stands in its way.',
  };
}
