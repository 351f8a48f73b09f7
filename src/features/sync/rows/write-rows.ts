import { returnOf, type RowDecision } from '../../../engines/sync/account-plan.ts';
import type { WriteTx } from '../../../journal/write.ts';
import { oneAfterAnother } from '../../../kernel/one-after-another.ts';
import type { ProviderCategory, ProviderMapping } from '../../categories/index.ts';
import { rowAdder, textIdsOf, type StoredRow } from '../../ledger-rows/index.ts';
import type { Ingestion } from '../../rules/index.ts';
import type { Delivery, KeptRow } from '../fetch/delivery.ts';
import type { SyncTally } from '../logs/sync-tally.ts';
import { changeRows, type RowToChange } from './change-rows.ts';
import { putAliases, putFeeds, stampRemoved, type FeedRow } from './known-rows.queries.ts';
import type { AccountWork } from './plan-sync.ts';
import { valuesOf } from './provider-values.ts';
import { withdrawRows } from './withdraw-rows.ts';

const ROWS_AT_ONCE = 250;
const NO_TAGS: ReadonlySet<string> = new Set();
const NO_METADATA: ReadonlyMap<string, unknown> = new Map();

interface Writing {
  readonly namespace: string;
  /** Without lasting ids, an id is only a hint: another transaction may have it tomorrow. */
  readonly hasRowIds: boolean;
  readonly syncLogId: string;
  readonly delivery: Delivery;
  readonly ingestion: Ingestion;
  readonly categories: ProviderMapping;
  readonly tally: SyncTally;
  readonly onChunk: () => void;
}

/** A transaction that one or more rows are about. */
interface Subject {
  /** That of the account which has the last word. */
  work: AccountWork;
  /** null: a new transaction. */
  readonly known: StoredRow | null;
  /** The row that has the last word. */
  winner: KeptRow;
  /** No row has: all of them are about a version that was replaced (30.8.4), so only their ids are kept. */
  isOutdated: boolean;
  /** All rows about it, whose ids it has. */
  readonly rows: KeptRow[];
  transactionId: string;
}

/** The transaction of each row, by account and index of the row. */
export type TransactionOf = (work: AccountWork, row: number) => string;

/** Writes what the plans say about transactions. Returns what became of each row. */
export async function writeRows(tx: WriteTx, works: readonly AccountWork[], writing: Writing): Promise<TransactionOf> {
  const byKnown = new Map<string, Subject>();
  const subjects = new Map<AccountWork, Subject[]>(works.map((work) => [work, subjectsOf(work, byKnown)]));
  const all = [...subjects.values()].flat();
  const distinct = [...new Set(all)];
  await add(
    tx,
    distinct.filter(({ known }) => known === null),
    writing,
  );
  const changedIds = await change(
    tx,
    distinct.filter(({ known }) => known !== null),
    writing,
  );
  for (const { attached, plan } of works) {
    writing.tally.of(attached).removed += await withdrawRows(tx, plan.removed as readonly StoredRow[]);
    await stampRemoved(tx, plan.withdrawnIds);
  }
  await writing.ingestion.onChanged(changedIds);
  return (work, row) => ((subjects.get(work) as Subject[])[row] as Subject).transactionId;
}

/** The subject of each row of an account, by index. `byKnown`: those of all accounts, because two may report one. */
function subjectsOf(work: AccountWork, byKnown: Map<string, Subject>): Subject[] {
  const { rows, plan, stored } = work;
  const found: Subject[] = [];
  const decisions = [...plan.decisions].sort((one, other) => depth(one) - depth(other) || one.row - other.row);
  for (const decision of decisions) {
    const row = rows[decision.row] as KeptRow;
    const known = decision.known === null ? null : (stored.get(decision.known.id) as StoredRow);
    const same = known === null ? found[decision.sameAs ?? -1] : byKnown.get(known.id);
    const subject = same ?? { work, known, winner: row, isOutdated: true, rows: [], transactionId: known?.id ?? '' };
    subject.rows.push(row);
    if (!decision.isSuperseded && isLastWord(subject, work)) {
      Object.assign(subject, { work, winner: row, isOutdated: false });
    }
    if (known !== null) byKnown.set(known.id, subject);
    found[decision.row] = subject;
  }
  return found;
}

/** Between two accounts, the one that reports the transaction under its present id has the last word. */
function isLastWord({ work: other, known, winner, isOutdated }: Subject, work: AccountWork): boolean {
  return isOutdated || other === work || winner.externalId !== known?.feed?.externalId;
}

/** Rows that are the same as another one come after it. */
function depth({ sameAs }: RowDecision): number {
  return sameAs === null ? 0 : 1;
}

/** Adds new transactions in the order of their dates, so that the older has the smaller id. */
async function add(tx: WriteTx, subjects: readonly Subject[], writing: Writing): Promise<void> {
  const { namespace, ingestion, categories, tally } = writing;
  if (subjects.length === 0) return;
  const sorted = [...subjects].sort((one, other) => compare(one.winner.date, other.winner.date));
  const textIdOf = await textIdsOf(
    tx,
    sorted.map(({ winner }) => winner),
  );
  const adder = rowAdder(tx, { ingestion, importId: null, textIdOf });
  const store = oneAfterAnother();
  for (let start = 0; start < sorted.length; start += ROWS_AT_ONCE) {
    const chunk = sorted.slice(start, start + ROWS_AT_ONCE);
    const makingReady = adder.makeReady(
      chunk.map(({ work, winner }) => ({
        accountId: work.attached.account.id,
        delivered: valuesOf(winner, null).delivered,
        categoryId: categories(categoryOf(namespace, work, winner)),
        tags: NO_TAGS,
        metadata: NO_METADATA,
      })),
    );
    const ready = await store.unlessFailed(makingReady);
    for (const [index, subject] of chunk.entries()) {
      subject.transactionId = ready.ids[index] as string;
      const counts = tally.of(subject.work.attached);
      counts.added += 1;
      counts.unchanged += subject.rows.length - 1;
    }
    await store.next(async () => {
      await adder.store(ready);
      await keepIds(tx, chunk, writing);
      writing.onChunk();
    });
  }
  await store.settled();
}

/** Refreshes known transactions. Answers the ids of those that count as changed for the rules. */
async function change(tx: WriteTx, subjects: readonly Subject[], writing: Writing): Promise<string[]> {
  const changedIds: string[] = [];
  for (let start = 0; start < subjects.length; start += ROWS_AT_ONCE) {
    const chunk = subjects.slice(start, start + ROWS_AT_ONCE);
    const edits = chunk.filter(({ isOutdated }) => !isOutdated).map((subject) => editOf(subject, writing));
    const changed = await changeRows(tx, edits, writing.categories);
    for (const { work, known, rows } of chunk) {
      const counts = writing.tally.of(work.attached);
      const isChanged = changed.has((known as StoredRow).id);
      counts.modified += isChanged ? 1 : 0;
      counts.unchanged += rows.length - (isChanged ? 1 : 0);
    }
    changedIds.push(...changed);
    await keepIds(tx, chunk, writing);
    writing.onChunk();
  }
  return changedIds;
}

function editOf({ work, known, winner }: Subject, { namespace }: Writing): RowToChange {
  const before = known as StoredRow;
  return {
    before,
    accountId: work.attached.account.id,
    values: valuesOf(winner, before.currency),
    category: categoryOf(namespace, work, winner),
    becomes: returnOf(before),
  };
}

function categoryOf(provider: string, { attached }: AccountWork, row: KeptRow): ProviderCategory {
  const { categoryPrimary: primary, categoryDetailed: detailed, amountCents, name, merchantName } = row;
  return { provider, primary, detailed, amountCents, accountId: attached.account.id, name, merchantName };
}

/** Stores the ids of the rows, and the provider's side of each transaction. */
async function keepIds(tx: WriteTx, subjects: readonly Subject[], writing: Writing): Promise<void> {
  const { namespace, delivery, syncLogId } = writing;
  const aliases: string[][] = [];
  const feeds: FeedRow[] = [];
  for (const { work, known, winner, isOutdated, rows, transactionId } of subjects) {
    const { account, feed } = work.attached;
    for (const { externalId } of rows) {
      if (externalId === null || !writing.hasRowIds) continue;
      aliases.push([transactionId, namespace, externalId, account.id, feed.external_account_id, tx.now, tx.now]);
    }
    if (isOutdated) continue;
    const wasPending =
      rows.some(({ pending }) => pending) || known?.pending === true || known?.feed?.wasPending === true;
    feeds.push([
      transactionId,
      namespace,
      winner.externalId,
      feed.external_account_id,
      winner.pendingExternalId,
      winner.authorizedDatetime,
      winner.categoryConfidence,
      null,
      wasPending ? 1 : 0,
      winner.pending ? null : tx.now,
      syncLogId,
      delivery.rawOf(winner),
    ]);
  }
  await putAliases(tx, aliases);
  await putFeeds(tx, feeds);
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
