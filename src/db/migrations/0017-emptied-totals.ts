import type { Migration } from '../migrate.ts';
import { addedTo, difference, OF_MERCHANTS, OF_MONTHS, type Sources } from './0014-totals.ts';

/** A group whose last row is gone is deleted where the statement has just put it: searching for it read the whole table. */
function counting(event: 'update' | 'delete', sources: Sources): string {
  return `create or replace function count_transactions_after_${event}() returns trigger language plpgsql as $$
    declare emptied_months tid[]; emptied_merchants tid[];
    begin
      with difference as materialized (${difference(sources)}),
      months as (${addedTo('monthly_totals', OF_MONTHS)}, total.ctid),
      merchants as (${addedTo('merchant_totals', OF_MERCHANTS)}, total.ctid)
      select array(select ctid from months where count = 0), array(select ctid from merchants where count = 0)
      into emptied_months, emptied_merchants;
      if cardinality(emptied_months) > 0 then
        delete from monthly_totals where ctid = any(emptied_months);
      end if;
      if cardinality(emptied_merchants) > 0 then
        delete from merchant_totals where ctid = any(emptied_merchants);
      end if;
      return null;
    end $$`;
}

/** PostgreSQL: bulk changes and runs of rules no longer read every total once for each statement. */
export const emptiedTotals: Migration = {
  version: 17,
  name: 'emptied totals',
  statements: [],
  postgres: [
    counting('update', [
      ['old_rows', -1],
      ['new_rows', 1],
    ]),
    counting('delete', [['old_rows', -1]]),
  ],
};
