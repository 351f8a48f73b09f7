import type { SqlValue } from '../../db/engine.ts';
import { insertWithShortIds } from '../../db/short-ids.ts';
import { textIds } from '../../db/texts.ts';
import type { BareWriteTx } from '../../db/unit-of-work.ts';
import type { WriteTx } from '../../journal/write.ts';
import { instantAfter } from '../../kernel/dates.ts';
import { fold } from '../../kernel/fold.ts';
import type { IngestedRow, Ingestion, RowToIngest, RuleComment } from '../rules/index.ts';
import { findOrMakeTags, slugOfName } from '../tags/index.ts';
import type { CreatedIds } from './describe-plan.ts';
import type { DataRow, Plan, PlannedAccount, PlannedRow } from './plan.ts';

const ROWS_AT_ONCE = 250;
const CHANNEL = 'other';

const COLUMNS = [
  'id',
  'short_id',
  'account_id',
  'date',
  'authorized_date',
  'datetime',
  'amount_cents',
  'iso_currency_code',
  'name',
  'merchant_name',
  'name_text_id',
  'merchant_text_id',
  'category_id',
  'category_source',
  'category_rule_id',
  'counterparty_id',
  'series_id',
  'flagged_at',
  'provider_category_primary',
  'payment_channel',
  'pending',
  'metadata',
  'import_id',
  'created_change_set_id',
  'creation_effects_id',
  'created_at',
  'updated_at',
] as const;

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
    const transactions: SqlValue[][] = [];
    const aliases: SqlValue[][] = [];
    const tags: [string, string][] = [];
    const comments: (RuleComment & { transactionId: string })[] = [];
    const chunk = added.slice(start, start + ROWS_AT_ONCE).map((row) => {
      const accountId = createdIds.accountIds.get(row.account as PlannedAccount) as string;
      return { row, accountId, ingested: ingestion.onNew(rowToIngest(row, accountId, plan, adding)) };
    });
    const effectIds = await ingestion.keepEffects(effectsOf(chunk));
    for (const { row, accountId, ingested } of chunk) {
      const id = tx.ids.uuid();
      (row as PlannedRow).transactionId = id;
      const effectsId = ingested.effects === null ? null : (effectIds.get(ingested.effects) as number);
      transactions.push(valuesOf(tx, row, { id, accountId, ingested, effectsId, importId, textOf }));
      for (const slug of ingested.tags) tags.push([id, slug]);
      for (const comment of ingested.comments) comments.push({ ...comment, transactionId: id });
      if (row.bankId !== null && namespace !== null) {
        aliases.push([id, namespace, row.bankId, accountId, tx.now, tx.now]);
      }
      aliases.push(...formerAliases(tx, row, namespace, id, accountId));
    }
    await insertWithShortIds(tx, 'transactions', COLUMNS, transactions);
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
  /** The row as the rules leave it. */
  ingested: IngestedRow;
  effectsId: number | null;
  importId: string;
  textOf: (text: string) => number;
}

/** In the order of `COLUMNS`; the short id is filled in on insert. */
function valuesOf(tx: WriteTx, row: DataRow, added: NewTransaction): SqlValue[] {
  const { id, accountId, ingested, effectsId, importId, textOf } = added;
  return [
    id,
    null,
    accountId,
    row.date,
    row.authorizedDate,
    row.datetime,
    row.amountCents,
    row.currency,
    row.name,
    row.merchantName,
    textOf(row.name),
    row.merchantName === null ? null : textOf(row.merchantName),
    ingested.categoryId,
    ingested.categorySource,
    ingested.categoryRuleId,
    ingested.counterpartyId,
    ingested.seriesId,
    ingested.flaggedAt,
    row.category,
    CHANNEL,
    row.pending ? 1 : 0,
    ingested.metadata.size === 0 ? '{}' : JSON.stringify(Object.fromEntries(ingested.metadata)),
    importId,
    tx.journal.changeSetId,
    effectsId,
    tx.now,
    tx.now,
  ];
}

function effectsOf(chunk: readonly { ingested: IngestedRow }[]): Set<string> {
  const effects = new Set<string>();
  for (const { ingested } of chunk) if (ingested.effects !== null) effects.add(ingested.effects);
  return effects;
}

function rowToIngest(row: DataRow, accountId: string, plan: Plan, { tagsOf }: Adding): RowToIngest {
  return {
    delivered: {
      account_id: accountId,
      date: row.date,
      amount_cents: row.amountCents,
      iso_currency_code: row.currency,
      name: row.name,
      merchant_name: row.merchantName,
      pending: row.pending ? 1 : 0,
      payment_channel: CHANNEL,
      provider_category_primary: row.category,
      provider_category_detailed: null,
    },
    categoryId: plan.categories(row.category),
    tags: tagsOf(row),
    metadata: metadataOf(row.notes),
  };
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
