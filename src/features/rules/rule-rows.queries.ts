import { sql, type RawBuilder } from 'kysely';

import type { ReadTx } from '../../db/unit-of-work.ts';
import type { RowPart, RuleRow } from '../../engines/rules/row.ts';
import { locksOf, metadataOf, type DeliveredRow, type Facets } from '../facets/index.ts';

/** A stored transaction as rules see it. Parts that were not read are empty. */
export interface ContextRow {
  id: string;
  row: RuleRow;
}

/** What all rows of an account have in common. */
interface AccountFacts {
  id: string;
  name: string;
  type: string;
  provider: string;
  owner_id: string | null;
}

/** What rows refer to, read once for a run. */
export interface AccountsAndMembers {
  accounts: ReadonlyMap<string, AccountFacts>;
  /** Names of household members by UUID. */
  members: ReadonlyMap<string, string>;
}

export async function loadAccountsAndMembers(tx: ReadTx): Promise<AccountsAndMembers> {
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

/** The parts of a row to read; null for all. */
export type Parts = ReadonlySet<RowPart> | null;

/** A chunk of a run over the whole ledger: live rows after an id, ordered by id. */
export async function selectContextAfter(
  tx: ReadTx,
  household: AccountsAndMembers,
  parts: Parts,
  after: string,
  limit: number,
): Promise<ContextRow[]> {
  const where = sql`t.id > ${after} and t.deleted_at is null order by t.id limit ${sql.lit(limit)}`;
  return selectContext(tx, household, parts, where);
}

/** Live rows after an id whose category a person chose, ordered by id. */
export async function selectChosenAfter(
  tx: ReadTx,
  household: AccountsAndMembers,
  parts: Parts,
  after: string,
  limit: number,
): Promise<ContextRow[]> {
  const where = sql`t.id > ${after} and t.deleted_at is null and t.category_source = 'person'
    order by t.id limit ${sql.lit(limit)}`;
  return selectContext(tx, household, parts, where);
}

/** The rows with these UUIDs, including deleted ones. */
export async function selectContextOf(
  tx: ReadTx,
  household: AccountsAndMembers,
  ids: readonly string[],
): Promise<ContextRow[]> {
  return selectContext(tx, household, null, tx.portable.inList(sql.ref('t.id'), ids));
}

/** A chunk of a preview: live rows before a date and id, newest first. */
export async function selectContextBefore(
  tx: ReadTx,
  household: AccountsAndMembers,
  parts: Parts,
  before: { date: string; id: string },
  limit: number,
): Promise<ContextRow[]> {
  const where = sql`t.deleted_at is null and (t.date, t.id) < (${before.date}, ${before.id})
    order by t.date desc, t.id desc limit ${sql.lit(limit)}`;
  return selectContext(tx, household, parts, where);
}

export async function countLiveRows(tx: ReadTx): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from transactions where deleted_at is null`.execute(tx.q);
  return rows[0]?.n ?? 0;
}

/** The columns of a row, each with the parts that come from it, in the order that `toContext` expects. */
const COLUMNS: readonly (readonly [column: string, ...parts: RowPart[]])[] = [
  ['t.account_id', 'accountId', 'accountName', 'accountType', 'provider', 'userId', 'userName'],
  ['t.amount_cents', 'amountCents'],
  ['t.iso_currency_code', 'isoCurrencyCode'],
  ['t.name', 'name'],
  ['t.merchant_name', 'merchantName'],
  ['t.pending', 'pending'],
  ['t.payment_channel', 'paymentChannel'],
  ['t.provider_category_primary', 'providerCategoryPrimary'],
  ['t.provider_category_detailed', 'providerCategoryDetailed'],
  ['t.category_id', 'categoryId'],
  ['t.category_source', 'categorySource'],
  ['t.series_id', 'seriesId'],
  ['t.counterparty_id', 'counterpartyId'],
  ['t.attributed_user_id', 'userId', 'userName'],
  ['t.flagged_at', 'flagged'],
  ['t.metadata', 'metadata'],
  ['t.locks', 'locks'],
];

/** Reads only what is asked for, because the time of a preview depends on it. All other values are null. */
async function selectContext(
  tx: ReadTx,
  household: AccountsAndMembers,
  parts: Parts,
  where: RawBuilder<unknown>,
): Promise<ContextRow[]> {
  const columns = COLUMNS.map(([column, ...of]) =>
    parts === null || of.some((part) => parts.has(part)) ? sql.raw(column) : sql`null`,
  );
  const slugs = sql`(select ${tx.portable.joinedText(sql.raw('tg.slug'))} from transaction_tags tt
    join tags tg on tg.id = tt.tag_id where tt.transaction_id = t.id)`;
  const tags = parts === null || parts.has('tags') ? slugs : sql`null`;
  const query = sql`select t.id, t.date, ${sql.join([...columns, tags])} from transactions t where ${where}`;
  return (await tx.values(query.compile(tx.q))).map((values) => toContext(household, values as Values));
}

type Text = string | null;
type Values = readonly [
  id: string,
  date: string,
  account: Text,
  amount: number | null,
  currency: Text,
  name: Text,
  merchant: Text,
  pending: number | null,
  channel: Text,
  primary: Text,
  detailed: Text,
  category: Text,
  source: Text,
  series: Text,
  counterparty: Text,
  attributed: Text,
  flagged: Text,
  metadata: Text,
  locks: Text,
  tags: Text,
];

const NO_TAGS: ReadonlySet<string> = new Set();

function toContext(household: AccountsAndMembers, values: Values): ContextRow {
  const [id, date, account, amount, currency, name, merchant, pending, channel, primary, detailed] = values;
  const one = {
    account_id: account ?? '',
    date,
    amount_cents: amount ?? 0,
    iso_currency_code: currency,
    name: name ?? '',
    merchant_name: merchant,
    pending: pending === 1 ? (1 as const) : (0 as const),
    payment_channel: channel,
    provider_category_primary: primary,
    provider_category_detailed: detailed,
    categoryId: values[11],
    categorySource: values[12] as Facets['categorySource'],
    seriesId: values[13],
    counterpartyId: values[14],
    attributedUserId: values[15],
    flaggedAt: values[16],
    metadata: metadataOf(values[17] ?? '{}'),
    locks: locksOf(values[18] ?? '[]'),
    tags: values[19] === null ? NO_TAGS : new Set(values[19].split(' ')),
  };
  return { id, row: toRuleRow(household, one, one) };
}

/** What rules see of what a bank delivered about a row, whether stored yet or not. */
export type DeliveredForRules = Omit<DeliveredRow, 'authorized_date' | 'datetime'> & { account_id: string };

/** Builds what rules see, both for stored rows and for those that an import is about to create (40.1). */
export function toRuleRow(
  household: AccountsAndMembers,
  delivered: DeliveredForRules,
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
  const account = household.accounts.get(delivered.account_id);
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
    userName: userId === null ? null : (household.members.get(userId) ?? null),
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
