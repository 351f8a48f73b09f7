import { sql } from 'kysely';

import type { BareWriteTx } from '../../db/unit-of-work.ts';
import { among, type Wipe } from './wipe-scope.queries.ts';

/** Where an account id begins in the record of a row, which is a JSON list. */
const ACCOUNT_AT = 3;
const ID_CHARS = 36;

/**
 * Removes the rows of erased accounts from imports that fed others as well, after their transactions. A join may have
 * moved a transaction since: where it is now decides, and what the row recorded only for rows without one.
 */
export async function deleteSharedRows(tx: BareWriteTx, { sharedImportIds, accountIds }: Wipe): Promise<void> {
  const account = sql`substr(record, ${sql.lit(ACCOUNT_AT)}, ${sql.lit(ID_CHARS)})`;
  await sql`delete from import_rows where ${among(tx, 'import_id', sharedImportIds)}
    and case when transaction_id is null then ${tx.portable.inList(account, accountIds)}
      else not exists (select 1 from transactions where id = import_rows.transaction_id) end`.execute(tx.q);
}

/**
 * Strikes erased accounts from what other imports keep about theirs: accounts of the same file, places, balances, what
 * they learned, which a revert would otherwise bring back, and the profile that helped to read the file.
 */
export async function strikeFromImports(tx: BareWriteTx, wipe: Wipe): Promise<void> {
  const shared = new Set(wipe.sharedImportIds);
  const found: { id: string; summary: string; detail: string }[] = [];
  const names = [...wipe.accountIds, ...wipe.profileSlugs.map((slug) => `"${slug}"`)];
  const imports = tx.q.selectFrom('imports').select(['id', 'summary', 'detail']);
  for await (const { id, summary, detail } of tx.iterate(imports.compile())) {
    if (names.some((name) => summary.includes(name) || detail.includes(name))) {
      found.push({ id, summary, detail });
    }
  }
  for (const { id, summary, detail } of found) {
    const struck = { summary: await strike(tx, wipe, summary), detail: await strike(tx, wipe, detail) };
    const set = shared.has(id) ? { summary: withoutWarnings(struck.summary), detail: struck.detail } : struck;
    await tx.q.updateTable('imports').set(set).where('id', '=', id).execute();
  }
  await strikeFromReverts(tx, wipe);
}

/** The balances that reverts of imports keep for their own revert. */
async function strikeFromReverts(tx: BareWriteTx, wipe: Wipe): Promise<void> {
  const changes = await tx.q
    .selectFrom('changes')
    .select(['change_set_id', 'sequence', 'internal'])
    .where('entity_type', '=', 'import')
    .where(among(tx, 'entity_id', wipe.sharedImportIds))
    .execute();
  for (const { change_set_id: id, sequence, internal } of changes) {
    if (internal === null) continue;
    const set = { internal: await strike(tx, wipe, internal) };
    const change = tx.q.updateTable('changes').set(set).where('change_set_id', '=', id);
    await change.where('sequence', '=', sequence).execute();
  }
}

/** Warnings are sentences, and may name any account of the file. */
function withoutWarnings(summary: string): string {
  return JSON.stringify({ ...(JSON.parse(summary) as object), warnings: [] });
}

/** JSON without the objects about what is erased: lists lose them, elsewhere they become null. */
async function strike(tx: BareWriteTx, { accountIds, profileSlugs }: Wipe, json: string): Promise<string> {
  const value = JSON.parse(json) as unknown;
  const erased = new Set([...accountIds, ...(await goneAmong(tx, transactionsIn(value)))]);
  const isErased = (one: unknown): boolean =>
    isObject(one) &&
    ([one['account_id'], one['transaction_id']].some((id) => erased.has(id as string)) ||
      (one['source'] === 'stored' && profileSlugs.includes(one['slug'] as string)));
  const kept = (one: unknown): unknown => {
    if (Array.isArray(one)) return one.filter((item) => !isErased(item)).map(kept);
    if (!isObject(one)) return one;
    return Object.fromEntries(Object.entries(one).map(([name, part]) => [name, isErased(part) ? null : kept(part)]));
  };
  return JSON.stringify(kept(value));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Every transaction that an object in the JSON names. */
function transactionsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(transactionsIn);
  if (!isObject(value)) return [];
  const { transaction_id: id } = value;
  return [...(typeof id === 'string' ? [id] : []), ...Object.values(value).flatMap(transactionsIn)];
}

async function goneAmong(tx: BareWriteTx, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<{ id: string }>`select id from transactions where ${among(tx, 'id', ids)}`.execute(tx.q);
  const live = new Set(rows.map(({ id }) => id));
  return ids.filter((id) => !live.has(id));
}
