-- GET /api/v1/transactions {"fields":"amount,pending,category,tags,metadata"}, small ledger

with page as materialized (select t.id, t.date
    from transactions t
    where 1 = 1
    and t.deleted_at is null
    order by t.date desc, t.id desc
    limit 51) select t.id, t.date, json_object('id', t.id, 'short_id', t.short_id, 'amount', printf('%s%d.%02d', case when t.amount_cents < 0 then '-' else '' end, abs(t.amount_cents) / 100, abs(t.amount_cents) % 100), 'pending', json(case when t.pending then 'true' else 'false' end), 'category', json(case when cat.id is not null then json_object('id', cat.id, 'short_id', cat.short_id, 'slug', cat.slug, 'name', cat.name, 'parent_id', cat.parent_id, 'kind', cat.kind) end), 'category_id', t.category_id, 'category_source', t.category_source, 'provider_category_primary', t.provider_category_primary, 'provider_category_detailed', t.provider_category_detailed, 'tags', (select json_group_array(value)
      from (select tg.slug as value
        from transaction_tags tt
        join tags tg on tg.id = tt.tag_id
        where tt.transaction_id = t.id
        order by tg.slug)), 'metadata', json(t.metadata)) as json
  from page
  cross join transactions t on t.id = page.id
  join accounts a on a.id = t.account_id
  left join connections c on c.id = a.connection_id
  left join categories cat on cat.id = t.category_id
  left join counterparties cp on cp.id = t.counterparty_id
  left join users au on au.id = t.attributed_user_id
  left join users ou on ou.id = coalesce(t.attributed_user_id, a.owner_user_id, c.user_id)
  order by t.date desc, t.id desc;

-- GET /api/v1/transactions {"order":"asc","date_from":"2025-01-14"}, small ledger

with page as materialized (select t.id, t.date
    from transactions t
    where 1 = 1
    and t.deleted_at is null
    and t.date >= ?
    order by t.date asc, t.id asc
    limit 51) select t.id, t.date, json_object('id', t.id, 'short_id', t.short_id) as json
  from page
  cross join transactions t on t.id = page.id
  join accounts a on a.id = t.account_id
  left join connections c on c.id = a.connection_id
  left join categories cat on cat.id = t.category_id
  left join counterparties cp on cp.id = t.counterparty_id
  left join users au on au.id = t.attributed_user_id
  left join users ou on ou.id = coalesce(t.attributed_user_id, a.owner_user_id, c.user_id)
  order by t.date asc, t.id asc;

-- GET /api/v1/transactions {"account_id":"ID"}, small ledger

with page as materialized (select t.id, t.date
    from transactions t
    where "t"."account_id" = ?
    and t.deleted_at is null
    order by t.date desc, t.id desc
    limit 51) select t.id, t.date, json_object('id', t.id, 'short_id', t.short_id) as json
  from page
  cross join transactions t on t.id = page.id
  join accounts a on a.id = t.account_id
  left join connections c on c.id = a.connection_id
  left join categories cat on cat.id = t.category_id
  left join counterparties cp on cp.id = t.counterparty_id
  left join users au on au.id = t.attributed_user_id
  left join users ou on ou.id = coalesce(t.attributed_user_id, a.owner_user_id, c.user_id)
  order by t.date desc, t.id desc;

-- GET /api/v1/transactions {"account_id":["ID","ID"]}, small ledger

with page as materialized (select t.id, t.date
    from (select *
      from (select t.id, t.date
        from transactions t
        where "t"."account_id" = ?
        and t.deleted_at is null
        order by t.date desc, t.id desc
        limit 51) as part
      union all select *
      from (select t.id, t.date
        from transactions t
        where "t"."account_id" = ?
        and t.deleted_at is null
        order by t.date desc, t.id desc
        limit 51) as part) as t
    order by t.date desc, t.id desc
    limit 51) select t.id, t.date, json_object('id', t.id, 'short_id', t.short_id) as json
  from page
  cross join transactions t on t.id = page.id
  join accounts a on a.id = t.account_id
  left join connections c on c.id = a.connection_id
  left join categories cat on cat.id = t.category_id
  left join counterparties cp on cp.id = t.counterparty_id
  left join users au on au.id = t.attributed_user_id
  left join users ou on ou.id = coalesce(t.attributed_user_id, a.owner_user_id, c.user_id)
  order by t.date desc, t.id desc;

-- GET /api/v1/transactions {"category_slug":"food_and_drink"}, small ledger

with page as materialized (select t.id, t.date
    from (select *
      from (select t.id, t.date
        from transactions t
        where "t"."category_id" = ?
        and t.deleted_at is null
        order by t.date desc, t.id desc
        limit 51) as part
      union all select *
      from (select t.id, t.date
        from transactions t
        where "t"."category_id" = ?
        and t.deleted_at is null
        order by t.date desc, t.id desc
        limit 51) as part
      union all select *
      from (select t.id, t.date
        from transactions t
        where "t"."category_id" = ?
        and t.deleted_at is null
        order by t.date desc, t.id desc
        limit 51) as part
      union all select *
      from (select t.id, t.date
        from transactions t
        where "t"."category_id" = ?
        and t.deleted_at is null
        order by t.date desc, t.id desc
        limit 51) as part
      union all select *
      from (select t.id, t.date
        from transactions t
        where "t"."category_id" = ?
        and t.deleted_at is null
        order by t.date desc, t.id desc
        limit 51) as part
      union all select *
      from (select t.id, t.date
        from transactions t
        where "t"."category_id" = ?
        and t.deleted_at is null
        order by t.date desc, t.id desc
        limit 51) as part
      union all select *
      from (select t.id, t.date
        from transactions t
        where "t"."category_id" = ?
        and t.deleted_at is null
        order by t.date desc, t.id desc
        limit 51) as part
      union all select *
      from (select t.id, t.date
        from transactions t
        where "t"."category_id" = ?
        and t.deleted_at is null
        order by t.date desc, t.id desc
        limit 51) as part
      union all select *
      from (select t.id, t.date
        from transactions t
        where "t"."category_id" = ?
        and t.deleted_at is null
        order by t.date desc, t.id desc
        limit 51) as part) as t
    order by t.date desc, t.id desc
    limit 51) select t.id, t.date, json_object('id', t.id, 'short_id', t.short_id) as json
  from page
  cross join transactions t on t.id = page.id
  join accounts a on a.id = t.account_id
  left join connections c on c.id = a.connection_id
  left join categories cat on cat.id = t.category_id
  left join counterparties cp on cp.id = t.counterparty_id
  left join users au on au.id = t.attributed_user_id
  left join users ou on ou.id = coalesce(t.attributed_user_id, a.owner_user_id, c.user_id)
  order by t.date desc, t.id desc;

-- GET /api/v1/transactions {"search":"coffee"}, small ledger

select texts.id
  from texts_trigrams
  join texts on texts.id = texts_trigrams.rowid
  where texts_trigrams match ?
  and instr(texts.folded, ?) > 0
  limit 1001;

select *
  from (select 'name_text_id ' || v.value as "range", e.value as key
    from json_each(?) as v
    cross join json_each((select json_group_array(value)
        from (select t.date || t.id as value
          from transactions t
          where t.name_text_id = v.value
          and t.name_text_id is not null
          and t.deleted_at is null
          and t.deleted_at is null
          order by t.date desc, t.id desc
          limit ?))) as e
    order by e.value desc
    limit ?) as part
  union all select *
  from (select 'merchant_text_id ' || v.value as "range", e.value as key
    from json_each(?) as v
    cross join json_each((select json_group_array(value)
        from (select t.date || t.id as value
          from transactions t
          where t.merchant_text_id = v.value
          and t.merchant_text_id is not null
          and t.deleted_at is null
          and t.deleted_at is null
          order by t.date desc, t.id desc
          limit ?))) as e
    order by e.value desc
    limit ?) as part;

with page as materialized (select v.value as id
    from json_each(?) as v) select t.id, t.date, json_object('id', t.id, 'short_id', t.short_id) as json
  from page
  cross join transactions t on t.id = page.id
  join accounts a on a.id = t.account_id
  left join connections c on c.id = a.connection_id
  left join categories cat on cat.id = t.category_id
  left join counterparties cp on cp.id = t.counterparty_id
  left join users au on au.id = t.attributed_user_id
  left join users ou on ou.id = coalesce(t.attributed_user_id, a.owner_user_id, c.user_id)
  order by t.date desc, t.id desc;

-- GET /api/v1/transactions {"search":"coffee"}, large ledger

select texts.id
  from texts_trigrams
  join texts on texts.id = texts_trigrams.rowid
  where texts_trigrams match ?
  and instr(texts.folded, ?) > 0
  limit 1001;

select *
  from (select 'name_text_id ' || v.value as "range", e.value as key
    from json_each(?) as v
    cross join json_each((select json_group_array(value)
        from (select t.date || t.id as value
          from transactions t
          where t.name_text_id = v.value
          and t.name_text_id is not null
          and t.deleted_at is null
          and t.deleted_at is null
          order by t.date desc, t.id desc
          limit ?))) as e
    order by e.value desc
    limit ?) as part
  union all select *
  from (select 'merchant_text_id ' || v.value as "range", e.value as key
    from json_each(?) as v
    cross join json_each((select json_group_array(value)
        from (select t.date || t.id as value
          from transactions t
          where t.merchant_text_id = v.value
          and t.merchant_text_id is not null
          and t.deleted_at is null
          and t.deleted_at is null
          order by t.date desc, t.id desc
          limit ?))) as e
    order by e.value desc
    limit ?) as part;

with page as materialized (select v.value as id
    from json_each(?) as v) select t.id, t.date, json_object('id', t.id, 'short_id', t.short_id) as json
  from page
  cross join transactions t on t.id = page.id
  join accounts a on a.id = t.account_id
  left join connections c on c.id = a.connection_id
  left join categories cat on cat.id = t.category_id
  left join counterparties cp on cp.id = t.counterparty_id
  left join users au on au.id = t.attributed_user_id
  left join users ou on ou.id = coalesce(t.attributed_user_id, a.owner_user_id, c.user_id)
  order by t.date desc, t.id desc;

-- GET /api/v1/transactions {"search":"coffee star","search_mode":"words"}, small ledger

select texts.id
  from texts_trigrams
  join texts on texts.id = texts_trigrams.rowid
  where texts_trigrams match ?
  and instr(texts.folded, ?) > 0
  limit 1001;

select count(*) as n
  from (select t.id as id
    from transactions t
    where t.name_text_id in (select value
      from json_each(?))
    and t.name_text_id is not null
    and t.deleted_at is null
    limit 5001) as capped;

select count(*) as n
  from (select t.id as id
    from transactions t
    where t.merchant_text_id in (select value
      from json_each(?))
    and t.merchant_text_id is not null
    and t.deleted_at is null
    limit 5000) as capped;

with page as materialized (with few as materialized (select t.id as id
      from transactions t
      where t.name_text_id in (select value
        from json_each(?))
      and t.name_text_id is not null
      and t.deleted_at is null
      union select t.id as id
      from transactions t
      where t.merchant_text_id in (select value
        from json_each(?))
      and t.merchant_text_id is not null
      and t.deleted_at is null) select t.id, t.date
    from few
    cross join transactions t on t.id = few.id
    where t.deleted_at is null
    and (((t.name_text_id in (select value
            from json_each(?)) or coalesce(t.merchant_text_id, 0) in (select value
            from json_each(?)))
        and (t.name_text_id in (select value
            from json_each(?)) or coalesce(t.merchant_text_id, 0) in (select value
            from json_each(?)))))
    order by t.date desc, t.id desc
    limit 51) select t.id, t.date, json_object('id', t.id, 'short_id', t.short_id) as json
  from page
  cross join transactions t on t.id = page.id
  join accounts a on a.id = t.account_id
  left join connections c on c.id = a.connection_id
  left join categories cat on cat.id = t.category_id
  left join counterparties cp on cp.id = t.counterparty_id
  left join users au on au.id = t.attributed_user_id
  left join users ou on ou.id = coalesce(t.attributed_user_id, a.owner_user_id, c.user_id)
  order by t.date desc, t.id desc;

-- GET /api/v1/transactions {"search":"coffee star","search_mode":"words"}, large ledger

select texts.id
  from texts_trigrams
  join texts on texts.id = texts_trigrams.rowid
  where texts_trigrams match ?
  and instr(texts.folded, ?) > 0
  limit 1001;

select count(*) as n
  from (select t.id as id
    from transactions t
    where t.name_text_id in (select value
      from json_each(?))
    and t.name_text_id is not null
    and t.deleted_at is null
    limit 5001) as capped;

select *
  from (select 0 as place, t.date as key, t.id
    from transactions t
    where 1 = 1
    and t.deleted_at is null
    order by t.date desc, t.id desc
    limit 1 offset 2000) as part;

select t.id, t.date
  from transactions t
  where 1 = 1
  and t.deleted_at is null
  and (((t.name_text_id in (select value
          from json_each(?)) or coalesce(t.merchant_text_id, 0) in (select value
          from json_each(?)))
      and (t.name_text_id in (select value
          from json_each(?)) or coalesce(t.merchant_text_id, 0) in (select value
          from json_each(?)))))
  order by t.date desc, t.id desc
  limit 51;

with page as materialized (select v.value as id
    from json_each(?) as v) select t.id, t.date, json_object('id', t.id, 'short_id', t.short_id) as json
  from page
  cross join transactions t on t.id = page.id
  join accounts a on a.id = t.account_id
  left join connections c on c.id = a.connection_id
  left join categories cat on cat.id = t.category_id
  left join counterparties cp on cp.id = t.counterparty_id
  left join users au on au.id = t.attributed_user_id
  left join users ou on ou.id = coalesce(t.attributed_user_id, a.owner_user_id, c.user_id)
  order by t.date desc, t.id desc;

-- GET /api/v1/transactions {"search":"starbuks","search_mode":"fuzzy"}, small ledger

select texts.id
  from texts_trigrams
  join texts on texts.id = texts_trigrams.rowid
  where texts_trigrams match ?
  and instr(texts.folded, ?) > 0
  limit 1001;

select texts.id, texts.folded
  from ( select doc, count(*) as n
    from texts_trigrams_vocabulary
    where term in (select value
      from json_each(?))
    group by doc) as shared
  cross join texts on texts.id = shared.doc
  where 13 * (shared.n + ?) >= 3 * (? + texts.trigram_count);

select *
  from (select 'name_text_id ' || v.value as "range", e.value as key
    from json_each(?) as v
    cross join json_each((select json_group_array(value)
        from (select t.date || t.id as value
          from transactions t
          where t.name_text_id = v.value
          and t.name_text_id is not null
          and t.deleted_at is null
          and t.deleted_at is null
          order by t.date desc, t.id desc
          limit ?))) as e
    order by e.value desc
    limit ?) as part
  union all select *
  from (select 'merchant_text_id ' || v.value as "range", e.value as key
    from json_each(?) as v
    cross join json_each((select json_group_array(value)
        from (select t.date || t.id as value
          from transactions t
          where t.merchant_text_id = v.value
          and t.merchant_text_id is not null
          and t.deleted_at is null
          and t.deleted_at is null
          order by t.date desc, t.id desc
          limit ?))) as e
    order by e.value desc
    limit ?) as part;

with page as materialized (select v.value as id
    from json_each(?) as v) select t.id, t.date, json_object('id', t.id, 'short_id', t.short_id) as json
  from page
  cross join transactions t on t.id = page.id
  join accounts a on a.id = t.account_id
  left join connections c on c.id = a.connection_id
  left join categories cat on cat.id = t.category_id
  left join counterparties cp on cp.id = t.counterparty_id
  left join users au on au.id = t.attributed_user_id
  left join users ou on ou.id = coalesce(t.attributed_user_id, a.owner_user_id, c.user_id)
  order by t.date desc, t.id desc;

-- GET /api/v1/transactions {"search":"co"}, small ledger

select id
  from texts
  where instr(folded, ?) > 0
  limit 1001;

select *
  from (select 'name_text_id ' || v.value as "range", e.value as key
    from json_each(?) as v
    cross join json_each((select json_group_array(value)
        from (select t.date || t.id as value
          from transactions t
          where t.name_text_id = v.value
          and t.name_text_id is not null
          and t.deleted_at is null
          and t.deleted_at is null
          order by t.date desc, t.id desc
          limit ?))) as e
    order by e.value desc
    limit ?) as part
  union all select *
  from (select 'merchant_text_id ' || v.value as "range", e.value as key
    from json_each(?) as v
    cross join json_each((select json_group_array(value)
        from (select t.date || t.id as value
          from transactions t
          where t.merchant_text_id = v.value
          and t.merchant_text_id is not null
          and t.deleted_at is null
          and t.deleted_at is null
          order by t.date desc, t.id desc
          limit ?))) as e
    order by e.value desc
    limit ?) as part
  union all select *
  from (select 'counterparty_id ' || v.value as "range", e.value as key
    from json_each(?) as v
    cross join json_each((select json_group_array(value)
        from (select t.date || t.id as value
          from transactions t
          where t.counterparty_id = v.value
          and t.counterparty_id is not null
          and t.deleted_at is null
          and t.deleted_at is null
          order by t.date desc, t.id desc
          limit ?))) as e
    order by e.value desc
    limit ?) as part;

with page as materialized (select v.value as id
    from json_each(?) as v) select t.id, t.date, json_object('id', t.id, 'short_id', t.short_id) as json
  from page
  cross join transactions t on t.id = page.id
  join accounts a on a.id = t.account_id
  left join connections c on c.id = a.connection_id
  left join categories cat on cat.id = t.category_id
  left join counterparties cp on cp.id = t.counterparty_id
  left join users au on au.id = t.attributed_user_id
  left join users ou on ou.id = coalesce(t.attributed_user_id, a.owner_user_id, c.user_id)
  order by t.date desc, t.id desc;

-- GET /api/v1/transactions {"exclude_search":"coffee"}, small ledger

select texts.id
  from texts_trigrams
  join texts on texts.id = texts_trigrams.rowid
  where texts_trigrams match ?
  and instr(texts.folded, ?) > 0
  limit 1001;

with page as materialized (select t.id, t.date
    from transactions t
    where 1 = 1
    and t.deleted_at is null
    and not (((t.name_text_id in (select value
            from json_each(?)) or coalesce(t.merchant_text_id, 0) in (select value
            from json_each(?)))))
    order by t.date desc, t.id desc
    limit 51) select t.id, t.date, json_object('id', t.id, 'short_id', t.short_id) as json
  from page
  cross join transactions t on t.id = page.id
  join accounts a on a.id = t.account_id
  left join connections c on c.id = a.connection_id
  left join categories cat on cat.id = t.category_id
  left join counterparties cp on cp.id = t.counterparty_id
  left join users au on au.id = t.attributed_user_id
  left join users ou on ou.id = coalesce(t.attributed_user_id, a.owner_user_id, c.user_id)
  order by t.date desc, t.id desc;

-- GET /api/v1/transactions {"tag":"review","amount_abs_min":"5.00"}, small ledger

select count(*) as n
  from (select transaction_id as id
    from transaction_tags
    where tag_id = ?
    limit 5001) as capped;

select count(*) as n
  from (select id
    from transactions
    where deleted_at is null
    and (amount_cents between ?
      and ? or amount_cents between ?
      and ?)
    limit 5001) as capped;

with page as materialized (with few as materialized (select transaction_id as id
      from transaction_tags
      where tag_id = ?) select t.id, t.date
    from few
    cross join transactions t on t.id = few.id
    where t.deleted_at is null
    and abs(t.amount_cents) >= ?
    and exists (select 1
      from transaction_tags tt
      where tt.transaction_id = t.id
      and tt.tag_id = ?)
    order by t.date desc, t.id desc
    limit 51) select t.id, t.date, json_object('id', t.id, 'short_id', t.short_id) as json
  from page
  cross join transactions t on t.id = page.id
  join accounts a on a.id = t.account_id
  left join connections c on c.id = a.connection_id
  left join categories cat on cat.id = t.category_id
  left join counterparties cp on cp.id = t.counterparty_id
  left join users au on au.id = t.attributed_user_id
  left join users ou on ou.id = coalesce(t.attributed_user_id, a.owner_user_id, c.user_id)
  order by t.date desc, t.id desc;

-- GET /api/v1/transactions {"tag":"review","amount_abs_min":"5.00"}, large ledger

select count(*) as n
  from (select transaction_id as id
    from transaction_tags
    where tag_id = ?
    limit 5001) as capped;

select count(*) as n
  from (select id
    from transactions
    where deleted_at is null
    and (amount_cents between ?
      and ? or amount_cents between ?
      and ?)
    limit 5001) as capped;

with page as materialized (select t.id, t.date
    from transactions t
    where 1 = 1
    and t.deleted_at is null
    and abs(t.amount_cents) >= ?
    and exists (select 1
      from transaction_tags tt
      where tt.transaction_id = t.id
      and tt.tag_id = ?)
    order by t.date desc, t.id desc
    limit 51) select t.id, t.date, json_object('id', t.id, 'short_id', t.short_id) as json
  from page
  cross join transactions t on t.id = page.id
  join accounts a on a.id = t.account_id
  left join connections c on c.id = a.connection_id
  left join categories cat on cat.id = t.category_id
  left join counterparties cp on cp.id = t.counterparty_id
  left join users au on au.id = t.attributed_user_id
  left join users ou on ou.id = coalesce(t.attributed_user_id, a.owner_user_id, c.user_id)
  order by t.date desc, t.id desc;

-- GET /api/v1/transactions {"tags_all":"review,shopping","tags_none":"needs-review"}, small ledger

select count(*) as n
  from (select transaction_id as id
    from transaction_tags
    where tag_id = ?
    limit 5001) as capped;

with page as materialized (with few as materialized (select transaction_id as id
      from transaction_tags
      where tag_id = ?) select t.id, t.date
    from few
    cross join transactions t on t.id = few.id
    where t.deleted_at is null
    and exists (select 1
      from transaction_tags tt
      where tt.transaction_id = t.id
      and tt.tag_id = ?)
    and exists (select 1
      from transaction_tags tt
      where tt.transaction_id = t.id
      and tt.tag_id = ?)
    and not exists (select 1
      from transaction_tags tt
      where tt.transaction_id = t.id
      and tt.tag_id = ?)
    order by t.date desc, t.id desc
    limit 51) select t.id, t.date, json_object('id', t.id, 'short_id', t.short_id) as json
  from page
  cross join transactions t on t.id = page.id
  join accounts a on a.id = t.account_id
  left join connections c on c.id = a.connection_id
  left join categories cat on cat.id = t.category_id
  left join counterparties cp on cp.id = t.counterparty_id
  left join users au on au.id = t.attributed_user_id
  left join users ou on ou.id = coalesce(t.attributed_user_id, a.owner_user_id, c.user_id)
  order by t.date desc, t.id desc;

-- GET /api/v1/transactions {"tags_all":"review,shopping","tags_none":"needs-review"}, large ledger

select count(*) as n
  from (select transaction_id as id
    from transaction_tags
    where tag_id = ?
    limit 5001) as capped;

with page as materialized (select t.id, t.date
    from transactions t
    where 1 = 1
    and t.deleted_at is null
    and exists (select 1
      from transaction_tags tt
      where tt.transaction_id = t.id
      and tt.tag_id = ?)
    and exists (select 1
      from transaction_tags tt
      where tt.transaction_id = t.id
      and tt.tag_id = ?)
    and not exists (select 1
      from transaction_tags tt
      where tt.transaction_id = t.id
      and tt.tag_id = ?)
    order by t.date desc, t.id desc
    limit 51) select t.id, t.date, json_object('id', t.id, 'short_id', t.short_id) as json
  from page
  cross join transactions t on t.id = page.id
  join accounts a on a.id = t.account_id
  left join connections c on c.id = a.connection_id
  left join categories cat on cat.id = t.category_id
  left join counterparties cp on cp.id = t.counterparty_id
  left join users au on au.id = t.attributed_user_id
  left join users ou on ou.id = coalesce(t.attributed_user_id, a.owner_user_id, c.user_id)
  order by t.date desc, t.id desc;

-- GET /api/v1/transactions {"counterparty_id":"ID","amount_min":"-5.00"}, small ledger

select count(*) as n
  from (select id
    from transactions
    where "counterparty_id" in (select value
      from json_each(?))
    and "counterparty_id" is not null
    limit 5001) as capped;

select count(*) as n
  from (select id
    from transactions
    where deleted_at is null
    and amount_cents >= ?
    limit 5001) as capped;

with page as materialized (with few as materialized (select id
      from transactions
      where "counterparty_id" in (select value
        from json_each(?))
      and "counterparty_id" is not null) select t.id, t.date
    from few
    cross join transactions t on t.id = few.id
    where t.deleted_at is null
    and t.amount_cents >= ?
    and t.counterparty_id = ?
    order by t.date desc, t.id desc
    limit 51) select t.id, t.date, json_object('id', t.id, 'short_id', t.short_id) as json
  from page
  cross join transactions t on t.id = page.id
  join accounts a on a.id = t.account_id
  left join connections c on c.id = a.connection_id
  left join categories cat on cat.id = t.category_id
  left join counterparties cp on cp.id = t.counterparty_id
  left join users au on au.id = t.attributed_user_id
  left join users ou on ou.id = coalesce(t.attributed_user_id, a.owner_user_id, c.user_id)
  order by t.date desc, t.id desc;

-- GET /api/v1/transactions {"counterparty_id":"ID","amount_min":"-5.00"}, large ledger

select count(*) as n
  from (select id
    from transactions
    where "counterparty_id" in (select value
      from json_each(?))
    and "counterparty_id" is not null
    limit 5001) as capped;

select count(*) as n
  from (select id
    from transactions
    where deleted_at is null
    and amount_cents >= ?
    limit 5001) as capped;

with page as materialized (select t.id, t.date
    from transactions t
    where 1 = 1
    and t.deleted_at is null
    and +t.amount_cents >= ?
    and +t.counterparty_id = ?
    order by t.date desc, t.id desc
    limit 51) select t.id, t.date, json_object('id', t.id, 'short_id', t.short_id) as json
  from page
  cross join transactions t on t.id = page.id
  join accounts a on a.id = t.account_id
  left join connections c on c.id = a.connection_id
  left join categories cat on cat.id = t.category_id
  left join counterparties cp on cp.id = t.counterparty_id
  left join users au on au.id = t.attributed_user_id
  left join users ou on ou.id = coalesce(t.attributed_user_id, a.owner_user_id, c.user_id)
  order by t.date desc, t.id desc;

-- GET /api/v1/transactions {"has_comment":true}, small ledger

with page as materialized (with few as materialized (select distinct transaction_id as id
      from comments
      where deleted_at is null) select t.id, t.date
    from few
    cross join transactions t on t.id = few.id
    where t.deleted_at is null
    and exists (select 1
      from comments k
      where k.transaction_id = t.id
      and k.deleted_at is null)
    order by t.date desc, t.id desc
    limit 51) select t.id, t.date, json_object('id', t.id, 'short_id', t.short_id) as json
  from page
  cross join transactions t on t.id = page.id
  join accounts a on a.id = t.account_id
  left join connections c on c.id = a.connection_id
  left join categories cat on cat.id = t.category_id
  left join counterparties cp on cp.id = t.counterparty_id
  left join users au on au.id = t.attributed_user_id
  left join users ou on ou.id = coalesce(t.attributed_user_id, a.owner_user_id, c.user_id)
  order by t.date desc, t.id desc;

-- GET /api/v1/transactions {"has_comment":true}, large ledger

with page as materialized (select t.id, t.date
    from transactions t
    where 1 = 1
    and t.deleted_at is null
    and exists (select 1
      from comments k
      where k.transaction_id = t.id
      and k.deleted_at is null)
    order by t.date desc, t.id desc
    limit 51) select t.id, t.date, json_object('id', t.id, 'short_id', t.short_id) as json
  from page
  cross join transactions t on t.id = page.id
  join accounts a on a.id = t.account_id
  left join connections c on c.id = a.connection_id
  left join categories cat on cat.id = t.category_id
  left join counterparties cp on cp.id = t.counterparty_id
  left join users au on au.id = t.attributed_user_id
  left join users ou on ou.id = coalesce(t.attributed_user_id, a.owner_user_id, c.user_id)
  order by t.date desc, t.id desc;

-- GET /api/v1/transactions {"has_comment":false}, small ledger

with page as materialized (select t.id, t.date
    from transactions t
    where 1 = 1
    and t.deleted_at is null
    and not exists (select 1
      from comments k
      where k.transaction_id = t.id
      and k.deleted_at is null)
    order by t.date desc, t.id desc
    limit 51) select t.id, t.date, json_object('id', t.id, 'short_id', t.short_id) as json
  from page
  cross join transactions t on t.id = page.id
  join accounts a on a.id = t.account_id
  left join connections c on c.id = a.connection_id
  left join categories cat on cat.id = t.category_id
  left join counterparties cp on cp.id = t.counterparty_id
  left join users au on au.id = t.attributed_user_id
  left join users ou on ou.id = coalesce(t.attributed_user_id, a.owner_user_id, c.user_id)
  order by t.date desc, t.id desc;

-- GET /api/v1/transactions {"flagged":true}, small ledger

select count(*) as n
  from (select id
    from transactions
    where flagged_at is not null
    limit 5001) as capped;

with page as materialized (with few as materialized (select id
      from transactions
      where flagged_at is not null) select t.id, t.date
    from few
    cross join transactions t on t.id = few.id
    where t.deleted_at is null
    and t.flagged_at is not null
    order by t.date desc, t.id desc
    limit 51) select t.id, t.date, json_object('id', t.id, 'short_id', t.short_id) as json
  from page
  cross join transactions t on t.id = page.id
  join accounts a on a.id = t.account_id
  left join connections c on c.id = a.connection_id
  left join categories cat on cat.id = t.category_id
  left join counterparties cp on cp.id = t.counterparty_id
  left join users au on au.id = t.attributed_user_id
  left join users ou on ou.id = coalesce(t.attributed_user_id, a.owner_user_id, c.user_id)
  order by t.date desc, t.id desc;

-- GET /api/v1/transactions {"flagged":true}, large ledger

select count(*) as n
  from (select id
    from transactions
    where flagged_at is not null
    limit 5001) as capped;

with page as materialized (select t.id, t.date
    from transactions t
    where 1 = 1
    and t.deleted_at is null
    and t.flagged_at is not null
    order by t.date desc, t.id desc
    limit 51) select t.id, t.date, json_object('id', t.id, 'short_id', t.short_id) as json
  from page
  cross join transactions t on t.id = page.id
  join accounts a on a.id = t.account_id
  left join connections c on c.id = a.connection_id
  left join categories cat on cat.id = t.category_id
  left join counterparties cp on cp.id = t.counterparty_id
  left join users au on au.id = t.attributed_user_id
  left join users ou on ou.id = coalesce(t.attributed_user_id, a.owner_user_id, c.user_id)
  order by t.date desc, t.id desc;

-- GET /api/v1/transactions {"pending":true}, small ledger

select count(*) as n
  from (select id
    from transactions
    where pending = 1
    limit 5001) as capped;

with page as materialized (with few as materialized (select id
      from transactions
      where pending = 1) select t.id, t.date
    from few
    cross join transactions t on t.id = few.id
    where t.deleted_at is null
    and t.pending = 1
    order by t.date desc, t.id desc
    limit 51) select t.id, t.date, json_object('id', t.id, 'short_id', t.short_id) as json
  from page
  cross join transactions t on t.id = page.id
  join accounts a on a.id = t.account_id
  left join connections c on c.id = a.connection_id
  left join categories cat on cat.id = t.category_id
  left join counterparties cp on cp.id = t.counterparty_id
  left join users au on au.id = t.attributed_user_id
  left join users ou on ou.id = coalesce(t.attributed_user_id, a.owner_user_id, c.user_id)
  order by t.date desc, t.id desc;

-- GET /api/v1/transactions {"pending":true}, large ledger

select count(*) as n
  from (select id
    from transactions
    where pending = 1
    limit 5001) as capped;

with page as materialized (select t.id, t.date
    from transactions t
    where 1 = 1
    and t.deleted_at is null
    and t.pending = 1
    order by t.date desc, t.id desc
    limit 51) select t.id, t.date, json_object('id', t.id, 'short_id', t.short_id) as json
  from page
  cross join transactions t on t.id = page.id
  join accounts a on a.id = t.account_id
  left join connections c on c.id = a.connection_id
  left join categories cat on cat.id = t.category_id
  left join counterparties cp on cp.id = t.counterparty_id
  left join users au on au.id = t.attributed_user_id
  left join users ou on ou.id = coalesce(t.attributed_user_id, a.owner_user_id, c.user_id)
  order by t.date desc, t.id desc;

-- GET /api/v1/transactions {"uncategorized":true,"user_id":"ID"}, small ledger

select count(*) as n
  from (select id
    from transactions
    where deleted_at is null
    and category_id is null
    limit 5001) as capped;

with page as materialized (with few as materialized (select id
      from transactions
      where deleted_at is null
      and category_id is null) select t.id, t.date
    from few
    cross join transactions t on t.id = few.id
    where t.deleted_at is null
    and (t.attributed_user_id = ? or (t.attributed_user_id is null
        and t.account_id in (select value
          from json_each(?))))
    and t.category_id is null
    order by t.date desc, t.id desc
    limit 51) select t.id, t.date, json_object('id', t.id, 'short_id', t.short_id) as json
  from page
  cross join transactions t on t.id = page.id
  join accounts a on a.id = t.account_id
  left join connections c on c.id = a.connection_id
  left join categories cat on cat.id = t.category_id
  left join counterparties cp on cp.id = t.counterparty_id
  left join users au on au.id = t.attributed_user_id
  left join users ou on ou.id = coalesce(t.attributed_user_id, a.owner_user_id, c.user_id)
  order by t.date desc, t.id desc;

-- GET /api/v1/transactions {"updated_since":"2026-04-26T00:00:00Z"}, small ledger

select count(*) as n
  from (select id
    from transactions
    where updated_at >= ?
    limit 5001) as capped;

with page as materialized (with few as materialized (select id
      from transactions
      where updated_at >= ?) select t.id, t.date
    from few
    cross join transactions t on t.id = few.id
    where t.deleted_at is null
    and t.updated_at >= ?
    order by t.date desc, t.id desc
    limit 51) select t.id, t.date, json_object('id', t.id, 'short_id', t.short_id) as json
  from page
  cross join transactions t on t.id = page.id
  join accounts a on a.id = t.account_id
  left join connections c on c.id = a.connection_id
  left join categories cat on cat.id = t.category_id
  left join counterparties cp on cp.id = t.counterparty_id
  left join users au on au.id = t.attributed_user_id
  left join users ou on ou.id = coalesce(t.attributed_user_id, a.owner_user_id, c.user_id)
  order by t.date desc, t.id desc;

-- GET /api/v1/transactions {"updated_since":"2026-04-26T00:00:00Z"}, large ledger

select count(*) as n
  from (select id
    from transactions
    where updated_at >= ?
    limit 5001) as capped;

with page as materialized (select t.id, t.date
    from transactions t
    where 1 = 1
    and t.deleted_at is null
    and +t.updated_at >= ?
    order by t.date desc, t.id desc
    limit 51) select t.id, t.date, json_object('id', t.id, 'short_id', t.short_id) as json
  from page
  cross join transactions t on t.id = page.id
  join accounts a on a.id = t.account_id
  left join connections c on c.id = a.connection_id
  left join categories cat on cat.id = t.category_id
  left join counterparties cp on cp.id = t.counterparty_id
  left join users au on au.id = t.attributed_user_id
  left join users ou on ou.id = coalesce(t.attributed_user_id, a.owner_user_id, c.user_id)
  order by t.date desc, t.id desc;

-- GET /api/v1/transactions {"deleted":true}, small ledger

with page as materialized (select t.id, t.date
    from transactions t
    where 1 = 1
    and t.deleted_at is not null
    order by t.date desc, t.id desc
    limit 51) select t.id, t.date, json_object('id', t.id, 'short_id', t.short_id) as json
  from page
  cross join transactions t on t.id = page.id
  join accounts a on a.id = t.account_id
  left join connections c on c.id = a.connection_id
  left join categories cat on cat.id = t.category_id
  left join counterparties cp on cp.id = t.counterparty_id
  left join users au on au.id = t.attributed_user_id
  left join users ou on ou.id = coalesce(t.attributed_user_id, a.owner_user_id, c.user_id)
  order by t.date desc, t.id desc;

-- GET /api/v1/transactions {"deleted":true}, large ledger

with page as materialized (select t.id, t.date
    from transactions t
    where 1 = 1
    and t.deleted_at is not null
    order by t.date desc, t.id desc
    limit 51) select t.id, t.date, json_object('id', t.id, 'short_id', t.short_id) as json
  from page
  cross join transactions t on t.id = page.id
  join accounts a on a.id = t.account_id
  left join connections c on c.id = a.connection_id
  left join categories cat on cat.id = t.category_id
  left join counterparties cp on cp.id = t.counterparty_id
  left join users au on au.id = t.attributed_user_id
  left join users ou on ou.id = coalesce(t.attributed_user_id, a.owner_user_id, c.user_id)
  order by t.date desc, t.id desc;

-- GET /api/v1/transactions {"sort":"amount","limit":5}, small ledger

select t.id, cast("t"."amount_cents" as text) as key, json_object('id', t.id, 'short_id', t.short_id) as json
  from (select t.id
    from transactions t
    where t.deleted_at is null
    order by t.amount_cents desc, t.id desc
    limit ?) as chosen
  cross join transactions t on t.id = chosen.id
  join accounts a on a.id = t.account_id
  left join connections c on c.id = a.connection_id
  left join categories cat on cat.id = t.category_id
  left join counterparties cp on cp.id = t.counterparty_id
  left join users au on au.id = t.attributed_user_id
  left join users ou on ou.id = coalesce(t.attributed_user_id, a.owner_user_id, c.user_id)
  order by t.amount_cents desc, t.id desc;

-- GET /api/v1/transactions {"sort":"amount","tag":"review"}, small ledger

select json_object('id', t.id, 'short_id', t.short_id) as json
  from transactions t
  join accounts a on a.id = t.account_id
  left join connections c on c.id = a.connection_id
  left join categories cat on cat.id = t.category_id
  left join counterparties cp on cp.id = t.counterparty_id
  left join users au on au.id = t.attributed_user_id
  left join users ou on ou.id = coalesce(t.attributed_user_id, a.owner_user_id, c.user_id)
  where t.deleted_at is null
  and exists (select 1
    from transaction_tags tt
    where tt.transaction_id = t.id
    and tt.tag_id = ?)
  order by t.amount_cents desc, t.id desc;

-- GET /api/v1/transactions {"sort":"name","limit":5}, small ledger

select t.id, cast("t"."name_text_id" as text) as key, json_object('id', t.id, 'short_id', t.short_id) as json
  from (select t.id
    from texts n
    cross join transactions t on t.name_text_id = n.id
    where t.deleted_at is null
    order by n.folded asc, t.id asc
    limit ?) as chosen
  cross join transactions t on t.id = chosen.id
  join texts n on n.id = t.name_text_id
  join accounts a on a.id = t.account_id
  left join connections c on c.id = a.connection_id
  left join categories cat on cat.id = t.category_id
  left join counterparties cp on cp.id = t.counterparty_id
  left join users au on au.id = t.attributed_user_id
  left join users ou on ou.id = coalesce(t.attributed_user_id, a.owner_user_id, c.user_id)
  order by n.folded asc, t.id asc;

-- GET /api/v1/transactions {"sort":"name","search":"coffee"}, small ledger

select texts.id
  from texts_trigrams
  join texts on texts.id = texts_trigrams.rowid
  where texts_trigrams match ?
  and instr(texts.folded, ?) > 0
  limit 1001;

select json_object('id', t.id, 'short_id', t.short_id) as json
  from texts n
  cross join transactions t on t.name_text_id = n.id
  join accounts a on a.id = t.account_id
  left join connections c on c.id = a.connection_id
  left join categories cat on cat.id = t.category_id
  left join counterparties cp on cp.id = t.counterparty_id
  left join users au on au.id = t.attributed_user_id
  left join users ou on ou.id = coalesce(t.attributed_user_id, a.owner_user_id, c.user_id)
  where t.deleted_at is null
  and (((t.name_text_id in (select value
          from json_each(?)) or coalesce(t.merchant_text_id, 0) in (select value
          from json_each(?)))))
  order by n.folded asc, t.id asc;

-- GET /api/v1/transactions/count {}, small ledger

select iso_currency_code, count, cast(total as text) as total, cast(incoming as text) as incoming
  from (select nullif(t.stored_iso_currency_code, '') as iso_currency_code, cast(sum(t.count) as bigint) as count, sum(t.total_cents) as total, sum(t.incoming_cents) as incoming
    from (select month, account_id, nullif(attributed_user_id, '') as attributed_user_id, attributed_user_id as stored_attributed_user_id, nullif(category_id, '') as category_id, category_id as stored_category_id, nullif(iso_currency_code, '') as iso_currency_code, iso_currency_code as stored_iso_currency_code, count, outgoing_count, total_cents, incoming_cents
      from "monthly_totals"
      where 1 = 1) as t
    where 1 = 1
    group by t.stored_iso_currency_code) as sums;

select cast(coalesce(sum(count), 0) as bigint) as n
  from monthly_totals
  where month between ?
  and ?;

select count(*) as n
  from (select id
    from transactions
    where pending = 1
    limit 1001) as capped;

select iso_currency_code, count, cast(total as text) as total, cast(incoming as text) as incoming
  from (select t.iso_currency_code as iso_currency_code, count(*) as count, sum(t.amount_cents) as total, sum(t.amount_cents) filter (where t.amount_cents < 0) as incoming
    from (select id
      from transactions
      where pending = 1) as few
    cross join transactions t on t.id = few.id
    where t.deleted_at is null
    and t.pending = 1
    group by 1) as sums;

-- GET /api/v1/transactions/count {"search":"coffee","tag":"review"}, small ledger

select texts.id
  from texts_trigrams
  join texts on texts.id = texts_trigrams.rowid
  where texts_trigrams match ?
  and instr(texts.folded, ?) > 0
  limit 1001;

select count(*) as n
  from (select t.id as id
    from transactions t
    where t.name_text_id in (select value
      from json_each(?))
    and t.name_text_id is not null
    and t.deleted_at is null
    limit 5001) as capped;

select count(*) as n
  from (select t.id as id
    from transactions t
    where t.merchant_text_id in (select value
      from json_each(?))
    and t.merchant_text_id is not null
    and t.deleted_at is null
    limit 5000) as capped;

select count(*) as n
  from (select transaction_id as id
    from transaction_tags
    where tag_id = ?
    limit 5001) as capped;

select count(*) as n
  from (select t.id as id
    from transactions t
    where t.name_text_id in (select value
      from json_each(?))
    and t.name_text_id is not null
    and t.deleted_at is null
    union select t.id as id
    from transactions t
    where t.merchant_text_id in (select value
      from json_each(?))
    and t.merchant_text_id is not null
    and t.deleted_at is null) as few
  cross join transactions t on t.id = few.id
  where t.deleted_at is null
  and exists (select 1
    from transaction_tags tt
    where tt.transaction_id = t.id
    and tt.tag_id = ?)
  and (((t.name_text_id in (select value
          from json_each(?)) or coalesce(t.merchant_text_id, 0) in (select value
          from json_each(?)))));

-- GET /api/v1/transactions/count {"search":"coffee","tag":"review"}, large ledger

select texts.id
  from texts_trigrams
  join texts on texts.id = texts_trigrams.rowid
  where texts_trigrams match ?
  and instr(texts.folded, ?) > 0
  limit 1001;

select count(*) as n
  from (select t.id as id
    from transactions t
    where t.name_text_id in (select value
      from json_each(?))
    and t.name_text_id is not null
    and t.deleted_at is null
    limit 5001) as capped;

select count(*) as n
  from (select transaction_id as id
    from transaction_tags
    where tag_id = ?
    limit 5001) as capped;

select count(*) as n
  from transactions t
  where t.deleted_at is null
  and exists (select 1
    from transaction_tags tt
    where tt.transaction_id = t.id
    and tt.tag_id = ?)
  and (((t.name_text_id in (select value
          from json_each(?)) or coalesce(t.merchant_text_id, 0) in (select value
          from json_each(?)))));

-- GET /api/v1/transactions/summary {"group_by":"category"}, small ledger

select category_id, iso_currency_code, count, cast(total as text) as total, cast(incoming as text) as incoming
  from (select nullif(t.stored_category_id, '') as category_id, nullif(t.stored_iso_currency_code, '') as iso_currency_code, cast(sum(t.count) as bigint) as count, sum(t.total_cents) as total, sum(t.incoming_cents) as incoming
    from (select month, account_id, nullif(attributed_user_id, '') as attributed_user_id, attributed_user_id as stored_attributed_user_id, nullif(category_id, '') as category_id, category_id as stored_category_id, nullif(iso_currency_code, '') as iso_currency_code, iso_currency_code as stored_iso_currency_code, count, outgoing_count, total_cents, incoming_cents
      from "monthly_totals"
      where 1 = 1) as t
    where t.account_id <> ?
    and t.account_id <> ?
    group by t.stored_category_id, t.stored_iso_currency_code) as sums;

-- GET /api/v1/transactions/summary {"group_by":"category_month","date_from":"2025-01-14"}, small ledger

select category_id, month, iso_currency_code, count, cast(total as text) as total, cast(incoming as text) as incoming
  from (select t.category_id as category_id, substr(t.date, 1, 7) as month, t.iso_currency_code as iso_currency_code, count(*) as count, sum(t.amount_cents) as total, sum(t.amount_cents) filter (where t.amount_cents < 0) as incoming
    from transactions t indexed by transactions_for_totals
    where t.deleted_at is null
    and t.date >= ?
    and t.date <= ?
    and t.account_id <> ?
    and t.account_id <> ?
    and t.pending = 0
    group by 1, 2, 3) as sums;

select category_id, month, iso_currency_code, count, cast(total as text) as total, cast(incoming as text) as incoming
  from (select nullif(t.stored_category_id, '') as category_id, t.month, nullif(t.stored_iso_currency_code, '') as iso_currency_code, cast(sum(t.count) as bigint) as count, sum(t.total_cents) as total, sum(t.incoming_cents) as incoming
    from (select month, account_id, nullif(attributed_user_id, '') as attributed_user_id, attributed_user_id as stored_attributed_user_id, nullif(category_id, '') as category_id, category_id as stored_category_id, nullif(iso_currency_code, '') as iso_currency_code, iso_currency_code as stored_iso_currency_code, count, outgoing_count, total_cents, incoming_cents
      from "monthly_totals"
      where month >= ?) as t
    where t.account_id <> ?
    and t.account_id <> ?
    group by t.stored_category_id, t.month, t.stored_iso_currency_code) as sums;

-- GET /api/v1/transactions/summary {"group_by":"category_month","date_from":"2025-01-14"}, large ledger

select category_id, month, iso_currency_code, count, cast(total as text) as total, cast(incoming as text) as incoming
  from (select t.category_id as category_id, substr(t.date, 1, 7) as month, t.iso_currency_code as iso_currency_code, count(*) as count, sum(t.amount_cents) as total, sum(t.amount_cents) filter (where t.amount_cents < 0) as incoming
    from transactions t indexed by transactions_for_totals
    where t.deleted_at is null
    and t.date >= ?
    and t.date <= ?
    and t.account_id <> ?
    and t.account_id <> ?
    and t.pending = 0
    group by 1, 2, 3) as sums;

select category_id, month, iso_currency_code, count, cast(total as text) as total, cast(incoming as text) as incoming
  from (select nullif(t.stored_category_id, '') as category_id, t.month, nullif(t.stored_iso_currency_code, '') as iso_currency_code, cast(sum(t.count) as bigint) as count, sum(t.total_cents) as total, sum(t.incoming_cents) as incoming
    from (select month, account_id, nullif(attributed_user_id, '') as attributed_user_id, attributed_user_id as stored_attributed_user_id, nullif(category_id, '') as category_id, category_id as stored_category_id, nullif(iso_currency_code, '') as iso_currency_code, iso_currency_code as stored_iso_currency_code, count, outgoing_count, total_cents, incoming_cents
      from "monthly_totals"
      where month >= ?) as t
    where t.account_id <> ?
    and t.account_id <> ?
    group by t.stored_category_id, t.month, t.stored_iso_currency_code) as sums;

-- GET /api/v1/transactions/summary {"group_by":"day","include_pending":true}, small ledger

select date, iso_currency_code, count, cast(total as text) as total, cast(incoming as text) as incoming
  from (select date, iso_currency_code, cast(sum(count) as bigint) as count, sum(total) as total, sum(incoming) as incoming
    from (select t.date as date, t.account_id as account_id, t.iso_currency_code as iso_currency_code, count(*) as count, sum(t.amount_cents) as total, sum(t.amount_cents) filter (where t.amount_cents < 0) as incoming
      from transactions t indexed by transactions_for_totals
      where t.deleted_at is null
      and t.account_id <> ?
      and t.account_id <> ?
      and t.pending = 0
      group by 1, 2, 3) as finer
    group by 1, 2) as sums;

select cast(coalesce(sum(count), 0) as bigint) as n
  from monthly_totals
  where month between ?
  and ?;

select count(*) as n
  from (select id
    from transactions
    where pending = 1
    limit 1001) as capped;

select date, iso_currency_code, count, cast(total as text) as total, cast(incoming as text) as incoming
  from (select t.date as date, t.iso_currency_code as iso_currency_code, count(*) as count, sum(t.amount_cents) as total, sum(t.amount_cents) filter (where t.amount_cents < 0) as incoming
    from (select id
      from transactions
      where pending = 1) as few
    cross join transactions t on t.id = few.id
    where t.deleted_at is null
    and t.account_id in (select value
      from json_each(?))
    and t.pending = 1
    group by 1, 2) as sums;

-- GET /api/v1/transactions/summary {"group_by":"tag","spending_only":true}, small ledger

select iso_currency_code, count, cast(total as text) as total, cast(incoming as text) as incoming
  from (select nullif(t.stored_iso_currency_code, '') as iso_currency_code, cast(sum(t.outgoing_count) as bigint) as count, sum(t.total_cents - t.incoming_cents) as total, cast(null as bigint) as incoming
    from (select month, account_id, nullif(attributed_user_id, '') as attributed_user_id, attributed_user_id as stored_attributed_user_id, nullif(category_id, '') as category_id, category_id as stored_category_id, nullif(iso_currency_code, '') as iso_currency_code, iso_currency_code as stored_iso_currency_code, count, outgoing_count, total_cents, incoming_cents
      from "monthly_totals"
      where 1 = 1) as t
    where t.account_id <> ?
    and t.account_id <> ?
    and t.outgoing_count > 0
    and (t.category_id is null or not t.category_id in (select value
        from json_each(?)))
    group by t.stored_iso_currency_code) as sums;

select tag_id, iso_currency_code, is_later, count, cast(total as text) as total, cast(incoming as text) as incoming
  from (select tt.tag_id, t.iso_currency_code, case when exists (select 1
      from transaction_tags other
      where other.transaction_id = tt.transaction_id
      and other.tag_id < tt.tag_id) then 1 else 0 end as is_later, count(*) as count, sum(t.amount_cents) as total, sum(t.amount_cents) filter (where t.amount_cents < 0) as incoming
    from transaction_tags tt
    cross join transactions t on t.id = tt.transaction_id
    where t.deleted_at is null
    and t.account_id <> ?
    and t.account_id <> ?
    and t.amount_cents > 0
    and (t.category_id is null or not +t.category_id in (select value
        from json_each(?)))
    and t.pending = 0
    group by tt.tag_id, t.iso_currency_code, is_later) as sums;

-- GET /api/v1/transactions/summary {"group_by":"tag","date_from":"2025-01-14"}, small ledger

select iso_currency_code, count, cast(total as text) as total, cast(incoming as text) as incoming
  from (select t.iso_currency_code as iso_currency_code, count(*) as count, sum(t.amount_cents) as total, sum(t.amount_cents) filter (where t.amount_cents < 0) as incoming
    from transactions t indexed by transactions_for_totals
    where t.deleted_at is null
    and t.date >= ?
    and t.date <= ?
    and t.account_id <> ?
    and t.account_id <> ?
    and t.pending = 0
    group by 1) as sums;

select iso_currency_code, count, cast(total as text) as total, cast(incoming as text) as incoming
  from (select nullif(t.stored_iso_currency_code, '') as iso_currency_code, cast(sum(t.count) as bigint) as count, sum(t.total_cents) as total, sum(t.incoming_cents) as incoming
    from (select month, account_id, nullif(attributed_user_id, '') as attributed_user_id, attributed_user_id as stored_attributed_user_id, nullif(category_id, '') as category_id, category_id as stored_category_id, nullif(iso_currency_code, '') as iso_currency_code, iso_currency_code as stored_iso_currency_code, count, outgoing_count, total_cents, incoming_cents
      from "monthly_totals"
      where month >= ?) as t
    where t.account_id <> ?
    and t.account_id <> ?
    group by t.stored_iso_currency_code) as sums;

select count(*) as n
  from (select id
    from transactions
    where deleted_at is null
    and date between ?
    and ?
    limit 40001) as capped;

select tag_id, iso_currency_code, is_later, count, cast(total as text) as total, cast(incoming as text) as incoming
  from (select tt.tag_id, t.iso_currency_code, case when exists (select 1
      from transaction_tags other
      where other.transaction_id = tt.transaction_id
      and other.tag_id < tt.tag_id) then 1 else 0 end as is_later, count(*) as count, sum(t.amount_cents) as total, sum(t.amount_cents) filter (where t.amount_cents < 0) as incoming
    from (select id
      from transactions
      where deleted_at is null
      and date between ?
      and ?) as few
    cross join transactions t on t.id = few.id
    cross join transaction_tags tt on tt.transaction_id = t.id
    where t.deleted_at is null
    and t.date >= ?
    and t.account_id in (select value
      from json_each(?))
    and t.pending = 0
    group by tt.tag_id, t.iso_currency_code, is_later) as sums;

-- GET /api/v1/transactions/summary {"group_by":"tag","date_from":"2025-01-14"}, large ledger

select iso_currency_code, count, cast(total as text) as total, cast(incoming as text) as incoming
  from (select t.iso_currency_code as iso_currency_code, count(*) as count, sum(t.amount_cents) as total, sum(t.amount_cents) filter (where t.amount_cents < 0) as incoming
    from transactions t indexed by transactions_for_totals
    where t.deleted_at is null
    and t.date >= ?
    and t.date <= ?
    and t.account_id <> ?
    and t.account_id <> ?
    and t.pending = 0
    group by 1) as sums;

select iso_currency_code, count, cast(total as text) as total, cast(incoming as text) as incoming
  from (select nullif(t.stored_iso_currency_code, '') as iso_currency_code, cast(sum(t.count) as bigint) as count, sum(t.total_cents) as total, sum(t.incoming_cents) as incoming
    from (select month, account_id, nullif(attributed_user_id, '') as attributed_user_id, attributed_user_id as stored_attributed_user_id, nullif(category_id, '') as category_id, category_id as stored_category_id, nullif(iso_currency_code, '') as iso_currency_code, iso_currency_code as stored_iso_currency_code, count, outgoing_count, total_cents, incoming_cents
      from "monthly_totals"
      where month >= ?) as t
    where t.account_id <> ?
    and t.account_id <> ?
    group by t.stored_iso_currency_code) as sums;

select count(*) as n
  from (select id
    from transactions
    where deleted_at is null
    and date between ?
    and ?
    limit 40001) as capped;

select tag_id, iso_currency_code, is_later, count, cast(total as text) as total, cast(incoming as text) as incoming
  from (select tt.tag_id, t.iso_currency_code, case when exists (select 1
      from transaction_tags other
      where other.transaction_id = tt.transaction_id
      and other.tag_id < tt.tag_id) then 1 else 0 end as is_later, count(*) as count, sum(t.amount_cents) as total, sum(t.amount_cents) filter (where t.amount_cents < 0) as incoming
    from transaction_tags tt
    cross join transactions t on t.id = tt.transaction_id
    where t.deleted_at is null
    and +t.date >= ?
    and t.account_id <> ?
    and t.account_id <> ?
    and t.pending = 0
    group by tt.tag_id, t.iso_currency_code, is_later) as sums;

-- GET /api/v1/transactions/summary {"group_by":"user","excluded_accounts":"include"}, small ledger

select account_id, attributed_user_id, iso_currency_code, count, cast(total as text) as total, cast(incoming as text) as incoming
  from (select t.account_id, nullif(t.stored_attributed_user_id, '') as attributed_user_id, nullif(t.stored_iso_currency_code, '') as iso_currency_code, cast(sum(t.count) as bigint) as count, sum(t.total_cents) as total, sum(t.incoming_cents) as incoming
    from (select month, account_id, nullif(attributed_user_id, '') as attributed_user_id, attributed_user_id as stored_attributed_user_id, nullif(category_id, '') as category_id, category_id as stored_category_id, nullif(iso_currency_code, '') as iso_currency_code, iso_currency_code as stored_iso_currency_code, count, outgoing_count, total_cents, incoming_cents
      from "monthly_totals"
      where 1 = 1) as t
    where t.account_id <> ?
    group by t.account_id, t.stored_attributed_user_id, t.stored_iso_currency_code) as sums;

-- GET /api/v1/transactions/merchants {}, small ledger

with merchants as materialized (select coalesce(p.counterparty_id, named.canonical_counterparty_id, named.id) as counterparty_id, case when named.id is null then p.text_id end as text_id, p.iso_currency_code, cast(sum(count) as bigint) as count, sum(total) as total, sum(incoming) as incoming, min(first_month) as first_month, max(last_month) as last_month
    from (select counterparty_id, text_id, iso_currency_code, count, total, incoming, first_month, last_month, 0 as is_known
      from (select nullif(t.stored_counterparty_id, '') as counterparty_id, nullif(t.stored_text_id, 0) as text_id, nullif(t.stored_iso_currency_code, '') as iso_currency_code, cast(sum(t.count) as bigint) as count, sum(t.total_cents) as total, sum(t.incoming_cents) as incoming , min(t.month) as first_month, max(t.month) as last_month
        from (select month, account_id, nullif(attributed_user_id, '') as attributed_user_id, attributed_user_id as stored_attributed_user_id, nullif(category_id, '') as category_id, category_id as stored_category_id, nullif(iso_currency_code, '') as iso_currency_code, iso_currency_code as stored_iso_currency_code, nullif(counterparty_id, '') as counterparty_id, counterparty_id as stored_counterparty_id, nullif(text_id, 0) as text_id, text_id as stored_text_id, count, outgoing_count, total_cents, incoming_cents
          from "merchant_totals"
          where 1 = 1) as t
        where t.account_id <> ?
        and t.account_id <> ?
        group by t.stored_counterparty_id, t.stored_text_id, t.stored_iso_currency_code) as part) as p
    left join counterparties named on named.name_text_id = p.text_id
    group by 1, 2, 3
    having max(is_known) = 0
    and sum(count) >= ?) select merchants, counterparty_id, text_id, iso_currency_code, count, first_month, last_month, total_text, incoming_text
  from ( select 1 as merchants, counterparty_id, text_id, iso_currency_code, count, first_month, last_month, name, total, cast(total as text) as total_text, cast(incoming as text) as incoming_text
    from (select *
      from ( select m.*, coalesce(cp.name_folded, (select x.folded
            from texts x
            where x.id = m.text_id)) as name
        from merchants as m
        left join counterparties cp on cp.id = m.counterparty_id) as n
      order by iso_currency_code asc nulls last, total desc, count desc, name, counterparty_id asc nulls last
      limit 500) as shown
    union all select count(*), null, null, iso_currency_code, cast(sum(count) as bigint), null, null, null, null, cast(sum(total) as text), cast(sum(incoming) as text)
    from merchants
    group by iso_currency_code ) as found
  order by iso_currency_code asc nulls last, total desc, count desc, name, counterparty_id asc nulls last;

with w as materialized (select json_extract(value, '$[0]') as nr, json_extract(value, '$[1]') as counterparty_id, json_extract(value, '$[2]') as text_id, json_extract(value, '$[3]') as iso, json_extract(value, '$[4]') as first_day, json_extract(value, '$[5]') as last_day
    from json_each(?)) select w.nr, cp.name, cp.short_id, cp.logo_url, coalesce((select t.date
      from transactions t
      where t.counterparty_id = w.counterparty_id
      and t.date >= w.first_day
      and t.iso_currency_code is not distinct
      from w.iso
      and t.deleted_at is null
      and t.account_id <> ?
      and t.account_id <> ?
      and t.pending = 0
      order by t.date asc, t.id asc
      limit 1), (select t.date
      from transactions t
      where t.merchant_text_id = w.text_id
      and t.counterparty_id is null
      and t.date >= w.first_day
      and t.iso_currency_code is not distinct
      from w.iso
      and t.deleted_at is null
      and t.account_id <> ?
      and t.account_id <> ?
      and t.pending = 0
      order by t.date asc, t.id asc
      limit 1)) as first_1, (select t.date
    from transactions t
    where t.name_text_id = w.text_id
    and t.merchant_text_id is null
    and t.counterparty_id is null
    and t.date >= w.first_day
    and t.iso_currency_code is not distinct
    from w.iso
    and t.deleted_at is null
    and t.account_id <> ?
    and t.account_id <> ?
    and t.pending = 0
    order by t.date asc, t.id asc
    limit 1) as first_2, coalesce((select t.date || t.id || coalesce(t.merchant_name, t.name)
      from transactions t
      where t.counterparty_id = w.counterparty_id
      and t.date <= w.last_day
      and t.iso_currency_code is not distinct
      from w.iso
      and t.deleted_at is null
      and t.account_id <> ?
      and t.account_id <> ?
      and t.pending = 0
      order by t.date desc, t.id desc
      limit 1), (select t.date || t.id || coalesce(t.merchant_name, t.name)
      from transactions t
      where t.merchant_text_id = w.text_id
      and t.counterparty_id is null
      and t.date <= w.last_day
      and t.iso_currency_code is not distinct
      from w.iso
      and t.deleted_at is null
      and t.account_id <> ?
      and t.account_id <> ?
      and t.pending = 0
      order by t.date desc, t.id desc
      limit 1)) as last_1, (select t.date || t.id || coalesce(t.merchant_name, t.name)
    from transactions t
    where t.name_text_id = w.text_id
    and t.merchant_text_id is null
    and t.counterparty_id is null
    and t.date <= w.last_day
    and t.iso_currency_code is not distinct
    from w.iso
    and t.deleted_at is null
    and t.account_id <> ?
    and t.account_id <> ?
    and t.pending = 0
    order by t.date desc, t.id desc
    limit 1) as last_2
  from w
  left join counterparties cp on cp.id = w.counterparty_id;

-- GET /api/v1/transactions/merchants {"category_slug":"food_and_drink","spending_only":true}, small ledger

select count(*) as n
  from (select id
    from transactions
    where deleted_at is null
    and "category_id" in (select value
      from json_each(?))
    limit 2001) as capped;

select cast(coalesce(sum(count), 0) as bigint) as n
  from monthly_totals
  where month between ?
  and ?;

select count(*) as n
  from (select id
    from transactions
    where deleted_at is null
    and "category_id" in (select value
      from json_each(?))
    limit 1001) as capped;

with merchants as materialized (select coalesce(p.counterparty_id, named.canonical_counterparty_id, named.id) as counterparty_id, case when named.id is null then p.text_id end as text_id, p.iso_currency_code, cast(sum(count) as bigint) as count, sum(total) as total, sum(incoming) as incoming, min(first_month) as first_month, max(last_month) as last_month
    from (select counterparty_id, text_id, iso_currency_code, count, total, incoming, first_month, last_month, 0 as is_known
      from (select t.counterparty_id as counterparty_id, case when t.counterparty_id is null then coalesce(t.merchant_text_id, t.name_text_id) end as text_id, t.iso_currency_code as iso_currency_code, count(*) as count, sum(t.amount_cents) as total, sum(t.amount_cents) filter (where t.amount_cents < 0) as incoming , min(substr(t.date, 1, 7)) as first_month, max(substr(t.date, 1, 7)) as last_month
        from (select id
          from transactions
          where deleted_at is null
          and "category_id" in (select value
            from json_each(?))) as few
        cross join transactions t on t.id = few.id
        where t.deleted_at is null
        and t.account_id in (select value
          from json_each(?))
        and t.category_id in (select value
          from json_each(?))
        and t.amount_cents > 0
        and (t.category_id is null or not t.category_id in (select value
            from json_each(?)))
        and t.pending = 0
        group by 1, 2, 3) as part) as p
    left join counterparties named on named.name_text_id = p.text_id
    group by 1, 2, 3
    having max(is_known) = 0
    and sum(count) >= ?) select merchants, counterparty_id, text_id, iso_currency_code, count, first_month, last_month, total_text, incoming_text
  from ( select 1 as merchants, counterparty_id, text_id, iso_currency_code, count, first_month, last_month, name, total, cast(total as text) as total_text, cast(incoming as text) as incoming_text
    from (select *
      from ( select m.*, coalesce(cp.name_folded, (select x.folded
            from texts x
            where x.id = m.text_id)) as name
        from merchants as m
        left join counterparties cp on cp.id = m.counterparty_id) as n
      order by iso_currency_code asc nulls last, total desc, count desc, name, counterparty_id asc nulls last
      limit 500) as shown
    union all select count(*), null, null, iso_currency_code, cast(sum(count) as bigint), null, null, null, null, cast(sum(total) as text), cast(sum(incoming) as text)
    from merchants
    group by iso_currency_code ) as found
  order by iso_currency_code asc nulls last, total desc, count desc, name, counterparty_id asc nulls last;

with w as materialized (select json_extract(value, '$[0]') as nr, json_extract(value, '$[1]') as counterparty_id, json_extract(value, '$[2]') as text_id, json_extract(value, '$[3]') as iso, json_extract(value, '$[4]') as first_day, json_extract(value, '$[5]') as last_day
    from json_each(?)) select w.nr, cp.name, cp.short_id, cp.logo_url, coalesce((select t.date
      from transactions t
      where t.counterparty_id = w.counterparty_id
      and t.date >= w.first_day
      and t.iso_currency_code is not distinct
      from w.iso
      and t.deleted_at is null
      and t.account_id <> ?
      and t.account_id <> ?
      and +t.category_id in (select value
        from json_each(?))
      and t.amount_cents > 0
      and (t.category_id is null or not +t.category_id in (select value
          from json_each(?)))
      and t.pending = 0
      order by t.date asc, t.id asc
      limit 1), (select t.date
      from transactions t
      where t.merchant_text_id = w.text_id
      and t.counterparty_id is null
      and t.date >= w.first_day
      and t.iso_currency_code is not distinct
      from w.iso
      and t.deleted_at is null
      and t.account_id <> ?
      and t.account_id <> ?
      and +t.category_id in (select value
        from json_each(?))
      and t.amount_cents > 0
      and (t.category_id is null or not +t.category_id in (select value
          from json_each(?)))
      and t.pending = 0
      order by t.date asc, t.id asc
      limit 1)) as first_1, (select t.date
    from transactions t
    where t.name_text_id = w.text_id
    and t.merchant_text_id is null
    and t.counterparty_id is null
    and t.date >= w.first_day
    and t.iso_currency_code is not distinct
    from w.iso
    and t.deleted_at is null
    and t.account_id <> ?
    and t.account_id <> ?
    and +t.category_id in (select value
      from json_each(?))
    and t.amount_cents > 0
    and (t.category_id is null or not +t.category_id in (select value
        from json_each(?)))
    and t.pending = 0
    order by t.date asc, t.id asc
    limit 1) as first_2, coalesce((select t.date || t.id || coalesce(t.merchant_name, t.name)
      from transactions t
      where t.counterparty_id = w.counterparty_id
      and t.date <= w.last_day
      and t.iso_currency_code is not distinct
      from w.iso
      and t.deleted_at is null
      and t.account_id <> ?
      and t.account_id <> ?
      and +t.category_id in (select value
        from json_each(?))
      and t.amount_cents > 0
      and (t.category_id is null or not +t.category_id in (select value
          from json_each(?)))
      and t.pending = 0
      order by t.date desc, t.id desc
      limit 1), (select t.date || t.id || coalesce(t.merchant_name, t.name)
      from transactions t
      where t.merchant_text_id = w.text_id
      and t.counterparty_id is null
      and t.date <= w.last_day
      and t.iso_currency_code is not distinct
      from w.iso
      and t.deleted_at is null
      and t.account_id <> ?
      and t.account_id <> ?
      and +t.category_id in (select value
        from json_each(?))
      and t.amount_cents > 0
      and (t.category_id is null or not +t.category_id in (select value
          from json_each(?)))
      and t.pending = 0
      order by t.date desc, t.id desc
      limit 1)) as last_1, (select t.date || t.id || coalesce(t.merchant_name, t.name)
    from transactions t
    where t.name_text_id = w.text_id
    and t.merchant_text_id is null
    and t.counterparty_id is null
    and t.date <= w.last_day
    and t.iso_currency_code is not distinct
    from w.iso
    and t.deleted_at is null
    and t.account_id <> ?
    and t.account_id <> ?
    and +t.category_id in (select value
      from json_each(?))
    and t.amount_cents > 0
    and (t.category_id is null or not +t.category_id in (select value
        from json_each(?)))
    and t.pending = 0
    order by t.date desc, t.id desc
    limit 1) as last_2
  from w
  left join counterparties cp on cp.id = w.counterparty_id;

-- GET /api/v1/transactions/merchants {"category_slug":"food_and_drink","spending_only":true}, large ledger

select count(*) as n
  from (select id
    from transactions
    where deleted_at is null
    and "category_id" in (select value
      from json_each(?))
    limit 2001) as capped;

with merchants as materialized (select coalesce(p.counterparty_id, named.canonical_counterparty_id, named.id) as counterparty_id, case when named.id is null then p.text_id end as text_id, p.iso_currency_code, cast(sum(count) as bigint) as count, sum(total) as total, sum(incoming) as incoming, min(first_month) as first_month, max(last_month) as last_month
    from (select counterparty_id, text_id, iso_currency_code, count, total, incoming, first_month, last_month, 0 as is_known
      from (select nullif(t.stored_counterparty_id, '') as counterparty_id, nullif(t.stored_text_id, 0) as text_id, nullif(t.stored_iso_currency_code, '') as iso_currency_code, cast(sum(t.outgoing_count) as bigint) as count, sum(t.total_cents - t.incoming_cents) as total, cast(null as bigint) as incoming , min(t.month) as first_month, max(t.month) as last_month
        from (select month, account_id, nullif(attributed_user_id, '') as attributed_user_id, attributed_user_id as stored_attributed_user_id, nullif(category_id, '') as category_id, category_id as stored_category_id, nullif(iso_currency_code, '') as iso_currency_code, iso_currency_code as stored_iso_currency_code, nullif(counterparty_id, '') as counterparty_id, counterparty_id as stored_counterparty_id, nullif(text_id, 0) as text_id, text_id as stored_text_id, count, outgoing_count, total_cents, incoming_cents
          from "merchant_totals"
          where 1 = 1) as t
        where t.account_id <> ?
        and t.account_id <> ?
        and +t.category_id in (select value
          from json_each(?))
        and t.outgoing_count > 0
        and (t.category_id is null or not t.category_id in (select value
            from json_each(?)))
        group by t.stored_counterparty_id, t.stored_text_id, t.stored_iso_currency_code) as part) as p
    left join counterparties named on named.name_text_id = p.text_id
    group by 1, 2, 3
    having max(is_known) = 0
    and sum(count) >= ?) select merchants, counterparty_id, text_id, iso_currency_code, count, first_month, last_month, total_text, incoming_text
  from ( select 1 as merchants, counterparty_id, text_id, iso_currency_code, count, first_month, last_month, name, total, cast(total as text) as total_text, cast(incoming as text) as incoming_text
    from (select *
      from ( select m.*, coalesce(cp.name_folded, (select x.folded
            from texts x
            where x.id = m.text_id)) as name
        from merchants as m
        left join counterparties cp on cp.id = m.counterparty_id) as n
      order by iso_currency_code asc nulls last, total desc, count desc, name, counterparty_id asc nulls last
      limit 500) as shown
    union all select count(*), null, null, iso_currency_code, cast(sum(count) as bigint), null, null, null, null, cast(sum(total) as text), cast(sum(incoming) as text)
    from merchants
    group by iso_currency_code ) as found
  order by iso_currency_code asc nulls last, total desc, count desc, name, counterparty_id asc nulls last;

with w as materialized (select json_extract(value, '$[0]') as nr, json_extract(value, '$[1]') as counterparty_id, json_extract(value, '$[2]') as text_id, json_extract(value, '$[3]') as iso, json_extract(value, '$[4]') as first_day, json_extract(value, '$[5]') as last_day
    from json_each(?)) select w.nr, cp.name, cp.short_id, cp.logo_url, coalesce((select t.date
      from transactions t
      where t.counterparty_id = w.counterparty_id
      and t.date >= w.first_day
      and t.iso_currency_code is not distinct
      from w.iso
      and t.deleted_at is null
      and t.account_id <> ?
      and t.account_id <> ?
      and +t.category_id in (select value
        from json_each(?))
      and t.amount_cents > 0
      and (t.category_id is null or not +t.category_id in (select value
          from json_each(?)))
      and t.pending = 0
      order by t.date asc, t.id asc
      limit 1), (select t.date
      from transactions t
      where t.merchant_text_id = w.text_id
      and t.counterparty_id is null
      and t.date >= w.first_day
      and t.iso_currency_code is not distinct
      from w.iso
      and t.deleted_at is null
      and t.account_id <> ?
      and t.account_id <> ?
      and +t.category_id in (select value
        from json_each(?))
      and t.amount_cents > 0
      and (t.category_id is null or not +t.category_id in (select value
          from json_each(?)))
      and t.pending = 0
      order by t.date asc, t.id asc
      limit 1)) as first_1, (select t.date
    from transactions t
    where t.name_text_id = w.text_id
    and t.merchant_text_id is null
    and t.counterparty_id is null
    and t.date >= w.first_day
    and t.iso_currency_code is not distinct
    from w.iso
    and t.deleted_at is null
    and t.account_id <> ?
    and t.account_id <> ?
    and +t.category_id in (select value
      from json_each(?))
    and t.amount_cents > 0
    and (t.category_id is null or not +t.category_id in (select value
        from json_each(?)))
    and t.pending = 0
    order by t.date asc, t.id asc
    limit 1) as first_2, coalesce((select t.date || t.id || coalesce(t.merchant_name, t.name)
      from transactions t
      where t.counterparty_id = w.counterparty_id
      and t.date <= w.last_day
      and t.iso_currency_code is not distinct
      from w.iso
      and t.deleted_at is null
      and t.account_id <> ?
      and t.account_id <> ?
      and +t.category_id in (select value
        from json_each(?))
      and t.amount_cents > 0
      and (t.category_id is null or not +t.category_id in (select value
          from json_each(?)))
      and t.pending = 0
      order by t.date desc, t.id desc
      limit 1), (select t.date || t.id || coalesce(t.merchant_name, t.name)
      from transactions t
      where t.merchant_text_id = w.text_id
      and t.counterparty_id is null
      and t.date <= w.last_day
      and t.iso_currency_code is not distinct
      from w.iso
      and t.deleted_at is null
      and t.account_id <> ?
      and t.account_id <> ?
      and +t.category_id in (select value
        from json_each(?))
      and t.amount_cents > 0
      and (t.category_id is null or not +t.category_id in (select value
          from json_each(?)))
      and t.pending = 0
      order by t.date desc, t.id desc
      limit 1)) as last_1, (select t.date || t.id || coalesce(t.merchant_name, t.name)
    from transactions t
    where t.name_text_id = w.text_id
    and t.merchant_text_id is null
    and t.counterparty_id is null
    and t.date <= w.last_day
    and t.iso_currency_code is not distinct
    from w.iso
    and t.deleted_at is null
    and t.account_id <> ?
    and t.account_id <> ?
    and +t.category_id in (select value
      from json_each(?))
    and t.amount_cents > 0
    and (t.category_id is null or not +t.category_id in (select value
        from json_each(?)))
    and t.pending = 0
    order by t.date desc, t.id desc
    limit 1) as last_2
  from w
  left join counterparties cp on cp.id = w.counterparty_id;

-- GET /api/v1/transactions/export {"search":"coffee"}, small ledger

select texts.id
  from texts_trigrams
  join texts on texts.id = texts_trigrams.rowid
  where texts_trigrams match ?
  and instr(texts.folded, ?) > 0
  limit 1001;

select count(*) as n
  from (select t.id as id
    from transactions t
    where t.name_text_id in (select value
      from json_each(?))
    and t.name_text_id is not null
    and t.deleted_at is null
    limit 5001) as capped;

select count(*) as n
  from (select t.id as id
    from transactions t
    where t.merchant_text_id in (select value
      from json_each(?))
    and t.merchant_text_id is not null
    and t.deleted_at is null
    limit 5000) as capped;

select json_object('id', t.id, 'short_id', t.short_id, 'account_id', t.account_id, 'account_name', coalesce(a.display_name, a.name), 'connection_id', a.connection_id, 'provider', a.provider, 'user_id', ou.short_id, 'attributed_user_id', au.short_id, 'date', t.date, 'authorized_date', t.authorized_date, 'datetime', t.datetime, 'amount', printf('%s%d.%02d', case when t.amount_cents < 0 then '-' else '' end, abs(t.amount_cents) / 100, abs(t.amount_cents) % 100), 'iso_currency_code', t.iso_currency_code, 'name', t.name, 'merchant_name', t.merchant_name, 'counterparty_id', t.counterparty_id, 'counterparty_short_id', cp.short_id, 'counterparty_name', coalesce(cp.name, t.merchant_name, t.name), 'counterparty_logo_url', cp.logo_url, 'category_id', t.category_id, 'category', json(case when cat.id is not null then json_object('id', cat.id, 'short_id', cat.short_id, 'slug', cat.slug, 'name', cat.name, 'parent_id', cat.parent_id, 'kind', cat.kind) end), 'category_source', t.category_source, 'provider_category_primary', t.provider_category_primary, 'provider_category_detailed', t.provider_category_detailed, 'payment_channel', t.payment_channel, 'pending', json(case when t.pending then 'true' else 'false' end), 'series_id', t.series_id, 'tags', (select json_group_array(value)
      from (select tg.slug as value
        from transaction_tags tt
        join tags tg on tg.id = tt.tag_id
        where tt.transaction_id = t.id
        order by tg.slug)), 'metadata', json(t.metadata), 'flagged_at', t.flagged_at, 'excluded_from_totals', case when a.is_excluded = 1 then 'account_excluded' when a.is_dependent_linked = 1 then 'dependent_account' end, 'import_id', t.import_id, 'deleted_at', t.deleted_at, 'created_at', t.created_at, 'updated_at', t.updated_at) as json
  from (select t.id as id
    from transactions t
    where t.name_text_id in (select value
      from json_each(?))
    and t.name_text_id is not null
    and t.deleted_at is null
    union select t.id as id
    from transactions t
    where t.merchant_text_id in (select value
      from json_each(?))
    and t.merchant_text_id is not null
    and t.deleted_at is null) as few
  cross join transactions t on t.id = few.id
  join accounts a on a.id = t.account_id
  left join connections c on c.id = a.connection_id
  left join categories cat on cat.id = t.category_id
  left join counterparties cp on cp.id = t.counterparty_id
  left join users au on au.id = t.attributed_user_id
  left join users ou on ou.id = coalesce(t.attributed_user_id, a.owner_user_id, c.user_id)
  where t.deleted_at is null
  and (((t.name_text_id in (select value
          from json_each(?)) or coalesce(t.merchant_text_id, 0) in (select value
          from json_each(?)))))
  order by t.date asc, t.id asc;

-- GET /api/v1/transactions/export {"search":"coffee"}, large ledger

select texts.id
  from texts_trigrams
  join texts on texts.id = texts_trigrams.rowid
  where texts_trigrams match ?
  and instr(texts.folded, ?) > 0
  limit 1001;

select count(*) as n
  from (select t.id as id
    from transactions t
    where t.name_text_id in (select value
      from json_each(?))
    and t.name_text_id is not null
    and t.deleted_at is null
    limit 5001) as capped;

select json_object('id', t.id, 'short_id', t.short_id, 'account_id', t.account_id, 'account_name', coalesce(a.display_name, a.name), 'connection_id', a.connection_id, 'provider', a.provider, 'user_id', ou.short_id, 'attributed_user_id', au.short_id, 'date', t.date, 'authorized_date', t.authorized_date, 'datetime', t.datetime, 'amount', printf('%s%d.%02d', case when t.amount_cents < 0 then '-' else '' end, abs(t.amount_cents) / 100, abs(t.amount_cents) % 100), 'iso_currency_code', t.iso_currency_code, 'name', t.name, 'merchant_name', t.merchant_name, 'counterparty_id', t.counterparty_id, 'counterparty_short_id', cp.short_id, 'counterparty_name', coalesce(cp.name, t.merchant_name, t.name), 'counterparty_logo_url', cp.logo_url, 'category_id', t.category_id, 'category', json(case when cat.id is not null then json_object('id', cat.id, 'short_id', cat.short_id, 'slug', cat.slug, 'name', cat.name, 'parent_id', cat.parent_id, 'kind', cat.kind) end), 'category_source', t.category_source, 'provider_category_primary', t.provider_category_primary, 'provider_category_detailed', t.provider_category_detailed, 'payment_channel', t.payment_channel, 'pending', json(case when t.pending then 'true' else 'false' end), 'series_id', t.series_id, 'tags', (select json_group_array(value)
      from (select tg.slug as value
        from transaction_tags tt
        join tags tg on tg.id = tt.tag_id
        where tt.transaction_id = t.id
        order by tg.slug)), 'metadata', json(t.metadata), 'flagged_at', t.flagged_at, 'excluded_from_totals', case when a.is_excluded = 1 then 'account_excluded' when a.is_dependent_linked = 1 then 'dependent_account' end, 'import_id', t.import_id, 'deleted_at', t.deleted_at, 'created_at', t.created_at, 'updated_at', t.updated_at) as json
  from transactions t
  join accounts a on a.id = t.account_id
  left join connections c on c.id = a.connection_id
  left join categories cat on cat.id = t.category_id
  left join counterparties cp on cp.id = t.counterparty_id
  left join users au on au.id = t.attributed_user_id
  left join users ou on ou.id = coalesce(t.attributed_user_id, a.owner_user_id, c.user_id)
  where t.deleted_at is null
  and (((t.name_text_id in (select value
          from json_each(?)) or coalesce(t.merchant_text_id, 0) in (select value
          from json_each(?)))))
  order by t.date asc, t.id asc;

-- GET /api/v1/transactions/export {"category_slug":"food_and_drink"}, large ledger

select count(*) as n
  from (select id
    from transactions
    where deleted_at is null
    and "category_id" in (select value
      from json_each(?))
    limit 5001) as capped;

select json_object('id', t.id, 'short_id', t.short_id, 'account_id', t.account_id, 'account_name', coalesce(a.display_name, a.name), 'connection_id', a.connection_id, 'provider', a.provider, 'user_id', ou.short_id, 'attributed_user_id', au.short_id, 'date', t.date, 'authorized_date', t.authorized_date, 'datetime', t.datetime, 'amount', printf('%s%d.%02d', case when t.amount_cents < 0 then '-' else '' end, abs(t.amount_cents) / 100, abs(t.amount_cents) % 100), 'iso_currency_code', t.iso_currency_code, 'name', t.name, 'merchant_name', t.merchant_name, 'counterparty_id', t.counterparty_id, 'counterparty_short_id', cp.short_id, 'counterparty_name', coalesce(cp.name, t.merchant_name, t.name), 'counterparty_logo_url', cp.logo_url, 'category_id', t.category_id, 'category', json(case when cat.id is not null then json_object('id', cat.id, 'short_id', cat.short_id, 'slug', cat.slug, 'name', cat.name, 'parent_id', cat.parent_id, 'kind', cat.kind) end), 'category_source', t.category_source, 'provider_category_primary', t.provider_category_primary, 'provider_category_detailed', t.provider_category_detailed, 'payment_channel', t.payment_channel, 'pending', json(case when t.pending then 'true' else 'false' end), 'series_id', t.series_id, 'tags', (select json_group_array(value)
      from (select tg.slug as value
        from transaction_tags tt
        join tags tg on tg.id = tt.tag_id
        where tt.transaction_id = t.id
        order by tg.slug)), 'metadata', json(t.metadata), 'flagged_at', t.flagged_at, 'excluded_from_totals', case when a.is_excluded = 1 then 'account_excluded' when a.is_dependent_linked = 1 then 'dependent_account' end, 'import_id', t.import_id, 'deleted_at', t.deleted_at, 'created_at', t.created_at, 'updated_at', t.updated_at) as json
  from transactions t
  join accounts a on a.id = t.account_id
  left join connections c on c.id = a.connection_id
  left join categories cat on cat.id = t.category_id
  left join counterparties cp on cp.id = t.counterparty_id
  left join users au on au.id = t.attributed_user_id
  left join users ou on ou.id = coalesce(t.attributed_user_id, a.owner_user_id, c.user_id)
  where t.deleted_at is null
  and +t.category_id in (select value
    from json_each(?))
  order by t.date asc, t.id asc;

-- POST /api/v1/transactions/bulk-recategorize {"filter":{"search":"coffee"},"target_category_id":"travel","dry_run":true}, small ledger

select texts.id
  from texts_trigrams
  join texts on texts.id = texts_trigrams.rowid
  where texts_trigrams match ?
  and instr(texts.folded, ?) > 0
  limit 1001;

select id
  from (select t.date, t.id as id
    from transactions t
    where t.name_text_id in (select value
      from json_each(?))
    and t.name_text_id is not null
    and t.deleted_at is null
    and t.deleted_at is null
    union select t.date, t.id as id
    from transactions t
    where t.merchant_text_id in (select value
      from json_each(?))
    and t.merchant_text_id is not null
    and t.deleted_at is null
    and t.deleted_at is null
    limit 100001) as found
  order by date desc, id desc;

select t.id, t.short_id, t.category_id, t.category_source, t.category_rule_id, t.counterparty_id, t.series_id, t.attributed_user_id, t.attributed_by_link_id, t.flagged_at, t.metadata, t.locks, t.deleted_at, t.deleted_cause, (select group_concat(tg.slug, ' ')
    from transaction_tags tt
    join tags tg on tg.id = tt.tag_id
    where tt.transaction_id = t.id) as tags
  from transactions t
  where "t"."id" in (select value
    from json_each(?));

update transactions set "category_id" = ?, "locks" = ?, "updated_at" = ?
  where id = ?;

-- POST /api/v1/transactions/bulk-recategorize {"filter":{"search":"coffee"},"target_category_id":"travel","dry_run":true}, large ledger

select texts.id
  from texts_trigrams
  join texts on texts.id = texts_trigrams.rowid
  where texts_trigrams match ?
  and instr(texts.folded, ?) > 0
  limit 1001;

select id
  from (select t.date, t.id as id
    from transactions t
    where t.name_text_id in (select value
      from json_each(?))
    and t.name_text_id is not null
    and t.deleted_at is null
    and t.deleted_at is null
    union select t.date, t.id as id
    from transactions t
    where t.merchant_text_id in (select value
      from json_each(?))
    and t.merchant_text_id is not null
    and t.deleted_at is null
    and t.deleted_at is null
    limit 100001) as found
  order by date desc, id desc;

select t.id, t.short_id, t.category_id, t.category_source, t.category_rule_id, t.counterparty_id, t.series_id, t.attributed_user_id, t.attributed_by_link_id, t.flagged_at, t.metadata, t.locks, t.deleted_at, t.deleted_cause, (select group_concat(tg.slug, ' ')
    from transaction_tags tt
    join tags tg on tg.id = tt.tag_id
    where tt.transaction_id = t.id) as tags
  from transactions t
  where "t"."id" in (select value
    from json_each(?));

update transactions set "category_id" = ?, "locks" = ?, "updated_at" = ?
  where id = ?;

-- GET /api/v1/tags {}, small ledger

select tag_id, count(*) as n
  from transaction_tags
  group by tag_id;

select p.tag_id, count(*) as n
  from transactions t
  cross join transaction_tags p on p.transaction_id = t.id
  where t.deleted_at is not null
  group by p.tag_id;

-- GET /api/v1/overview {}, small ledger

select waiting.pending, waiting.uncategorized + cast(posted.uncategorized as bigint) as uncategorized, (select count(*)
    from tags
    cross join transaction_tags tt on tt.tag_id = tags.id
    where tags.slug = ?) - (select count(*)
    from transactions t
    cross join transaction_tags tt on tt.transaction_id = t.id
    cross join tags on tags.id = tt.tag_id
    where t.deleted_at is not null
    and tags.slug = ?) as needs_review, flagged, flagged_since
  from (select count(*) filter (where t.deleted_at is null ) as pending, count(*) filter (where t.category_id is null
      and t.deleted_at is null ) as uncategorized
    from transactions t indexed by transactions_pending
    where t.pending = 1) as waiting
  cross join (select coalesce(sum(t.count), 0) as uncategorized
    from (select month, account_id, nullif(category_id, '') as category_id, nullif(attributed_user_id, '') as attributed_user_id, count
      from monthly_totals) as t
    where t.category_id is null ) as posted
  cross join (select count(*) filter (where t.deleted_at is null ) as flagged, min(t.flagged_at) filter (where t.deleted_at is null ) as flagged_since
    from transactions t
    where t.flagged_at is not null) as flags;

select cast((select coalesce(sum(count), 0)
      from monthly_totals) as bigint) + (select count(*)
    from transactions t indexed by transactions_pending
    where t.pending = 1
    and t.deleted_at is null) as transactions, (select min(date)
    from transactions
    where deleted_at is null) as earliest_date, (select max(date)
    from transactions
    where deleted_at is null) as latest_date;

select count(*) as n
  from (select 1
    from transactions
    where id >= ?
    limit 1000) as capped;

select (select count(*)
    from transactions t
    where t.id >= ?) - (select count(*) filter (where t.id >= ?)
    from transactions t
    where t.deleted_at is not null) as n;

select "accounts"."id", "accounts"."type", (select t.date
    from transactions t
    where t.account_id = accounts.id
    and t.deleted_at is null
    and t.pending = 0
    order by t.date
    limit 1) as "first_row_date"
  from "accounts"
  left join "connections" on "connections"."id" = "accounts"."connection_id"
  where "accounts"."deleted_at" is null
  and "accounts"."is_excluded" = ?
  and "accounts"."is_dependent_linked" = ?
  and "connections"."status" != ?;

-- GET /api/v1/overview {"user_id":"ID"}, small ledger

select waiting.pending, waiting.uncategorized + cast(posted.uncategorized as bigint) as uncategorized, (select count(*)
    from tags
    cross join transaction_tags tt on tt.tag_id = tags.id
    cross join transactions t on t.id = tt.transaction_id
    where tags.slug = ?
    and t.deleted_at is null
    and (+"t"."attributed_user_id" = ? or (+"t"."attributed_user_id" is null
        and +"t"."account_id" in (select value
          from json_each(?))))) as needs_review, flagged, flagged_since
  from (select count(*) filter (where t.deleted_at is null
      and (+"t"."attributed_user_id" = ? or (+"t"."attributed_user_id" is null
          and +"t"."account_id" in (select value
            from json_each(?))))) as pending, count(*) filter (where t.category_id is null
      and t.deleted_at is null
      and (+"t"."attributed_user_id" = ? or (+"t"."attributed_user_id" is null
          and +"t"."account_id" in (select value
            from json_each(?))))) as uncategorized
    from transactions t indexed by transactions_pending
    where t.pending = 1) as waiting
  cross join (select coalesce(sum(t.count), 0) as uncategorized
    from (select month, account_id, nullif(category_id, '') as category_id, nullif(attributed_user_id, '') as attributed_user_id, count
      from monthly_totals) as t
    where t.category_id is null
    and (+"t"."attributed_user_id" = ? or (+"t"."attributed_user_id" is null
        and +"t"."account_id" in (select value
          from json_each(?))))) as posted
  cross join (select count(*) filter (where t.deleted_at is null
      and (+"t"."attributed_user_id" = ? or (+"t"."attributed_user_id" is null
          and +"t"."account_id" in (select value
            from json_each(?))))) as flagged, min(t.flagged_at) filter (where t.deleted_at is null
      and (+"t"."attributed_user_id" = ? or (+"t"."attributed_user_id" is null
          and +"t"."account_id" in (select value
            from json_each(?))))) as flagged_since
    from transactions t
    where t.flagged_at is not null) as flags;

with months as materialized ( select cast(coalesce(sum(t.count), 0) as bigint) as n, min(t.month) as first, max(t.month) as last
    from (select month, account_id, nullif(category_id, '') as category_id, nullif(attributed_user_id, '') as attributed_user_id, count
      from monthly_totals) as t
    where (+"t"."attributed_user_id" = ? or (+"t"."attributed_user_id" is null
        and +"t"."account_id" in (select value
          from json_each(?))))), parts as materialized ( select n, (select min(t.date)
      from transactions t indexed by transactions_for_totals
      where t.deleted_at is null
      and t.pending = 0
      and t.date >= months.first || '-01'
      and t.date <= months.first || '-31'
      and (+"t"."attributed_user_id" = ? or (+"t"."attributed_user_id" is null
          and +"t"."account_id" in (select value
            from json_each(?))))) as first, (select max(t.date)
      from transactions t indexed by transactions_for_totals
      where t.deleted_at is null
      and t.pending = 0
      and t.date >= months.last || '-01'
      and t.date <= months.last || '-31'
      and (+"t"."attributed_user_id" = ? or (+"t"."attributed_user_id" is null
          and +"t"."account_id" in (select value
            from json_each(?))))) as last
    from months
    union all select count(*) as n, min(t.date) as first, max(t.date) as last
    from transactions t indexed by transactions_pending
    where t.pending = 1
    and t.deleted_at is null
    and (+"t"."attributed_user_id" = ? or (+"t"."attributed_user_id" is null
        and +"t"."account_id" in (select value
          from json_each(?))))) select cast(sum(n) as bigint) as transactions, min(first) as earliest_date, max(last) as latest_date
  from parts;

select count(*) as n
  from (select 1
    from transactions
    where id >= ?
    limit 1000) as capped;

select (select count(*)
    from transactions t
    where t.id >= ?
    and t.deleted_at is null
    and (+"t"."attributed_user_id" = ? or (+"t"."attributed_user_id" is null
        and +"t"."account_id" in (select value
          from json_each(?))))) as n;

select waiting.pending, waiting.uncategorized + cast(posted.uncategorized as bigint) as uncategorized, (select count(*)
    from tags
    cross join transaction_tags tt on tt.tag_id = tags.id
    where tags.slug = ?) - (select count(*)
    from transactions t
    cross join transaction_tags tt on tt.transaction_id = t.id
    cross join tags on tags.id = tt.tag_id
    where t.deleted_at is not null
    and tags.slug = ?) as needs_review, flagged, flagged_since
  from (select count(*) filter (where t.deleted_at is null ) as pending, count(*) filter (where t.category_id is null
      and t.deleted_at is null ) as uncategorized
    from transactions t indexed by transactions_pending
    where t.pending = 1) as waiting
  cross join (select coalesce(sum(t.count), 0) as uncategorized
    from (select month, account_id, nullif(category_id, '') as category_id, nullif(attributed_user_id, '') as attributed_user_id, count
      from monthly_totals) as t
    where t.category_id is null ) as posted
  cross join (select count(*) filter (where t.deleted_at is null ) as flagged, min(t.flagged_at) filter (where t.deleted_at is null ) as flagged_since
    from transactions t
    where t.flagged_at is not null) as flags;

select "accounts"."id", "accounts"."type", (select t.date
    from transactions t
    where t.account_id = accounts.id
    and t.deleted_at is null
    and t.pending = 0
    order by t.date
    limit 1) as "first_row_date"
  from "accounts"
  left join "connections" on "connections"."id" = "accounts"."connection_id"
  where "accounts"."deleted_at" is null
  and coalesce("accounts"."owner_user_id", "connections"."user_id") in (select value
    from json_each(?))
  and "accounts"."is_excluded" = ?
  and "accounts"."is_dependent_linked" = ?
  and "connections"."status" != ?;

-- GET /api/v1/overview/history {"date_from":"2025-01-14","date_to":"2025-03-01"}, small ledger

select "accounts"."id", "accounts"."type", (select t.date
    from transactions t
    where t.account_id = accounts.id
    and t.deleted_at is null
    and t.pending = 0
    order by t.date
    limit 1) as "first_row_date"
  from "accounts"
  left join "connections" on "connections"."id" = "accounts"."connection_id"
  where "accounts"."deleted_at" is null
  and "accounts"."is_excluded" = ?
  and "accounts"."is_dependent_linked" = ?
  and "connections"."status" != ?;
