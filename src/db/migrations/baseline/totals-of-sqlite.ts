/**
 * Keeps the totals in the statement that changes or deletes a row. An absent value is '' in a key, or 0 for a text.
 * Only posted, live rows count. `insertMany` adds new rows by itself: docs/decisions/0026.
 */
export const totalsOfSqlite: readonly string[] = [
  `create trigger transactions_counted_after_delete after delete on transactions
  when old.deleted_at is null and old.pending = 0 begin
    update monthly_totals set count = count - 1, outgoing_count = outgoing_count - (old.amount_cents > 0),
      total_cents = total_cents - old.amount_cents, incoming_cents = incoming_cents - min(old.amount_cents, 0)
      where old.deleted_at is null and old.pending = 0
      and month = substr(old.date, 1, 7) and account_id = old.account_id
      and category_id = coalesce(old.category_id, '')
      and attributed_user_id = coalesce(old.attributed_user_id, '')
      and iso_currency_code = coalesce(old.iso_currency_code, '');
    delete from monthly_totals where count = 0
      and month = substr(old.date, 1, 7) and account_id = old.account_id
      and category_id = coalesce(old.category_id, '')
      and attributed_user_id = coalesce(old.attributed_user_id, '')
      and iso_currency_code = coalesce(old.iso_currency_code, '');
    update merchant_totals set count = count - 1, outgoing_count = outgoing_count - (old.amount_cents > 0),
      total_cents = total_cents - old.amount_cents, incoming_cents = incoming_cents - min(old.amount_cents, 0)
      where old.deleted_at is null and old.pending = 0
      and month = substr(old.date, 1, 7) and account_id = old.account_id
      and category_id = coalesce(old.category_id, '')
      and attributed_user_id = coalesce(old.attributed_user_id, '')
      and iso_currency_code = coalesce(old.iso_currency_code, '')
      and counterparty_id = coalesce(old.counterparty_id, '')
      and text_id = case when old.counterparty_id is null then coalesce(old.merchant_text_id, old.name_text_id)
        else 0 end;
    delete from merchant_totals where count = 0
      and month = substr(old.date, 1, 7) and account_id = old.account_id
      and category_id = coalesce(old.category_id, '')
      and attributed_user_id = coalesce(old.attributed_user_id, '')
      and iso_currency_code = coalesce(old.iso_currency_code, '')
      and counterparty_id = coalesce(old.counterparty_id, '')
      and text_id = case when old.counterparty_id is null then coalesce(old.merchant_text_id, old.name_text_id)
        else 0 end;
  end`,
  `create trigger transactions_counted_after_update after update of
    date, amount_cents, account_id, category_id, attributed_user_id, iso_currency_code, counterparty_id,
    merchant_text_id, name_text_id, pending, deleted_at on transactions
  when old.date is not new.date or old.amount_cents is not new.amount_cents
    or old.account_id is not new.account_id or old.category_id is not new.category_id
    or old.attributed_user_id is not new.attributed_user_id
    or old.iso_currency_code is not new.iso_currency_code
    or old.counterparty_id is not new.counterparty_id
    or old.merchant_text_id is not new.merchant_text_id or old.name_text_id is not new.name_text_id
    or old.pending is not new.pending or old.deleted_at is not new.deleted_at begin
    update monthly_totals set count = count - 1, outgoing_count = outgoing_count - (old.amount_cents > 0),
      total_cents = total_cents - old.amount_cents, incoming_cents = incoming_cents - min(old.amount_cents, 0)
      where old.deleted_at is null and old.pending = 0
      and month = substr(old.date, 1, 7) and account_id = old.account_id
      and category_id = coalesce(old.category_id, '')
      and attributed_user_id = coalesce(old.attributed_user_id, '')
      and iso_currency_code = coalesce(old.iso_currency_code, '');
    delete from monthly_totals where count = 0
      and month = substr(old.date, 1, 7) and account_id = old.account_id
      and category_id = coalesce(old.category_id, '')
      and attributed_user_id = coalesce(old.attributed_user_id, '')
      and iso_currency_code = coalesce(old.iso_currency_code, '');
    update merchant_totals set count = count - 1, outgoing_count = outgoing_count - (old.amount_cents > 0),
      total_cents = total_cents - old.amount_cents, incoming_cents = incoming_cents - min(old.amount_cents, 0)
      where old.deleted_at is null and old.pending = 0
      and month = substr(old.date, 1, 7) and account_id = old.account_id
      and category_id = coalesce(old.category_id, '')
      and attributed_user_id = coalesce(old.attributed_user_id, '')
      and iso_currency_code = coalesce(old.iso_currency_code, '')
      and counterparty_id = coalesce(old.counterparty_id, '')
      and text_id = case when old.counterparty_id is null then coalesce(old.merchant_text_id, old.name_text_id)
        else 0 end;
    delete from merchant_totals where count = 0
      and month = substr(old.date, 1, 7) and account_id = old.account_id
      and category_id = coalesce(old.category_id, '')
      and attributed_user_id = coalesce(old.attributed_user_id, '')
      and iso_currency_code = coalesce(old.iso_currency_code, '')
      and counterparty_id = coalesce(old.counterparty_id, '')
      and text_id = case when old.counterparty_id is null then coalesce(old.merchant_text_id, old.name_text_id)
        else 0 end;
    insert into monthly_totals
      (month, account_id, category_id, attributed_user_id, iso_currency_code, count, outgoing_count,
      total_cents, incoming_cents)
      select substr(new.date, 1, 7), new.account_id, coalesce(new.category_id, ''),
      coalesce(new.attributed_user_id, ''), coalesce(new.iso_currency_code, ''), 1, new.amount_cents > 0,
      new.amount_cents, min(new.amount_cents, 0)
      where new.deleted_at is null and new.pending = 0
      on conflict (month, account_id, category_id, attributed_user_id, iso_currency_code)
      do update set count = count + 1,
        outgoing_count = outgoing_count + excluded.outgoing_count,
        total_cents = total_cents + excluded.total_cents, incoming_cents = incoming_cents + excluded.incoming_cents;
    insert into merchant_totals
      (month, account_id, category_id, attributed_user_id, iso_currency_code, counterparty_id, text_id,
      count, outgoing_count, total_cents, incoming_cents)
      select substr(new.date, 1, 7), new.account_id, coalesce(new.category_id, ''),
      coalesce(new.attributed_user_id, ''), coalesce(new.iso_currency_code, ''),
      coalesce(new.counterparty_id, ''),
      case when new.counterparty_id is null then coalesce(new.merchant_text_id, new.name_text_id) else 0 end,
      1, new.amount_cents > 0, new.amount_cents, min(new.amount_cents, 0)
      where new.deleted_at is null and new.pending = 0
      on conflict (month, account_id, category_id, attributed_user_id, iso_currency_code, counterparty_id, text_id)
      do update set count = count + 1,
        outgoing_count = outgoing_count + excluded.outgoing_count,
        total_cents = total_cents + excluded.total_cents, incoming_cents = incoming_cents + excluded.incoming_cents;
  end`,
];
