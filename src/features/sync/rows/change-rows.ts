import { sql } from 'kysely';

import type { SqlValue } from '../../../db/engine.ts';
import type { TransactionsTable } from '../../../db/schema.ts';
import { textIds } from '../../../db/texts.ts';
import type { Return } from '../../../engines/sync/account-plan.ts';
import { differenceMadeBy } from '../../../journal/difference.ts';
import { journalOf } from '../../../journal/journal-of.ts';
import type { WriteTx } from '../../../journal/write.ts';
import { fold } from '../../../kernel/fold.ts';
import type { ProviderCategory, ProviderMapping } from '../../categories/index.ts';
import { deliveredFieldsOf, locksOf, metadataOf, type DeliveredRow } from '../../facets/index.ts';
import type { StoredRow } from '../../ledger-rows/index.ts';
import { toDeliveredRow, type ProviderValues } from './provider-values.ts';

const transactions = journalOf('transaction');

/** A known transaction that the provider has delivered again. */
export interface RowToChange {
  readonly before: StoredRow;
  /** Where the provider reports it now. */
  readonly accountId: string;
  readonly values: ProviderValues;
  readonly category: ProviderCategory;
  readonly becomes: Return;
}

type Columns = Partial<Record<keyof TransactionsTable, SqlValue>>;

/**
 * Overwrites what the provider owns of known transactions (contract 30.7.3). One that a person deleted is refreshed
 * silently and stays deleted. Answers the ids of those that changed.
 */
export async function changeRows(
  tx: WriteTx,
  edits: readonly RowToChange[],
  categories: ProviderMapping,
): Promise<Set<string>> {
  const changed = edits.flatMap((edit) => {
    const columns = changedColumns(edit, categories);
    return columns === null ? [] : [{ edit, columns }];
  });
  if (changed.length === 0) return new Set();
  const textIdOf = await idsOfTexts(tx, changed);
  const metadata = await enteredMetadata(tx, changed);
  const ids = new Set<string>();
  for (const { edit, columns } of changed) {
    const { before, becomes } = edit;
    if (typeof columns.name === 'string') columns.name_text_id = textIdOf(columns.name);
    if ('merchant_name' in columns) {
      columns.merchant_text_id = columns.merchant_name == null ? null : textIdOf(String(columns.merchant_name));
    }
    if (becomes === 'refresh') continue;
    ids.add(before.id);
    const known = metadata.get(before.id);
    if (known !== undefined) columns.metadata = withEnteredName(known, before.name);
    columns.updated_at = tx.now;
    record(tx, edit, columns, known);
  }
  tx.journal.allowUnjournaled('transaction');
  await update(tx, changed);
  await tx.journal.flushIfLarge();
  return ids;
}

/** The columns that change; null if none do. */
function changedColumns({ before, accountId, values, category, becomes }: RowToChange, categories: ProviderMapping) {
  const current = toDeliveredRow(before);
  const columns: Columns = {};
  for (const [column, value] of Object.entries(values.delivered) as [keyof DeliveredRow, SqlValue][]) {
    if (current[column] !== value) columns[column] = value;
  }
  if (before.accountId !== accountId) columns.account_id = accountId;
  const isRecategorized = 'provider_category_primary' in columns || 'provider_category_detailed' in columns;
  if (isRecategorized && followsProvider(before)) {
    const categoryId = categories(category);
    if (categoryId !== before.categoryId) columns.category_id = categoryId;
    const source = categoryId === null ? null : 'provider';
    if (source !== before.categorySource) columns.category_source = source;
  }
  if (becomes === 'revive') Object.assign(columns, { deleted_at: null, deleted_cause: null });
  const isOnlyElsewhere = before.feed !== null && before.authorizedDatetime !== values.authorizedDatetime;
  return Object.keys(columns).length > 0 || isOnlyElsewhere ? columns : null;
}

/** Whether nobody has decided the category, so that it follows the provider's (10.10.5). */
function followsProvider({ categorySource, locks }: StoredRow): boolean {
  return (categorySource === null || categorySource === 'provider') && !locksOf(locks).has('category');
}

interface Changed {
  readonly edit: RowToChange;
  readonly columns: Columns;
}

/** Records the change; what a sync writes itself cannot be reverted (10.13.3). */
function record(tx: WriteTx, { before, values }: RowToChange, columns: Columns, metadata: string | undefined): void {
  const was = {
    ...deliveredFieldsOf(toDeliveredRow(before)),
    account_id: before.accountId,
    authorized_datetime: before.authorizedDatetime,
    category_id: before.categoryId,
    category_source: before.categorySource,
    deleted_at: before.deletedAt,
  };
  const is = {
    ...deliveredFieldsOf(columns as Partial<DeliveredRow>),
    ...(before.feed === null ? {} : { authorized_datetime: values.authorizedDatetime }),
    ...picked(columns, ['account_id', 'category_id', 'category_source', 'deleted_at']),
  };
  const changed = differenceMadeBy(is, was) ?? { before: {}, after: {} };
  const named = metadata === undefined ? {} : { [`metadata.${ENTERED_NAME}`]: before.name };
  const internal =
    'category_source' in columns && !('category_id' in columns) ? { category_id: before.categoryId } : {};
  transactions.changed(
    tx,
    { id: before.id, short_id: before.shortId },
    { before: changed.before, after: { ...changed.after, ...named } },
    {
      internal: { ...internal, ...('deleted_at' in columns ? { deleted_cause: before.deletedCause } : {}) },
      revertible: false,
    },
  );
}

function picked(columns: Columns, names: readonly (keyof Columns)[]): Record<string, unknown> {
  return Object.fromEntries(names.flatMap((name) => (name in columns ? [[name, columns[name]]] : [])));
}

/** Rows that change in the same columns together, so that no index is touched for nothing. */
async function update(tx: WriteTx, changed: readonly Changed[]): Promise<void> {
  const groups = Map.groupBy(changed, ({ columns }) => Object.keys(columns).sort().join());
  for (const group of groups.values()) {
    const names = Object.keys((group[0] as Changed).columns).sort() as (keyof TransactionsTable)[];
    if (names.length === 0) continue;
    await tx.updateMany(
      'transactions',
      names,
      group.map(({ edit, columns }) => [edit.before.id, ...names.map((name) => columns[name] as SqlValue)]),
    );
  }
}

async function idsOfTexts(tx: WriteTx, changed: readonly Changed[]): Promise<(text: string) => number> {
  const texts = changed.flatMap(({ columns: { name, merchant_name: merchant } }) =>
    [name, merchant].filter((text) => typeof text === 'string'),
  );
  const ids = await textIds(tx, texts.map(fold));
  return (text) => ids.get(fold(text)) as number;
}

const ENTERED_NAME = 'entered_name';

/** The metadata of rows that were entered by hand under another name than the bank's, by id. */
async function enteredMetadata(tx: WriteTx, changed: readonly Changed[]): Promise<Map<string, string>> {
  const renamed = changed.filter(
    ({ edit: { before, becomes }, columns }) => before.isEntered && becomes !== 'refresh' && 'name' in columns,
  );
  if (renamed.length === 0) return new Map();
  const list = tx.portable.inList(
    sql.ref('id'),
    renamed.map(({ edit }) => edit.before.id),
  );
  const rows = await tx.q.selectFrom('transactions').select(['id', 'metadata']).where(list).execute();
  return new Map(rows.map(({ id, metadata }) => [id, metadata]));
}

function withEnteredName(metadata: string, name: string): string {
  return JSON.stringify(Object.fromEntries(new Map(metadataOf(metadata)).set(ENTERED_NAME, name)));
}
