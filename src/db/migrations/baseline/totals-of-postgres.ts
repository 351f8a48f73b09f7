/**
 * Keeps the totals in the statement that changes rows: once for all of its rows. A group whose last row is gone is
 * deleted where the statement has just put it; searching for it read the whole table. docs/decisions/0026.
 */
export const totalsOfPostgres: readonly string[] = [
  `create function count_transactions_after_insert() returns trigger language plpgsql as $$
    declare added bigint;
    begin
      with difference as materialized (
        select month, account_id, category_id, attributed_user_id, iso_currency_code, counterparty_id,
          text_id, sum(count) as count, sum(outgoing_count) as outgoing_count,
          sum(total_cents) as total_cents, sum(incoming_cents) as incoming_cents
        from (
        select substr(r.date, 1, 7), r.account_id, coalesce(r.category_id, ''),
          coalesce(r.attributed_user_id, ''), coalesce(r.iso_currency_code, ''),
          coalesce(r.counterparty_id, ''),
          case when r.counterparty_id is null then coalesce(r.merchant_text_id, r.name_text_id) else 0 end,
          1, 1 * (r.amount_cents > 0)::int, 1 * r.amount_cents, 1 * least(r.amount_cents, 0)
        from new_rows r where r.deleted_at is null and r.pending = 0
        ) as changed
          (month, account_id, category_id, attributed_user_id, iso_currency_code, counterparty_id,
          text_id, count, outgoing_count, total_cents, incoming_cents)
        group by month, account_id, category_id, attributed_user_id, iso_currency_code, counterparty_id,
          text_id
        having sum(count) <> 0 or sum(outgoing_count) <> 0 or sum(total_cents) <> 0 or sum(incoming_cents) <> 0
      ),
      months as (
        insert into monthly_totals as total
          (month, account_id, category_id, attributed_user_id, iso_currency_code, count, outgoing_count,
          total_cents, incoming_cents)
        select month, account_id, category_id, attributed_user_id, iso_currency_code, sum(count) as count,
          sum(outgoing_count) as outgoing_count, sum(total_cents) as total_cents,
          sum(incoming_cents) as incoming_cents
        from difference
        group by month, account_id, category_id, attributed_user_id, iso_currency_code
        having sum(count) <> 0 or sum(outgoing_count) <> 0 or sum(total_cents) <> 0 or sum(incoming_cents) <> 0
        on conflict (month, account_id, category_id, attributed_user_id, iso_currency_code)
        do update set count = total.count + excluded.count,
          outgoing_count = total.outgoing_count + excluded.outgoing_count,
          total_cents = total.total_cents + excluded.total_cents,
          incoming_cents = total.incoming_cents + excluded.incoming_cents
        returning total.count
      ),
      merchants as (
        insert into merchant_totals as total
          (month, account_id, category_id, attributed_user_id, iso_currency_code, counterparty_id,
          text_id, count, outgoing_count, total_cents, incoming_cents)
        select month, account_id, category_id, attributed_user_id, iso_currency_code, counterparty_id,
          text_id, sum(count) as count, sum(outgoing_count) as outgoing_count,
          sum(total_cents) as total_cents, sum(incoming_cents) as incoming_cents
        from difference
        group by month, account_id, category_id, attributed_user_id, iso_currency_code, counterparty_id,
          text_id
        having sum(count) <> 0 or sum(outgoing_count) <> 0 or sum(total_cents) <> 0 or sum(incoming_cents) <> 0
        on conflict (month, account_id, category_id, attributed_user_id, iso_currency_code, counterparty_id,
          text_id)
        do update set count = total.count + excluded.count,
          outgoing_count = total.outgoing_count + excluded.outgoing_count,
          total_cents = total.total_cents + excluded.total_cents,
          incoming_cents = total.incoming_cents + excluded.incoming_cents
        returning total.count
      )
      select count(*) into added from months;
      return null;
    end $$`,
  `create trigger transactions_counted_after_insert after insert on transactions
    referencing new table as new_rows
    for each statement execute function count_transactions_after_insert()`,
  `create function count_transactions_after_update() returns trigger language plpgsql as $$
    declare emptied_months tid[]; emptied_merchants tid[];
    begin
      with difference as materialized (
        select month, account_id, category_id, attributed_user_id, iso_currency_code, counterparty_id,
          text_id, sum(count) as count, sum(outgoing_count) as outgoing_count,
          sum(total_cents) as total_cents, sum(incoming_cents) as incoming_cents
        from (
        select substr(r.date, 1, 7), r.account_id, coalesce(r.category_id, ''),
          coalesce(r.attributed_user_id, ''), coalesce(r.iso_currency_code, ''),
          coalesce(r.counterparty_id, ''),
          case when r.counterparty_id is null then coalesce(r.merchant_text_id, r.name_text_id) else 0 end,
          -1, -1 * (r.amount_cents > 0)::int, -1 * r.amount_cents, -1 * least(r.amount_cents, 0)
        from old_rows r where r.deleted_at is null and r.pending = 0
        union all
        select substr(r.date, 1, 7), r.account_id, coalesce(r.category_id, ''),
          coalesce(r.attributed_user_id, ''), coalesce(r.iso_currency_code, ''),
          coalesce(r.counterparty_id, ''),
          case when r.counterparty_id is null then coalesce(r.merchant_text_id, r.name_text_id) else 0 end,
          1, 1 * (r.amount_cents > 0)::int, 1 * r.amount_cents, 1 * least(r.amount_cents, 0)
        from new_rows r where r.deleted_at is null and r.pending = 0
        ) as changed
          (month, account_id, category_id, attributed_user_id, iso_currency_code, counterparty_id,
          text_id, count, outgoing_count, total_cents, incoming_cents)
        group by month, account_id, category_id, attributed_user_id, iso_currency_code, counterparty_id,
          text_id
        having sum(count) <> 0 or sum(outgoing_count) <> 0 or sum(total_cents) <> 0 or sum(incoming_cents) <> 0
      ),
      months as (
        insert into monthly_totals as total
          (month, account_id, category_id, attributed_user_id, iso_currency_code, count, outgoing_count,
          total_cents, incoming_cents)
        select month, account_id, category_id, attributed_user_id, iso_currency_code, sum(count) as count,
          sum(outgoing_count) as outgoing_count, sum(total_cents) as total_cents,
          sum(incoming_cents) as incoming_cents
        from difference
        group by month, account_id, category_id, attributed_user_id, iso_currency_code
        having sum(count) <> 0 or sum(outgoing_count) <> 0 or sum(total_cents) <> 0 or sum(incoming_cents) <> 0
        on conflict (month, account_id, category_id, attributed_user_id, iso_currency_code)
        do update set count = total.count + excluded.count,
          outgoing_count = total.outgoing_count + excluded.outgoing_count,
          total_cents = total.total_cents + excluded.total_cents,
          incoming_cents = total.incoming_cents + excluded.incoming_cents
        returning total.count, total.ctid
      ),
      merchants as (
        insert into merchant_totals as total
          (month, account_id, category_id, attributed_user_id, iso_currency_code, counterparty_id,
          text_id, count, outgoing_count, total_cents, incoming_cents)
        select month, account_id, category_id, attributed_user_id, iso_currency_code, counterparty_id,
          text_id, sum(count) as count, sum(outgoing_count) as outgoing_count,
          sum(total_cents) as total_cents, sum(incoming_cents) as incoming_cents
        from difference
        group by month, account_id, category_id, attributed_user_id, iso_currency_code, counterparty_id,
          text_id
        having sum(count) <> 0 or sum(outgoing_count) <> 0 or sum(total_cents) <> 0 or sum(incoming_cents) <> 0
        on conflict (month, account_id, category_id, attributed_user_id, iso_currency_code, counterparty_id,
          text_id)
        do update set count = total.count + excluded.count,
          outgoing_count = total.outgoing_count + excluded.outgoing_count,
          total_cents = total.total_cents + excluded.total_cents,
          incoming_cents = total.incoming_cents + excluded.incoming_cents
        returning total.count, total.ctid
      )
      select array(select ctid from months where count = 0), array(select ctid from merchants where count = 0)
      into emptied_months, emptied_merchants;
      if cardinality(emptied_months) > 0 then
        delete from monthly_totals where ctid = any(emptied_months);
      end if;
      if cardinality(emptied_merchants) > 0 then
        delete from merchant_totals where ctid = any(emptied_merchants);
      end if;
      return null;
    end $$`,
  `create trigger transactions_counted_after_update after update on transactions
    referencing old table as old_rows new table as new_rows
    for each statement execute function count_transactions_after_update()`,
  `create function count_transactions_after_delete() returns trigger language plpgsql as $$
    declare emptied_months tid[]; emptied_merchants tid[];
    begin
      with difference as materialized (
        select month, account_id, category_id, attributed_user_id, iso_currency_code, counterparty_id,
          text_id, sum(count) as count, sum(outgoing_count) as outgoing_count,
          sum(total_cents) as total_cents, sum(incoming_cents) as incoming_cents
        from (
        select substr(r.date, 1, 7), r.account_id, coalesce(r.category_id, ''),
          coalesce(r.attributed_user_id, ''), coalesce(r.iso_currency_code, ''),
          coalesce(r.counterparty_id, ''),
          case when r.counterparty_id is null then coalesce(r.merchant_text_id, r.name_text_id) else 0 end,
          -1, -1 * (r.amount_cents > 0)::int, -1 * r.amount_cents, -1 * least(r.amount_cents, 0)
        from old_rows r where r.deleted_at is null and r.pending = 0
        ) as changed
          (month, account_id, category_id, attributed_user_id, iso_currency_code, counterparty_id,
          text_id, count, outgoing_count, total_cents, incoming_cents)
        group by month, account_id, category_id, attributed_user_id, iso_currency_code, counterparty_id,
          text_id
        having sum(count) <> 0 or sum(outgoing_count) <> 0 or sum(total_cents) <> 0 or sum(incoming_cents) <> 0
      ),
      months as (
        insert into monthly_totals as total
          (month, account_id, category_id, attributed_user_id, iso_currency_code, count, outgoing_count,
          total_cents, incoming_cents)
        select month, account_id, category_id, attributed_user_id, iso_currency_code, sum(count) as count,
          sum(outgoing_count) as outgoing_count, sum(total_cents) as total_cents,
          sum(incoming_cents) as incoming_cents
        from difference
        group by month, account_id, category_id, attributed_user_id, iso_currency_code
        having sum(count) <> 0 or sum(outgoing_count) <> 0 or sum(total_cents) <> 0 or sum(incoming_cents) <> 0
        on conflict (month, account_id, category_id, attributed_user_id, iso_currency_code)
        do update set count = total.count + excluded.count,
          outgoing_count = total.outgoing_count + excluded.outgoing_count,
          total_cents = total.total_cents + excluded.total_cents,
          incoming_cents = total.incoming_cents + excluded.incoming_cents
        returning total.count, total.ctid
      ),
      merchants as (
        insert into merchant_totals as total
          (month, account_id, category_id, attributed_user_id, iso_currency_code, counterparty_id,
          text_id, count, outgoing_count, total_cents, incoming_cents)
        select month, account_id, category_id, attributed_user_id, iso_currency_code, counterparty_id,
          text_id, sum(count) as count, sum(outgoing_count) as outgoing_count,
          sum(total_cents) as total_cents, sum(incoming_cents) as incoming_cents
        from difference
        group by month, account_id, category_id, attributed_user_id, iso_currency_code, counterparty_id,
          text_id
        having sum(count) <> 0 or sum(outgoing_count) <> 0 or sum(total_cents) <> 0 or sum(incoming_cents) <> 0
        on conflict (month, account_id, category_id, attributed_user_id, iso_currency_code, counterparty_id,
          text_id)
        do update set count = total.count + excluded.count,
          outgoing_count = total.outgoing_count + excluded.outgoing_count,
          total_cents = total.total_cents + excluded.total_cents,
          incoming_cents = total.incoming_cents + excluded.incoming_cents
        returning total.count, total.ctid
      )
      select array(select ctid from months where count = 0), array(select ctid from merchants where count = 0)
      into emptied_months, emptied_merchants;
      if cardinality(emptied_months) > 0 then
        delete from monthly_totals where ctid = any(emptied_months);
      end if;
      if cardinality(emptied_merchants) > 0 then
        delete from merchant_totals where ctid = any(emptied_merchants);
      end if;
      return null;
    end $$`,
  `create trigger transactions_counted_after_delete after delete on transactions
    referencing old table as old_rows for each statement execute function count_transactions_after_delete()`,
];
