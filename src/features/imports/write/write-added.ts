import type { SqlValue } from '../../../db/engine.ts';
import type { WriteTx } from '../../../journal/write.ts';
import { oneAfterAnother } from '../../../kernel/one-after-another.ts';
import { rowAdder, textIdsOf } from '../../ledger-rows/index.ts';
import type { Ingestion } from '../../rules/index.ts';
import { findOrMakeTags, slugOfName } from '../../tags/index.ts';
import { addedValues } from './delivered-values.ts';
import type { CreatedIds } from '../plan/describe-plan.ts';
import type { DataRow, Plan, PlannedAccount, PlannedRow } from '../plan/plan.ts';

const ROWS_AT_ONCE = 1_000;

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
  const adder = rowAdder(tx, { ingestion, importId, textIdOf: await textIdsOf(tx, added) });
  const accountIdOf = (row: DataRow): string => createdIds.accountIds.get(row.account as PlannedAccount) as string;
  const store = oneAfterAnother();
  for (let start = 0; start < added.length; start += ROWS_AT_ONCE) {
    const chunk = added.slice(start, start + ROWS_AT_ONCE);
    const makingReady = adder.makeReady(
      chunk.map((row) => ({
        accountId: accountIdOf(row),
        delivered: addedValues(row),
        categoryId: plan.categories(row.category),
        tags: adding.tagsOf(row),
        metadata: metadataOf(row.notes),
      })),
    );
    const rows = await store.unlessFailed(makingReady);
    const aliases: SqlValue[][] = [];
    for (const [index, row] of chunk.entries()) {
      const id = rows.ids[index] as string;
      (row as PlannedRow).transactionId = id;
      if (row.bankId !== null && namespace !== null) {
        aliases.push([id, namespace, row.bankId, accountIdOf(row), tx.now, tx.now]);
      }
    }
    await store.next(async () => {
      await adder.store(rows);
      await insertAliases(tx, aliases);
      adding.onChunk(start + chunk.length);
    });
  }
  await store.settled();
}

/** Adds the ids that a file gives to rows, unless they are known. */
async function insertAliases(tx: WriteTx, rows: readonly (readonly SqlValue[])[]): Promise<void> {
  if (rows.length === 0) return;
  await tx.insertMany(
    'transaction_aliases',
    ['transaction_id', 'namespace', 'external_id', 'account_id', 'first_seen_at', 'last_seen_at'],
    rows,
    'on conflict (transaction_id, namespace, external_id) do nothing',
  );
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

function namesOf({ tags }: DataRow): string[] {
  if (tags === null) return [];
  const names = tags.split(/[,;]/).map((part) => [...part.trim()].slice(0, NAME_CHARS).join(''));
  return names.filter((name) => slugOfName(name) !== '');
}
