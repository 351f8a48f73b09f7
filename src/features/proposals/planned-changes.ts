import type { ReadTx } from '../../db/unit-of-work.ts';
import type { EntityReplay, EntityState, PlannedChange } from '../../journal/replay.ts';
import type { EntityType } from '../../journal/entities.ts';
import type { EntityUndos } from '../../journal/undo.ts';
import { canonicalJson } from '../../kernel/json.ts';
import { sha256Hex } from '../../kernel/crypto.ts';
import { totalsOf } from '../transactions/index.ts';
import type { ChangeRow } from './proposals.queries.ts';
import type { ProposalRecord } from './proposals.table.ts';

/** What `internal` of a stored change contains. */
interface Internal {
  hidden: Fields;
  hiddenBefore?: Fields;
  /** Whether the row was deleted when the change was planned. */
  wasDeleted: boolean;
  known?: readonly string[];
}

type Fields = Readonly<Record<string, unknown>>;

export interface StoredChange extends PlannedChange {
  /** What `hidden` changes, as it was. */
  hiddenBefore: Fields;
  wasDeleted: boolean;
  /** Of a new transaction: UUIDs of equal ones that stood in the ledger then. */
  known?: readonly string[];
}

/** A stored change as it can be compared and written. */
export function toPlanned(row: ChangeRow): StoredChange {
  const {
    hidden,
    hiddenBefore = {},
    wasDeleted,
    known,
  } = JSON.parse(row.internal ?? '{"hidden":{},"wasDeleted":false}') as Internal;
  return {
    sequence: row.sequence,
    entityType: row.entity_type as EntityType,
    entityId: row.entity_id,
    entityShortId: row.entity_short_id,
    operation: row.operation as PlannedChange['operation'],
    before: fieldsOf(row.before),
    after: fieldsOf(row.after),
    hidden,
    hiddenBefore,
    wasDeleted,
    ...(known && { known }),
    transactionId: row.transaction_id,
    source: row.source,
    ruleId: row.rule_id,
    appliedBy: row.applied_by,
  };
}

function fieldsOf(json: string | null): Record<string, unknown> | null {
  return json === null ? null : (JSON.parse(json) as Record<string, unknown>);
}

export function internalOf({ hidden, hiddenBefore, wasDeleted, known }: StoredChange): string {
  return JSON.stringify({ hidden, hiddenBefore, wasDeleted, ...(known && { known }) } satisfies Internal);
}

export function keyOf({ entityType, entityId }: { entityType: string; entityId: string | null }): string {
  return `${entityType} ${entityId}`;
}

/** How changes to a type of entity are planned and written. */
export function replayOf(undos: EntityUndos, entityType: EntityType): EntityReplay {
  const undo = undos.get(entityType);
  const replay = undo?.replay ?? undo?.extended?.replay;
  if (!replay) throw new Error(`A ${entityType} cannot be part of a proposal.`);
  return replay;
}

/** What a proposal says of its changes as a whole. */
export function summaryOf(rows: readonly ChangeRow[]): {
  change_count: number;
  counts: string;
  totals: string;
  fingerprint: string;
} {
  const counts: Record<string, number> = {};
  for (const { entity_type: type } of rows) counts[type] = (counts[type] ?? 0) + 1;
  return {
    change_count: rows.length,
    counts: JSON.stringify(counts),
    totals: JSON.stringify(totalsTouched(rows)),
    fingerprint: sha256Hex(
      canonicalJson(
        rows.map(({ sequence, entity_type, entity_id, operation, before, after }) => ({
          sequence,
          entity_type,
          entity_id,
          operation,
          before: fieldsOf(before),
          after: fieldsOf(after),
        })),
      ),
    ),
  };
}

/** Each transaction once, however many changes touch it. */
function totalsTouched(rows: readonly ChangeRow[]): ProposalRecord['totals'] {
  const touched = new Map(rows.flatMap((row) => (row.transaction_id === null ? [] : [[row.transaction_id, row]])));
  const stored = [...touched.values()].filter(({ amount_cents: cents }) => cents !== null);
  return totalsOf(
    stored.map(({ amount_cents: cents, iso_currency_code: code }) => ({
      iso_currency_code: code,
      count: 1,
      total: BigInt(cents ?? 0),
      out: BigInt(Math.max(cents ?? 0, 0)),
    })),
  );
}

/** The calls with how many changes each was the last to touch. */
export function withCounts(
  calls: readonly ProposalRecord['calls'][number][],
  rows: readonly ChangeRow[],
): ProposalRecord['calls'] {
  return calls.map((call) => ({ ...call, change_count: rows.filter((row) => row.call === call.call).length }));
}

/** The entities as they are at this point, by `keyOf`. */
export async function statesOf(
  tx: ReadTx,
  undos: EntityUndos,
  entities: readonly { entityType: EntityType; entityId: string }[],
): Promise<ReadonlyMap<string, EntityState>> {
  const found = new Map<string, EntityState>();
  for (const [entityType, alike] of Map.groupBy(entities, (entity) => entity.entityType)) {
    const states = await replayOf(undos, entityType).look(
      tx,
      alike.map(({ entityId }) => entityId),
    );
    for (const [entityId, state] of states) found.set(keyOf({ entityType, entityId }), state);
  }
  return found;
}
