import { sql, type Selectable } from 'kysely';

import type { ChangesTable, TransactionAliasesTable, TransactionFeedsTable } from '../../db/schema.ts';
import type { BareWriteTx, ReadTx } from '../../db/unit-of-work.ts';
import { toChange } from '../../journal/journal.queries.ts';
import type { JournaledChange } from '../../journal/undo.ts';

type Feed = Selectable<TransactionFeedsTable>;

/** A transaction and the one that takes it in. */
export interface Merging {
  readonly newer: string;
  readonly survivor: string;
}

/** What moved from a transaction to the one that took it in, as far as taking them apart needs it. */
export interface Belongings {
  /** What a provider had said of the survivor before. */
  readonly feed: Feed | null;
  /** External ids, with their namespace: those of the survivor itself, and those that it got. */
  readonly own: readonly (readonly [string, string])[];
  readonly moved: readonly (readonly [string, string])[];
  readonly hasOrigin: boolean;
  readonly comments: readonly string[];
}

/** Gives the survivors the external ids, bank data and comments of the newer ones, which keep none. */
export async function moveBelongings(
  tx: BareWriteTx,
  pairs: readonly Merging[],
): Promise<ReadonlyMap<string, Belongings>> {
  const held = await selectHeld(tx, [...new Set(pairs.flatMap(({ newer, survivor }) => [newer, survivor]))]);
  const found = new Map<string, Belongings>();
  const feeds: Feed[] = [];
  const aliases: TransactionAliasesTable[] = [];
  for (const { newer, survivor } of pairs) {
    const [theirs, own] = [held.aliases.get(newer) ?? [], held.aliases.get(survivor) ?? []];
    const accountId = held.accounts.get(survivor) as string;
    aliases.push(...theirs.map((alias) => ({ ...alias, transaction_id: survivor, account_id: accountId })));
    const feed = held.feeds.get(newer);
    if (feed) feeds.push({ ...feed, transaction_id: survivor });
    const hasOrigin = held.origins.has(newer) && !held.origins.has(survivor);
    if (hasOrigin) await moveOrigin(tx, newer, survivor);
    const comments = held.comments.get(newer) ?? [];
    await moveComments(tx, comments, survivor);
    const former = held.feeds.get(survivor) ?? null;
    found.set(newer, { feed: former, own: own.map(keyOf), moved: theirs.map(keyOf), hasOrigin, comments });
  }
  await deleteOf(tx, 'transaction_feeds', [
    ...pairs.map(({ newer }) => newer),
    ...feeds.map(({ transaction_id: id }) => id),
  ]);
  await deleteOf(
    tx,
    'transaction_aliases',
    pairs.map(({ newer }) => newer),
  );
  await insertFeeds(tx, feeds);
  await insertAliases(tx, aliases);
  return found;
}

/** A merge that is taken apart, and what moved then. */
export interface Parting extends Merging {
  readonly belongings: Belongings;
}

/**
 * Gives the newer ones back what they had, and what their provider has delivered since: a sync that came after the merge
 * knows only the survivor.
 */
export async function returnBelongings(tx: BareWriteTx, partings: readonly Parting[]): Promise<void> {
  const ids = [...new Set(partings.flatMap(({ newer, survivor }) => [newer, survivor]))];
  const held = await selectHeld(tx, ids);
  const feeds: Feed[] = [];
  const aliases: TransactionAliasesTable[] = [];
  for (const { newer, survivor, belongings } of partings) {
    const accountId = held.accounts.get(newer) as string;
    const isTheirs = belongsToNewer(belongings);
    for (const alias of held.aliases.get(survivor) ?? []) {
      aliases.push(isTheirs(alias) ? { ...alias, transaction_id: newer, account_id: accountId } : alias);
    }
    const feed = held.feeds.get(survivor);
    if (feed) feeds.push({ ...feed, transaction_id: newer });
    if (belongings.feed) feeds.push({ ...belongings.feed, transaction_id: survivor });
    if (belongings.hasOrigin) await moveOrigin(tx, survivor, newer);
    await moveComments(tx, belongings.comments, newer);
  }
  await deleteOf(tx, 'transaction_feeds', ids);
  await deleteOf(tx, 'transaction_aliases', ids);
  await insertFeeds(tx, feeds);
  await insertAliases(tx, aliases);
}

/** Ids that a provider has assigned since belong to the newer one. */
function belongsToNewer({ own, moved }: Belongings): (alias: TransactionAliasesTable) => boolean {
  const [ownKeys, movedKeys] = [new Set(own.map(textOf)), new Set(moved.map(textOf))];
  return (alias) => {
    const key = textOf(keyOf(alias));
    return !ownKeys.has(key) && (movedKeys.has(key) || alias.external_account_id !== null);
  };
}

/** The suggestions that were accepted are open again once their two transactions are apart. */
export async function openSuggestionsAgain(tx: BareWriteTx, pairs: readonly Merging[]): Promise<void> {
  await updateSuggestions(tx, pairs, { from: 'accepted', to: 'open', resolvedAt: null });
}

/** They are accepted again once the two are merged again. */
export async function closeSuggestionsAgain(tx: BareWriteTx, pairs: readonly Merging[]): Promise<void> {
  await updateSuggestions(tx, pairs, { from: 'open', to: 'accepted', resolvedAt: tx.now });
}

async function updateSuggestions(
  tx: BareWriteTx,
  pairs: readonly Merging[],
  { from, to, resolvedAt }: { from: string; to: string; resolvedAt: string | null },
): Promise<void> {
  const survivors = new Map(pairs.map(({ newer, survivor }) => [newer, survivor]));
  const rows = await tx.q
    .selectFrom('sync_suggestions')
    .select(['id', 'transaction_id', 'accepted_transaction_id'])
    .where('status', '=', from)
    .where(tx.portable.inList(sql.ref('transaction_id'), [...survivors.keys()]))
    .execute();
  const met = rows.filter((row) => survivors.get(row.transaction_id ?? '') === row.accepted_transaction_id);
  await tx.updateMany(
    'sync_suggestions',
    ['status', 'resolved_at'],
    met.map(({ id }) => [id, to, resolvedAt]),
  );
}

/** For each transaction, those that were merged into it, and when. */
export async function selectMergedIntoEach(
  tx: ReadTx,
  survivors: readonly string[],
): Promise<ReadonlyMap<string, readonly { id: string; at: string | null }[]>> {
  const { rows } = await sql<{ id: string; survivor: string; at: string | null }>`
    select id, merged_into_id as survivor, deleted_at as at from transactions
    where deleted_cause = 'merged' and ${tx.portable.inList(sql.ref('merged_into_id'), survivors)}`.execute(tx.q);
  return Map.groupBy(rows, ({ survivor }) => survivor);
}

/** The change of each of these transactions by which it was merged into another one last. */
export async function selectLastMerges(tx: ReadTx, ids: readonly string[]): Promise<JournaledChange[]> {
  const { rows } = await sql<ChangesTable>`select * from changes
    where entity_type = 'transaction' and ${tx.portable.inList(sql.ref('entity_id'), ids)}
      and internal like '%"merge":{%' order by change_set_id, sequence`.execute(tx.q);
  return [...new Map(rows.map((row) => [row.entity_id, toChange(row)])).values()];
}

interface Held {
  accounts: ReadonlyMap<string, string>;
  feeds: ReadonlyMap<string, Feed>;
  aliases: ReadonlyMap<string, TransactionAliasesTable[]>;
  origins: ReadonlySet<string>;
  comments: ReadonlyMap<string, string[]>;
}

async function selectHeld(tx: ReadTx, ids: readonly string[]): Promise<Held> {
  const among = (column: string) => tx.portable.inList(sql.ref(column), ids);
  const rows = await tx.q.selectFrom('transactions').select(['id', 'account_id']).where(among('id')).execute();
  const of = among('transaction_id');
  const feeds = await tx.q.selectFrom('transaction_feeds').selectAll().where(of).execute();
  const aliases = await tx.q.selectFrom('transaction_aliases').selectAll().where(of).execute();
  const origins = await tx.q.selectFrom('transaction_origins').select('transaction_id').where(of).execute();
  const comments = await tx.q.selectFrom('comments').select(['id', 'transaction_id']).where(of).orderBy('id').execute();
  return {
    accounts: new Map(rows.map((row) => [row.id, row.account_id])),
    feeds: new Map(feeds.map((feed) => [feed.transaction_id, feed])),
    aliases: Map.groupBy(aliases, (alias) => alias.transaction_id),
    origins: new Set(origins.map((origin) => origin.transaction_id)),
    comments: new Map(
      [...Map.groupBy(comments, (comment) => comment.transaction_id)].map(([id, own]) => [
        id,
        own.map((one) => one.id),
      ]),
    ),
  };
}

async function deleteOf(
  tx: BareWriteTx,
  table: 'transaction_feeds' | 'transaction_aliases',
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  await tx.q
    .deleteFrom(table)
    .where(tx.portable.inList(sql.ref('transaction_id'), ids))
    .execute();
}

async function insertFeeds(tx: BareWriteTx, feeds: readonly Feed[]): Promise<void> {
  const [first] = feeds;
  if (!first) return;
  const columns = Object.keys(first) as (keyof Feed)[];
  await tx.insertMany(
    'transaction_feeds',
    columns,
    feeds.map((feed) => columns.map((column) => feed[column])),
  );
}

/** Files may have used the same id for both. */
async function insertAliases(tx: BareWriteTx, aliases: readonly TransactionAliasesTable[]): Promise<void> {
  const [first] = aliases;
  if (!first) return;
  const columns = Object.keys(first) as (keyof TransactionAliasesTable)[];
  const rows = aliases.map((alias) => columns.map((column) => alias[column]));
  await tx.insertMany('transaction_aliases', columns, rows, 'on conflict do nothing');
}

async function moveOrigin(tx: BareWriteTx, from: string, to: string): Promise<void> {
  await sql`update transaction_origins set transaction_id = ${to} where transaction_id = ${from}`.execute(tx.q);
}

async function moveComments(tx: BareWriteTx, ids: readonly string[], to: string): Promise<void> {
  if (ids.length === 0) return;
  await sql`update comments set transaction_id = ${to} where ${tx.portable.inList(sql.ref('id'), ids)}`.execute(tx.q);
}

function keyOf({ namespace, external_id: id }: TransactionAliasesTable): readonly [string, string] {
  return [namespace, id];
}

function textOf([namespace, id]: readonly [string, string]): string {
  return `${namespace} ${id}`;
}
