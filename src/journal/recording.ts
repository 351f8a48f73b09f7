import type { Selectable } from 'kysely';

import type { ChangeSetsTable } from '../db/schema.ts';
import type { BareWriteTx } from '../db/unit-of-work.ts';
import { AppError } from '../kernel/errors.ts';
import { LIMITS } from '../kernel/limits.ts';
import { JOURNALED_TABLES, OWN_RECORD_TABLES, type EntityType } from './entities.ts';
import { insertChanges, storeChangeSet } from './store.ts';
import type { Change, Journal, Origin, Refinement, WriteTx } from './write.ts';

const CHANGES_HELD = 10_000;

type Row = Selectable<ChangeSetsTable>;

/** What a rolled-back step of the write must forget. */
interface State {
  /** Recorded, but not yet in the database. */
  held: readonly Change[];
  /** Where a plan begins among those: they are all held until it is rolled back. null outside of plans. */
  plannedFrom: number | null;
  /** How many changes are in the database already. */
  storedCount: number;
  isStored: boolean;
  counts: Readonly<Record<Change['operation'], number>>;
  entityTypes: ReadonlySet<EntityType>;
  /** Entity types that the current transaction may write. */
  accountedTypes: ReadonlySet<string>;
  isRevertible: boolean;
  /** Whether whatever comes cannot be reverted. */
  isFinal: boolean;
  summary: string | undefined;
  refinement: Refinement;
}

const NOTHING: State = {
  held: [],
  plannedFrom: null,
  storedCount: 0,
  isStored: false,
  counts: { create: 0, update: 0, delete: 0 },
  entityTypes: new Set(),
  accountedTypes: new Set(),
  isRevertible: false,
  isFinal: false,
  summary: undefined,
  refinement: {},
};

/** What a write has recorded so far, over one transaction or several. */
export class Recording {
  readonly #origin: Origin;
  #state: State = NOTHING;
  #held: Change[] = [];
  /** Counted in place, because a bulk change counts each of its rows. */
  #counts = { create: 0, update: 0, delete: 0 };
  #shortId = '';
  readonly #listeners: ((change: Change) => void)[] = [];
  changeSetId = '';

  constructor(origin: Origin) {
    this.#origin = origin;
  }

  /** A transaction begins; the first one names the change set. */
  begin(tx: BareWriteTx): void {
    if (this.changeSetId === '') {
      this.changeSetId = tx.ids.uuid();
      this.#shortId = tx.ids.shortId();
    }
    this.#change({ accountedTypes: new Set() });
  }

  isEmpty(): boolean {
    return this.#state.entityTypes.size === 0;
  }

  snapshot(): State {
    return { ...this.#state, held: [...this.#held], counts: { ...this.#counts } };
  }

  restore(state: State): void {
    this.#state = state;
    this.#held = [...state.held];
    this.#counts = { ...state.counts };
  }

  attach(tx: BareWriteTx): WriteTx {
    const step = async <T>(fn: () => Promise<T>, { isKept }: { isKept: boolean }): Promise<T> => {
      const before = this.snapshot();
      let isDone = false;
      try {
        const value = await tx.savepoint(fn, () => isKept);
        isDone = isKept;
        return value;
      } finally {
        if (!isDone) this.restore(before);
      }
    };
    return Object.assign(tx, {
      journal: this.#journal(tx),
      attempt: <T>(fn: () => Promise<T>) => step(fn, { isKept: true }),
      rehearse: <T>(fn: () => Promise<T>) => step(fn, { isKept: false }),
      plan: <T>(fn: () => Promise<T>) =>
        step(
          () => {
            this.#change({ plannedFrom: this.#held.length });
            return fn();
          },
          { isKept: false },
        ),
    });
  }

  /** The last thing before a commit; an open set goes on in the next transaction. @throws when a journaled table was written without a recorded change */
  async store(tx: BareWriteTx, { isOpen }: { isOpen: boolean }): Promise<void> {
    refuseUnrecorded(tx.writtenTables, this.#state.accountedTypes);
    if (this.#state.accountedTypes.size === 0 || this.isEmpty()) return;
    await this.#flush(tx, { isOpen });
  }

  #journal(tx: BareWriteTx): Journal {
    return {
      changeSetId: this.changeSetId,
      record: (change) => this.#record(change),
      recordCreatedRows: (entityType, count) => {
        // Only rows of an import can be undone; those of a sync would come back with the next one.
        const { importId = null } = { ...this.#origin, ...this.#state.refinement };
        if (count > 0) this.#count(entityType, 'create', count, importId !== null);
      },
      allowUnjournaled: (entityType: EntityType) => this.#account(entityType),
      isEmpty: () => this.isEmpty(),
      changeSet: () => this.#row(tx.now, { isOpen: false }),
      refine: (refinement) => this.#change({ refinement: { ...this.#state.refinement, ...refinement } }),
      forbidRevert: () => this.#change({ isFinal: true }),
      summarise: (summary) => this.#change({ summary }),
      observe: (listener) => this.#listeners.push(listener),
      flushIfLarge: async () => {
        if (this.#state.plannedFrom !== null) this.#refuseLargePlan();
        else if (this.#held.length >= CHANGES_HELD) await this.#flush(tx, { isOpen: false });
      },
      recorded: () => this.#held.slice(this.#state.plannedFrom ?? this.#held.length),
    };
  }

  #refuseLargePlan(): void {
    if (this.#held.length <= LIMITS.proposalChangesRecorded) return;
    throw planTooLarge(`${LIMITS.proposalChanges} changes`);
  }

  #record(change: Change): void {
    const recorded = { ...change, revertible: change.revertible && !this.#state.isFinal };
    this.#held.push(recorded);
    for (const listener of this.#listeners) listener(recorded);
    this.#count(change.entityType, change.operation, 1, recorded.revertible);
  }

  #count(entityType: EntityType, operation: Change['operation'], count: number, isRevertible: boolean): void {
    const { entityTypes, accountedTypes } = this.#state;
    this.#counts[operation] += count;
    if (isRevertible && !this.#state.isRevertible) this.#change({ isRevertible });
    if (!accountedTypes.has(entityType)) this.#account(entityType);
    if (!entityTypes.has(entityType)) this.#change({ entityTypes: new Set([...entityTypes, entityType]) });
  }

  #account(entityType: string): void {
    const { accountedTypes } = this.#state;
    if (!accountedTypes.has(entityType)) this.#change({ accountedTypes: new Set([...accountedTypes, entityType]) });
  }

  #change(part: Partial<State>): void {
    this.#state = { ...this.#state, ...part };
  }

  async #flush(tx: BareWriteTx, set: { isOpen: boolean }): Promise<void> {
    const row = this.#row(tx.now, set);
    const { isStored, storedCount } = this.#state;
    // Sent together, in this order: a server then answers both in one round trip.
    await Promise.all([storeChangeSet(tx, row, isStored), insertChanges(tx, row, storedCount, this.#held)]);
    this.#change({ isStored: true, storedCount: storedCount + this.#held.length });
    this.#held = [];
  }

  #row(now: string, { isOpen }: { isOpen: boolean }): Row {
    const counts = this.#counts;
    const { entityTypes, summary, refinement, isRevertible } = this.#state;
    const origin = { ...this.#origin, ...refinement };
    return {
      id: this.changeSetId,
      short_id: this.#shortId,
      created_at: now,
      actor_type: origin.actor.type,
      actor_id: origin.actor.id,
      actor_user_id: origin.actor.userId,
      actor_name: origin.actor.name,
      surface: origin.surface,
      source: origin.source,
      action: origin.action,
      reason: origin.reason,
      summary: summary ?? origin.action,
      created_count: counts.create,
      updated_count: counts.update,
      deleted_count: counts.delete,
      entity_types: JSON.stringify([...entityTypes].sort()),
      status: 'applied',
      is_revertible: isRevertible ? 1 : 0,
      reverts_change_set_id: origin.revertsChangeSetId ?? null,
      reverted_by_change_set_id: null,
      sync_log_id: origin.syncLogId ?? null,
      import_id: origin.importId ?? null,
      workflow_run_id: origin.workflowRunId ?? null,
      proposal_id: origin.proposalId ?? null,
      rule_id: origin.ruleId ?? null,
      session_id: null,
      request_id: origin.requestId,
      is_open: isOpen ? 1 : 0,
    };
  }
}

/** `most`: the limit that would be exceeded. */
export function planTooLarge(most: string): AppError {
  return new AppError(
    'PLAN_TOO_LARGE',
    `A proposal can have at most ${most}, so nothing was added to it. Use a narrower filter, or put the rest into another proposal: call without proposal_id or, in a run of a workflow, leave it to the next run.`,
  );
}

function refuseUnrecorded(written: ReadonlySet<string>, accountedTypes: ReadonlySet<string>): void {
  for (const table of written) {
    const entityType = JOURNALED_TABLES[table];
    if (entityType === undefined && !OWN_RECORD_TABLES.has(table)) {
      throw new Error(`The table ${table} is in no list of journal/entities.ts.`);
    }
    if (entityType !== undefined && !accountedTypes.has(entityType)) {
      throw new Error(`${table} was written without a change of type ${entityType} in the journal.`);
    }
  }
}
