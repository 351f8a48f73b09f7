import type { Migration } from '../migrate.ts';

/** Gives the imports so far the days of their posted rows in each account. */
function daysOfRecords(part: (place: number) => string): string {
  const days = (which: 'min' | 'max'): string => `(select ${which}(${part(1)}) from import_rows r
    where r.import_id = import_accounts.import_id and ${part(0)} = import_accounts.account_id
      and r.outcome in ('added', 'updated', 'duplicate', 'deleted') and ${part(8)} = '0')`;
  return `update import_accounts set first_date = ${days('min')}, last_date = ${days('max')}`;
}

/**
 * What decides whether two rows are one (contract 36.7): the days that each import covers in each account, the keys under
 * which later files delivered a row, the balances stated beside it, and which imports list it.
 */
export const daysAndKeys: Migration = {
  version: 21,
  name: 'days and keys',
  statements: [
    `alter table import_accounts add column first_date {text}`,
    `alter table import_accounts add column last_date {text}`,
    `alter table transaction_origins add column balance_cents {money}`,
    `create table transaction_keys (
      transaction_id {text} not null references transactions(id), import_id {text} not null references imports(id),
      source_key {text} not null, content_key {text} not null, bank_id {text}, former_bank_ids {text},
      balance_cents {money},
      primary key (transaction_id, import_id)) {strict}{without_rowid}`,
    `create index import_rows_by_transaction on import_rows (transaction_id) where transaction_id is not null`,
  ],
  sqlite: [daysOfRecords((place) => `cast(json_extract(r.record, '$[${place}]') as text)`)],
  postgres: [daysOfRecords((place) => `(r.record::jsonb ->> ${place})`)],
};
