import type { Selectable } from 'kysely';

import type { SqlValue } from '../../db/engine.ts';
import type { TransactionsTable } from '../../db/schema.ts';
import { insertWithShortIds } from '../../db/short-ids.ts';
import { textIds } from '../../db/texts.ts';
import type { BareWriteTx } from '../../db/unit-of-work.ts';
import type { WriteTx } from '../../journal/write.ts';
import { instantAfter } from '../../kernel/dates.ts';
import { fold } from '../../kernel/fold.ts';
import type { DeliveredColumn, DeliveredRow } from '../facets/index.ts';
import type { IngestedRow, Ingestion, RuleComment } from '../rules/index.ts';
import { findOrMakeTags, slugOfName } from '../tags/index.ts';
import { addedValues } from './delivered-values.ts';
import type { CreatedIds } from './describe-plan.ts';
import type { DataRow, Plan, PlannedAccount, PlannedRow } from './plan.ts';

const ROWS_AT_ONCE = 250;

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

interface Adding {
  importId: string;
  namespace: string | null;
  /** The rules that run on each row before it is stored. */
  ingestion: Ingestion;
  /** Slugs of the tags that the file gives to a row. */
  tagsOf: (row: DataRow) => ReadonlySet<string>;
  onChunk: (addedSoFar: number) => void;
}

/**
 * Writes the new transactions of a plan as the rules leave them. Ids follow the bank's order, so that rows of one day are
 * listed in it (36.8.2).
 */
export async function writeAdded(tx: WriteTx, plan: Plan, createdIds: CreatedIds, adding: Adding): Promise<void> {
  const { added } = plan;
  const { importId, namespace, ingestion } = adding;
  const textOf = await textsOf(tx, added);
  const attachTags = tagWriter(tx);
  for (let start = 0; start < added.length; start += ROWS_AT_ONCE) {
    const transactions: NewRow[] = [];
    const aliases: SqlValue[][] = [];
    const tags: [string, string][] = [];
    const comments: (RuleComment & { transactionId: string })[] = [];
    const chunk = added.slice(start, start + ROWS_AT_ONCE).map((row) => {
      const accountId = createdIds.accountIds.get(row.account as PlannedAccount) as string;
      const delivered = addedValues(row);
      const ingested = ingestion.onNew({
        delivered: { account_id: accountId, ...delivered },
        categoryId: plan.categories(row.category),
        tags: adding.tagsOf(row),
        metadata: metadataOf(row.notes),
      });
      return { row, accountId, delivered, ingested };
    });
    const effectIds = await ingestion.keepEffects(effectsOf(chunk));
    for (const { row, accountId, delivered, ingested } of chunk) {
      const id = tx.ids.uuid();
      (row as PlannedRow).transactionId = id;
      const effectsId = ingested.effects === null ? null : (effectIds.get(ingested.effects) as number);
      const own = ownValues(tx, { id, accountId, delivered, ingested, effectsId, importId, textOf });
      transactions.push({ own, delivered });
      for (const slug of ingested.tags) tags.push([id, slug]);
      for (const comment of ingested.comments) comments.push({ ...comment, transactionId: id });
      if (row.bankId !== null && namespace !== null) {
        aliases.push([id, namespace, row.bankId, accountId, tx.now, tx.now]);
      }
      aliases.push(...formerAliases(tx, row, namespace, id, accountId));
    }
    await insertRows(tx, transactions);
    await insertAliases(tx, aliases);
    await attachTags(tags);
    await ingestion.addComments(comments);
    adding.onChunk(Math.min(start + ROWS_AT_ONCE, added.length));
  }
  tx.journal.recordCreatedRows('transaction', added.length);
}

interface NewTransaction {
  id: string;
  accountId: string;
  delivered: DeliveredRow;
  /** The row as the rules leave it. */
  ingested: IngestedRow;
  effectsId: number | null;
  importId: string;
  textOf: (text: string) => number;
}

/** The short id is filled in on insert. */
function ownValues(tx: WriteTx, added: NewTransaction): NewRow['own'] {
  const { id, accountId, delivered, ingested, effectsId, importId, textOf } = added;
  return {
    id,
    short_id: '',
    account_id: accountId,
    name_text_id: textOf(delivered.name),
    merchant_text_id: delivered.merchant_name === null ? null : textOf(delivered.merchant_name),
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

function effectsOf(chunk: readonly { ingested: IngestedRow }[]): Set<string> {
  const effects = new Set<string>();
  for (const { ingested } of chunk) if (ingested.effects !== null) effects.add(ingested.effects);
  return effects;
}

/** Ids of what a row replaces are dated before its own, so that its own is the newest. */
export function formerAliases(
  tx: WriteTx,
  { formerBankIds }: DataRow,
  namespace: string | null,
  transactionId: string,
  accountId: string,
): SqlValue[][] {
  if (namespace === null) return [];
  const before = instantAfter(tx.now, -1);
  return formerBankIds.map((id) => [transactionId, namespace, id, accountId, before, before]);
}

/** Adds the ids that a file gives to rows, unless they are known. */
export async function insertAliases(tx: WriteTx, rows: readonly (readonly SqlValue[])[]): Promise<void> {
  if (rows.length === 0) return;
  await tx.insertMany(
    'transaction_aliases',
    ['transaction_id', 'namespace', 'external_id', 'account_id', 'first_seen_at', 'last_seen_at'],
    rows,
    'on conflict (transaction_id, namespace, external_id) do nothing',
  );
}

/** The dictionary ids of all texts of the rows. Folds and looks up each distinct text once. */
async function textsOf(tx: WriteTx, rows: readonly DataRow[]): Promise<(text: string) => number> {
  const folded = new Map<string, string>();
  for (const { name, merchantName } of rows) {
    if (!folded.has(name)) folded.set(name, fold(name));
    if (merchantName !== null && !folded.has(merchantName)) folded.set(merchantName, fold(merchantName));
  }
  const ids = await textIds(tx, folded.values());
  return (text) => ids.get(folded.get(text) as string) as number;
}

const NOTE_BYTES = 4_096;

const NO_METADATA: ReadonlyMap<string, unknown> = new Map();

/** The note as metadata, cut to its limit but never within a character. */
function metadataOf(note: string | null): ReadonlyMap<string, unknown> {
  if (note === null) return NO_METADATA;
  let bytes = 0;
  let kept = '';
  for (const character of note) {
    bytes += Buffer.byteLength(character);
    if (bytes > NOTE_BYTES) break;
    kept += character;
  }
  return new Map([['note', kept]]);
}

const NAME_CHARS = 200;
const NO_TAGS: ReadonlySet<string> = new Set();

/** Creates missing tags that the file gives to new rows (36.8.3). Returns a function that finds the slugs for a row. */
export async function makeTagsOf(tx: WriteTx, plan: Plan): Promise<(row: DataRow) => ReadonlySet<string>> {
  const names = new Map<string, string>();
  for (const row of plan.added) {
    for (const name of namesOf(row)) if (!names.has(slugOfName(name))) names.set(slugOfName(name), name);
  }
  if (names.size === 0) return () => NO_TAGS;
  await findOrMakeTags(tx, [...names.keys()], (slug) => names.get(slug) as string);
  return (row) => (row.tags === null ? NO_TAGS : new Set(namesOf(row).map(slugOfName)));
}

/** Attaches tags, given by slug, to rows that have none yet. */
function tagWriter(tx: WriteTx): (pairs: readonly (readonly [string, string])[]) => Promise<void> {
  const ids = new Map<string, string>();
  return async (pairs) => {
    const unknown = new Set(pairs.map(([, slug]) => slug).filter((slug) => !ids.has(slug)));
    if (unknown.size > 0) for (const [slug, id] of await findOrMakeTags(tx, [...unknown])) ids.set(slug, id);
    await insertTagPairs(
      tx,
      pairs.map(([transactionId, slug]) => [transactionId, ids.get(slug) as string]),
    );
  };
}

function namesOf({ tags }: DataRow): string[] {
  if (tags === null) return [];
  const names = tags.split(/[,;]/).map((part) => [...part.trim()].slice(0, NAME_CHARS).join(''));
  return names.filter((name) => slugOfName(name) !== '');
}

async function insertTagPairs(tx: BareWriteTx, pairs: readonly (readonly [string, string])[]): Promise<void> {
  await tx.insertMany('transaction_tags', ['transaction_id', 'tag_id'], pairs);
}
