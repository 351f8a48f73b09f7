import { sql } from 'kysely';

import type { ReadTx } from '../db/unit-of-work.ts';
import type { Change, Written, WriteTx } from '../journal/write.ts';
import { write, type Origin } from '../journal/write.ts';
import type { Instance } from './handler.ts';

/**
 * What a write did to transactions that account links look at. A row that is deleted leaves its match in the same write;
 * after a write that changed what rows are matched by, the links are reconciled (contract 50.1.3).
 */
export interface TouchedRows {
  /** Deleted transactions, and whether a revert of this write restores them. */
  readonly deleted: Map<string, boolean>;
  /** Transactions whose attribution was written. */
  readonly attributed: Set<string>;
  /** Matches that were made or changed. */
  readonly matches: Set<string>;
  /** Whether anything changed that decides what goes with what. */
  isAffected: boolean;
  /** Whether links or matches themselves changed. */
  isRelinked: boolean;
}

const touched = new WeakMap<ReadTx, TouchedRows>();

/** The fields of a transaction that matching looks at (50.1.5). */
const MATCHED_BY: readonly string[] = [
  'account_id',
  'amount',
  'iso_currency_code',
  'date',
  'pending',
  'deleted_at',
  'name',
  'merchant_name',
];

/** What the write has touched so far; undefined for a write that is not watched. */
export function touchedRows(tx: ReadTx): TouchedRows | undefined {
  return touched.get(tx);
}

/** A write in which deleted rows leave their matches. */
export function endingMatches<T>(fn: (tx: WriteTx) => Promise<T>): (tx: WriteTx) => Promise<T> {
  return async (tx) => {
    watch(tx);
    const value = await fn(tx);
    if ((touched.get(tx)?.deleted.size ?? 0) > 0 && (await exists(tx, sql`select 1 from transaction_matches`))) {
      const { endMatches } = await import('./transaction-matches/index.ts');
      await endMatches(tx);
    }
    return value;
  };
}

/** A write after which account links are reconciled if it changed rows of their accounts. */
export async function writeLedger<T>(
  instance: Instance,
  origin: Origin,
  fn: (tx: WriteTx) => Promise<T>,
): Promise<Written<T>> {
  let isLinked = false;
  const run = endingMatches(fn);
  const written = await write(instance.database, origin, async (tx) => {
    const value = await run(tx);
    isLinked = mayUnpair(tx) && (await exists(tx, sql`select 1 from account_links where is_enabled = 1`));
    return value;
  });
  if (isLinked && written.changeSetId !== null) {
    const { reconcileAfterWrite } = await import('./transaction-matches/index.ts');
    await reconcileAfterWrite(instance, written.changeSetId);
  }
  return written;
}

/** What writes links and matches reconciles by itself, unless it brings them back as they were. */
function mayUnpair(tx: WriteTx): boolean {
  const rows = touched.get(tx);
  return rows?.isAffected === true || (rows?.isRelinked === true && bringsBack(tx.journal.changeSet().source));
}

/** Whether a change set of this source writes earlier or planned values. */
export function bringsBack(source: string): boolean {
  return source === 'revert' || source === 'proposal';
}

/** Whether a change of a transaction decides what it goes with. */
export function isMatchedBy(fields: Readonly<Record<string, unknown>>): boolean {
  return MATCHED_BY.some((field) => field in fields);
}

async function exists(tx: ReadTx, query: ReturnType<typeof sql>): Promise<boolean> {
  return (await sql`${query} limit 1`.execute(tx.q)).rows.length > 0;
}

function watch(tx: WriteTx): void {
  const rows: TouchedRows = {
    deleted: new Map(),
    attributed: new Set(),
    matches: new Set(),
    isAffected: false,
    isRelinked: false,
  };
  touched.set(tx, rows);
  tx.journal.observe((change) => note(rows, change));
}

function note(rows: TouchedRows, { entityType, entityId: id, operation, before, after, revertible }: Change): void {
  if (entityType === 'account_link') rows.isRelinked = true;
  if (entityType === 'transaction_match') {
    rows.isRelinked = true;
    if (id !== null && operation !== 'delete') rows.matches.add(id);
  }
  if (entityType !== 'transaction' || id === null) return;
  if (operation !== 'update' || isMatchedBy(before ?? {}) || isMatchedBy(after ?? {})) rows.isAffected = true;
  if (typeof after?.['deleted_at'] === 'string') rows.deleted.set(id, revertible);
  if (after && 'attributed_user_id' in after) rows.attributed.add(id);
}
