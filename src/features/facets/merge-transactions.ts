import { sql } from 'kysely';

import type { ReadTx } from '../../db/unit-of-work.ts';
import { differenceOf } from '../../journal/difference.ts';
import type { WriteTx } from '../../journal/write.ts';
import {
  deliveredFieldsOf,
  selectDeliveredValues,
  updateDeliveredValues,
  type DeliveredValues,
} from './delivered-fields.ts';
import { loadFacets } from './facets.queries.ts';
import type { Facets } from './facets.ts';
import { moveBelongings, type Belongings, type Merging } from './merged-belongings.queries.ts';
import { mergedFacets } from './merged-facets.ts';
import { changesByWriter, memberNames, writeFacets, type FacetEdit } from './write-facets.ts';

type Fields = Readonly<Record<string, unknown>>;

/** What the change of the newer transaction keeps, so that the two can be taken apart, whatever comes later. */
export interface MergeRecord {
  readonly into: string;
  /** What the merge changed about the survivor. */
  readonly survivor: { readonly before: Fields; readonly after: Fields; readonly internal: Fields };
  /** When the survivor had been deleted, if it was at the time of the merge. */
  readonly survivorDeletedAt: string | null;
  readonly belongings: Belongings;
  /** Two accounts became one: taking these apart must not fail because of what people did since. */
  readonly isOfJoin: boolean;
}

/** A transaction and what it becomes by a merge, or by taking one apart. */
export interface MergeEdit extends Merging {
  readonly survivorFacets: readonly [before: Facets, after: Facets];
  readonly newerFacets: readonly [before: Facets, after: Facets];
  readonly survivorValues: readonly [before: DeliveredValues, after: DeliveredValues];
}

const NO_FIELDS = { before: {}, after: {} };

/**
 * Makes one transaction of each pair: the survivor keeps its id and what people, agents and rules decided, and takes what
 * the bank says of the newer one, which is deleted (contract 30.9). A transaction that somebody deleted stays deleted.
 */
export async function mergeTransactions(
  tx: WriteTx,
  pairs: readonly Merging[],
  { isOfJoin = false }: { isOfJoin?: boolean } = {},
): Promise<void> {
  if (pairs.length === 0) return;
  const ids = [...new Set(pairs.flatMap(({ newer, survivor }) => [newer, survivor]))];
  const [facets, values] = [await loadFacets(tx, ids), await selectDeliveredValues(tx, ids)];
  const undelivered = await selectUndelivered(tx, pairs);
  const edits = pairs.map((pair): MergeEdit => {
    const [survivor, newer] = [facets.get(pair.survivor) as Facets, facets.get(pair.newer) as Facets];
    const [own, theirs] = [values.get(pair.survivor) as DeliveredValues, values.get(pair.newer) as DeliveredValues];
    const typedName = undelivered.has(pair.survivor) && own.name !== theirs.name ? own.name : null;
    return {
      ...pair,
      survivorFacets: [survivor, survivingFacets(survivor, newer, typedName)],
      newerFacets: [newer, { ...newer, deletedAt: newer.deletedAt ?? tx.now, deletedCause: 'merged' }],
      survivorValues: [own, { ...theirs, iso_currency_code: theirs.iso_currency_code ?? own.iso_currency_code }],
    };
  });
  await writeMerges(tx, edits, { isOfJoin });
}

/** The name that somebody typed is kept beside the bank's (30.7.3). */
function survivingFacets(survivor: Facets, newer: Facets, typedName: string | null): Facets {
  const merged = mergedFacets(survivor, newer);
  const isRevived = newer.deletedAt === null && survivor.deletedCause !== 'person' && survivor.deletedCause !== 'agent';
  const metadata = typedName === null ? merged.metadata : new Map(merged.metadata).set('entered_name', typedName);
  return { ...merged, metadata, ...(isRevived ? { deletedAt: null, deletedCause: null } : {}) };
}

/** Writes and records prepared merges; each survivor's change comes before that of its newer transaction. */
export async function writeMerges(
  tx: WriteTx,
  edits: readonly MergeEdit[],
  { isOfJoin }: { isOfJoin: boolean },
): Promise<void> {
  const belongings = await moveBelongings(tx, edits);
  if ([...belongings.values()].some(({ comments }) => comments.length > 0)) tx.journal.allowUnjournaled('comment');
  await updateDeliveredValues(
    tx,
    edits.map(({ survivor: id, survivorValues: [, values] }) => ({ id, values })),
  );
  await setMergedInto(
    tx,
    edits.map(({ newer, survivor }) => [newer, survivor]),
  );
  const members = await memberNames(tx, edits.map(survivorEdit));
  const written = edits.flatMap((edit): FacetEdit[] => {
    const survivor = survivorEdit(edit);
    const [change] = changesByWriter(survivor, members);
    const { before, after, internal } = change ?? { ...NO_FIELDS, internal: {} };
    const merge: MergeRecord = {
      into: edit.survivor,
      survivor: { before, after, internal },
      survivorDeletedAt: survivor.before.deletedAt,
      belongings: belongings.get(edit.newer) as Belongings,
      isOfJoin,
    };
    const [was, is] = edit.newerFacets;
    const hidden = { deleted_cause: was.deletedCause, cause: 'merged', merge };
    return [survivor, { before: was, after: is, more: { ...NO_FIELDS, internal: hidden } }];
  });
  await writeFacets(tx, written);
}

function survivorEdit({ newer, survivorFacets: [before, after], survivorValues: [was, is] }: MergeEdit): FacetEdit {
  const changed = differenceOf(deliveredFieldsOf(was), deliveredFieldsOf(is)) ?? NO_FIELDS;
  return { before, after, more: { ...changed, internal: { merged_from: newer } } };
}

export async function setMergedInto(
  tx: WriteTx,
  rows: readonly (readonly [id: string, survivor: string | null])[],
): Promise<void> {
  await tx.updateMany('transactions', ['merged_into_id'], rows);
}

export async function selectMergedInto(tx: ReadTx, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<{ id: string; survivor: string }>`
    select id, merged_into_id as survivor from transactions
    where merged_into_id is not null and ${tx.portable.inList(sql.ref('id'), ids)}`.execute(tx.q);
  return new Map(rows.map(({ id, survivor }) => [id, survivor]));
}

/** Survivors that neither a file nor a provider has delivered, so that their name is what somebody typed. */
async function selectUndelivered(tx: ReadTx, pairs: readonly Merging[]): Promise<ReadonlySet<string>> {
  const ids = pairs.map(({ survivor }) => survivor);
  const { rows } = await sql<{ id: string }>`select id from transactions t
    where ${tx.portable.inList(sql.ref('id'), ids)} and import_id is null
      and not exists (select 1 from transaction_origins where transaction_id = t.id)
      and not exists (select 1 from transaction_feeds where transaction_id = t.id)`.execute(tx.q);
  return new Set(rows.map(({ id }) => id));
}
