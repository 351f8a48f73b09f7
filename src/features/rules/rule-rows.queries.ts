import { sql, type RawBuilder } from 'kysely';

import type { ReadTx } from '../../db/unit-of-work.ts';
import type { RuleRow } from '../../engines/rules/row.ts';
import { toFacets, type FacetColumns, type Facets } from '../facets/index.ts';

/** A stored transaction as rules see it, with the facets that they may write. */
export interface ContextRow {
  facets: Facets;
  row: RuleRow;
}

interface Stored extends FacetColumns {
  tag_slugs: string | null;
  account_id: string;
  date: string;
  amount_cents: number;
  iso_currency_code: string | null;
  name: string;
  merchant_name: string | null;
  pending: 0 | 1;
  payment_channel: string | null;
  provider_category_primary: string | null;
  provider_category_detailed: string | null;
}

/** What is the same for all rows of an account. */
interface AccountFacts {
  id: string;
  name: string;
  type: string;
  provider: string;
  owner_id: string | null;
}

/** What the context of a run needs besides its rows, read once. */
export interface RuleWorld {
  accounts: ReadonlyMap<string, AccountFacts>;
  /** Names of household members by UUID. */
  members: ReadonlyMap<string, string>;
}

export async function loadRuleWorld(tx: ReadTx): Promise<RuleWorld> {
  const accounts = await sql<AccountFacts>`
    select a.id, coalesce(a.display_name, a.name) as name, a.type, a.provider,
      coalesce(a.owner_user_id, c.user_id) as owner_id
    from accounts a left join connections c on c.id = a.connection_id`.execute(tx.q);
  const members = await tx.q.selectFrom('users').select(['id', 'name']).execute();
  return {
    accounts: new Map(accounts.rows.map((row) => [row.id, row])),
    members: new Map(members.map(({ id, name }) => [id, name])),
  };
}

/** Live rows after an id, in the order of their ids: a chunk of a run over the whole ledger. */
export async function selectContextAfter(
  tx: ReadTx,
  world: RuleWorld,
  after: string,
  limit: number,
): Promise<ContextRow[]> {
  return selectContext(tx, world, sql`t.id > ${after} and t.deleted_at is null order by t.id limit ${sql.lit(limit)}`);
}

/** The same, of rows whose category a person chose. */
export async function selectChosenAfter(
  tx: ReadTx,
  world: RuleWorld,
  after: string,
  limit: number,
): Promise<ContextRow[]> {
  return selectContext(
    tx,
    world,
    sql`t.id > ${after} and t.deleted_at is null and t.category_source = 'person'
      order by t.id limit ${sql.lit(limit)}`,
  );
}

/** The rows with these UUIDs, deleted ones too. */
export async function selectContextOf(tx: ReadTx, world: RuleWorld, ids: readonly string[]): Promise<ContextRow[]> {
  return selectContext(tx, world, tx.portable.inList(sql.ref('t.id'), ids));
}

/** The newest live rows first: what a preview scans. */
export async function selectContextBefore(
  tx: ReadTx,
  world: RuleWorld,
  before: { date: string; id: string },
  limit: number,
): Promise<ContextRow[]> {
  return selectContext(
    tx,
    world,
    sql`t.deleted_at is null and (t.date, t.id) < (${before.date}, ${before.id})
      order by t.date desc, t.id desc limit ${sql.lit(limit)}`,
  );
}

export async function countLiveRows(tx: ReadTx): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from transactions where deleted_at is null`.execute(tx.q);
  return rows[0]?.n ?? 0;
}

async function selectContext(tx: ReadTx, world: RuleWorld, where: RawBuilder<unknown>): Promise<ContextRow[]> {
  const { rows } = await sql<Stored>`
    select t.id, t.short_id, t.category_id, t.category_source, t.category_rule_id, t.counterparty_id, t.series_id,
      t.attributed_user_id, t.attributed_by_link_id, t.flagged_at, t.metadata, t.locks, t.deleted_at, t.deleted_cause,
      t.account_id, t.date, t.amount_cents, t.iso_currency_code, t.name, t.merchant_name, t.pending, t.payment_channel,
      t.provider_category_primary, t.provider_category_detailed,
      (select ${tx.portable.joinedText(sql.raw('tg.slug'))} from transaction_tags tt join tags tg on tg.id = tt.tag_id
        where tt.transaction_id = t.id) as tag_slugs
    from transactions t where ${where}`.execute(tx.q);
  return rows.map((stored) => toContext(world, stored));
}

const NO_TAGS: ReadonlySet<string> = new Set();

function toContext(world: RuleWorld, stored: Stored): ContextRow {
  const tags = stored.tag_slugs === null ? NO_TAGS : new Set(stored.tag_slugs.split(' '));
  const facets = toFacets(stored, tags);
  return { facets, row: toRuleRow(world, stored, facets) };
}

/** What a bank delivered about a row, stored or about to be. */
export interface DeliveredValues {
  account_id: string;
  date: string;
  amount_cents: number;
  iso_currency_code: string | null;
  name: string;
  merchant_name: string | null;
  pending: 0 | 1;
  payment_channel: string | null;
  provider_category_primary: string | null;
  provider_category_detailed: string | null;
}

/** The one builder of what rules see: for stored rows and for those that an import is about to make (40.1). */
export function toRuleRow(
  world: RuleWorld,
  delivered: DeliveredValues,
  facets: Pick<
    Facets,
    | 'categoryId'
    | 'categorySource'
    | 'tags'
    | 'seriesId'
    | 'counterpartyId'
    | 'metadata'
    | 'flaggedAt'
    | 'locks'
    | 'attributedUserId'
  >,
): RuleRow {
  const account = world.accounts.get(delivered.account_id);
  const userId = facets.attributedUserId ?? account?.owner_id ?? null;
  return {
    name: delivered.name,
    merchantName: delivered.merchant_name,
    amountCents: delivered.amount_cents,
    isoCurrencyCode: delivered.iso_currency_code,
    pending: delivered.pending === 1,
    provider: account?.provider ?? null,
    paymentChannel: delivered.payment_channel,
    providerCategoryPrimary: delivered.provider_category_primary,
    providerCategoryDetailed: delivered.provider_category_detailed,
    accountId: delivered.account_id,
    accountName: account?.name ?? null,
    accountType: account?.type ?? null,
    userId,
    userName: userId === null ? null : (world.members.get(userId) ?? null),
    date: delivered.date,
    categoryId: facets.categoryId,
    categorySource: facets.categorySource,
    tags: facets.tags,
    seriesId: facets.seriesId,
    counterpartyId: facets.counterpartyId,
    metadata: facets.metadata,
    flagged: facets.flaggedAt !== null,
    locks: facets.locks,
  };
}
