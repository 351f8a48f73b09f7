import { sql } from 'kysely';

import { withLookups } from '../../db/lookups.ts';
import type { Schema } from '../../db/schema.ts';
import type { BareWriteTx } from '../../db/unit-of-work.ts';
import { dropAnswersAbout } from './wipe-answers.queries.ts';
import { blankChanges, blankChangeSets } from './wipe-journal.queries.ts';
import { among, transactionsOf, type Wipe } from './wipe-scope.queries.ts';
import { deleteSharedRows, strikeFromImports } from './wipe-shared-imports.queries.ts';

type Step = (tx: BareWriteTx, wipe: Wipe) => Promise<void>;

/** Nothing in the table came through a connection, or people named it themselves. */
const STAYS = null;

/** What a wipe does with each table, in this order. A new table does not compile until it says. */
export const WIPED_TABLES: Readonly<Record<keyof Schema, Step | null>> = {
  changes: blankChanges,
  idempotent_answers: dropAnswersAbout,
  comments: ofTransactions('comments'),
  transaction_tags: ofTransactions('transaction_tags'),
  transaction_aliases: ofTransactions('transaction_aliases'),
  transaction_origins: ofTransactions('transaction_origins'),
  transactions: deleteTransactions,
  change_sets: blankChangeSets,
  texts: deleteUnusedTexts,
  rule_effects: deleteUnusedEffects,
  rule_runs: async (tx, { importIds, sharedImportIds }) => {
    const own = among(tx, 'import_id', [...importIds, ...sharedImportIds]);
    await tx.q.updateTable('rule_runs').set({ institution_name: null }).where(own).execute();
  },
  import_rows: async (tx, wipe) => {
    await deleteAmong(tx, 'import_rows', 'import_id', wipe.importIds);
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
  provider_settings: STAYS,
  categories: STAYS,
  tags: STAYS,
  counterparties: STAYS,
  series: STAYS,
  rules: STAYS,
  rule_hits: STAYS,
  // Counts, and ids and names of rules.
  jobs: STAYS,
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

function ofTransactions(table: keyof Schema): Step {
  return async (tx, wipe) => {
    await sql`delete from ${sql.table(table)} where transaction_id in ${transactionsOf(tx, wipe)}`.execute(tx.q);
  };
}

async function deleteTransactions(tx: BareWriteTx, { accountIds }: Wipe): Promise<void> {
  const own = among(tx, 'account_id', accountIds);
  await withLookups(tx, [['transactions', 'merged_into_id']], async () => {
    await sql`update transactions set merged_into_id = null where merged_into_id is not null
      and not ${own} and merged_into_id in (select id from transactions where ${own})`.execute(tx.q);
    await sql`delete from transactions where ${own}`.execute(tx.q);
  });
}

async function deleteUnusedTexts(tx: BareWriteTx, { textIds }: Wipe): Promise<void> {
  if (textIds.length === 0) return;
  const lookups = [
    ['transactions', 'name_text_id'],
    ['transactions', 'merchant_text_id'],
  ] as const;
  await withLookups(tx, lookups, async () => {
    const { rows } = await sql<{ id: number }>`select id from texts where ${among(tx, 'id', textIds)}
      and not exists (select 1 from transactions where name_text_id = texts.id)
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
