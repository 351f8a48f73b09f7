import { sql } from 'kysely';

import type { ReadTx } from '../../db/unit-of-work.ts';
import { changedFields, selectLive, type PlanConflict, type Reference } from '../../journal/replay.ts';
import type { EntityUndos } from '../../journal/undo.ts';
import { replayOf, toPlanned, type StoredChange } from './planned-changes.ts';
import type { ChangeRow } from './proposals.queries.ts';

/** By sequence. */
export type Conflicts = ReadonlyMap<number, PlanConflict>;
type Found = Map<number, PlanConflict>;

/**
 * Compares changes with the ledger as it is now (contract 60.6). `excluded` are not to be written: what needs the rows
 * that they would have created is in conflict.
 */
export async function findConflicts(
  tx: ReadTx,
  undos: EntityUndos,
  rows: readonly ChangeRow[],
  excluded: ReadonlySet<number> = new Set(),
): Promise<Conflicts> {
  const changes = rows.map(toPlanned);
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
  await findAbsent(tx, undos, changes, excluded, found);
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

/** What a change refers to must exist, or be created by another change that is written too. */
async function findAbsent(
  tx: ReadTx,
  undos: EntityUndos,
  changes: readonly StoredChange[],
  excluded: ReadonlySet<number>,
  found: Found,
): Promise<void> {
  const creators = creatorsOf(undos, changes);
  const open = changes.filter(({ sequence }) => !excluded.has(sequence) && !found.has(sequence));
  const needed: { sequence: number; field: string; creator: number | undefined }[] = [];
  for (const [change, reference] of await notLive(tx, undos, open)) {
    needed.push({
      sequence: change.sequence,
      field: reference.field,
      creator: creators.get(placeOf(reference, reference.value)),
    });
  }
  // If a change is left out, so are those that need it, and those that need these.
  for (let count = -1; count !== found.size;) {
    count = found.size;
    for (const { sequence, field, creator } of needed) {
      const isCreated = creator !== undefined && !excluded.has(creator) && !found.has(creator);
      if (isCreated || found.has(sequence)) continue;
      const message = `It refers to something that does not exist: ${field}.`;
      found.set(sequence, { reason: 'reference_missing', fields: [field], message });
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

/** Which change creates the row that a reference leads to. */
export function creatorsOf(undos: EntityUndos, changes: readonly StoredChange[]): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const change of changes) {
    if (change.operation !== 'create') continue;
    for (const place of placesOf(undos, change)) found.set(place, change.sequence);
  }
  return found;
}

/** Where references to a row that is created or deleted lead. */
export function placesOf(undos: EntityUndos, change: StoredChange): string[] {
  const { entityType, entityId, entityShortId, before, after } = change;
  const { table } = replayOf(undos, entityType);
  const slug = (after ?? before)?.['slug'];
  return [
    placeOf({ table, column: 'id' }, entityId),
    ...(entityShortId === null ? [] : [placeOf({ table, column: 'short_id' }, entityShortId)]),
    ...(typeof slug === 'string' ? [placeOf({ table, column: 'slug' }, slug)] : []),
  ];
}

export function placeOf({ table, column }: Pick<Reference, 'table' | 'column'>, value: string): string {
  return `${table}.${column} ${value}`;
}
