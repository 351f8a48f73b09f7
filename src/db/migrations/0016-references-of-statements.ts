import type { Migration } from '../migrate.ts';

/** The references of tables that are written thousands of rows at a time: per column, the table whose ids it has. */
const REFERENCES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  transactions: {
    account_id: 'accounts',
    name_text_id: 'texts',
    merchant_text_id: 'texts',
    counterparty_id: 'counterparties',
    category_id: 'categories',
    series_id: 'series',
    attributed_user_id: 'users',
    import_id: 'imports',
    merged_into_id: 'transactions',
    creation_effects_id: 'rule_effects',
  },
  transaction_tags: { transaction_id: 'transactions', tag_id: 'tags' },
  transaction_aliases: { transaction_id: 'transactions', account_id: 'accounts' },
  transaction_origins: { transaction_id: 'transactions', import_id: 'imports' },
  transaction_feeds: { transaction_id: 'transactions' },
  transaction_matches: {
    account_link_id: 'account_links',
    primary_transaction_id: 'transactions',
    dependent_transaction_id: 'transactions',
  },
  import_rows: { import_id: 'imports' },
  changes: { change_set_id: 'change_sets' },
};

function raised(message: string): string {
  return `raise foreign_key_violation using message = '${message}', table = tg_table_name;`;
}

/** Each reference is looked up by the index of ids, whatever was known of the tables when the function was planned. */
function checkOfWritten(table: string, columns: Readonly<Record<string, string>>): string[] {
  const missing = Object.entries(columns).map(
    ([column, parent]) => `(r.${column} is not null and (select 1 from ${parent} p where p.id = r.${column}) is null)`,
  );
  const name = `check_references_of_${table}`;
  const trigger = (event: 'insert' | 'update'): string =>
    `create trigger ${table}_refer_after_${event} after ${event} on ${table}
      referencing new table as new_rows for each statement execute function ${name}()`;
  return [
    ...Object.keys(columns).map((column) => `alter table ${table} drop constraint ${table}_${column}_fkey`),
    `create function ${name}() returns trigger language plpgsql set enable_seqscan = off as $$
    begin
      if exists (select from new_rows r where ${missing.join(' or ')}) then
        ${raised(`A row of ${table} refers to a row that does not exist.`)}
      end if;
      return null;
    end $$`,
    trigger('insert'),
    trigger('update'),
  ];
}

function checkOfDeleted(parent: string): string[] {
  const referring = Object.entries(REFERENCES).flatMap(([table, columns]) =>
    Object.keys(columns)
      .filter((column) => columns[column] === parent)
      .map((column) => `exists (select from old_rows o join ${table} r on r.${column} = o.id)`),
  );
  const name = `check_references_to_${parent}`;
  return [
    `create function ${name}() returns trigger language plpgsql as $$
    begin
      if ${referring.join(' or ')} then
        ${raised(`A row of ${parent} cannot be deleted while another row refers to it.`)}
      end if;
      return null;
    end $$`,
    `create trigger ${parent}_referred_after_delete after delete on ${parent}
      referencing old table as old_rows for each statement execute function ${name}()`,
  ];
}

const PARENTS = new Set(Object.values(REFERENCES).flatMap((columns) => Object.values(columns)));

/**
 * PostgreSQL checks a foreign key with a query for each row, which took more than a third of an import. Here each
 * statement checks its rows at once. Writers are serialised, so no row vanishes in between: docs/decisions/0029.
 */
export const referencesOfStatements: Migration = {
  version: 16,
  name: 'references of statements',
  statements: [],
  postgres: [
    ...Object.entries(REFERENCES).flatMap(([table, columns]) => checkOfWritten(table, columns)),
    ...[...PARENTS].flatMap(checkOfDeleted),
  ],
};
