import type { ReadTx } from '../../../db/unit-of-work.ts';
import type { AccountBatch, AccountPlan } from '../../../engines/sync/account-plan.ts';
import { planAccountRows } from '../../../engines/sync/plan-account-rows.ts';
import { datesReached, idsReached } from '../../../engines/sync/reach.ts';
import type { WriteTx } from '../../../journal/write.ts';
import type { FetchOutcome, ProviderTraits } from '../../../providers/provider.ts';
import type { StoredRow } from '../../ledger-rows/index.ts';
import { selectSeparated } from '../../suggestions/index.ts';
import type { AttachedAccount } from '../accounts/attach-accounts.ts';
import type { CollapsedDelivery } from '../fetch/collapse-delivery.ts';
import type { KeptRow } from '../fetch/delivery.ts';
import { selectAliases, selectPendingRows, selectRowsBetween, selectRowsById } from './known-rows.queries.ts';

/** One account's part of a sync: what arrived, and what to do about it. */
export interface AccountWork {
  readonly attached: AttachedAccount;
  readonly rows: readonly KeptRow[];
  readonly plan: AccountPlan;
  /** The transactions that the plan may name, by id. */
  readonly stored: ReadonlyMap<string, StoredRow>;
}

interface Planning {
  readonly traits: ProviderTraits;
  readonly outcome: FetchOutcome;
  readonly collapsed: CollapsedDelivery;
}

/** Decides which transactions the delivered rows are, on the state that the commit sees (contract 30.8). */
export async function planSync(
  tx: WriteTx,
  attached: ReadonlyMap<string, AttachedAccount>,
  planning: Planning,
): Promise<AccountWork[]> {
  const answeredFrom = answerFrom(planning);
  const batches = [...attached].map(([externalId, account]) => ({
    account,
    batch: { ...batchOf(tx.now, externalId, account, planning), answeredFrom },
  }));
  const named = await loadNamed(tx, batches);
  const separated = await selectSeparated(tx);
  const works: AccountWork[] = [];
  for (const { account, batch } of batches) {
    works.push(await planOne(tx, account, batch, named, separated));
  }
  return works;
}

type Batch = AccountBatch & { readonly rows: readonly KeptRow[] };

/** Without a list of the accounts, one that has no row may have left, and an account that left takes no history with it. */
function answerFrom({ outcome, collapsed }: Planning): string | null {
  if (outcome.state === null || !outcome.isCompleteRead) return null;
  let from: string | null = null;
  for (const rows of collapsed.rows.values()) {
    for (const { date } of rows) if (from === null || date < from) from = date;
  }
  return from;
}

function batchOf(
  now: string,
  externalAccountId: string,
  { account }: AttachedAccount,
  { traits, outcome, collapsed }: Planning,
): Omit<Batch, 'answeredFrom'> {
  const rows = collapsed.rows.get(externalAccountId) ?? [];
  const read = outcome.reads.find((one) => one.externalAccountId === externalAccountId);
  const currency = account.iso_currency_code;
  return {
    namespace: traits.name,
    externalAccountId,
    delivery: traits.delivery,
    rowIds: traits.rowIds,
    rows: rows.map((row) => (row.currency !== null || row.hasUnofficialCurrency === true ? row : { ...row, currency })),
    removedIds: collapsed.removed.flatMap((removed) =>
      (removed.externalAccountId ?? externalAccountId) === externalAccountId ? [removed.externalId] : [],
    ),
    unreadableIds: collapsed.unreadableIds,
    read: read && traits.delivery === 'window' ? { from: read.from, to: read.to } : null,
    isCompleteRead: outcome.isCompleteRead,
    relinkedAt: account.relinked_at,
    now,
  };
}

/** The transactions behind the external ids of all batches. */
interface Named {
  readonly aliases: ReadonlyMap<string, string>;
  readonly rows: ReadonlyMap<string, StoredRow>;
  /** The accounts in which this sync reports a transaction, by its id. */
  readonly reportedIn: ReadonlyMap<string, ReadonlySet<string>>;
}

async function loadNamed(tx: ReadTx, batches: readonly { account: AttachedAccount; batch: Batch }[]): Promise<Named> {
  const ids = new Set<string>();
  for (const { batch } of batches) for (const id of idsReached(batch)) ids.add(id);
  const [first] = batches;
  const aliases = first ? await selectAliases(tx, first.batch.namespace, [...ids]) : new Map<string, string>();
  const rows = await selectRowsById(tx, [...new Set(aliases.values())]);
  const reportedIn = new Map<string, ReadonlySet<string>>();
  for (const { account, batch } of batches) {
    // Nearly every transaction is reported in one account only, so they share one set.
    const here = new Set([account.account.id]);
    for (const { externalId } of batch.rows) {
      const id = externalId === null ? undefined : aliases.get(externalId);
      if (id === undefined) continue;
      const before = reportedIn.get(id);
      reportedIn.set(id, before && before !== here ? new Set([...before, ...here]) : here);
    }
  }
  return { aliases, rows: new Map(rows.map((row) => [row.id, row])), reportedIn };
}

async function planOne(
  tx: ReadTx,
  attached: AttachedAccount,
  batch: Batch,
  { aliases, rows: named, reportedIn }: Named,
  separated: ReadonlySet<string>,
): Promise<AccountWork> {
  const { id: accountId } = attached.account;
  const stored = new Map<string, StoredRow>();
  const elsewhere: StoredRow[] = [];
  for (const externalId of idsReached(batch)) {
    const row = named.get(aliases.get(externalId) ?? '');
    if (!row) continue;
    if (row.accountId === accountId) stored.set(row.id, row);
    else if (reportedIn.get(row.id)?.has(accountId)) elsewhere.push(row);
  }
  for (const row of attached.isNew ? [] : await selectPendingRows(tx, accountId)) stored.set(row.id, row);
  const leaving = new Set<string>();
  for (const [id, accounts] of reportedIn) {
    if (!accounts.has(accountId) && named.get(id)?.accountId === accountId) leaving.add(id);
  }
  const ledger = { elsewhere, leaving, aliases, separated };
  const dates = attached.isNew ? null : datesReached(batch, { ...ledger, rows: [...stored.values()] });
  if (dates !== null) for (const row of await selectRowsBetween(tx, accountId, dates)) stored.set(row.id, row);
  const plan = planAccountRows(batch, { ...ledger, rows: [...stored.values()] });
  for (const row of elsewhere) stored.set(row.id, row);
  return { attached, rows: batch.rows, plan, stored };
}
