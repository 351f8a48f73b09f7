import { sql } from 'kysely';

import type { SqlValue } from '../db/engine.ts';
import type { Schema } from '../db/schema.ts';
import type { ReadTx } from '../db/unit-of-work.ts';
import type { Target } from './columns.ts';
import { isSameField } from './difference.ts';
import type { EntityType } from './entities.ts';
import type { Actor, Change, WriteTx } from './write.ts';

type Fields = Readonly<Record<string, unknown>>;

/** An entity as it is, or as it would be after a plan. */
export interface EntityState {
  shortId: string | null;
  /** By their names in the journal. */
  fields: Fields;
  /** What no record shows. */
  hidden: Fields;
  transactionId: string | null;
  isDeleted: boolean;
}

/** A change that has not happened, with what writing it needs (contract 60.6). */
export interface PlannedChange {
  sequence: number;
  entityType: EntityType;
  entityId: string;
  entityShortId: string | null;
  operation: Change['operation'];
  before: Fields | null;
  after: Fields | null;
  hidden: Fields;
  transactionId: string | null;
  source: string;
  /** The rule that wrote all of it; null if anything was written by the caller. */
  ruleId: string | null;
  appliedBy: string | null;
}

/** Why a planned change cannot be written as things are now. */
export interface PlanConflict {
  reason: 'changed_since' | 'missing' | 'exists' | 'reference_missing';
  fields: readonly string[];
  message: string;
}

/** Something that a planned change refers to. */
export type Reference = Target & { field: string; value: string };

/** How the changes of one type of entity are planned, and written later. */
export interface EntityReplay {
  entityType: EntityType;
  table: keyof Schema;
  /** The entities with these UUIDs, by UUID. Those that do not exist are left out. */
  look(tx: ReadTx, ids: readonly string[]): Promise<ReadonlyMap<string, EntityState>>;
  /** What writing the change between two states needs besides its fields. */
  hiddenOf(
    before: EntityState | undefined,
    after: EntityState | undefined,
    recorded: readonly Change[],
    actor: Actor,
  ): Fields;
  /** What must exist before the change is written. */
  referencesOf(change: PlannedChange): readonly Reference[];
  /** Whether something refers to a row that is not among these UUIDs, so that the row must stay. */
  isUsedBesides?: (tx: ReadTx, id: string, others: ReadonlySet<string>) => Promise<boolean>;
  /** What else stands in the way, by sequence. `planned` has the ids of everything that the plan changes. */
  findObstacles(
    tx: ReadTx,
    changes: readonly PlannedChange[],
    planned: ReadonlySet<string>,
  ): Promise<ReadonlyMap<number, PlanConflict>>;
  /** Whether two states that show the same differ in what a plan must write all the same. */
  hidesChange?(before: EntityState, after: EntityState): boolean;
  /**
   * Frees the unique values that some of these changes give up and others take: until it is written, such a row has a
   * value that nobody sees, so names can be exchanged.
   */
  park?(tx: WriteTx, changes: readonly PlannedChange[]): Promise<Parked>;
  /** Writes changes without conflicts, in their order. */
  write(tx: WriteTx, changes: readonly PlannedChange[], writing: Writing): Promise<void>;
}

/** The values that parked rows have for everybody else, by UUID. */
export type Parked = ReadonlyMap<string, Readonly<Record<string, SqlValue>>>;

export interface Writing {
  actor: Actor;
  /** As an explicit edit of the actor, or as the calls of the plan made it, for what comes after them in the plan. */
  as: 'edit' | 'planned';
  parked: Parked;
}

/** Stamps follow every change, and who set a category is compared only through the category itself. */
export const NEVER_COMPARED: ReadonlySet<string> = new Set(['created_at', 'updated_at', 'category_source']);

/** Fields that have neither the value before the change nor the one after it any more. */
export function changedFields({ before, after }: PlannedChange, now: Fields): string[] {
  const names = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
  return [...names].filter(
    (name) =>
      !NEVER_COMPARED.has(name) && !isSameField(name, before ?? {}, now) && !isSameField(name, after ?? {}, now),
  );
}

/** Which of these values exist in the target and can be referred to. */
export async function selectLive(
  tx: ReadTx,
  { table, column, nullWhileLive }: Target,
  values: readonly string[],
): Promise<ReadonlySet<SqlValue>> {
  if (values.length === 0) return new Set();
  const live = nullWhileLive === undefined ? sql`` : sql`and ${sql.ref(nullWhileLive)} is null`;
  const { rows } = await sql<{ value: SqlValue }>`select ${sql.ref(column)} as value from ${sql.table(table)}
    where ${tx.portable.inList(sql.ref(column), [...new Set(values)])} ${live}`.execute(tx.q);
  return new Set(rows.map(({ value }) => value));
}
