import { sql } from 'kysely';

import type { ReadTx } from '../../db/unit-of-work.ts';
import { changedFields, selectLive, type PlanConflict, type Reference } from '../../journal/replay.ts';
import type { EntityUndos } from '../../journal/undo.ts';
import { creatorsOf, placeOf, placesOf, usersOf } from './places.ts';
import { replayOf, toPlanned, type StoredChange } from './planned-changes.ts';
import type { ChangeRow } from './proposals.queries.ts';
import { findExisting, withExisting } from './same-thing.ts';

/** By sequence. */
export type Conflicts = ReadonlyMap<number, PlanConflict>;
type Found = Map<number, PlanConflict>;

/** A plan beside the ledger as it is now. */
export interface Compared {
  conflicts: Conflicts;
  /** Changes that would make what is there already, by sequence. */
  existing: ReadonlySet<number>;
  /** What can be written, in the form in which it is. */
  writable: StoredChange[];
}

/**
 * Compares changes with the ledger (contract 60.6). `excluded` are not to be written: what needs the rows that they would
 * have created is in conflict.
 */
export async function comparePlan(
  tx: ReadTx,
  undos: EntityUndos,
  rows: readonly ChangeRow[],
  now: string,
  excluded: ReadonlySet<number> = new Set(),
): Promise<Compared> {
  const planned = rows.map(toPlanned);
  const isWanted = ({ sequence }: StoredChange): boolean => !excluded.has(sequence);
  const existing = await findExisting(tx, undos, planned.filter(isWanted), now);
  const changes = withExisting(planned, existing);
  const conflicts = await findConflicts(tx, undos, { changes, rows, excluded });
  return {
    conflicts,
    existing: new Set(planned.flatMap(({ entityId, sequence }) => (existing.has(entityId) ? [sequence] : []))),
    writable: changes.filter((change) => isWanted(change) && !conflicts.has(change.sequence)),
  };
}

interface Comparing {
  changes: readonly StoredChange[];
  rows: readonly ChangeRow[];
  excluded: ReadonlySet<number>;
}

async function findConflicts(
  tx: ReadTx,
  undos: EntityUndos,
  { changes, rows, excluded }: Comparing,
): Promise<Conflicts> {
  const wanted = changes.filter(({ sequence }) => !excluded.has(sequence));
  const planned = new Set(wanted.map(({ entityId }) => entityId));
  const found: Found = new Map();
  for (const alike of Map.groupBy(wanted, ({ entityType }) => entityType).values()) {
    await compare(tx, undos, alike, planned, found);
  }
  await compareTransactions(
    tx,
    rows.filter(({ sequence, entity_type: type }) => type === 'transaction' && !excluded.has(sequence)),
    found,
  );
  const isLeftOut = (sequence: number): boolean => excluded.has(sequence) || found.has(sequence);
  const needs = await creationsNeeded(tx, undos, changes, isLeftOut);
  for (let count = -1; count !== found.size;) {
    count = found.size;
    leaveOutWith(needs, isLeftOut, found);
    if (found.size + excluded.size > 0) await findUsed(tx, undos, changes, { isLeftOut, found });
  }
  return new Map([...found].sort(([a], [b]) => a - b));
}

/** Changes of one type: is the row there, and is it as it was? */
async function compare(
  tx: ReadTx,
  undos: EntityUndos,
  changes: readonly StoredChange[],
  planned: ReadonlySet<string>,
  found: Found,
): Promise<void> {
  const [first] = changes;
  if (!first) return;
  const replay = replayOf(undos, first.entityType);
  const states = await replay.look(
    tx,
    changes.map(({ entityId }) => entityId),
  );
  const open: StoredChange[] = [];
  for (const change of changes) {
    const state = states.get(change.entityId);
    const conflict = conflictOf(change, state);
    if (conflict) found.set(change.sequence, conflict);
    else open.push(change);
  }
  for (const [sequence, conflict] of await replay.findObstacles(tx, open, planned)) found.set(sequence, conflict);
}

function conflictOf(
  change: StoredChange,
  state: { fields: Readonly<Record<string, unknown>>; isDeleted: boolean } | undefined,
): PlanConflict | null {
  if (change.operation === 'create') {
    return state ? { reason: 'exists', fields: ['id'], message: 'It already exists.' } : null;
  }
  if (!state) return { reason: 'missing', fields: [], message: 'It no longer exists.' };
  if (state.isDeleted !== change.wasDeleted) {
    const message = state.isDeleted ? 'It has been deleted since.' : 'It has been restored since.';
    return { reason: 'missing', fields: ['deleted_at'], message };
  }
  return changedSince(changedFields(change, state.fields));
}

function changedSince(fields: readonly string[]): PlanConflict | null {
  if (fields.length === 0) return null;
  return { reason: 'changed_since', fields, message: `Changed since: ${fields.join(', ')}.` };
}

type Present = Pick<ChangeRow, 'amount_cents' | 'iso_currency_code' | 'account_id' | 'date' | 'name'>;

/** What the bank says of a transaction is what the plan was made for. A pending one may be posted under another name. */
async function compareTransactions(tx: ReadTx, rows: readonly ChangeRow[], found: Found): Promise<void> {
  const open = rows.filter(({ sequence }) => !found.has(sequence));
  if (open.length === 0) return;
  const { rows: present } = await sql<Present & { id: string }>`
    select id, amount_cents, iso_currency_code, account_id, date, name from transactions
    where ${tx.portable.inList(
      sql.ref('id'),
      open.map(({ entity_id: id }) => id),
    )}`.execute(tx.q);
  const byId = new Map(present.map((row) => [row.id, row]));
  for (const row of open) {
    const now = byId.get(row.entity_id);
    const names = row.was_pending === 1 ? MONEY : [...MONEY, ...WORDS];
    const changed = now === undefined ? [] : names.filter(([column]) => now[column] !== row[column]);
    const conflict = changedSince(changed.map(([, field]) => field));
    if (conflict) found.set(row.sequence, conflict);
  }
}

const MONEY: readonly (readonly [keyof Present, string])[] = [
  ['amount_cents', 'amount'],
  ['iso_currency_code', 'iso_currency_code'],
  ['account_id', 'account_id'],
];
const WORDS: readonly (readonly [keyof Present, string])[] = [
  ['date', 'date'],
  ['name', 'name'],
];

/** A change that cannot be written without another one, and what to say then. */
interface Need {
  sequence: number;
  /** The other one; undefined if there is none. */
  on: number | undefined;
  conflict: PlanConflict;
}

/** What a change refers to must exist, or be created by another change that is written too. */
async function creationsNeeded(
  tx: ReadTx,
  undos: EntityUndos,
  changes: readonly StoredChange[],
  isLeftOut: (sequence: number) => boolean,
): Promise<Need[]> {
  const creators = creatorsOf(undos, changes);
  const open = changes.filter(({ sequence }) => !isLeftOut(sequence));
  return (await notLive(tx, undos, open)).map(([{ sequence }, { table, column, field, value }]) => {
    const message = `It refers to something that does not exist: ${field}.`;
    const on = creators.get(placeOf({ table, column }, value));
    return { sequence, on, conflict: { reason: 'reference_missing', fields: [field], message } };
  });
}

/** A row whose users are left out of the plan is deleted only if they have let go of it by themselves. */
async function findUsed(
  tx: ReadTx,
  undos: EntityUndos,
  changes: readonly StoredChange[],
  { isLeftOut, found }: { isLeftOut: (sequence: number) => boolean; found: Found },
): Promise<void> {
  const users = usersOf(undos, changes);
  const kept = new Set(changes.filter(({ sequence }) => !isLeftOut(sequence)).map(({ entityId }) => entityId));
  for (const change of changes) {
    if (change.operation !== 'delete' || isLeftOut(change.sequence)) continue;
    const own = placesOf(undos, change).flatMap((place) => users.get(place) ?? []);
    if (!own.some(({ sequence }) => isLeftOut(sequence))) continue;
    const { isUsedBesides } = replayOf(undos, change.entityType);
    if ((await isUsedBesides?.(tx, change.entityId, kept)) === false) continue;
    found.set(change.sequence, { reason: 'changed_since', fields: [], message: 'Something else uses it now.' });
  }
}

/** If a change is left out, so are those that need it, and those that need these. */
function leaveOutWith(needs: readonly Need[], isLeftOut: (sequence: number) => boolean, found: Found): void {
  for (let count = -1; count !== found.size;) {
    count = found.size;
    for (const { sequence, on, conflict } of needs) {
      if (!isLeftOut(sequence) && (on === undefined || isLeftOut(on))) found.set(sequence, conflict);
    }
  }
}

/** References to what the ledger does not have. */
async function notLive(
  tx: ReadTx,
  undos: EntityUndos,
  changes: readonly StoredChange[],
): Promise<(readonly [StoredChange, Reference])[]> {
  const references = changes.flatMap((change) =>
    replayOf(undos, change.entityType)
      .referencesOf(change)
      .map((reference) => [change, reference] as const),
  );
  const absent: (readonly [StoredChange, Reference])[] = [];
  for (const group of Map.groupBy(references, ([, reference]) => placeOf(reference, '')).values()) {
    const [[, target]] = group as [(typeof group)[number]];
    const live = await selectLive(
      tx,
      target,
      group.map(([, { value }]) => value),
    );
    absent.push(...group.filter(([, { value }]) => !live.has(value)));
  }
  return absent;
}
