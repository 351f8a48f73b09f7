import { sql } from 'kysely';

import type { BareWriteTx, Database, ReadTx } from '../../db/unit-of-work.ts';
import { systemOrigin, write, type WriteTx } from '../../journal/write.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { membersOf, readText } from '../../providers/read-values.ts';
import { loadFacets, writeFacets, type FacetEdit, type Facets } from '../facets/index.ts';
import { providerMapping, type ProviderMapping } from './provider-mapping.ts';
import type { ProviderCategory } from './provider-slugs.ts';

/** Grows with every change of what a provider's categories map to (contract 10.10.5). */
const VERSIONS: Readonly<Record<string, number>> = { plaid: 2, teller: 2 };

/** Notes that the ledger is mapped as this version does. */
export async function rememberMapping(tx: BareWriteTx): Promise<void> {
  for (const [provider, version] of Object.entries(VERSIONS)) {
    await tx.q
      .insertInto('provider_mappings')
      .values({ provider, version, mapped_at: tx.now })
      .onConflict((conflict) => conflict.column('provider').doUpdateSet({ version, mapped_at: tx.now }))
      .execute();
  }
}

/**
 * Maps what banks delivered anew, once after each version that maps it otherwise: rows whose category nobody decided.
 * Everything is one write, so a start that ends in the middle leaves it to the next.
 */
export async function remapCategories(database: Database): Promise<void> {
  if ((await database.read(selectOutdated)).length === 0) return;
  await write(database, systemOrigin('category mapping', 'category.remap', { source: 'system' }), async (tx) => {
    const providers = await selectOutdated(tx);
    if (providers.length === 0) return;
    const mapping = await providerMapping(tx);
    let count = 0;
    for (let after: string | null = ''; after !== null;) {
      const rows: DeliveredCategory[] = await selectDelivered(tx, providers, after);
      count += await remap(tx, rows, mapping);
      after = rows.length < LIMITS.rowsAtOnce ? null : (rows.at(-1)?.id ?? null);
    }
    await rememberMapping(tx);
    tx.journal.summarise(`Mapped the banks’ categories of ${count} transaction${count === 1 ? '' : 's'} anew`);
  });
}

async function selectOutdated(tx: ReadTx): Promise<string[]> {
  const rows = await tx.q.selectFrom('provider_mappings').select(['provider', 'version']).execute();
  const known = new Map(rows.map(({ provider, version }) => [provider, version]));
  return Object.keys(VERSIONS).filter((provider) => known.get(provider) !== VERSIONS[provider]);
}

type DeliveredCategory = ProviderCategory & { id: string; raw: string | null };

async function selectDelivered(tx: ReadTx, providers: readonly string[], after: string): Promise<DeliveredCategory[]> {
  const { rows } = await sql<DeliveredCategory>`
    select t.id, f.namespace as provider, t.provider_category_primary as "primary",
      t.provider_category_detailed as detailed, t.amount_cents as "amountCents", t.account_id as "accountId",
      t.name, t.merchant_name as "merchantName",
      case when f.namespace = 'teller' and t.provider_category_detailed is null then f.raw end as raw
    from transaction_feeds f join transactions t on t.id = f.transaction_id
    where f.transaction_id > ${after} and ${tx.portable.inList(sql.ref('f.namespace'), providers)}
    order by f.transaction_id limit ${LIMITS.rowsAtOnce}`.execute(tx.q);
  return rows;
}

/** Answers how many transactions changed. */
async function remap(tx: WriteTx, rows: readonly DeliveredCategory[], mapping: ProviderMapping): Promise<number> {
  const facets = await loadFacets(
    tx,
    rows.map(({ id }) => id),
  );
  const typed: [string, string][] = [];
  const edits: FacetEdit[] = [];
  for (const { raw, ...row } of rows) {
    const before = facets.get(row.id);
    if (!before) continue;
    const type = raw === null ? null : typeOfStored(raw);
    const detailed = row.detailed ?? type;
    const after = followingProvider(before, mapping({ ...row, detailed }));
    if (type !== null) typed.push([row.id, type]);
    if (type !== null) edits.push({ before, after, more: learned(type) });
    else if (after !== before) edits.push({ before, after });
  }
  const written = await writeFacets(tx, edits);
  if (typed.length > 0) await tx.updateMany('transactions', ['provider_category_detailed'], typed);
  return written;
}

/** The facets with this category, unless somebody decided it. */
function followingProvider(facets: Facets, categoryId: string | null): Facets {
  const { categorySource: source, locks } = facets;
  if ((source !== null && source !== 'provider') || locks.has('category')) return facets;
  if (facets.categoryId === categoryId) return facets;
  return { ...facets, categoryId, categorySource: categoryId === null ? null : 'provider', categoryRuleId: null };
}

/** What an earlier version did not read from a row. */
function learned(type: string): NonNullable<FacetEdit['more']> {
  const field = 'provider_category_detailed';
  return { before: { [field]: null }, after: { [field]: type }, internal: {} };
}

/** Teller's type in a row as it was stored, which earlier versions did not read. */
function typeOfStored(raw: string): string | null {
  return readText(membersOf(JSON.parse(raw))['type']);
}
