import type { Selectable } from 'kysely';

import type { ChangeSetsTable } from '../db/schema.ts';
import { UnansweredCommit } from '../db/unavailable.ts';
import type { BareWriteTx, Database } from '../db/unit-of-work.ts';
import { Recording } from './recording.ts';
import { closeChangeSet } from './store.ts';
import { OWN_RECORD_TABLES, type EntityType } from './entities.ts';

/** Who writes, as the journal shows it. `id` and `userId` are null if it is not a particular person, key or rule. */
export interface Actor {
  type: 'user' | 'agent' | 'system';
  id: string | null;
  userId: string | null;
  name: string;
}

export type Surface = 'rest' | 'mcp' | 'workflow' | 'dashboard' | 'cli' | 'hosted_link' | 'setup' | 'system';
export type Source = 'edit' | 'rule' | 'sync' | 'import' | 'link' | 'proposal' | 'revert' | 'system';

/** What is known about a change set before its write starts: who writes, through what and why. */
export interface Origin {
  actor: Actor;
  surface: Surface;
  source: Source;
  /** Stable verb such as `tag.create`. */
  action: string;
  reason: string | null;
  requestId: string | null;
  importId?: string | null;
  syncLogId?: string | null;
  ruleId?: string | null;
  revertsChangeSetId?: string | null;
  proposalId?: string | null;
  workflowRunId?: string | null;
}

/** The origin of a write that no person, key or agent makes: Homeledger itself, a command of its server, or a bank. */
export function systemOrigin(
  name: string,
  action: string,
  more: Partial<Omit<Origin, 'actor' | 'action'>> = {},
): Origin {
  const actor: Actor = { type: 'system', id: null, userId: null, name };
  return { actor, surface: 'system', source: 'system', action, reason: null, requestId: null, ...more };
}

/** One entity's change. `before` and `after` hold only the fields that changed, as the record names them. */
export interface Change {
  entityType: EntityType;
  entityId: string | null;
  entityShortId: string | null;
  operation: 'create' | 'update' | 'delete';
  before: Readonly<Record<string, unknown>> | null;
  after: Readonly<Record<string, unknown>> | null;
  /** Values that only a revert needs, such as locks; never served. */
  internal?: Readonly<Record<string, unknown>>;
  transactionId?: string;
  source?: Source;
  ruleId?: string;
  appliedBy?: string;
  revertible: boolean;
}

export interface Journal {
  /** The id that this write's change set will have, if it changes anything. */
  readonly changeSetId: string;
  record(change: Change): void;
  /** Counts rows created by an import or sync, which name their change set instead of being listed in it (10.13.1). */
  recordCreatedRows(entityType: EntityType, createdCount: number): void;
  /** Lets this transaction write fields of such entities that have a record elsewhere, such as balances (10.13.1). */
  allowUnjournaled(entityType: EntityType): void;
  /** Whether nothing has been changed so far, so that there would be no change set. */
  isEmpty(): boolean;
  /** Changes the origin of the set, for what is known only during the write. */
  refine(origin: Refinement): void;
  /** From here on, nothing that this write changes can be reverted. */
  forbidRevert(): void;
  /** The sentence for people, e.g. `Set the category of 12 transactions`. */
  summarise(sentence: string): void;
  /** The change set's record as it would be stored now, for answers that show it. */
  changeSet(): Selectable<ChangeSetsTable>;
  /** Calls `listener` with each change as it is recorded, also with those of a step that is rolled back later. */
  observe(listener: (change: Change) => void): void;
  /** Call it after each batch of very many changes: stores them when they are too many to hold in memory. */
  flushIfLarge(): Promise<void>;
  /** Only inside `plan`: everything recorded since it began. */
  recorded(): readonly Change[];
}

export type Refinement = Partial<Omit<Origin, 'actor' | 'surface' | 'requestId'>>;

export interface WriteTx extends BareWriteTx {
  readonly journal: Journal;
  /** Runs a part of the write; if it throws, only that part is rolled back, in the ledger and in the journal. */
  attempt<T>(fn: () => Promise<T>): Promise<T>;
  /** Runs a part of the write for real, then rolls it back: a dry run. Answers what `fn` answered. */
  rehearse<T>(fn: () => Promise<T>): Promise<T>;
  /** A rehearsal that can ask for what it has recorded. @throws PLAN_TOO_LARGE */
  plan<T>(fn: () => Promise<T>): Promise<T>;
}

export interface Written<T> {
  value: T;
  /** The change set, or null when nothing was changed. */
  changeSetId: string | null;
}

/**
 * The one way to write: runs `fn` in a write transaction and stores its change set in the same transaction. Throws,
 * and rolls back, if a journaled table was written without a recorded change.
 */
export async function write<T>(
  database: Database,
  origin: Origin,
  fn: (tx: WriteTx) => Promise<T>,
): Promise<Written<T>> {
  const recording = new Recording(origin);
  const value = await database
    .writeBare(
      (tx) => {
        recording.begin(tx);
        return fn(recording.attach(tx));
      },
      (tx) => recording.store(tx, { isOpen: false }),
    )
    .catch((error: unknown) => {
      const isNamed = error instanceof UnansweredCommit && !recording.isEmpty();
      throw isNamed ? new UnansweredCommit(error.cause, recording.changeSetId) : error;
    });
  return { value, changeSetId: recording.isEmpty() ? null : recording.changeSetId };
}

/**
 * A write of several transactions with one change set (40.8.4): the first that changes something opens the set, later
 * ones extend it, `close` ends it. An open set cannot be reverted.
 */
export interface ChunkedWrite {
  chunk<T>(fn: (tx: WriteTx) => Promise<T>): Promise<T>;
  /** The change set so far; null while nothing was changed. */
  changeSetId(): string | null;
  close(summary: string): Promise<void>;
}

export function writeInChunks(database: Database, origin: Origin): ChunkedWrite {
  const recording = new Recording(origin);
  return {
    async chunk(fn) {
      const before = recording.snapshot();
      try {
        return await database.writeBare(
          (tx) => {
            recording.begin(tx);
            return fn(recording.attach(tx));
          },
          (tx) => recording.store(tx, { isOpen: true }),
        );
      } catch (error) {
        recording.restore(before);
        throw error;
      }
    },
    changeSetId: () => (recording.isEmpty() ? null : recording.changeSetId),
    async close(summary) {
      if (recording.isEmpty()) return;
      await bookkeep(database, (tx) => closeChangeSet(tx, recording.changeSetId, summary));
    },
  };
}

/** Writes that are their own record: leases, last-used stamps, idempotent answers, progress of imports. */
export async function bookkeep<T>(database: Database, fn: (tx: BareWriteTx) => Promise<T>): Promise<T> {
  return database.writeBare(fn, async (tx) => {
    for (const table of tx.writtenTables) {
      if (!OWN_RECORD_TABLES.has(table)) throw new Error(`Bookkeeping wrote ${table}, which belongs to the journal.`);
    }
  });
}
