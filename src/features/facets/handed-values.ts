import { sql } from 'kysely';

import type { ReadTx } from '../../db/unit-of-work.ts';
import type { NetChange } from '../../journal/undo.ts';
import type { WriteTx } from '../../journal/write.ts';
import { isEqualJson } from '../../kernel/json.ts';
import { formatCents } from '../../kernel/money.ts';
import { unpackRecord } from '../import-row-record.ts';
import { replaceDelivered, selectDelivered, type Delivered } from './delivered-fields.ts';
import { inForceOf, LISTING } from './listed-elsewhere.ts';
import { withoutFields } from './undo-world.ts';

const AT_ONCE = 2_000;

/** The values of a transaction that the record of an import has, by their names in the journal. */
const SAID = [
  'date',
  'authorized_date',
  'datetime',
  'amount',
  'iso_currency_code',
  'name',
  'merchant_name',
  'pending',
] as const;

type Said = Partial<Record<(typeof SAID)[number], unknown>>;

/** An import that lists a row. */
interface Lister {
  readonly importId: string;
  readonly isInForce: boolean;
  readonly said: Said;
}

/** What imports have said about one row, each list in the order of the imports. */
interface History {
  readonly creatorId: string;
  readonly listers: Lister[];
  /** Imports that changed the values of the row, and to what. */
  readonly corrections: { importId: string; after: Said }[];
}

/** `away`: the import is reverted. `back`: it is in force again. */
type Direction = 'away' | 'back';

/**
 * Gives rows of an import that outlive its revert the values of the newest import in force that lists them (contract
 * 36.11), and gives them its own again once it is back. A row that a bank connection feeds has the values of that, and
 * a value that no file gave stays as it is.
 */
export async function handValues(tx: WriteTx, importId: string, direction: Direction): Promise<void> {
  for (let place: Place = { line: 0, part: 0 }; ;) {
    const page = await selectShared(tx, importId, direction, place);
    const last = page.at(-1);
    if (!last) return;
    place = last;
    const creators = new Map(page.map((row) => [row.id, row.creator_id]));
    const histories = await loadHistories(tx, importId, direction, creators);
    const delivered = await selectDelivered(tx, [...creators.keys()]);
    const changed = [...histories].flatMap(([id, history]) => {
      const current = delivered.get(id);
      const fields = current ? handed(history, importId, direction, current) : {};
      return current && Object.keys(fields).length > 0 ? [{ current, fields }] : [];
    });
    await replaceDelivered(tx, changed, { handed: direction });
  }
}

/**
 * What to undo of a change with which a revert handed values over: what still holds, for other imports may have given
 * theirs since. When the import that it brought back is reverted again, `handValues` decides instead.
 */
export function withoutHanded(change: NetChange, current: Delivered | undefined): NetChange {
  const { handed: direction } = change.internal;
  if (direction === undefined) return change;
  const isHeld = (field: string): boolean => isEqualJson(current?.fields[field] ?? null, change.after?.[field] ?? null);
  return withoutFields(
    change,
    SAID.filter((field) => direction === 'back' || !isHeld(field)),
  );
}

/** An import's correction without the values that `handValues` replaces, because other imports list the row. */
export function withoutSaid(change: NetChange): NetChange {
  return withoutFields(change, SAID);
}

interface Place {
  line: number;
  part: number;
}

/** Live rows that this import and others list, that an import created, and that no bank connection feeds. */
async function selectShared(
  tx: ReadTx,
  importId: string,
  direction: Direction,
  { line, part }: Place,
): Promise<(Place & { id: string; creator_id: string })[]> {
  // Not what the revert left alone, because people have worked on it since: a row stays as a whole.
  const isLeft =
    direction === 'away'
      ? sql`and (t.import_id is null or t.import_id <> ${importId}) and not exists (select 1
          from changes c join change_sets own on own.id = c.change_set_id
          where c.transaction_id = t.id and own.import_id = ${importId} and own.source = 'import'
          and c.reverted_by_change_set_id is null)`
      : sql``;
  const { rows } = await sql<Place & { id: string; creator_id: string }>`
    select r.line, r.part, t.id, s.import_id as creator_id
    from import_rows r join transactions t on t.id = r.transaction_id
      join change_sets s on s.id = t.created_change_set_id
    where r.import_id = ${importId} and (r.line > ${line} or (r.line = ${line} and r.part > ${part}))
      and r.outcome in ${LISTING} and t.deleted_at is null and s.import_id is not null ${isLeft}
      and exists (select 1 from import_rows o where o.transaction_id = t.id and o.import_id <> ${importId})
      and not exists (select 1 from transaction_feeds f where f.transaction_id = t.id)
    order by r.line, r.part limit ${sql.lit(AT_ONCE)}`.execute(tx.q);
  return rows;
}

async function loadHistories(
  tx: ReadTx,
  importId: string,
  direction: Direction,
  creators: ReadonlyMap<string, string>,
): Promise<Map<string, History>> {
  const ids = [...creators.keys()];
  const { rows: listed } = await sql<{ id: string; import_id: string; is_in_force: number; record: string }>`
    select r.transaction_id as id, r.import_id, r.record,
      case when ${inForceOf(direction === 'away' ? importId : null)} then 1 else 0 end as is_in_force
    from import_rows r join imports i on i.id = r.import_id join transactions t on t.id = r.transaction_id
    where ${tx.portable.inList(sql.ref('r.transaction_id'), ids)} and r.outcome in ${LISTING}
    order by i.id, r.line, r.part`.execute(tx.q);
  const { rows: corrected } = await sql<{ id: string; import_id: string; after: string | null }>`
    select c.transaction_id as id, s.import_id, c.after
    from changes c join change_sets s on s.id = c.change_set_id
    where ${tx.portable.inList(sql.ref('c.transaction_id'), ids)} and c.entity_type = 'transaction'
      and s.source = 'import' and s.import_id is not null and c.rule_id is null
    order by c.change_set_id, c.sequence`.execute(tx.q);
  const histories = new Map<string, History>(
    ids.map((id) => [id, { creatorId: creators.get(id) as string, listers: [], corrections: [] }]),
  );
  for (const { id, import_id: lister, is_in_force: isInForce, record } of listed) {
    histories.get(id)?.listers.push({ importId: lister, isInForce: isInForce === 1, said: saidBy(record) });
  }
  for (const { id, import_id: corrector, after: json } of corrected) {
    const after = saidOf(json === null ? {} : (JSON.parse(json) as Said));
    if (Object.keys(after).length > 0) histories.get(id)?.corrections.push({ importId: corrector, after });
  }
  return histories;
}

function saidOf(fields: Said): Said {
  return Object.fromEntries(SAID.flatMap((field) => (field in fields ? [[field, fields[field]]] : [])));
}

function saidBy(text: string): Said {
  const record = unpackRecord(text);
  return {
    date: record.date,
    authorized_date: record.authorizedDate,
    datetime: record.datetime,
    amount: record.amountCents === null ? null : formatCents(record.amountCents),
    iso_currency_code: record.currency,
    name: record.description,
    merchant_name: record.merchantName,
    pending: record.pending,
  };
}

/** The values that the row is to have instead of those that it has. */
function handed(history: History, importId: string, direction: Direction, { fields }: Delivered): Said {
  const giver = giverOf(history);
  if (giver === undefined) return {};
  const isOwn = isGiving(history, giver);
  if (direction === 'back' && giver !== importId) return {};
  const wanted = valuesOf(history, giver);
  if (wanted['iso_currency_code'] === null && !isOwn) delete wanted['iso_currency_code'];
  // A record that says no time leaves the one that the row has, unless that is of another day.
  const isOtherDay = !isEqualJson(wanted['date'], fields['date']);
  if (wanted['datetime'] === null && !isOtherDay) delete wanted['datetime'];
  const given = direction === 'back' ? history.listers.map(({ importId: id }) => id) : [importId];
  const sources = given.flatMap((id) => [valuesOf(history, id), recordOf(history, id) ?? {}]);
  const isGiven = (field: keyof Said): boolean =>
    (field === 'datetime' && isOtherDay) ||
    sources.some((source) => isEqualJson(source[field] ?? null, fields[field] ?? null));
  return Object.fromEntries(
    SAID.flatMap((field) => {
      const isNew = field in wanted && !isEqualJson(wanted[field] ?? null, fields[field] ?? null);
      return isNew && isGiven(field) ? [[field, wanted[field] ?? null]] : [];
    }),
  );
}

/**
 * Whose values the row has: those of the last import in force that created or corrected it, unless a later correction
 * was reverted that a newer import in force lists; then, and if there is none, those of the newest that lists it.
 */
function giverOf(history: History): string | undefined {
  const { creatorId, corrections, listers } = history;
  const newest = listers.findLast(({ isInForce }) => isInForce)?.importId;
  const isInForce = (id: string): boolean => listers.some((one) => one.importId === id && one.isInForce);
  const givers = [creatorId, ...corrections.map(({ importId: id }) => id)];
  const own = givers.findLastIndex(isInForce);
  if (own < 0 || newest === undefined) return newest;
  const reverted = givers.slice(own + 1).at(-1);
  return reverted !== undefined && newest > reverted ? newest : givers[own];
}

function isGiving({ creatorId, corrections }: History, importId: string): boolean {
  return importId === creatorId || corrections.some((one) => one.importId === importId);
}

function recordOf({ listers }: History, importId: string): Said | undefined {
  return listers.findLast((one) => one.importId === importId)?.said;
}

/** What an import gives the row: what its record says, but a correction adds to what the imports before it gave. */
function valuesOf(history: History, importId: string): Said {
  const { creatorId, corrections, listers } = history;
  if (!isGiving(history, importId)) return { ...recordOf(history, importId) };
  const values: Said = { ...recordOf(history, creatorId) };
  const last = corrections.findLastIndex((one) => one.importId === importId);
  for (const { importId: id, after } of corrections.slice(0, last + 1)) {
    const counts = id === importId || listers.some((one) => one.importId === id && one.isInForce);
    if (counts) Object.assign(values, after);
  }
  return values;
}
