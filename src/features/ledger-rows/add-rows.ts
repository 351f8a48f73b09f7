import type { Selectable } from 'kysely';

import type { SqlValue } from '../../db/engine.ts';
import type { TransactionsTable } from '../../db/schema.ts';
import { insertWithShortIds } from '../../db/short-ids.ts';
import { textIds } from '../../db/texts.ts';
import type { WriteTx } from '../../journal/write.ts';
import { fold } from '../../kernel/fold.ts';
import type { DeliveredColumn, DeliveredRow } from '../facets/index.ts';
import type { IngestedRow, Ingestion, RuleComment } from '../rules/index.ts';
import { findOrMakeTags } from '../tags/index.ts';

/** Columns that the database fills in for a new row, most with null. */
type LeftToDatabase =
  | 'attributed_user_id'
  | 'attributed_by_link_id'
  | 'locks'
  | 'deleted_at'
  | 'deleted_cause'
  | 'merged_into_id'
  | 'month';

/** A new row in two parts, which are not joined into one object: that would cost an import of many rows. */
interface NewRow {
  own: Omit<Selectable<TransactionsTable>, LeftToDatabase | DeliveredColumn>;
  delivered: DeliveredRow;
}

/** A row that an import or sync adds, before any rule has run on it. */
export interface RowToAdd {
  accountId: string;
  delivered: DeliveredRow;
  /** What the category of the bank or file stands for. */
  categoryId: string | null;
  /** Slugs of the tags that the file gives to the row. */
  tags: ReadonlySet<string>;
  metadata: ReadonlyMap<string, unknown>;
}

/** New rows as the rules leave them, ready to be stored. */
export interface ReadyRows {
  /** In the order of the rows; they ascend. */
  readonly ids: readonly string[];
  readonly transactions: readonly NewRow[];
  readonly tags: readonly (readonly [transactionId: string, slug: string])[];
  readonly comments: readonly (RuleComment & { transactionId: string })[];
}

/** Call it with some hundred rows at a time. While rows are stored, the next ones can be made ready. */
export interface RowAdder {
  /** Runs the rules on rows, and gives them their ids. */
  makeReady(rows: readonly RowToAdd[]): Promise<ReadyRows>;
  store(rows: ReadyRows): Promise<void>;
}

interface Adding {
  /** The rules that run on each row before it is stored. */
  ingestion: Ingestion;
  importId: string | null;
  /** As `textIdsOf` gives it, for all names of all rows. */
  textIdOf: (text: string) => number;
}

/** The one way in which imports and syncs add transactions. */
export function rowAdder(tx: WriteTx, { ingestion, importId, textIdOf }: Adding): RowAdder {
  const attachTags = tagWriter(tx);
  return {
    async makeReady(rows) {
      const ingested = rows.map((row) =>
        ingestion.onNew({
          delivered: { account_id: row.accountId, ...row.delivered },
          categoryId: row.categoryId,
          tags: row.tags,
          metadata: row.metadata,
        }),
      );
      const effectIds = await ingestion.keepEffects(effectsOf(ingested));
      const transactions: NewRow[] = [];
      const tags: [string, string][] = [];
      const comments: (RuleComment & { transactionId: string })[] = [];
      const ids = rows.map(({ accountId, delivered }, index) => {
        const id = tx.ids.uuid();
        const row = ingested[index] as IngestedRow;
        const effectsId = row.effects === null ? null : (effectIds.get(row.effects) as number);
        const own = ownValues(tx, { id, accountId, delivered, ingested: row, effectsId, importId, textIdOf });
        transactions.push({ own, delivered });
        for (const slug of row.tags) tags.push([id, slug]);
        for (const comment of row.comments) comments.push({ ...comment, transactionId: id });
        return id;
      });
      return { ids, transactions, tags, comments };
    },
    async store({ transactions, tags, comments }) {
      if (transactions.length === 0) return;
      await insertRows(tx, transactions);
      await attachTags(tags);
      await ingestion.addComments(comments);
      tx.journal.recordCreatedRows('transaction', transactions.length);
    },
  };
}

interface NewTransaction {
  id: string;
  accountId: string;
  delivered: DeliveredRow;
  /** The row as the rules leave it. */
  ingested: IngestedRow;
  effectsId: number | null;
  importId: string | null;
  textIdOf: (text: string) => number;
}

/** The short id is filled in on insert. */
function ownValues(tx: WriteTx, added: NewTransaction): NewRow['own'] {
  const { id, accountId, delivered, ingested, effectsId, importId, textIdOf } = added;
  return {
    id,
    short_id: '',
    account_id: accountId,
    name_text_id: textIdOf(delivered.name),
    merchant_text_id: delivered.merchant_name === null ? null : textIdOf(delivered.merchant_name),
    category_id: ingested.categoryId,
    category_source: ingested.categorySource,
    category_rule_id: ingested.categoryRuleId,
    counterparty_id: ingested.counterpartyId,
    series_id: ingested.seriesId,
    flagged_at: ingested.flaggedAt,
    metadata: ingested.metadata.size === 0 ? '{}' : JSON.stringify(Object.fromEntries(ingested.metadata)),
    import_id: importId,
    created_change_set_id: tx.journal.changeSetId,
    creation_effects_id: effectsId,
    created_at: tx.now,
    updated_at: tx.now,
  };
}

/** Each part is one literal, so every row has its columns in the order of the first. */
async function insertRows(tx: WriteTx, rows: readonly NewRow[]): Promise<void> {
  const { own, delivered } = rows[0] as NewRow;
  const columns = [...Object.keys(own), ...Object.keys(delivered)] as (keyof TransactionsTable)[];
  const values = rows.map((row): SqlValue[] => [...Object.values(row.own), ...Object.values(row.delivered)]);
  await insertWithShortIds(tx, 'transactions', columns, values);
}

function effectsOf(rows: readonly IngestedRow[]): Set<string> {
  const effects = new Set<string>();
  for (const row of rows) if (row.effects !== null) effects.add(row.effects);
  return effects;
}

/** Attaches tags, given by slug, to rows that have none yet. */
function tagWriter(tx: WriteTx): (pairs: readonly (readonly [string, string])[]) => Promise<void> {
  const ids = new Map<string, string>();
  return async (pairs) => {
    const unknown = new Set(pairs.map(([, slug]) => slug).filter((slug) => !ids.has(slug)));
    if (unknown.size > 0) for (const [slug, id] of await findOrMakeTags(tx, [...unknown])) ids.set(slug, id);
    const rows = pairs.map(([transactionId, slug]) => [transactionId, ids.get(slug) as string]);
    await tx.insertMany('transaction_tags', ['transaction_id', 'tag_id'], rows);
  };
}

/** Something with the two texts of a transaction that search knows. */
interface Named {
  readonly name: string;
  readonly merchantName: string | null;
}

const TEXTS_AT_ONCE = 2_000;

/**
 * The dictionary ids of all texts of the rows. Folds and looks up each distinct text once, and keeps none of the folded
 * ones: a large file has as many as rows.
 */
export async function textIdsOf(tx: WriteTx, rows: Iterable<Named>): Promise<(text: string) => number> {
  const ids = new Map<string, number>();
  const open = new Map<string, string>();
  const settle = async (): Promise<void> => {
    const found = await textIds(tx, open.values());
    for (const [text, folded] of open) ids.set(text, found.get(folded) as number);
    open.clear();
  };
  for (const { name, merchantName } of rows) {
    for (const text of merchantName === null ? [name] : [name, merchantName]) {
      if (!ids.has(text) && !open.has(text)) open.set(text, fold(text));
    }
    if (open.size >= TEXTS_AT_ONCE) await settle();
  }
  await settle();
  return (text) => ids.get(text) as number;
}
