import type { BareWriteTx, Database } from '../db/unit-of-work.ts';
import { JOURNALED_TABLES, OWN_RECORD_TABLES, type EntityType } from './entities.ts';

/** Who wrote, as the journal shows it. `id` and `userId` are null where nobody in particular did. */
export interface Actor {
  type: 'user' | 'agent' | 'system';
  id: string | null;
  userId: string | null;
  name: string;
}

export type Surface = 'rest' | 'mcp' | 'workflow' | 'dashboard' | 'cli' | 'hosted_link' | 'setup' | 'system';
export type Source = 'edit' | 'rule' | 'sync' | 'import' | 'link' | 'proposal' | 'revert' | 'system';

/** Where a write comes from: everything of a change set that is known before it starts. */
export interface Origin {
  actor: Actor;
  surface: Surface;
  source: Source;
  /** Stable verb such as `tag.create`. */
  action: string;
  reason: string | null;
  requestId: string | null;
  importId?: string | null;
  ruleId?: string | null;
  revertsChangeSetId?: string | null;
}

/** One entity's change. `before` and `after` hold only the fields that changed, as the record names them. */
export interface Change {
  entityType: EntityType;
  entityId: string | null;
  entityShortId: string | null;
  operation: 'create' | 'update' | 'delete';
  before: Readonly<Record<string, unknown>> | null;
  after: Readonly<Record<string, unknown>> | null;
  /** What only a revert needs, such as locks; never served. */
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
  /** Rows that carry their change set themselves (10.13.1): created by an import or sync, not listed one by one. */
  carry(entityType: EntityType, createdCount: number): void;
  /**
   * What this unit writes to the entity beyond its recorded changes is kept elsewhere and is no change (10.13.1):
   * an account's balance follows its snapshots, a connection's last sync its imports.
   */
  ownRecord(entityType: OwnRecordEntity): void;
  /** Whether nothing was changed so far, so that there is no change set. */
  isEmpty(): boolean;
  /** What becomes known of the change set's origin only while it is written. */
  refine(origin: Refinement): void;
  /** The sentence for people, e.g. `Set the category of 12 transactions`. */
  summarise(sentence: string): void;
}

export type Refinement = Partial<Pick<Origin, 'source' | 'action' | 'importId' | 'ruleId' | 'revertsChangeSetId'>>;

/** Entities some of whose fields are not journaled. */
export type OwnRecordEntity = 'account' | 'connection';

export interface WriteTx extends BareWriteTx {
  readonly journal: Journal;
  /** Runs a part of the write; when it throws, that part alone is taken back, in the ledger and in the journal. */
  attempt<T>(fn: () => Promise<T>): Promise<T>;
  /** Does for real what a dry run tells about, and takes all of it back. Answers what `fn` answered. */
  rehearse<T>(fn: () => Promise<T>): Promise<T>;
}

export interface Written<T> {
  value: T;
  /** The change set, or null when nothing was changed. */
  changeSetId: string | null;
}

interface Collected {
  changes: Change[];
  carried: Map<EntityType, number>;
  ownRecords: Set<EntityType>;
  summary: string | undefined;
  refinement: Refinement;
}

/**
 * The one way to write: runs `fn` in a write transaction and stores its change set in the same transaction.
 * A journaled table written without a recorded change undoes everything.
 */
export async function write<T>(
  database: Database,
  origin: Origin,
  fn: (tx: WriteTx) => Promise<T>,
): Promise<Written<T>> {
  const collected: Collected = {
    changes: [],
    carried: new Map(),
    ownRecords: new Set(),
    summary: undefined,
    refinement: {},
  };
  let changeSetId = '';
  const value = await database.writeBare(
    async (tx) => {
      changeSetId = tx.ids.uuid();
      const journal: Journal = {
        changeSetId,
        record: (change) => {
          collected.changes.push(change);
        },
        carry: (entityType, count) => {
          if (count > 0) collected.carried.set(entityType, (collected.carried.get(entityType) ?? 0) + count);
        },
        ownRecord: (entityType) => {
          collected.ownRecords.add(entityType);
        },
        isEmpty: () => isEmpty(collected),
        refine: (refinement) => {
          collected.refinement = { ...collected.refinement, ...refinement };
        },
        summarise: (sentence) => {
          collected.summary = sentence;
        },
      };
      return fn(withSteps(tx, journal, collected));
    },
    async (tx) => {
      refuseUnrecorded(tx.writtenTables, collected);
      if (isEmpty(collected)) return;
      await store(tx, changeSetId, { ...origin, ...collected.refinement }, collected);
    },
  );
  return { value, changeSetId: isEmpty(collected) ? null : changeSetId };
}

function withSteps(tx: BareWriteTx, journal: Journal, collected: Collected): WriteTx {
  const step = async <T>(fn: () => Promise<T>, isKept: boolean): Promise<T> => {
    const { changes, ...rest } = collected;
    const count = changes.length;
    const known = { ...rest, carried: new Map(rest.carried), ownRecords: new Set(rest.ownRecords) };
    let isDone = false;
    try {
      const value = await tx.savepoint(fn, () => isKept);
      isDone = isKept;
      return value;
    } finally {
      if (!isDone) {
        changes.length = count;
        Object.assign(collected, known);
      }
    }
  };
  return Object.assign(tx, {
    journal,
    attempt: <T>(fn: () => Promise<T>) => step(fn, true),
    rehearse: <T>(fn: () => Promise<T>) => step(fn, false),
  });
}

/** Writes that are their own record: leases, last-used stamps, idempotent answers, progress of imports. */
export async function bookkeep<T>(database: Database, fn: (tx: BareWriteTx) => Promise<T>): Promise<T> {
  return database.writeBare(fn, async (tx) => {
    for (const table of tx.writtenTables) {
      if (!OWN_RECORD_TABLES.has(table)) throw new Error(`Bookkeeping wrote ${table}, which belongs to the journal.`);
    }
  });
}

function isEmpty(collected: Collected): boolean {
  return collected.changes.length === 0 && collected.carried.size === 0;
}

function refuseUnrecorded(written: ReadonlySet<string>, collected: Collected): void {
  const recorded = new Set<string>([...collected.carried.keys(), ...collected.ownRecords]);
  for (const change of collected.changes) recorded.add(change.entityType);
  for (const table of written) {
    const entityType = JOURNALED_TABLES[table];
    if (entityType === undefined && !OWN_RECORD_TABLES.has(table)) {
      throw new Error(`The table ${table} is in no list of journal/entities.ts.`);
    }
    if (entityType !== undefined && !recorded.has(entityType)) {
      throw new Error(`${table} was written without a change of a ${entityType} in the journal.`);
    }
  }
}

async function store(tx: BareWriteTx, id: string, origin: Origin, collected: Collected): Promise<void> {
  const { changes, carried } = collected;
  const count = (operation: string): number => changes.filter((change) => change.operation === operation).length;
  const carriedCount = [...carried.values()].reduce((sum, n) => sum + n, 0);
  const entityTypes = [...new Set([...changes.map((change) => change.entityType), ...carried.keys()])].sort();
  await tx.insertMany(
    'change_sets',
    [
      'id',
      'short_id',
      'created_at',
      'actor_type',
      'actor_id',
      'actor_user_id',
      'actor_name',
      'surface',
      'source',
      'action',
      'reason',
      'summary',
      'created_count',
      'updated_count',
      'deleted_count',
      'entity_types',
      'status',
      'is_revertible',
      'reverts_change_set_id',
      'import_id',
      'rule_id',
      'request_id',
    ],
    [
      [
        id,
        tx.ids.shortId(),
        tx.now,
        origin.actor.type,
        origin.actor.id,
        origin.actor.userId,
        origin.actor.name,
        origin.surface,
        origin.source,
        origin.action,
        origin.reason,
        collected.summary ?? origin.action,
        count('create') + carriedCount,
        count('update'),
        count('delete'),
        JSON.stringify(entityTypes),
        'applied',
        carried.size > 0 || changes.some((change) => change.revertible) ? 1 : 0,
        origin.revertsChangeSetId ?? null,
        origin.importId ?? null,
        origin.ruleId ?? null,
        origin.requestId,
      ],
    ],
  );
  await tx.insertMany(
    'changes',
    [
      'change_set_id',
      'sequence',
      'entity_type',
      'entity_id',
      'entity_short_id',
      'operation',
      'before',
      'after',
      'internal',
      'transaction_id',
      'source',
      'rule_id',
      'applied_by',
      'is_revertible',
    ],
    changes.map((change, index) => [
      id,
      index + 1,
      change.entityType,
      change.entityId,
      change.entityShortId,
      change.operation,
      change.before === null ? null : JSON.stringify(change.before),
      change.after === null ? null : JSON.stringify(change.after),
      change.internal === undefined ? null : JSON.stringify(change.internal),
      change.transactionId ?? null,
      change.source ?? origin.source,
      change.ruleId ?? null,
      change.appliedBy ?? null,
      change.revertible ? 1 : 0,
    ]),
  );
}

/** The fields of two records that differ, as before and after; null when none do. */
export function difference(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): { before: Record<string, unknown>; after: Record<string, unknown> } | null {
  const changed = Object.keys(after).filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]));
  if (changed.length === 0) return null;
  const pick = (from: Readonly<Record<string, unknown>>): Record<string, unknown> =>
    Object.fromEntries(changed.map((field) => [field, from[field] ?? null]));
  return { before: pick(before), after: pick(after) };
}
