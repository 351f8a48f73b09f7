import { numbered } from '../../../kernel/sequence.ts';
import type { LedgerRow } from './load-ledger.ts';
import type { DataRow, PlannedRow } from './plan.ts';
import type { RowList } from './row-list.ts';

/** Rows of an account after the bank's own corrections among them were applied (36.14.1). */
export interface Corrected {
  /** The rows left to match; a replacement has the ids of the records that it replaces. */
  rows: RowList<DataRow>;
  /** Records that delete another record. */
  deletions: PlannedRow[];
  /** Ids of the records that corrections replace or delete. */
  correctedIds: string[];
  /** Ids of all records in the file; empty if it has no corrections. */
  idsInFile: ReadonlySet<string>;
}

/**
 * Applies the corrections within a file. A record that another one replaces or deletes is skipped; the replacement also
 * matches a ledger row with the replaced record's id.
 */
export function applyCorrections(rows: RowList<DataRow>): Corrected {
  if (rows.every(({ correction }) => correction === null)) {
    return { rows, deletions: [], correctedIds: [], idsInFile: new Set() };
  }
  const byId = new Map<string, number | null>();
  for (const [index, { bankId }] of numbered(rows)) {
    if (bankId !== null) byId.set(bankId, byId.has(bankId) ? null : index);
  }
  const superseded = new Set<number>();
  for (const row of rows) {
    const former: string[] = [];
    let id = row.correction?.bank_id;
    while (id !== undefined && id !== row.bankId && !former.includes(id)) {
      former.push(id);
      const original = byId.get(id) ?? null;
      if (original !== null) superseded.add(original);
      id = original === null ? undefined : rows.at(original)?.correction?.bank_id;
    }
    row.formerBankIds = former;
  }
  for (const row of rows.pick([...superseded])) {
    row.outcome = 'skipped';
    row.reason = 'STATUS_IGNORED';
  }
  const left = rows.filter((_, index) => !superseded.has(index));
  return {
    rows: left.filter((row) => row.correction?.action !== 'delete'),
    deletions: left.filter((row) => row.correction?.action === 'delete').toArray(),
    correctedIds: left.toArray().flatMap(({ formerBankIds }) => formerBankIds),
    idsInFile: new Set(byId.keys()),
  };
}

/** Finds the ledger row that a record deletes and sets the record's outcome. Returns the row to remove. */
export function applyDeletion(
  deletion: PlannedRow,
  find: (bankId: string) => LedgerRow | undefined,
  idsInFile: ReadonlySet<string>,
): LedgerRow | null {
  const { formerBankIds: ids } = deletion;
  const found = ids.map(find).find((row) => row !== undefined);
  const conclude = (outcome: PlannedRow['outcome'], reason: string): void => {
    deletion.outcome = outcome;
    deletion.reason = reason;
  };
  if (!found) {
    conclude('skipped', ids.some((id) => idsInFile.has(id)) ? 'STATUS_IGNORED' : 'UNSUPPORTED_RECORD');
    return null;
  }
  deletion.ledger = found;
  deletion.match = 'certain';
  if (found.state === 'live') conclude('updated', 'CHANGED_BY_BANK');
  else if (found.state === 'kept_deleted') conclude('deleted', 'DELETED_BY_PERSON');
  else conclude('duplicate', 'SAME_BANK_ID');
  return found.state === 'live' ? found : null;
}
