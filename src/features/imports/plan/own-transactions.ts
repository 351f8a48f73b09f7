import type { ReadTx } from '../../../db/unit-of-work.ts';
import { KeyIndex } from '../../../engines/matching/key-index.ts';
import { numbered } from '../../../kernel/sequence.ts';
import type { ImportFields } from '../import-fields.contract.ts';
import { selectDeletions } from './ledger.queries.ts';
import { loadRows, type LedgerRow } from './load-ledger.ts';
import type { IdentityNotes } from './plan-row.ts';
import type { DataRow, PlannedAccount, PlannedRow } from './plan.ts';
import type { RowList } from './row-list.ts';

/** Marks a row of an export as the transaction with its id; the id is then no bank's. */
export function nameOwn(planned: PlannedRow, transactionId: string | null): void {
  if (transactionId === null) return;
  planned.ownId = transactionId;
  (planned as { bankId: string | null }).bankId = null;
}

export interface OwnTaken {
  /** Whether a row of the export is this ledger row. */
  isTaken(place: number): boolean;
  /** Brings back what a revert took out, for rows that nothing else met. */
  bringBack(): void;
}

/**
 * Pass 0 of 36.7.2: a row with the id of a transaction is that transaction, whatever its cells say. null if the account
 * has no such row.
 */
export async function takeOwnRows(
  tx: ReadTx,
  account: PlannedAccount,
  { include_lines: lines }: ImportFields,
  notes: IdentityNotes,
): Promise<OwnTaken | null> {
  const { rows } = account;
  if (rows.every(({ ownId }) => ownId === null)) return null;
  const ledger = await ledgerOfOwn(tx, account);
  dropCopies(rows, ledger, notes);
  const included = new Set(lines);
  const taken = new Uint8Array(account.ledger.length);
  const placeOf = placesById(account.ledger);
  const withdrawn: { row: DataRow; found: LedgerRow }[] = [];
  for (const row of rows) {
    const found = row.ownId === null ? undefined : ledger(row.ownId);
    if (found?.state === 'withdrawn') withdrawn.push({ row, found });
    if (!found || !conclude(row, found, included.has(row.line))) continue;
    const place = placeOf(found.id);
    if (place !== undefined) taken[place] = 1;
  }
  const undone = await undoneAmong(
    tx,
    withdrawn.map(({ found }) => found.id),
  );
  for (const { row, found } of withdrawn)
    if (!undone.has(found.id)) settle(row, found, 'duplicate', 'SAME_TRANSACTION');
  return {
    isTaken: (place) => taken[place] === 1,
    bringBack: () => {
      for (const { row, found } of withdrawn) {
        if (row.ledger === null) settle(row, found, 'added', 'BROUGHT_BACK');
      }
    },
  };
}

/** Whether the row is settled. What was withdrawn waits until it is known that nothing else met the row. */
function conclude(row: DataRow, found: LedgerRow, isIncluded: boolean): boolean {
  if (found.state === 'withdrawn') return false;
  if (found.state === 'kept_deleted') {
    if (isIncluded) settle(row, found, 'updated', 'RESTORED');
    else settle(row, found, 'deleted', 'DELETED_BY_PERSON');
    return true;
  }
  // The caller wants another one beside it.
  if (isIncluded) row.ownId = null;
  else settle(row, found, 'duplicate', 'SAME_TRANSACTION');
  return !isIncluded;
}

function settle(row: PlannedRow, found: LedgerRow, outcome: PlannedRow['outcome'], reason: string): void {
  row.outcome = outcome;
  row.reason = reason;
  row.match = 'certain';
  row.ledger = found;
}

/** What a revert took out; what a bank withdrew stays gone. */
async function undoneAmong(tx: ReadTx, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const deletions = await selectDeletions(tx, ids);
  return new Set(deletions.filter((one) => one.deleted_cause !== 'provider').map(({ id }) => id));
}

/** The transactions that the rows name; edited dates may be far from theirs. */
async function ledgerOfOwn(
  tx: ReadTx,
  { rows, ledger, target }: PlannedAccount,
): Promise<(id: string) => LedgerRow | undefined> {
  const placeOf = placesById(ledger);
  const missing = new Set<string>();
  for (const { ownId } of rows) if (ownId !== null && placeOf(ownId) === undefined) missing.add(ownId);
  const others = new Map<string, LedgerRow>();
  if (target.account) for (const row of await loadRows(tx, target.account, [...missing])) others.set(row.id, row);
  return (id) => ledger.at(placeOf(id) ?? -1) ?? others.get(id);
}

function placesById(ledger: RowList<LedgerRow>): (id: string) => number | undefined {
  const index = new KeyIndex(ledger.length);
  for (const [place, { id }] of numbered(ledger)) index.add(id, place);
  return (id) => [...index.placesOf(id)].find((place) => ledger.at(place)?.id === id);
}

/**
 * A line that somebody copied to type in another row has the id of the first. If one of them says what the ledger says,
 * those that say something else are rows of their own.
 */
function dropCopies(rows: RowList<DataRow>, ledger: (id: string) => LedgerRow | undefined, notes: IdentityNotes): void {
  const index = new KeyIndex(rows.length);
  const repeated = new Map<string, DataRow[]>();
  for (const [place, row] of numbered(rows)) {
    if (row.ownId === null) continue;
    const first = [...index.placesOf(row.ownId)].map((at) => rows.at(at)).find((other) => other?.ownId === row.ownId);
    if (!first) index.add(row.ownId, place);
    else repeated.set(row.ownId, [...(repeated.get(row.ownId) ?? [first]), row]);
  }
  for (const [id, copies] of repeated) {
    const known = ledger(id);
    const model = copies.find((one) => known && isSameMovement(one, known)) ?? copies[0];
    if (!model) continue;
    for (const copy of copies) {
      if (isSameMovement(copy, model)) continue;
      copy.ownId = null;
      notes.sharedBankIds.push(copy.line);
    }
  }
}

type Movement = Pick<DataRow, 'date' | 'amountCents'>;

function isSameMovement(one: Movement, other: Movement): boolean {
  return one.date === other.date && one.amountCents === other.amountCents;
}
