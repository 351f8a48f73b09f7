import { setImmediate } from 'node:timers/promises';

import { sql } from 'kysely';

import { withLookups } from '../../db/lookups.ts';
import type { Schema } from '../../db/schema.ts';
import type { BareWriteTx } from '../../db/unit-of-work.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { forgetRunsOfGoneSyncs } from '../rules/index.ts';
import { dropAnswersAbout } from './wipe-answers.queries.ts';
import { blankChanges, blankChangeSets, blankChangesOf } from './wipe-journal.queries.ts';
import { among, transactionsOf, type Wipe } from './wipe-scope.queries.ts';
import { deleteSharedRows, strikeFromImports } from './wipe-shared-imports.queries.ts';

type Step = (tx: BareWriteTx, wipe: Wipe) => Promise<void>;

/** Nothing in the table came through a connection, or people named it themselves. */
const STAYS = null;
/** Goes together with the transactions. */
const WITH_TRANSACTIONS = null;
const BELONGINGS = [
  'comments',
  'transaction_tags',
  'transaction_aliases',
  'transaction_origins',
  'transaction_keys',
  'transaction_feeds',
] as const;

/** What a wipe does with each table, in this order. A new table does not compile until it says. */
export const WIPED_TABLES: Readonly<Record<keyof Schema, Step | null>> = {
  changes: blankChanges,
  idempotent_answers: dropAnswersAbout,
  sync_suggestions: async (tx, wipe) => {
    await deleteAmong(tx, 'sync_suggestions', 'account_id', wipe.accountIds);
    await deleteAmong(tx, 'sync_suggestions', 'connection_id', wipe.connectionIds);
  },
  transaction_matches: async (tx, wipe) => {
    await sql`delete from transaction_matches where account_link_id in (select id from account_links where
      ${among(tx, 'primary_account_id', wipe.accountIds)}
      or ${among(tx, 'dependent_account_id', wipe.accountIds)})`.execute(tx.q);
  },
  proposal_changes: async (tx, wipe) => {
    const { eraseFromProposals } = await import('../proposals/index.ts');
    await eraseFromProposals(tx, { accountIds: wipe.accountIds, transactions: transactionsOf(tx, wipe) });
  },
  transactions: deleteTransactions,
  monthly_totals: WITH_TRANSACTIONS,
  merchant_totals: WITH_TRANSACTIONS,
  comments: WITH_TRANSACTIONS,
  transaction_tags: WITH_TRANSACTIONS,
  transaction_aliases: WITH_TRANSACTIONS,
  transaction_origins: WITH_TRANSACTIONS,
  transaction_keys: async (tx, wipe) => deleteAmong(tx, 'transaction_keys', 'import_id', wipe.importIds),
  transaction_feeds: WITH_TRANSACTIONS,
  // Ids of what is gone.
  separated_pairs: async (tx, wipe) => {
    await deleteAmong(tx, 'separated_pairs', 'one_id', wipe.accountIds);
    await deleteAmong(tx, 'separated_pairs', 'other_id', wipe.accountIds);
  },
  account_links: async (tx, wipe) => {
    await deleteAmong(tx, 'account_links', 'primary_account_id', wipe.accountIds);
    await deleteAmong(tx, 'account_links', 'dependent_account_id', wipe.accountIds);
  },
  // A joined account may have gone back to a csv connection of another member.
  account_feeds: async (tx, wipe) => {
    await deleteAmong(tx, 'account_feeds', 'account_id', wipe.accountIds);
    await deleteAmong(tx, 'account_feeds', 'connection_id', wipe.connectionIds);
  },
  sync_turns: async (tx, wipe) => deleteAmong(tx, 'sync_turns', 'connection_id', wipe.connectionIds),
  after_sync_notes: async (tx, wipe) => deleteAmong(tx, 'after_sync_notes', 'connection_id', wipe.connectionIds),
  // Their bodies name banks, accounts and purchases.
  notification_deliveries: deleteDeliveries,
  sync_logs: async (tx, wipe) => deleteAmong(tx, 'sync_logs', 'connection_id', wipe.connectionIds),
  link_sessions: async (tx, wipe) => {
    await deleteAmong(tx, 'link_sessions', 'id', wipe.linkSessionIds);
    await deleteAmong(tx, 'link_sessions', 'connection_id', wipe.connectionIds);
  },
  webhook_events: async (tx, { connectionIds }) => {
    const nothing = { connection_id: null, institution_name: null, sync_log_id: null };
    const own = among(tx, 'connection_id', connectionIds);
    await tx.q.updateTable('webhook_events').set(nothing).where(own).execute();
  },
  change_sets: blankChangeSets,
  texts: deleteUnusedTexts,
  rule_effects: deleteUnusedEffects,
  rule_runs: async (tx, { importIds, sharedImportIds }) => {
    const own = among(tx, 'import_id', [...importIds, ...sharedImportIds]);
    await tx.q.updateTable('rule_runs').set({ institution_name: null }).where(own).execute();
    await forgetRunsOfGoneSyncs(tx);
  },
  import_rows: async (tx, wipe) => {
    for (const id of wipe.importIds) await deleteAmong(tx, 'import_rows', 'import_id', [id]);
    await deleteSharedRows(tx, wipe);
  },
  replaced_snapshots: async (tx, wipe) => {
    await deleteAmong(tx, 'replaced_snapshots', 'import_id', wipe.importIds);
    await deleteAmong(tx, 'replaced_snapshots', 'account_id', wipe.accountIds);
  },
  balance_snapshots: async (tx, wipe) => deleteAmong(tx, 'balance_snapshots', 'account_id', wipe.accountIds),
  account_aliases: async (tx, wipe) => deleteAmong(tx, 'account_aliases', 'account_id', wipe.accountIds),
  import_profiles: async (tx, wipe) => deleteAmong(tx, 'import_profiles', 'id', wipe.profileIds),
  import_accounts: async (tx, wipe) => {
    await deleteAmong(tx, 'import_accounts', 'import_id', wipe.importIds);
    await deleteAmong(tx, 'import_accounts', 'account_id', wipe.accountIds);
  },
  leases: async (tx, wipe) =>
    deleteAmong(
      tx,
      'leases',
      'name',
      wipe.importIds.map((id) => `import:${id}`),
    ),
  connection_alerts: async (tx, wipe) => deleteAmong(tx, 'connection_alerts', 'connection_id', wipe.connectionIds),
  imports: deleteImports,
  accounts: async (tx, wipe) => deleteAmong(tx, 'accounts', 'id', wipe.accountIds),
  connections: async (tx, wipe) => deleteAmong(tx, 'connections', 'id', wipe.connectionIds),
  users: STAYS,
  logins: STAYS,
  sessions: STAYS,
  known_browsers: STAYS,
  setup_tokens: STAYS,
  device_requests: STAYS,
  api_keys: STAYS,
  api_key_uses: STAYS,
  encryption_keys: STAYS,
  config_entries: STAYS,
  instance_secrets: STAYS,
  recovery_keys: STAYS,
  provider_settings: STAYS,
  provider_mappings: STAYS,
  notification_channels: STAYS,
  reports: STAYS,
  mcp_calls: STAYS,
  // Titles, and names of keys.
  proposals: STAYS,
  // Links of which nothing is stored yet, or no longer; they are revoked.
  pending_links: STAYS,
  webhook_counters: STAYS,
  categories: STAYS,
  tags: STAYS,
  counterparties: STAYS,
  series: STAYS,
  rules: STAYS,
  rule_hits: STAYS,
  // Counts, and ids and names of rules.
  jobs: STAYS,
  workflows: STAYS,
  workflow_schedules: STAYS,
  workflow_causes: STAYS,
  workflow_runs: STAYS,
  workflow_run_lines: STAYS,
  installations: STAYS,
  workflow_spending: STAYS,
};

/** Erases a member's data from every table, but for its accounts in rules. */
export async function wipeTables(tx: BareWriteTx, wipe: Wipe): Promise<void> {
  for (const step of Object.values(WIPED_TABLES)) await step?.(tx, wipe);
}

async function deleteAmong(
  tx: BareWriteTx,
  table: keyof Schema,
  column: string,
  values: readonly string[],
): Promise<void> {
  await sql`delete from ${sql.table(table)} where ${among(tx, column, values)}`.execute(tx.q);
}

/** A transaction that another one was merged into may be in another batch, or in another member's account. */
async function deleteTransactions(tx: BareWriteTx, wipe: Wipe): Promise<void> {
  const references = [
    ['transactions', 'merged_into_id'],
    ['transaction_matches', 'primary_transaction_id'],
    ['transaction_matches', 'dependent_transaction_id'],
  ] as const;
  await withLookups(tx, references, async () => {
    await sql`update transactions set merged_into_id = null where merged_into_id is not null
      and (${among(tx, 'account_id', wipe.accountIds)} or merged_into_id in ${transactionsOf(tx, wipe)})`.execute(tx.q);
    for await (const ids of batchesOf(tx, wipe)) {
      await blankChangesOf(tx, ids);
      for (const table of BELONGINGS) await deleteAmong(tx, table, 'transaction_id', ids);
      await deleteAmong(tx, 'transactions', 'id', ids);
    }
  });
}

/** Ids of the transactions, so few at a time that a statement keeps little to undo and others of the process get a turn. */
async function* batchesOf(tx: BareWriteTx, { accountIds }: Wipe): AsyncGenerator<string[]> {
  for (const accountId of accountIds) {
    let after = { date: '', id: '' };
    for (;;) {
      const rows = await tx.q
        .selectFrom('transactions')
        .select(['date', 'id'])
        .where('account_id', '=', accountId)
        .where(sql<boolean>`(date, id) > (${after.date}, ${after.id})`)
        .orderBy('date')
        .orderBy('id')
        .limit(LIMITS.rowsAtOnce)
        .execute();
      const last = rows.at(-1);
      if (!last) break;
      after = last;
      yield rows.map(({ id }) => id);
      await setImmediate();
    }
  }
}

/** Messages about connections, their syncs and imports; the logs of old syncs may be gone already. */
async function deleteDeliveries(tx: BareWriteTx, { connectionIds, importIds, sharedImportIds }: Wipe): Promise<void> {
  for (const id of [...connectionIds, ...importIds, ...sharedImportIds]) {
    await sql`delete from notification_deliveries where subject_id = ${id} or data like ${`%"${id}"%`}`.execute(tx.q);
  }
}

/** Also those of names that a transaction had before a sync or import changed it: nothing refers to these any more. */
async function deleteUnusedTexts(tx: BareWriteTx, { accountIds }: Wipe): Promise<void> {
  if (accountIds.length === 0) return;
  const lookups = [
    ['transactions', 'name_text_id'],
    ['transactions', 'merchant_text_id'],
  ] as const;
  await withLookups(tx, lookups, async () => {
    const { rows } = await sql<{ id: number }>`select id from texts
      where not exists (select 1 from transactions where name_text_id = texts.id)
      and not exists (select 1 from transactions where merchant_text_id = texts.id)
      and not exists (select 1 from counterparties where name_text_id = texts.id)`.execute(tx.q);
    await tx.portable.deleteTexts(
      tx,
      rows.map(({ id }) => id),
    );
  });
}

async function deleteUnusedEffects(tx: BareWriteTx, { effectIds }: Wipe): Promise<void> {
  if (effectIds.length === 0) return;
  await withLookups(tx, [['transactions', 'creation_effects_id']], async () => {
    await sql`delete from rule_effects where ${among(tx, 'id', effectIds)}
      and not exists (select 1 from transactions where creation_effects_id = rule_effects.id)`.execute(tx.q);
  });
}

async function deleteImports(tx: BareWriteTx, wipe: Wipe): Promise<void> {
  const { importIds, accountIds, connectionIds } = wipe;
  const lookups = [
    ['transactions', 'import_id'],
    ['transaction_origins', 'import_id'],
  ] as const;
  await withLookups(tx, lookups, async () => deleteAmong(tx, 'imports', 'id', importIds));
  await strikeFromImports(tx, wipe);
  for (const [column, ids] of [
    ['account_id', accountIds],
    ['connection_id', connectionIds],
  ] as const) {
    await sql`update imports set ${sql.ref(column)} = null where ${among(tx, column, ids)}`.execute(tx.q);
  }
}
