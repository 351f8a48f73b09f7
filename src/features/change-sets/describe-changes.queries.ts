import { sql } from 'kysely';

import type { EntityType } from '../../contract/entity-types.ts';
import type { ReadTx } from '../../db/unit-of-work.ts';
import { ENTITY_TABLES } from '../../journal/entities.ts';
import { formatCents } from '../../kernel/money.ts';

/** What people call the record of a change, and what they know its transaction by. */
export interface Description {
  label: string | null;
  amount: string | null;
  iso_currency_code: string | null;
  date: string | null;
}

type Fields = Readonly<Record<string, unknown>> | null;

interface Described {
  entity_type: EntityType;
  entity_id: string | null;
  transaction_id: string | null;
  before: Fields;
  after: Fields;
}

/** The column that names a record of each type; of others, their own values say more. */
const NAMES: Readonly<Partial<Record<EntityType, string>>> = {
  account: 'coalesce(display_name, name)',
  category: 'name',
  tag: 'name',
  counterparty: 'name',
  series: 'name',
  rule: 'name',
  connection: 'institution_name',
  report: 'title',
  workflow: 'name',
  notification_channel: 'name',
  import: 'file_name',
  import_profile: 'name',
  user: 'name',
  api_key: 'name',
};
/** Their names are for those who may write, like all that is known of them. */
const PRIVATE: ReadonlySet<EntityType> = new Set(['api_key', 'notification_channel']);
/** The names that a record had, for one that is gone. */
const NAMING_FIELDS = ['display_name', 'name', 'title', 'institution_name', 'file_name'] as const;
const ACCOUNTS_OF_LINK = ['dependent_account_id', 'primary_account_id'] as const;
const UNDESCRIBED: Description = { label: null, amount: null, iso_currency_code: null, date: null };

/** One description for each change, in their order, from a query for each kind of record. */
export async function describeChanges(
  tx: ReadTx,
  changes: readonly Described[],
  mayWrite: boolean,
): Promise<Description[]> {
  const transactions = await selectTransactions(tx, idsOf(changes.map(transactionOf)));
  const links = changes.filter(({ entity_type: type }) => type === 'account_link');
  const accounts = await selectNames(tx, 'account', idsOf(links.flatMap(accountsOfLink)));
  const named = new Map<string, string | null>();
  for (const [type, ofType] of Map.groupBy(changes, ({ entity_type: type }) => type)) {
    if (PRIVATE.has(type) && !mayWrite) continue;
    const ids = idsOf(ofType.map(({ entity_id: id }) => id));
    for (const [id, name] of await selectNames(tx, type, ids)) named.set(id, name);
  }
  return changes.map((change) => {
    const transaction = transactions.get(transactionOf(change) ?? '');
    if (transaction) return transaction;
    const pair = accountsOfLink(change).flatMap((id) => accounts.get(id) ?? []);
    const label = pair.length > 0 ? pair.join(' → ') : (named.get(change.entity_id ?? '') ?? formerName(change));
    return { ...UNDESCRIBED, label };
  });
}

function idsOf(ids: readonly (string | null)[]): string[] {
  return [...new Set(ids.filter((id) => id !== null))];
}

/** A match is about the transaction that counts. */
function transactionOf({ transaction_id: id, before, after }: Described): string | null {
  const primary = after?.['primary_transaction_id'] ?? before?.['primary_transaction_id'];
  return id ?? (typeof primary === 'string' ? primary : null);
}

function accountsOfLink({ entity_type: type, before, after }: Described): string[] {
  if (type !== 'account_link') return [];
  return ACCOUNTS_OF_LINK.map((field) => after?.[field] ?? before?.[field]).filter((id) => typeof id === 'string');
}

function formerName({ before, after }: Described): string | null {
  const names = NAMING_FIELDS.flatMap((field) => [after?.[field], before?.[field]]);
  return names.find((name) => typeof name === 'string') ?? null;
}

async function selectNames(tx: ReadTx, type: EntityType, ids: readonly string[]): Promise<Map<string, string | null>> {
  const name = NAMES[type];
  if (name === undefined || ids.length === 0) return new Map();
  const table = (ENTITY_TABLES as Readonly<Record<string, string>>)[type] ?? type;
  const { rows } = await sql<{ id: string; name: string | null }>`
    select id, ${sql.raw(name)} as name from ${sql.table(table)}
    where ${tx.portable.inList(sql.ref('id'), ids)}`.execute(tx.q);
  return new Map(rows.map((row) => [row.id, row.name]));
}

interface Row {
  id: string;
  label: string;
  amount_cents: number;
  iso_currency_code: string | null;
  date: string;
}

/** Named as lists name them: by the counterparty, else the merchant, else the bank's text. */
async function selectTransactions(tx: ReadTx, ids: readonly string[]): Promise<Map<string, Description>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<Row>`
    select t.id, coalesce(c.name, t.merchant_name, t.name) as label, t.amount_cents, t.iso_currency_code, t.date
    from transactions t left join counterparties c on c.id = t.counterparty_id
    where ${tx.portable.inList(sql.ref('t.id'), ids)}`.execute(tx.q);
  return new Map(rows.map(({ id, amount_cents: cents, ...row }) => [id, { ...row, amount: formatCents(cents) }]));
}
