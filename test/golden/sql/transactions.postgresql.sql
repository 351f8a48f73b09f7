-- GET /api/v1/transactions {"fields":"amount,pending,category,tags,metadata"}, small ledger

with page as materialized (select t.id, t.date
    from transactions t
    where 1 = 1
    and t.deleted_at is null
    order by t.date desc, t.id desc
    limit 51) select t.id, t.date, format('{"id" : %s, "short_id" : %s, "amount" : %s, "pending" : %s, "category" : %s, "category_id" : %s, "category_source" : %s, "provider_category_primary" : %s, "provider_category_detailed" : %s, "tags" : %s, "metadata" : %s}', coalesce('"' || t.id || '"', 'null'), coalesce('"' || t.short_id || '"', 'null'), coalesce('"' || (case when t.amount_cents < 0 then '-' else '' end || (abs(t.amount_cents) / 100)::text || '.' || lpad((abs(t.amount_cents) % 100)::text, 2, '0')) || '"', 'null'), case when t.pending = 1 then 'true' else 'false' end, coalesce(case when cat.id is not null then format('{"id" : %s, "short_id" : %s, "slug" : %s, "name" : %s, "parent_id" : %s, "kind" : %s}', coalesce('"' || cat.id || '"', 'null'), coalesce('"' || cat.short_id || '"', 'null'), coalesce(to_json(cat.slug)::text, 'null'), coalesce(to_json(cat.name)::text, 'null'), coalesce('"' || cat.parent_id || '"', 'null'), coalesce('"' || cat.kind || '"', 'null')) end, 'null'), coalesce('"' || t.category_id || '"', 'null'), coalesce('"' || t.category_source || '"', 'null'), coalesce(to_json(t.provider_category_primary)::text, 'null'), coalesce(to_json(t.provider_category_detailed)::text, 'null'), coalesce((select json_agg(value)::text
        from (select tg.slug as value
          from transaction_tags tt
          join tags tg on tg.id = tt.tag_id
          where tt.transaction_id = t.id
          order by tg.slug) as list), '[]'), coalesce(t.metadata, 'null')) as json
  from page
  join transactions t on t.id = page.id
  join accounts a on a.id = t.account_id
  left join connections c on c.id = a.connection_id
  left join categories cat on cat.id = t.category_id
  left join counterparties cp on cp.id = t.counterparty_id
  left join users au on au.id = t.attributed_user_id
  left join users ou on ou.id = coalesce(t.attributed_user_id, a.owner_user_id, c.user_id)
  order by t.date desc, t.id desc;

-- GET /api/v1/transactions {"order":"asc","date_from":"2025-01-14"}, small ledger

with page as materialized (with given as materialized (select $1::text as v1) select found.*
    from given
    cross join lateral (select t.id, t.date
      from transactions t
      where 1 = 1
      and t.deleted_at is null
      and t.date >= given.v1
      order by t.date asc, t.id asc
      limit 51) as found) select t.id, t.date, format('{"id" : %s, "short_id" : %s}', coalesce('"' || t.id || '"', 'null'), coalesce('"' || t.short_id || '"', 'null')) as json
  from page
  join transactions t on t.id = page.id
  join accounts a on a.id = t.account_id
  left join connections c on c.id = a.connection_id
  left join categories cat on cat.id = t.category_id
  left join counterparties cp on cp.id = t.counterparty_id
  left join users au on au.id = t.attributed_user_id
  left join users ou on ou.id = coalesce(t.attributed_user_id, a.owner_user_id, c.user_id)
  order by t.date asc, t.id asc;

-- GET /api/v1/transactions {"account_id":"ID"}, small ledger

with page as materialized (with given as materialized (select $1::text as v1) select found.*
    from given
    cross join lateral (select t.id, t.date
      from transactions t
      where "t"."account_id" = given.v1
      and t.deleted_at is null
      order by t.date desc, t.id desc
      limit 51) as found) select t.id, t.date, format('{"id" : %s, "short_id" : %s}', coalesce('"' || t.id || '"', 'null'), coalesce('"' || t.short_id || '"', 'null')) as json
  from page
  join transactions t on t.id = page.id
  join accounts a on a.id = t.account_id
  left join connections c on c.id = a.connection_id
  left join categories cat on cat.id = t.category_id
  left join counterparties cp on cp.id = t.counterparty_id
  left join users au on au.id = t.attributed_user_id
  left join users ou on ou.id = coalesce(t.attributed_user_id, a.owner_user_id, c.user_id)
  order by t.date desc, t.id desc;

-- GET /api/v1/transactions {"account_id":["ID","ID"]}, small ledger

select t.id, t.date
  from (select *
    from (select t.id, t.date
      from transactions t
      where "t"."account_id" = $1
      and t.deleted_at is null
      order by t.date desc, t.id desc
      limit 51) as part
    union all select *
    from (select t.id, t.date
      from transactions t
      where "t"."account_id" = $2
      and t.deleted_at is null
      order by t.date desc, t.id desc
      limit 51) as part) as t
  order by t.date desc, t.id desc
  limit 51;

with page as materialized (select v.value as id
    from unnest($1::text[]) as v(value)) select t.id, t.date, format('{"id" : %s, "short_id" : %s}', coalesce('"' || t.id || '"', 'null'), coalesce('"' || t.short_id || '"', 'null')) as json
  from page
  join transactions t on t.id = page.id
  join accounts a on a.id = t.account_id
  left join connections c on c.id = a.connection_id
  left join categories cat on cat.id = t.category_id
  left join counterparties cp on cp.id = t.counterparty_id
  left join users au on au.id = t.attributed_user_id
  left join users ou on ou.id = coalesce(t.attributed_user_id, a.owner_user_id, c.user_id)
  order by t.date desc, t.id desc;

-- GET /api/v1/transactions {"category_slug":"food_and_drink"}, small ledger

select t.id, t.date
  from (select *
    from (select t.id, t.date
      from transactions t
      where "t"."category_id" = $1
      and t.deleted_at is null
      order by t.date desc, t.id desc
      limit 51) as part
    union all select *
    from (select t.id, t.date
      from transactions t
      where "t"."category_id" = $2
      and t.deleted_at is null
      order by t.date desc, t.id desc
      limit 51) as part
    union all select *
    from (select t.id, t.date
      from transactions t
      where "t"."category_id" = $3
      and t.deleted_at is null
      order by t.date desc, t.id desc
      limit 51) as part
    union all select *
    from (select t.id, t.date
      from transactions t
      where "t"."category_id" = $4
      and t.deleted_at is null
      order by t.date desc, t.id desc
      limit 51) as part
    union all select *
    from (select t.id, t.date
      from transactions t
      where "t"."category_id" = $5
      and t.deleted_at is null
      order by t.date desc, t.id desc
      limit 51) as part
    union all select *
    from (select t.id, t.date
      from transactions t
      where "t"."category_id" = $6
      and t.deleted_at is null
      order by t.date desc, t.id desc
      limit 51) as part
    union all select *
    from (select t.id, t.date
      from transactions t
      where "t"."category_id" = $7
      and t.deleted_at is null
      order by t.date desc, t.id desc
      limit 51) as part
    union all select *
    from (select t.id, t.date
      from transactions t
      where "t"."category_id" = $8
      and t.deleted_at is null
      order by t.date desc, t.id desc
      limit 51) as part
    union all select *
    from (select t.id, t.date
      from transactions t
      where "t"."category_id" = $9
      and t.deleted_at is null
      order by t.date desc, t.id desc
      limit 51) as part) as t
  order by t.date desc, t.id desc
  limit 51;

with page as materialized (select v.value as id
    from unnest($1::text[]) as v(value)) select t.id, t.date, format('{"id" : %s, "short_id" : %s}', coalesce('"' || t.id || '"', 'null'), coalesce('"' || t.short_id || '"', 'null')) as json
  from page
  join transactions t on t.id = page.id
  join accounts a on a.id = t.account_id
  left join connections c on c.id = a.connection_id
  left join categories cat on cat.id = t.category_id
  left join counterparties cp on cp.id = t.counterparty_id
  left join users au on au.id = t.attributed_user_id
  left join users ou on ou.id = coalesce(t.attributed_user_id, a.owner_user_id, c.user_id)
  order by t.date desc, t.id desc;

-- GET /api/v1/transactions {"search":"coffee"}, small ledger

select id
  from texts
  where trigrams @> $1::text[]
  and position($2 in folded) > 0
  limit 1001;

with given as materialized (select $1::bigint[] as v1, $2::bigint as v2, $3::bigint as v3, $4::bigint[] as v4, $5::bigint as v5, $6::bigint as v6) select found.*
  from given
  cross join lateral (select *
    from (select 'name_text_id ' || v.value as "range", e.value as key
      from unnest(given.v1::bigint[]) as v(value)
      cross join lateral (select t.date || t.id as value
        from transactions t
        where t.name_text_id = v.value
        and t.name_text_id is not null
        and t.deleted_at is null
        and t.deleted_at is null
        order by t.date desc, t.id desc
        limit given.v2) as e
      order by e.value desc
      limit given.v3) as part
    union all select *
    from (select 'merchant_text_id ' || v.value as "range", e.value as key
      from unnest(given.v4::bigint[]) as v(value)
      cross join lateral (select t.date || t.id as value
        from transactions t
        where t.merchant_text_id = v.value
        and t.merchant_text_id is not null
        and t.deleted_at is null
        and t.deleted_at is null
        order by t.date desc, t.id desc
        limit given.v5) as e
      order by e.value desc
      limit given.v6) as part) as found;

with page as materialized (select v.value as id
    from unnest($1::text[]) as v(value)) select t.id, t.date, format('{"id" : %s, "short_id" : %s}', coalesce('"' || t.id || '"', 'null'), coalesce('"' || t.short_id || '"', 'null')) as json
  from page
  join transactions t on t.id = page.id
  join accounts a on a.id = t.account_id
  left join connections c on c.id = a.connection_id
  left join categories cat on cat.id = t.category_id
  left join counterparties cp on cp.id = t.counterparty_id
  left join users au on au.id = t.attributed_user_id
  left join users ou on ou.id = coalesce(t.attributed_user_id, a.owner_user_id, c.user_id)
  order by t.date desc, t.id desc;

-- GET /api/v1/transactions {"search":"coffee"}, large ledger

select id
  from texts
  where trigrams @> $1::text[]
  and position($2 in folded) > 0
  limit 1001;

with given as materialized (select $1::bigint[] as v1, $2::bigint as v2, $3::bigint as v3, $4::bigint[] as v4, $5::bigint as v5, $6::bigint as v6) select found.*
  from given
  cross join lateral (select *
    from (select 'name_text_id ' || v.value as "range", e.value as key
      from unnest(given.v1::bigint[]) as v(value)
      cross join lateral (select t.date || t.id as value
        from transactions t
        where t.name_text_id = v.value
        and t.name_text_id is not null
        and t.deleted_at is null
        and t.deleted_at is null
        order by t.date desc, t.id desc
        limit given.v2) as e
      order by e.value desc
      limit given.v3) as part
    union all select *
    from (select 'merchant_text_id ' || v.value as "range", e.value as key
      from unnest(given.v4::bigint[]) as v(value)
      cross join lateral (select t.date || t.id as value
        from transactions t
        where t.merchant_text_id = v.value
        and t.merchant_text_id is not null
        and t.deleted_at is null
        and t.deleted_at is null
        order by t.date desc, t.id desc
        limit given.v5) as e
      order by e.value desc
      limit given.v6) as part) as found;

with page as materialized (select v.value as id
    from unnest($1::text[]) as v(value)) select t.id, t.date, format('{"id" : %s, "short_id" : %s}', coalesce('"' || t.id || '"', 'null'), coalesce('"' || t.short_id || '"', 'null')) as json
  from page
  join transactions t on t.id = page.id
  join accounts a on a.id = t.account_id
  left join connections c on c.id = a.connection_id
  left join categories cat on cat.id = t.category_id
  left join counterparties cp on cp.id = t.counterparty_id
  left join users au on au.id = t.attributed_user_id
  left join users ou on ou.id = coalesce(t.attributed_user_id, a.owner_user_id, c.user_id)
  order by t.date desc, t.id desc;

-- GET /api/v1/transactions {"search":"coffee star","search_mode":"words"}, small ledger

select id
  from texts
  where trigrams @> $1::text[]
  and position($2 in folded) > 0
  limit 1001;

select count(*) as n
  from (select t.id as id
    from transactions t
    where (t.name_text_id = $1::bigint)
    and t.name_text_id is not null
    and t.deleted_at is null
    limit 5001) as capped;

select count(*) as n
  from (select t.id as id
    from transactions t
    where (t.merchant_text_id = $1::bigint)
    and t.merchant_text_id is not null
    and t.deleted_at is null
    limit 5000) as capped;

with few as materialized (select t.id as id
    from transactions t
    where (t.name_text_id = $1::bigint)
    and t.name_text_id is not null
    and t.deleted_at is null
    union select t.id as id
    from transactions t
    where (t.merchant_text_id = $2::bigint)
    and t.merchant_text_id is not null
    and t.deleted_at is null) select t.id, t.date
  from few
  join transactions t on t.id = few.id
  where t.deleted_at is null
  and ((((t.name_text_id = $3::bigint) or (coalesce(t.merchant_text_id, 0) = $4::bigint))
      and (t.name_text_id = any($5::bigint[]) or coalesce(t.merchant_text_id, 0) = any($6::bigint[]))))
  order by t.date desc, t.id desc
  limit 51;

with page as materialized (select v.value as id
    from unnest($1::text[]) as v(value)) select t.id, t.date, format('{"id" : %s, "short_id" : %s}', coalesce('"' || t.id || '"', 'null'), coalesce('"' || t.short_id || '"', 'null')) as json
  from page
  join transactions t on t.id = page.id
  join accounts a on a.id = t.account_id
  left join connections c on c.id = a.connection_id
  left join categories cat on cat.id = t.category_id
  left join counterparties cp on cp.id = t.counterparty_id
  left join users au on au.id = t.attributed_user_id
  left join users ou on ou.id = coalesce(t.attributed_user_id, a.owner_user_id, c.user_id)
  order by t.date desc, t.id desc;

-- GET /api/v1/transactions {"search":"coffee star","search_mode":"words"}, large ledger

select id
  from texts
  where trigrams @> $1::text[]
  and position($2 in folded) > 0
  limit 1001;

select count(*) as n
  from (select t.id as id
    from transactions t
    where (t.name_text_id = $1::bigint)
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
  and ((((t.name_text_id = $1::bigint) or (coalesce(t.merchant_text_id, 0) = $2::bigint))
      and (t.name_text_id = any($3::bigint[]) or coalesce(t.merchant_text_id, 0) = any($4::bigint[]))))
  order by t.date desc, t.id desc
  limit 51;

with page as materialized (select v.value as id
    from unnest($1::text[]) as v(value)) select t.id, t.date, format('{"id" : %s, "short_id" : %s}', coalesce('"' || t.id || '"', 'null'), coalesce('"' || t.short_id || '"', 'null')) as json
  from page
  join transactions t on t.id = page.id
  join accounts a on a.id = t.account_id
  left join connections c on c.id = a.connection_id
  left join categories cat on cat.id = t.category_id
  left join counterparties cp on cp.id = t.counterparty_id
  left join users au on au.id = t.attributed_user_id
  left join users ou on ou.id = coalesce(t.attributed_user_id, a.owner_user_id, c.user_id)
  order by t.date desc, t.id desc;

-- GET /api/v1/transactions {"search":"starbuks","search_mode":"fuzzy"}, small ledger

select id
  from texts
  where trigrams @> $1::text[]
  and position($2 in folded) > 0
  limit 1001;

select trigram, count(*) * max(step) as n
  from (select greatest(max(id) / 150, 1) as step, max(id) as last
    from texts) as ids
  cross join lateral generate_series(1, ids.last, ids.step) as chosen
  cross join lateral (select trigrams
    from texts
    where id = chosen
    limit 1) as texts
  cross join lateral unnest(texts.trigrams) as trigram
  where trigram = any($1::text[])
  group by trigram;

select id, folded
  from texts
  where trigrams && $1::text[]
  and 13 * least(9, trigram_count) >= 3 * (9 + trigram_count);

with given as materialized (select $1::bigint[] as v1, $2::bigint as v2, $3::bigint as v3, $4::bigint[] as v4, $5::bigint as v5, $6::bigint as v6) select found.*
  from given
  cross join lateral (select *
    from (select 'name_text_id ' || v.value as "range", e.value as key
      from unnest(given.v1::bigint[]) as v(value)
      cross join lateral (select t.date || t.id as value
        from transactions t
        where t.name_text_id = v.value
        and t.name_text_id is not null
        and t.deleted_at is null
        and t.deleted_at is null
        order by t.date desc, t.id desc
        limit given.v2) as e
      order by e.value desc
      limit given.v3) as part
    union all select *
    from (select 'merchant_text_id ' || v.value as "range", e.value as key
      from unnest(given.v4::bigint[]) as v(value)
      cross join lateral (select t.date || t.id as value
        from transactions t
        where t.merchant_text_id = v.value
        and t.merchant_text_id is not null
        and t.deleted_at is null
        and t.deleted_at is null
        order by t.date desc, t.id desc
        limit given.v5) as e
      order by e.value desc
      limit given.v6) as part) as found;

with page as materialized (select v.value as id
    from unnest($1::text[]) as v(value)) select t.id, t.date, format('{"id" : %s, "short_id" : %s}', coalesce('"' || t.id || '"', 'null'), coalesce('"' || t.short_id || '"', 'null')) as json
  from page
  join transactions t on t.id = page.id
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
  where position($1 in folded) > 0
  limit 1001;

with given as materialized (select $1::bigint[] as v1, $2::bigint as v2, $3::bigint as v3, $4::bigint[] as v4, $5::bigint as v5, $6::bigint as v6, $7::text[] as v7, $8::bigint as v8, $9::bigint as v9) select found.*
  from given
  cross join lateral (select *
    from (select 'name_text_id ' || v.value as "range", e.value as key
      from unnest(given.v1::bigint[]) as v(value)
      cross join lateral (select t.date || t.id as value
        from transactions t
        where t.name_text_id = v.value
        and t.name_text_id is not null
        and t.deleted_at is null
        and t.deleted_at is null
        order by t.date desc, t.id desc
        limit given.v2) as e
      order by e.value desc
      limit given.v3) as part
    union all select *
    from (select 'merchant_text_id ' || v.value as "range", e.value as key
      from unnest(given.v4::bigint[]) as v(value)
      cross join lateral (select t.date || t.id as value
        from transactions t
        where t.merchant_text_id = v.value
        and t.merchant_text_id is not null
        and t.deleted_at is null
        and t.deleted_at is null
        order by t.date desc, t.id desc
        limit given.v5) as e
      order by e.value desc
      limit given.v6) as part
    union all select *
    from (select 'counterparty_id ' || v.value as "range", e.value as key
      from unnest(given.v7::text[]) as v(value)
      cross join lateral (select t.date || t.id as value
        from transactions t
        where t.counterparty_id = v.value
        and t.counterparty_id is not null
        and t.deleted_at is null
        and t.deleted_at is null
        order by t.date desc, t.id desc
        limit given.v8) as e
      order by e.value desc
      limit given.v9) as part) as found;

with page as materialized (select v.value as id
    from unnest($1::text[]) as v(value)) select t.id, t.date, format('{"id" : %s, "short_id" : %s}', coalesce('"' || t.id || '"', 'null'), coalesce('"' || t.short_id || '"', 'null')) as json
  from page
  join transactions t on t.id = page.id
  join accounts a on a.id = t.account_id
  left join connections c on c.id = a.connection_id
  left join categories cat on cat.id = t.category_id
  left join counterparties cp on cp.id = t.counterparty_id
  left join users au on au.id = t.attributed_user_id
  left join users ou on ou.id = coalesce(t.attributed_user_id, a.owner_user_id, c.user_id)
  order by t.date desc, t.id desc;

-- GET /api/v1/transactions {"exclude_search":"coffee"}, small ledger

select id
  from texts
  where trigrams @> $1::text[]
  and position($2 in folded) > 0
  limit 1001;

select t.id, t.date
  from transactions t
  where 1 = 1
  and t.deleted_at is null
  and not ((((t.name_text_id = $1::bigint) or (coalesce(t.merchant_text_id, 0) = $2::bigint))))
  order by t.date desc, t.id desc
  limit 51;

with page as materialized (select v.value as id
    from unnest($1::text[]) as v(value)) select t.id, t.date, format('{"id" : %s, "short_id" : %s}', coalesce('"' || t.id || '"', 'null'), coalesce('"' || t.short_id || '"', 'null')) as json
  from page
  join transactions t on t.id = page.id
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
    where tag_id = $1
    limit 5001) as capped;

select count(*) as n
  from (select id
    from transactions
    where deleted_at is null
    and (amount_cents between $1
      and $2 or amount_cents between $3
      and $4)
    limit 5001) as capped;

with few as materialized (select transaction_id as id
    from transaction_tags
    where tag_id = $1) select t.id, t.date
  from few
  join transactions t on t.id = few.id
  where t.deleted_at is null
  and abs(t.amount_cents) >= $2
  and exists (select 1
    from transaction_tags tt
    where tt.transaction_id = t.id
    and tt.tag_id = $3)
  order by t.date desc, t.id desc
  limit 51;

with page as materialized (select v.value as id
    from unnest($1::text[]) as v(value)) select t.id, t.date, format('{"id" : %s, "short_id" : %s}', coalesce('"' || t.id || '"', 'null'), coalesce('"' || t.short_id || '"', 'null')) as json
  from page
  join transactions t on t.id = page.id
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
    where tag_id = $1
    limit 5001) as capped;

select count(*) as n
  from (select id
    from transactions
    where deleted_at is null
    and (amount_cents between $1
      and $2 or amount_cents between $3
      and $4)
    limit 5001) as capped;

select t.id, t.date
  from transactions t
  where 1 = 1
  and t.deleted_at is null
  and abs(t.amount_cents) >= $1
  and exists (select 1
    from transaction_tags tt
    where tt.transaction_id = t.id
    and tt.tag_id = $2)
  order by t.date desc, t.id desc
  limit 51;

with page as materialized (select v.value as id
    from unnest($1::text[]) as v(value)) select t.id, t.date, format('{"id" : %s, "short_id" : %s}', coalesce('"' || t.id || '"', 'null'), coalesce('"' || t.short_id || '"', 'null')) as json
  from page
  join transactions t on t.id = page.id
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
    where tag_id = $1
    limit 5001) as capped;

with few as materialized (select transaction_id as id
    from transaction_tags
    where tag_id = $1) select t.id, t.date
  from few
  join transactions t on t.id = few.id
  where t.deleted_at is null
  and exists (select 1
    from transaction_tags tt
    where tt.transaction_id = t.id
    and tt.tag_id = $2)
  and exists (select 1
    from transaction_tags tt
    where tt.transaction_id = t.id
    and tt.tag_id = $3)
  and not exists (select 1
    from transaction_tags tt
    where tt.transaction_id = t.id
    and tt.tag_id = $4)
  order by t.date desc, t.id desc
  limit 51;

with page as materialized (select v.value as id
    from unnest($1::text[]) as v(value)) select t.id, t.date, format('{"id" : %s, "short_id" : %s}', coalesce('"' || t.id || '"', 'null'), coalesce('"' || t.short_id || '"', 'null')) as json
  from page
  join transactions t on t.id = page.id
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
    where tag_id = $1
    limit 5001) as capped;

select t.id, t.date
  from transactions t
  where 1 = 1
  and t.deleted_at is null
  and exists (select 1
    from transaction_tags tt
    where tt.transaction_id = t.id
    and tt.tag_id = $1)
  and exists (select 1
    from transaction_tags tt
    where tt.transaction_id = t.id
    and tt.tag_id = $2)
  and not exists (select 1
    from transaction_tags tt
    where tt.transaction_id = t.id
    and tt.tag_id = $3)
  order by t.date desc, t.id desc
  limit 51;

with page as materialized (select v.value as id
    from unnest($1::text[]) as v(value)) select t.id, t.date, format('{"id" : %s, "short_id" : %s}', coalesce('"' || t.id || '"', 'null'), coalesce('"' || t.short_id || '"', 'null')) as json
  from page
  join transactions t on t.id = page.id
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
    where ("counterparty_id" = $1::text)
    and "counterparty_id" is not null
    limit 5001) as capped;

select count(*) as n
  from (select id
    from transactions
    where deleted_at is null
    and amount_cents >= $1
    limit 5001) as capped;

with few as materialized (select id
    from transactions
    where ("counterparty_id" = $1::text)
    and "counterparty_id" is not null) select t.id, t.date
  from few
  join transactions t on t.id = few.id
  where t.deleted_at is null
  and t.amount_cents >= $2
  and t.counterparty_id = $3
  order by t.date desc, t.id desc
  limit 51;

with page as materialized (select v.value as id
    from unnest($1::text[]) as v(value)) select t.id, t.date, format('{"id" : %s, "short_id" : %s}', coalesce('"' || t.id || '"', 'null'), coalesce('"' || t.short_id || '"', 'null')) as json
  from page
  join transactions t on t.id = page.id
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
    where ("counterparty_id" = $1::text)
    and "counterparty_id" is not null
    limit 5001) as capped;

select count(*) as n
  from (select id
    from transactions
    where deleted_at is null
    and amount_cents >= $1
    limit 5001) as capped;

select t.id, t.date
  from transactions t
  where 1 = 1
  and t.deleted_at is null
  and t.amount_cents >= $1
  and t.counterparty_id = $2
  order by t.date desc, t.id desc
  limit 51;

with page as materialized (select v.value as id
    from unnest($1::text[]) as v(value)) select t.id, t.date, format('{"id" : %s, "short_id" : %s}', coalesce('"' || t.id || '"', 'null'), coalesce('"' || t.short_id || '"', 'null')) as json
  from page
  join transactions t on t.id = page.id
  join accounts a on a.id = t.account_id
  left join connections c on c.id = a.connection_id
  left join categories cat on cat.id = t.category_id
  left join counterparties cp on cp.id = t.counterparty_id
  left join users au on au.id = t.attributed_user_id
  left join users ou on ou.id = coalesce(t.attributed_user_id, a.owner_user_id, c.user_id)
  order by t.date desc, t.id desc;

-- GET /api/v1/transactions {"has_comment":true}, small ledger

with few as materialized (select distinct transaction_id as id
    from comments
    where deleted_at is null) select t.id, t.date
  from few
  join transactions t on t.id = few.id
  where t.deleted_at is null
  and exists (select 1
    from comments k
    where k.transaction_id = t.id
    and k.deleted_at is null)
  order by t.date desc, t.id desc
  limit 51;

with page as materialized (select v.value as id
    from unnest($1::text[]) as v(value)) select t.id, t.date, format('{"id" : %s, "short_id" : %s}', coalesce('"' || t.id || '"', 'null'), coalesce('"' || t.short_id || '"', 'null')) as json
  from page
  join transactions t on t.id = page.id
  join accounts a on a.id = t.account_id
  left join connections c on c.id = a.connection_id
  left join categories cat on cat.id = t.category_id
  left join counterparties cp on cp.id = t.counterparty_id
  left join users au on au.id = t.attributed_user_id
  left join users ou on ou.id = coalesce(t.attributed_user_id, a.owner_user_id, c.user_id)
  order by t.date desc, t.id desc;

-- GET /api/v1/transactions {"has_comment":true}, large ledger

select t.id, t.date
  from transactions t
  where 1 = 1
  and t.deleted_at is null
  and exists (select 1
    from comments k
    where k.transaction_id = t.id
    and k.deleted_at is null)
  order by t.date desc, t.id desc
  limit 51;

with page as materialized (select v.value as id
    from unnest($1::text[]) as v(value)) select t.id, t.date, format('{"id" : %s, "short_id" : %s}', coalesce('"' || t.id || '"', 'null'), coalesce('"' || t.short_id || '"', 'null')) as json
  from page
  join transactions t on t.id = page.id
  join accounts a on a.id = t.account_id
  left join connections c on c.id = a.connection_id
  left join categories cat on cat.id = t.category_id
  left join counterparties cp on cp.id = t.counterparty_id
  left join users au on au.id = t.attributed_user_id
  left join users ou on ou.id = coalesce(t.attributed_user_id, a.owner_user_id, c.user_id)
  order by t.date desc, t.id desc;

-- GET /api/v1/transactions {"has_comment":false}, small ledger

select t.id, t.date
  from transactions t
  where 1 = 1
  and t.deleted_at is null
  and not exists (select 1
    from comments k
    where k.transaction_id = t.id
    and k.deleted_at is null)
  order by t.date desc, t.id desc
  limit 51;

with page as materialized (select v.value as id
    from unnest($1::text[]) as v(value)) select t.id, t.date, format('{"id" : %s, "short_id" : %s}', coalesce('"' || t.id || '"', 'null'), coalesce('"' || t.short_id || '"', 'null')) as json
  from page
  join transactions t on t.id = page.id
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

with few as materialized (select id
    from transactions
    where flagged_at is not null) select t.id, t.date
  from few
  join transactions t on t.id = few.id
  where t.deleted_at is null
  and t.flagged_at is not null
  order by t.date desc, t.id desc
  limit 51;

with page as materialized (select v.value as id
    from unnest($1::text[]) as v(value)) select t.id, t.date, format('{"id" : %s, "short_id" : %s}', coalesce('"' || t.id || '"', 'null'), coalesce('"' || t.short_id || '"', 'null')) as json
  from page
  join transactions t on t.id = page.id
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

select t.id, t.date
  from transactions t
  where 1 = 1
  and t.deleted_at is null
  and t.flagged_at is not null
  order by t.date desc, t.id desc
  limit 51;

with page as materialized (select v.value as id
    from unnest($1::text[]) as v(value)) select t.id, t.date, format('{"id" : %s, "short_id" : %s}', coalesce('"' || t.id || '"', 'null'), coalesce('"' || t.short_id || '"', 'null')) as json
  from page
  join transactions t on t.id = page.id
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

with few as materialized (select id
    from transactions
    where pending = 1) select t.id, t.date
  from few
  join transactions t on t.id = few.id
  where t.deleted_at is null
  and t.pending = 1
  order by t.date desc, t.id desc
  limit 51;

with page as materialized (select v.value as id
    from unnest($1::text[]) as v(value)) select t.id, t.date, format('{"id" : %s, "short_id" : %s}', coalesce('"' || t.id || '"', 'null'), coalesce('"' || t.short_id || '"', 'null')) as json
  from page
  join transactions t on t.id = page.id
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

select t.id, t.date
  from transactions t
  where 1 = 1
  and t.deleted_at is null
  and t.pending = 1
  order by t.date desc, t.id desc
  limit 51;

with page as materialized (select v.value as id
    from unnest($1::text[]) as v(value)) select t.id, t.date, format('{"id" : %s, "short_id" : %s}', coalesce('"' || t.id || '"', 'null'), coalesce('"' || t.short_id || '"', 'null')) as json
  from page
  join transactions t on t.id = page.id
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

with few as materialized (select id
    from transactions
    where deleted_at is null
    and category_id is null) select t.id, t.date
  from few
  join transactions t on t.id = few.id
  where t.deleted_at is null
  and (t.attributed_user_id = $1 or (t.attributed_user_id is null
      and t.account_id = any($2::text[])))
  and t.category_id is null
  order by t.date desc, t.id desc
  limit 51;

with page as materialized (select v.value as id
    from unnest($1::text[]) as v(value)) select t.id, t.date, format('{"id" : %s, "short_id" : %s}', coalesce('"' || t.id || '"', 'null'), coalesce('"' || t.short_id || '"', 'null')) as json
  from page
  join transactions t on t.id = page.id
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
    where updated_at >= $1
    limit 5001) as capped;

with few as materialized (select id
    from transactions
    where updated_at >= $1) select t.id, t.date
  from few
  join transactions t on t.id = few.id
  where t.deleted_at is null
  and t.updated_at >= $2
  order by t.date desc, t.id desc
  limit 51;

with page as materialized (select v.value as id
    from unnest($1::text[]) as v(value)) select t.id, t.date, format('{"id" : %s, "short_id" : %s}', coalesce('"' || t.id || '"', 'null'), coalesce('"' || t.short_id || '"', 'null')) as json
  from page
  join transactions t on t.id = page.id
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
    where updated_at >= $1
    limit 5001) as capped;

select t.id, t.date
  from transactions t
  where 1 = 1
  and t.deleted_at is null
  and t.updated_at >= $1
  order by t.date desc, t.id desc
  limit 51;

with page as materialized (select v.value as id
    from unnest($1::text[]) as v(value)) select t.id, t.date, format('{"id" : %s, "short_id" : %s}', coalesce('"' || t.id || '"', 'null'), coalesce('"' || t.short_id || '"', 'null')) as json
  from page
  join transactions t on t.id = page.id
  join accounts a on a.id = t.account_id
  left join connections c on c.id = a.connection_id
  left join categories cat on cat.id = t.category_id
  left join counterparties cp on cp.id = t.counterparty_id
  left join users au on au.id = t.attributed_user_id
  left join users ou on ou.id = coalesce(t.attributed_user_id, a.owner_user_id, c.user_id)
  order by t.date desc, t.id desc;

-- GET /api/v1/transactions {"deleted":true}, small ledger

select t.id, t.date
  from transactions t
  where 1 = 1
  and t.deleted_at is not null
  order by t.date desc, t.id desc
  limit 51;

with page as materialized (select v.value as id
    from unnest($1::text[]) as v(value)) select t.id, t.date, format('{"id" : %s, "short_id" : %s}', coalesce('"' || t.id || '"', 'null'), coalesce('"' || t.short_id || '"', 'null')) as json
  from page
  join transactions t on t.id = page.id
  join accounts a on a.id = t.account_id
  left join connections c on c.id = a.connection_id
  left join categories cat on cat.id = t.category_id
  left join counterparties cp on cp.id = t.counterparty_id
  left join users au on au.id = t.attributed_user_id
  left join users ou on ou.id = coalesce(t.attributed_user_id, a.owner_user_id, c.user_id)
  order by t.date desc, t.id desc;

-- GET /api/v1/transactions {"deleted":true}, large ledger

select t.id, t.date
  from transactions t
  where 1 = 1
  and t.deleted_at is not null
  order by t.date desc, t.id desc
  limit 51;

with page as materialized (select v.value as id
    from unnest($1::text[]) as v(value)) select t.id, t.date, format('{"id" : %s, "short_id" : %s}', coalesce('"' || t.id || '"', 'null'), coalesce('"' || t.short_id || '"', 'null')) as json
  from page
  join transactions t on t.id = page.id
  join accounts a on a.id = t.account_id
  left join connections c on c.id = a.connection_id
  left join categories cat on cat.id = t.category_id
  left join counterparties cp on cp.id = t.counterparty_id
  left join users au on au.id = t.attributed_user_id
  left join users ou on ou.id = coalesce(t.attributed_user_id, a.owner_user_id, c.user_id)
  order by t.date desc, t.id desc;

-- GET /api/v1/transactions {"sort":"amount","limit":5}, small ledger

select t.id, cast("t"."amount_cents" as text) as key, format('{"id" : %s, "short_id" : %s}', coalesce('"' || t.id || '"', 'null'), coalesce('"' || t.short_id || '"', 'null')) as json
  from (select t.id
    from transactions t
    where t.deleted_at is null
    order by t.amount_cents desc, t.id desc
    limit $1) as chosen
  join transactions t on t.id = chosen.id
  join accounts a on a.id = t.account_id
  left join connections c on c.id = a.connection_id
  left join categories cat on cat.id = t.category_id
  left join counterparties cp on cp.id = t.counterparty_id
  left join users au on au.id = t.attributed_user_id
  left join users ou on ou.id = coalesce(t.attributed_user_id, a.owner_user_id, c.user_id)
  order by t.amount_cents desc, t.id desc;

-- GET /api/v1/transactions {"sort":"amount","tag":"review"}, small ledger

select format('{"id" : %s, "short_id" : %s}', coalesce('"' || t.id || '"', 'null'), coalesce('"' || t.short_id || '"', 'null')) as json
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
    and tt.tag_id = $1)
  order by t.amount_cents desc, t.id desc;

-- GET /api/v1/transactions {"sort":"name","limit":5}, small ledger

select t.id, cast("t"."name_text_id" as text) as key, format('{"id" : %s, "short_id" : %s}', coalesce('"' || t.id || '"', 'null'), coalesce('"' || t.short_id || '"', 'null')) as json
  from (select t.id
    from texts n
    join transactions t on t.name_text_id = n.id
    where t.deleted_at is null
    order by n.folded asc, t.id asc
    limit $1) as chosen
  join transactions t on t.id = chosen.id
  join texts n on n.id = t.name_text_id
  join accounts a on a.id = t.account_id
  left join connections c on c.id = a.connection_id
  left join categories cat on cat.id = t.category_id
  left join counterparties cp on cp.id = t.counterparty_id
  left join users au on au.id = t.attributed_user_id
  left join users ou on ou.id = coalesce(t.attributed_user_id, a.owner_user_id, c.user_id)
  order by n.folded asc, t.id asc;

-- GET /api/v1/transactions {"sort":"name","search":"coffee"}, small ledger

select id
  from texts
  where trigrams @> $1::text[]
  and position($2 in folded) > 0
  limit 1001;

select format('{"id" : %s, "short_id" : %s}', coalesce('"' || t.id || '"', 'null'), coalesce('"' || t.short_id || '"', 'null')) as json
  from texts n
  join transactions t on t.name_text_id = n.id
  join accounts a on a.id = t.account_id
  left join connections c on c.id = a.connection_id
  left join categories cat on cat.id = t.category_id
  left join counterparties cp on cp.id = t.counterparty_id
  left join users au on au.id = t.attributed_user_id
  left join users ou on ou.id = coalesce(t.attributed_user_id, a.owner_user_id, c.user_id)
  where t.deleted_at is null
  and ((((t.name_text_id = $1::bigint) or (coalesce(t.merchant_text_id, 0) = $2::bigint))))
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
  where month between $1
  and $2;

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
    join transactions t on t.id = few.id
    where t.deleted_at is null
    and t.pending = 1
    group by 1) as sums;

-- GET /api/v1/transactions/count {"search":"coffee","tag":"review"}, small ledger

select id
  from texts
  where trigrams @> $1::text[]
  and position($2 in folded) > 0
  limit 1001;

select count(*) as n
  from (select t.id as id
    from transactions t
    where (t.name_text_id = $1::bigint)
    and t.name_text_id is not null
    and t.deleted_at is null
    limit 5001) as capped;

select count(*) as n
  from (select t.id as id
    from transactions t
    where (t.merchant_text_id = $1::bigint)
    and t.merchant_text_id is not null
    and t.deleted_at is null
    limit 5000) as capped;

select count(*) as n
  from (select transaction_id as id
    from transaction_tags
    where tag_id = $1
    limit 5001) as capped;

select count(*) as n
  from (select t.id as id
    from transactions t
    where (t.name_text_id = $1::bigint)
    and t.name_text_id is not null
    and t.deleted_at is null
    union select t.id as id
    from transactions t
    where (t.merchant_text_id = $2::bigint)
    and t.merchant_text_id is not null
    and t.deleted_at is null) as few
  join transactions t on t.id = few.id
  where t.deleted_at is null
  and exists (select 1
    from transaction_tags tt
    where tt.transaction_id = t.id
    and tt.tag_id = $3)
  and ((((t.name_text_id = $4::bigint) or (coalesce(t.merchant_text_id, 0) = $5::bigint))));

-- GET /api/v1/transactions/count {"search":"coffee","tag":"review"}, large ledger

select id
  from texts
  where trigrams @> $1::text[]
  and position($2 in folded) > 0
  limit 1001;

select count(*) as n
  from (select t.id as id
    from transactions t
    where (t.name_text_id = $1::bigint)
    and t.name_text_id is not null
    and t.deleted_at is null
    limit 5001) as capped;

select count(*) as n
  from (select transaction_id as id
    from transaction_tags
    where tag_id = $1
    limit 5001) as capped;

select count(*) as n
  from transactions t
  where t.deleted_at is null
  and exists (select 1
    from transaction_tags tt
    where tt.transaction_id = t.id
    and tt.tag_id = $1)
  and ((((t.name_text_id = $2::bigint) or (coalesce(t.merchant_text_id, 0) = $3::bigint))));

-- GET /api/v1/transactions/summary {"group_by":"category"}, small ledger

select category_id, iso_currency_code, count, cast(total as text) as total, cast(incoming as text) as incoming
  from (select nullif(t.stored_category_id, '') as category_id, nullif(t.stored_iso_currency_code, '') as iso_currency_code, cast(sum(t.count) as bigint) as count, sum(t.total_cents) as total, sum(t.incoming_cents) as incoming
    from (select month, account_id, nullif(attributed_user_id, '') as attributed_user_id, attributed_user_id as stored_attributed_user_id, nullif(category_id, '') as category_id, category_id as stored_category_id, nullif(iso_currency_code, '') as iso_currency_code, iso_currency_code as stored_iso_currency_code, count, outgoing_count, total_cents, incoming_cents
      from "monthly_totals"
      where 1 = 1) as t
    where t.account_id <> $1
    and t.account_id <> $2
    group by t.stored_category_id, t.stored_iso_currency_code) as sums;

-- GET /api/v1/transactions/summary {"group_by":"category_month","date_from":"2025-01-14"}, small ledger

select category_id, month, iso_currency_code, count, cast(total as text) as total, cast(incoming as text) as incoming
  from (select t.category_id as category_id, substr(t.date, 1, 7) as month, t.iso_currency_code as iso_currency_code, count(*) as count, sum(t.amount_cents) as total, sum(t.amount_cents) filter (where t.amount_cents < 0) as incoming
    from transactions t
    where t.deleted_at is null
    and t.date >= $1
    and t.date <= $2
    and t.account_id <> $3
    and t.account_id <> $4
    and t.pending = 0
    group by 1, 2, 3) as sums;

select category_id, month, iso_currency_code, count, cast(total as text) as total, cast(incoming as text) as incoming
  from (select nullif(t.stored_category_id, '') as category_id, t.month, nullif(t.stored_iso_currency_code, '') as iso_currency_code, cast(sum(t.count) as bigint) as count, sum(t.total_cents) as total, sum(t.incoming_cents) as incoming
    from (select month, account_id, nullif(attributed_user_id, '') as attributed_user_id, attributed_user_id as stored_attributed_user_id, nullif(category_id, '') as category_id, category_id as stored_category_id, nullif(iso_currency_code, '') as iso_currency_code, iso_currency_code as stored_iso_currency_code, count, outgoing_count, total_cents, incoming_cents
      from "monthly_totals"
      where month >= $1) as t
    where t.account_id <> $2
    and t.account_id <> $3
    group by t.stored_category_id, t.month, t.stored_iso_currency_code) as sums;

-- GET /api/v1/transactions/summary {"group_by":"category_month","date_from":"2025-01-14"}, large ledger

select category_id, month, iso_currency_code, count, cast(total as text) as total, cast(incoming as text) as incoming
  from (select t.category_id as category_id, substr(t.date, 1, 7) as month, t.iso_currency_code as iso_currency_code, count(*) as count, sum(t.amount_cents) as total, sum(t.amount_cents) filter (where t.amount_cents < 0) as incoming
    from transactions t
    where t.deleted_at is null
    and t.date >= $1
    and t.date <= $2
    and t.account_id <> $3
    and t.account_id <> $4
    and t.pending = 0
    group by 1, 2, 3) as sums;

select category_id, month, iso_currency_code, count, cast(total as text) as total, cast(incoming as text) as incoming
  from (select nullif(t.stored_category_id, '') as category_id, t.month, nullif(t.stored_iso_currency_code, '') as iso_currency_code, cast(sum(t.count) as bigint) as count, sum(t.total_cents) as total, sum(t.incoming_cents) as incoming
    from (select month, account_id, nullif(attributed_user_id, '') as attributed_user_id, attributed_user_id as stored_attributed_user_id, nullif(category_id, '') as category_id, category_id as stored_category_id, nullif(iso_currency_code, '') as iso_currency_code, iso_currency_code as stored_iso_currency_code, count, outgoing_count, total_cents, incoming_cents
      from "monthly_totals"
      where month >= $1) as t
    where t.account_id <> $2
    and t.account_id <> $3
    group by t.stored_category_id, t.month, t.stored_iso_currency_code) as sums;

-- GET /api/v1/transactions/summary {"group_by":"day","include_pending":true}, small ledger

select date, iso_currency_code, count, cast(total as text) as total, cast(incoming as text) as incoming
  from (select t.date as date, t.iso_currency_code as iso_currency_code, count(*) as count, sum(t.amount_cents) as total, sum(t.amount_cents) filter (where t.amount_cents < 0) as incoming
    from transactions t
    where t.deleted_at is null
    and t.account_id <> $1
    and t.account_id <> $2
    and t.pending = 0
    group by 1, 2) as sums;

select cast(coalesce(sum(count), 0) as bigint) as n
  from monthly_totals
  where month between $1
  and $2;

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
    join transactions t on t.id = few.id
    where t.deleted_at is null
    and t.account_id = any($1::text[])
    and t.pending = 1
    group by 1, 2) as sums;

-- GET /api/v1/transactions/summary {"group_by":"tag","spending_only":true}, small ledger

select iso_currency_code, count, cast(total as text) as total, cast(incoming as text) as incoming
  from (select nullif(t.stored_iso_currency_code, '') as iso_currency_code, cast(sum(t.outgoing_count) as bigint) as count, sum(t.total_cents - t.incoming_cents) as total, cast(null as bigint) as incoming
    from (select month, account_id, nullif(attributed_user_id, '') as attributed_user_id, attributed_user_id as stored_attributed_user_id, nullif(category_id, '') as category_id, category_id as stored_category_id, nullif(iso_currency_code, '') as iso_currency_code, iso_currency_code as stored_iso_currency_code, count, outgoing_count, total_cents, incoming_cents
      from "monthly_totals"
      where 1 = 1) as t
    where t.account_id <> $1
    and t.account_id <> $2
    and t.outgoing_count > 0
    and (t.category_id is null or not t.category_id = any($3::text[]))
    group by t.stored_iso_currency_code) as sums;

select tag_id, iso_currency_code, is_later, count, cast(total as text) as total, cast(incoming as text) as incoming
  from (select tt.tag_id, t.iso_currency_code, case when exists (select 1
      from transaction_tags other
      where other.transaction_id = tt.transaction_id
      and other.tag_id < tt.tag_id) then 1 else 0 end as is_later, count(*) as count, sum(t.amount_cents) as total, sum(t.amount_cents) filter (where t.amount_cents < 0) as incoming
    from transaction_tags tt
    join transactions t on t.id = tt.transaction_id
    where t.deleted_at is null
    and t.account_id <> $1
    and t.account_id <> $2
    and t.amount_cents > 0
    and (t.category_id is null or not t.category_id = any($3::text[]))
    and t.pending = 0
    group by tt.tag_id, t.iso_currency_code, is_later) as sums;

-- GET /api/v1/transactions/summary {"group_by":"tag","date_from":"2025-01-14"}, small ledger

select iso_currency_code, count, cast(total as text) as total, cast(incoming as text) as incoming
  from (select t.iso_currency_code as iso_currency_code, count(*) as count, sum(t.amount_cents) as total, sum(t.amount_cents) filter (where t.amount_cents < 0) as incoming
    from transactions t
    where t.deleted_at is null
    and t.date >= $1
    and t.date <= $2
    and t.account_id <> $3
    and t.account_id <> $4
    and t.pending = 0
    group by 1) as sums;

select iso_currency_code, count, cast(total as text) as total, cast(incoming as text) as incoming
  from (select nullif(t.stored_iso_currency_code, '') as iso_currency_code, cast(sum(t.count) as bigint) as count, sum(t.total_cents) as total, sum(t.incoming_cents) as incoming
    from (select month, account_id, nullif(attributed_user_id, '') as attributed_user_id, attributed_user_id as stored_attributed_user_id, nullif(category_id, '') as category_id, category_id as stored_category_id, nullif(iso_currency_code, '') as iso_currency_code, iso_currency_code as stored_iso_currency_code, count, outgoing_count, total_cents, incoming_cents
      from "monthly_totals"
      where month >= $1) as t
    where t.account_id <> $2
    and t.account_id <> $3
    group by t.stored_iso_currency_code) as sums;

select count(*) as n
  from (select id
    from transactions
    where deleted_at is null
    and date between $1
    and $2
    limit 40001) as capped;

select tag_id, iso_currency_code, is_later, count, cast(total as text) as total, cast(incoming as text) as incoming
  from (select tt.tag_id, t.iso_currency_code, case when exists (select 1
      from transaction_tags other
      where other.transaction_id = tt.transaction_id
      and other.tag_id < tt.tag_id) then 1 else 0 end as is_later, count(*) as count, sum(t.amount_cents) as total, sum(t.amount_cents) filter (where t.amount_cents < 0) as incoming
    from (select id
      from transactions
      where deleted_at is null
      and date between $1
      and $2) as few
    join transactions t on t.id = few.id
    join transaction_tags tt on tt.transaction_id = t.id
    where t.deleted_at is null
    and t.date >= $3
    and t.account_id = any($4::text[])
    and t.pending = 0
    group by tt.tag_id, t.iso_currency_code, is_later) as sums;

-- GET /api/v1/transactions/summary {"group_by":"tag","date_from":"2025-01-14"}, large ledger

select iso_currency_code, count, cast(total as text) as total, cast(incoming as text) as incoming
  from (select t.iso_currency_code as iso_currency_code, count(*) as count, sum(t.amount_cents) as total, sum(t.amount_cents) filter (where t.amount_cents < 0) as incoming
    from transactions t
    where t.deleted_at is null
    and t.date >= $1
    and t.date <= $2
    and t.account_id <> $3
    and t.account_id <> $4
    and t.pending = 0
    group by 1) as sums;

select iso_currency_code, count, cast(total as text) as total, cast(incoming as text) as incoming
  from (select nullif(t.stored_iso_currency_code, '') as iso_currency_code, cast(sum(t.count) as bigint) as count, sum(t.total_cents) as total, sum(t.incoming_cents) as incoming
    from (select month, account_id, nullif(attributed_user_id, '') as attributed_user_id, attributed_user_id as stored_attributed_user_id, nullif(category_id, '') as category_id, category_id as stored_category_id, nullif(iso_currency_code, '') as iso_currency_code, iso_currency_code as stored_iso_currency_code, count, outgoing_count, total_cents, incoming_cents
      from "monthly_totals"
      where month >= $1) as t
    where t.account_id <> $2
    and t.account_id <> $3
    group by t.stored_iso_currency_code) as sums;

select count(*) as n
  from (select id
    from transactions
    where deleted_at is null
    and date between $1
    and $2
    limit 40001) as capped;

select tag_id, iso_currency_code, is_later, count, cast(total as text) as total, cast(incoming as text) as incoming
  from (select tt.tag_id, t.iso_currency_code, case when exists (select 1
      from transaction_tags other
      where other.transaction_id = tt.transaction_id
      and other.tag_id < tt.tag_id) then 1 else 0 end as is_later, count(*) as count, sum(t.amount_cents) as total, sum(t.amount_cents) filter (where t.amount_cents < 0) as incoming
    from transaction_tags tt
    join transactions t on t.id = tt.transaction_id
    where t.deleted_at is null
    and t.date >= $1
    and t.account_id <> $2
    and t.account_id <> $3
    and t.pending = 0
    group by tt.tag_id, t.iso_currency_code, is_later) as sums;

-- GET /api/v1/transactions/summary {"group_by":"user","excluded_accounts":"include"}, small ledger

select account_id, attributed_user_id, iso_currency_code, count, cast(total as text) as total, cast(incoming as text) as incoming
  from (select t.account_id, nullif(t.stored_attributed_user_id, '') as attributed_user_id, nullif(t.stored_iso_currency_code, '') as iso_currency_code, cast(sum(t.count) as bigint) as count, sum(t.total_cents) as total, sum(t.incoming_cents) as incoming
    from (select month, account_id, nullif(attributed_user_id, '') as attributed_user_id, attributed_user_id as stored_attributed_user_id, nullif(category_id, '') as category_id, category_id as stored_category_id, nullif(iso_currency_code, '') as iso_currency_code, iso_currency_code as stored_iso_currency_code, count, outgoing_count, total_cents, incoming_cents
      from "monthly_totals"
      where 1 = 1) as t
    where t.account_id <> $1
    group by t.account_id, t.stored_attributed_user_id, t.stored_iso_currency_code) as sums;

-- GET /api/v1/transactions/merchants {}, small ledger

with merchants as materialized (select coalesce(p.counterparty_id, named.canonical_counterparty_id, named.id) as counterparty_id, case when named.id is null then p.text_id end as text_id, p.iso_currency_code, cast(sum(count) as bigint) as count, sum(total) as total, sum(incoming) as incoming, min(first_month) as first_month, max(last_month) as last_month
    from (select counterparty_id, text_id, iso_currency_code, count, total, incoming, first_month, last_month, 0 as is_known
      from (select nullif(t.stored_counterparty_id, '') as counterparty_id, nullif(t.stored_text_id, 0) as text_id, nullif(t.stored_iso_currency_code, '') as iso_currency_code, cast(sum(t.count) as bigint) as count, sum(t.total_cents) as total, sum(t.incoming_cents) as incoming , min(t.month) as first_month, max(t.month) as last_month
        from (select month, account_id, nullif(attributed_user_id, '') as attributed_user_id, attributed_user_id as stored_attributed_user_id, nullif(category_id, '') as category_id, category_id as stored_category_id, nullif(iso_currency_code, '') as iso_currency_code, iso_currency_code as stored_iso_currency_code, nullif(counterparty_id, '') as counterparty_id, counterparty_id as stored_counterparty_id, nullif(text_id, 0) as text_id, text_id as stored_text_id, count, outgoing_count, total_cents, incoming_cents
          from "merchant_totals"
          where 1 = 1) as t
        where t.account_id <> $1
        and t.account_id <> $2
        group by t.stored_counterparty_id, t.stored_text_id, t.stored_iso_currency_code) as part) as p
    left join counterparties named on named.name_text_id = p.text_id
    group by 1, 2, 3
    having max(is_known) = 0
    and sum(count) >= $3) select merchants, counterparty_id, text_id, iso_currency_code, count, first_month, last_month, total_text, incoming_text
  from ( select 1 as merchants, counterparty_id, text_id, iso_currency_code, count, first_month, last_month, name, total, cast(total as text) as total_text, cast(incoming as text) as incoming_text
    from (select *
      from ( select m.*, coalesce(cp.name_folded, (select x.folded
            from texts x
            where x.id = m.text_id)) as name
        from (select *
          from merchants
          order by iso_currency_code asc nulls last, total desc, count desc fetch first 500 rows with ties) as m
        left join counterparties cp on cp.id = m.counterparty_id) as n
      order by iso_currency_code asc nulls last, total desc, count desc, name, counterparty_id asc nulls last
      limit 500) as shown
    union all select count(*), null, null, iso_currency_code, cast(sum(count) as bigint), null, null, null, null, cast(sum(total) as text), cast(sum(incoming) as text)
    from merchants
    group by iso_currency_code ) as found
  order by iso_currency_code asc nulls last, total desc, count desc, name, counterparty_id asc nulls last;

with given as materialized (select $1::text as v1, $2::text as v2, $3::text as v3, $4::text as v4, $5::text as v5, $6::text as v6, $7::text as v7, $8::text as v8, $9::text as v9, $10::text as v10, $11::text as v11, $12::text as v12, $13::text as v13) select found.*
  from given
  cross join lateral (with w as materialized (select cast(value ->> 0 as bigint) as nr, cast(value ->> 1 as text) as counterparty_id, cast(value ->> 2 as bigint) as text_id, cast(value ->> 3 as text) as iso, cast(value ->> 4 as text) as first_day, cast(value ->> 5 as text) as last_day
      from json_array_elements(given.v1::json)) select w.nr, cp.name, cp.short_id, cp.logo_url, coalesce((select t.date
        from transactions t
        where t.counterparty_id = w.counterparty_id
        and t.date >= w.first_day
        and t.iso_currency_code is not distinct
        from w.iso
        and t.deleted_at is null
        and t.account_id <> given.v2
        and t.account_id <> given.v3
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
        and t.account_id <> given.v4
        and t.account_id <> given.v5
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
      and t.account_id <> given.v6
      and t.account_id <> given.v7
      and t.pending = 0
      order by t.date asc, t.id asc
      limit 1) as first_2, coalesce((select t.date || t.id || coalesce(t.merchant_name, t.name)
        from transactions t
        where t.counterparty_id = w.counterparty_id
        and t.date <= w.last_day
        and t.iso_currency_code is not distinct
        from w.iso
        and t.deleted_at is null
        and t.account_id <> given.v8
        and t.account_id <> given.v9
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
        and t.account_id <> given.v10
        and t.account_id <> given.v11
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
      and t.account_id <> given.v12
      and t.account_id <> given.v13
      and t.pending = 0
      order by t.date desc, t.id desc
      limit 1) as last_2
    from w
    left join counterparties cp on cp.id = w.counterparty_id) as found;

-- GET /api/v1/transactions/merchants {"category_slug":"food_and_drink","spending_only":true}, small ledger

select count(*) as n
  from (select id
    from transactions
    where deleted_at is null
    and "category_id" = any($1::text[])
    limit 2001) as capped;

select cast(coalesce(sum(count), 0) as bigint) as n
  from monthly_totals
  where month between $1
  and $2;

select count(*) as n
  from (select id
    from transactions
    where deleted_at is null
    and "category_id" = any($1::text[])
    limit 1001) as capped;

with merchants as materialized (select coalesce(p.counterparty_id, named.canonical_counterparty_id, named.id) as counterparty_id, case when named.id is null then p.text_id end as text_id, p.iso_currency_code, cast(sum(count) as bigint) as count, sum(total) as total, sum(incoming) as incoming, min(first_month) as first_month, max(last_month) as last_month
    from (select counterparty_id, text_id, iso_currency_code, count, total, incoming, first_month, last_month, 0 as is_known
      from (select t.counterparty_id as counterparty_id, case when t.counterparty_id is null then coalesce(t.merchant_text_id, t.name_text_id) end as text_id, t.iso_currency_code as iso_currency_code, count(*) as count, sum(t.amount_cents) as total, sum(t.amount_cents) filter (where t.amount_cents < 0) as incoming , min(substr(t.date, 1, 7)) as first_month, max(substr(t.date, 1, 7)) as last_month
        from (select id
          from transactions
          where deleted_at is null
          and "category_id" = any($1::text[])) as few
        join transactions t on t.id = few.id
        where t.deleted_at is null
        and t.account_id = any($2::text[])
        and t.category_id = any($3::text[])
        and t.amount_cents > 0
        and (t.category_id is null or not t.category_id = any($4::text[]))
        and t.pending = 0
        group by 1, 2, 3) as part) as p
    left join counterparties named on named.name_text_id = p.text_id
    group by 1, 2, 3
    having max(is_known) = 0
    and sum(count) >= $5) select merchants, counterparty_id, text_id, iso_currency_code, count, first_month, last_month, total_text, incoming_text
  from ( select 1 as merchants, counterparty_id, text_id, iso_currency_code, count, first_month, last_month, name, total, cast(total as text) as total_text, cast(incoming as text) as incoming_text
    from (select *
      from ( select m.*, coalesce(cp.name_folded, (select x.folded
            from texts x
            where x.id = m.text_id)) as name
        from (select *
          from merchants
          order by iso_currency_code asc nulls last, total desc, count desc fetch first 500 rows with ties) as m
        left join counterparties cp on cp.id = m.counterparty_id) as n
      order by iso_currency_code asc nulls last, total desc, count desc, name, counterparty_id asc nulls last
      limit 500) as shown
    union all select count(*), null, null, iso_currency_code, cast(sum(count) as bigint), null, null, null, null, cast(sum(total) as text), cast(sum(incoming) as text)
    from merchants
    group by iso_currency_code ) as found
  order by iso_currency_code asc nulls last, total desc, count desc, name, counterparty_id asc nulls last;

with given as materialized (select $1::text as v1, $2::text as v2, $3::text as v3, $4::text[] as v4, $5::text[] as v5, $6::text as v6, $7::text as v7, $8::text[] as v8, $9::text[] as v9, $10::text as v10, $11::text as v11, $12::text[] as v12, $13::text[] as v13, $14::text as v14, $15::text as v15, $16::text[] as v16, $17::text[] as v17, $18::text as v18, $19::text as v19, $20::text[] as v20, $21::text[] as v21, $22::text as v22, $23::text as v23, $24::text[] as v24, $25::text[] as v25) select found.*
  from given
  cross join lateral (with w as materialized (select cast(value ->> 0 as bigint) as nr, cast(value ->> 1 as text) as counterparty_id, cast(value ->> 2 as bigint) as text_id, cast(value ->> 3 as text) as iso, cast(value ->> 4 as text) as first_day, cast(value ->> 5 as text) as last_day
      from json_array_elements(given.v1::json)) select w.nr, cp.name, cp.short_id, cp.logo_url, coalesce((select t.date
        from transactions t
        where t.counterparty_id = w.counterparty_id
        and t.date >= w.first_day
        and t.iso_currency_code is not distinct
        from w.iso
        and t.deleted_at is null
        and t.account_id <> given.v2
        and t.account_id <> given.v3
        and t.category_id = any(given.v4::text[])
        and t.amount_cents > 0
        and (t.category_id is null or not t.category_id = any(given.v5::text[]))
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
        and t.account_id <> given.v6
        and t.account_id <> given.v7
        and t.category_id = any(given.v8::text[])
        and t.amount_cents > 0
        and (t.category_id is null or not t.category_id = any(given.v9::text[]))
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
      and t.account_id <> given.v10
      and t.account_id <> given.v11
      and t.category_id = any(given.v12::text[])
      and t.amount_cents > 0
      and (t.category_id is null or not t.category_id = any(given.v13::text[]))
      and t.pending = 0
      order by t.date asc, t.id asc
      limit 1) as first_2, coalesce((select t.date || t.id || coalesce(t.merchant_name, t.name)
        from transactions t
        where t.counterparty_id = w.counterparty_id
        and t.date <= w.last_day
        and t.iso_currency_code is not distinct
        from w.iso
        and t.deleted_at is null
        and t.account_id <> given.v14
        and t.account_id <> given.v15
        and t.category_id = any(given.v16::text[])
        and t.amount_cents > 0
        and (t.category_id is null or not t.category_id = any(given.v17::text[]))
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
        and t.account_id <> given.v18
        and t.account_id <> given.v19
        and t.category_id = any(given.v20::text[])
        and t.amount_cents > 0
        and (t.category_id is null or not t.category_id = any(given.v21::text[]))
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
      and t.account_id <> given.v22
      and t.account_id <> given.v23
      and t.category_id = any(given.v24::text[])
      and t.amount_cents > 0
      and (t.category_id is null or not t.category_id = any(given.v25::text[]))
      and t.pending = 0
      order by t.date desc, t.id desc
      limit 1) as last_2
    from w
    left join counterparties cp on cp.id = w.counterparty_id) as found;

-- GET /api/v1/transactions/merchants {"category_slug":"food_and_drink","spending_only":true}, large ledger

select count(*) as n
  from (select id
    from transactions
    where deleted_at is null
    and "category_id" = any($1::text[])
    limit 2001) as capped;

with merchants as materialized (select coalesce(p.counterparty_id, named.canonical_counterparty_id, named.id) as counterparty_id, case when named.id is null then p.text_id end as text_id, p.iso_currency_code, cast(sum(count) as bigint) as count, sum(total) as total, sum(incoming) as incoming, min(first_month) as first_month, max(last_month) as last_month
    from (select counterparty_id, text_id, iso_currency_code, count, total, incoming, first_month, last_month, 0 as is_known
      from (select nullif(t.stored_counterparty_id, '') as counterparty_id, nullif(t.stored_text_id, 0) as text_id, nullif(t.stored_iso_currency_code, '') as iso_currency_code, cast(sum(t.outgoing_count) as bigint) as count, sum(t.total_cents - t.incoming_cents) as total, cast(null as bigint) as incoming , min(t.month) as first_month, max(t.month) as last_month
        from (select month, account_id, nullif(attributed_user_id, '') as attributed_user_id, attributed_user_id as stored_attributed_user_id, nullif(category_id, '') as category_id, category_id as stored_category_id, nullif(iso_currency_code, '') as iso_currency_code, iso_currency_code as stored_iso_currency_code, nullif(counterparty_id, '') as counterparty_id, counterparty_id as stored_counterparty_id, nullif(text_id, 0) as text_id, text_id as stored_text_id, count, outgoing_count, total_cents, incoming_cents
          from "merchant_totals"
          where 1 = 1) as t
        where t.account_id <> $1
        and t.account_id <> $2
        and t.category_id = any($3::text[])
        and t.outgoing_count > 0
        and (t.category_id is null or not t.category_id = any($4::text[]))
        group by t.stored_counterparty_id, t.stored_text_id, t.stored_iso_currency_code) as part) as p
    left join counterparties named on named.name_text_id = p.text_id
    group by 1, 2, 3
    having max(is_known) = 0
    and sum(count) >= $5) select merchants, counterparty_id, text_id, iso_currency_code, count, first_month, last_month, total_text, incoming_text
  from ( select 1 as merchants, counterparty_id, text_id, iso_currency_code, count, first_month, last_month, name, total, cast(total as text) as total_text, cast(incoming as text) as incoming_text
    from (select *
      from ( select m.*, coalesce(cp.name_folded, (select x.folded
            from texts x
            where x.id = m.text_id)) as name
        from (select *
          from merchants
          order by iso_currency_code asc nulls last, total desc, count desc fetch first 500 rows with ties) as m
        left join counterparties cp on cp.id = m.counterparty_id) as n
      order by iso_currency_code asc nulls last, total desc, count desc, name, counterparty_id asc nulls last
      limit 500) as shown
    union all select count(*), null, null, iso_currency_code, cast(sum(count) as bigint), null, null, null, null, cast(sum(total) as text), cast(sum(incoming) as text)
    from merchants
    group by iso_currency_code ) as found
  order by iso_currency_code asc nulls last, total desc, count desc, name, counterparty_id asc nulls last;

with given as materialized (select $1::text as v1, $2::text as v2, $3::text as v3, $4::text[] as v4, $5::text[] as v5, $6::text as v6, $7::text as v7, $8::text[] as v8, $9::text[] as v9, $10::text as v10, $11::text as v11, $12::text[] as v12, $13::text[] as v13, $14::text as v14, $15::text as v15, $16::text[] as v16, $17::text[] as v17, $18::text as v18, $19::text as v19, $20::text[] as v20, $21::text[] as v21, $22::text as v22, $23::text as v23, $24::text[] as v24, $25::text[] as v25) select found.*
  from given
  cross join lateral (with w as materialized (select cast(value ->> 0 as bigint) as nr, cast(value ->> 1 as text) as counterparty_id, cast(value ->> 2 as bigint) as text_id, cast(value ->> 3 as text) as iso, cast(value ->> 4 as text) as first_day, cast(value ->> 5 as text) as last_day
      from json_array_elements(given.v1::json)) select w.nr, cp.name, cp.short_id, cp.logo_url, coalesce((select t.date
        from transactions t
        where t.counterparty_id = w.counterparty_id
        and t.date >= w.first_day
        and t.iso_currency_code is not distinct
        from w.iso
        and t.deleted_at is null
        and t.account_id <> given.v2
        and t.account_id <> given.v3
        and t.category_id = any(given.v4::text[])
        and t.amount_cents > 0
        and (t.category_id is null or not t.category_id = any(given.v5::text[]))
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
        and t.account_id <> given.v6
        and t.account_id <> given.v7
        and t.category_id = any(given.v8::text[])
        and t.amount_cents > 0
        and (t.category_id is null or not t.category_id = any(given.v9::text[]))
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
      and t.account_id <> given.v10
      and t.account_id <> given.v11
      and t.category_id = any(given.v12::text[])
      and t.amount_cents > 0
      and (t.category_id is null or not t.category_id = any(given.v13::text[]))
      and t.pending = 0
      order by t.date asc, t.id asc
      limit 1) as first_2, coalesce((select t.date || t.id || coalesce(t.merchant_name, t.name)
        from transactions t
        where t.counterparty_id = w.counterparty_id
        and t.date <= w.last_day
        and t.iso_currency_code is not distinct
        from w.iso
        and t.deleted_at is null
        and t.account_id <> given.v14
        and t.account_id <> given.v15
        and t.category_id = any(given.v16::text[])
        and t.amount_cents > 0
        and (t.category_id is null or not t.category_id = any(given.v17::text[]))
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
        and t.account_id <> given.v18
        and t.account_id <> given.v19
        and t.category_id = any(given.v20::text[])
        and t.amount_cents > 0
        and (t.category_id is null or not t.category_id = any(given.v21::text[]))
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
      and t.account_id <> given.v22
      and t.account_id <> given.v23
      and t.category_id = any(given.v24::text[])
      and t.amount_cents > 0
      and (t.category_id is null or not t.category_id = any(given.v25::text[]))
      and t.pending = 0
      order by t.date desc, t.id desc
      limit 1) as last_2
    from w
    left join counterparties cp on cp.id = w.counterparty_id) as found;

-- GET /api/v1/transactions/export {"search":"coffee"}, small ledger

select id
  from texts
  where trigrams @> $1::text[]
  and position($2 in folded) > 0
  limit 1001;

select count(*) as n
  from (select t.id as id
    from transactions t
    where (t.name_text_id = $1::bigint)
    and t.name_text_id is not null
    and t.deleted_at is null
    limit 5001) as capped;

select count(*) as n
  from (select t.id as id
    from transactions t
    where (t.merchant_text_id = $1::bigint)
    and t.merchant_text_id is not null
    and t.deleted_at is null
    limit 5000) as capped;

select format('{"id" : %s, "short_id" : %s, "account_id" : %s, "account_name" : %s, "connection_id" : %s, "provider" : %s, "user_id" : %s, "attributed_user_id" : %s, "date" : %s, "authorized_date" : %s, "datetime" : %s, "amount" : %s, "iso_currency_code" : %s, "name" : %s, "merchant_name" : %s, "counterparty_id" : %s, "counterparty_short_id" : %s, "counterparty_name" : %s, "counterparty_logo_url" : %s, "category_id" : %s, "category" : %s, "category_source" : %s, "provider_category_primary" : %s, "provider_category_detailed" : %s, "payment_channel" : %s, "pending" : %s, "series_id" : %s, "tags" : %s, "metadata" : %s, "flagged_at" : %s, "excluded_from_totals" : %s, "import_id" : %s, "deleted_at" : %s, "created_at" : %s, "updated_at" : %s}', coalesce('"' || t.id || '"', 'null'), coalesce('"' || t.short_id || '"', 'null'), coalesce('"' || t.account_id || '"', 'null'), coalesce(to_json(coalesce(a.display_name, a.name))::text, 'null'), coalesce('"' || a.connection_id || '"', 'null'), coalesce(to_json(a.provider)::text, 'null'), coalesce('"' || ou.short_id || '"', 'null'), coalesce('"' || au.short_id || '"', 'null'), coalesce('"' || t.date || '"', 'null'), coalesce(to_json(t.authorized_date)::text, 'null'), coalesce(to_json(t.datetime)::text, 'null'), coalesce('"' || (case when t.amount_cents < 0 then '-' else '' end || (abs(t.amount_cents) / 100)::text || '.' || lpad((abs(t.amount_cents) % 100)::text, 2, '0')) || '"', 'null'), coalesce(to_json(t.iso_currency_code)::text, 'null'), coalesce(to_json(t.name)::text, 'null'), coalesce(to_json(t.merchant_name)::text, 'null'), coalesce('"' || t.counterparty_id || '"', 'null'), coalesce('"' || cp.short_id || '"', 'null'), coalesce(to_json(coalesce(cp.name, t.merchant_name, t.name))::text, 'null'), coalesce(to_json(cp.logo_url)::text, 'null'), coalesce('"' || t.category_id || '"', 'null'), coalesce(case when cat.id is not null then format('{"id" : %s, "short_id" : %s, "slug" : %s, "name" : %s, "parent_id" : %s, "kind" : %s}', coalesce('"' || cat.id || '"', 'null'), coalesce('"' || cat.short_id || '"', 'null'), coalesce(to_json(cat.slug)::text, 'null'), coalesce(to_json(cat.name)::text, 'null'), coalesce('"' || cat.parent_id || '"', 'null'), coalesce('"' || cat.kind || '"', 'null')) end, 'null'), coalesce('"' || t.category_source || '"', 'null'), coalesce(to_json(t.provider_category_primary)::text, 'null'), coalesce(to_json(t.provider_category_detailed)::text, 'null'), coalesce(to_json(t.payment_channel)::text, 'null'), case when t.pending = 1 then 'true' else 'false' end, coalesce('"' || t.series_id || '"', 'null'), coalesce((select json_agg(value)::text
        from (select tg.slug as value
          from transaction_tags tt
          join tags tg on tg.id = tt.tag_id
          where tt.transaction_id = t.id
          order by tg.slug) as list), '[]'), coalesce(t.metadata, 'null'), coalesce('"' || t.flagged_at || '"', 'null'), coalesce('"' || case when a.is_excluded = 1 then 'account_excluded' when a.is_dependent_linked = 1 then 'dependent_account' end || '"', 'null'), coalesce('"' || t.import_id || '"', 'null'), coalesce('"' || t.deleted_at || '"', 'null'), coalesce('"' || t.created_at || '"', 'null'), coalesce('"' || t.updated_at || '"', 'null')) as json
  from (select t.id as id
    from transactions t
    where (t.name_text_id = $1::bigint)
    and t.name_text_id is not null
    and t.deleted_at is null
    union select t.id as id
    from transactions t
    where (t.merchant_text_id = $2::bigint)
    and t.merchant_text_id is not null
    and t.deleted_at is null) as few
  join transactions t on t.id = few.id
  join accounts a on a.id = t.account_id
  left join connections c on c.id = a.connection_id
  left join categories cat on cat.id = t.category_id
  left join counterparties cp on cp.id = t.counterparty_id
  left join users au on au.id = t.attributed_user_id
  left join users ou on ou.id = coalesce(t.attributed_user_id, a.owner_user_id, c.user_id)
  where t.deleted_at is null
  and ((((t.name_text_id = $3::bigint) or (coalesce(t.merchant_text_id, 0) = $4::bigint))))
  order by t.date asc, t.id asc;

-- GET /api/v1/transactions/export {"search":"coffee"}, large ledger

select id
  from texts
  where trigrams @> $1::text[]
  and position($2 in folded) > 0
  limit 1001;

select count(*) as n
  from (select t.id as id
    from transactions t
    where (t.name_text_id = $1::bigint)
    and t.name_text_id is not null
    and t.deleted_at is null
    limit 5001) as capped;

select format('{"id" : %s, "short_id" : %s, "account_id" : %s, "account_name" : %s, "connection_id" : %s, "provider" : %s, "user_id" : %s, "attributed_user_id" : %s, "date" : %s, "authorized_date" : %s, "datetime" : %s, "amount" : %s, "iso_currency_code" : %s, "name" : %s, "merchant_name" : %s, "counterparty_id" : %s, "counterparty_short_id" : %s, "counterparty_name" : %s, "counterparty_logo_url" : %s, "category_id" : %s, "category" : %s, "category_source" : %s, "provider_category_primary" : %s, "provider_category_detailed" : %s, "payment_channel" : %s, "pending" : %s, "series_id" : %s, "tags" : %s, "metadata" : %s, "flagged_at" : %s, "excluded_from_totals" : %s, "import_id" : %s, "deleted_at" : %s, "created_at" : %s, "updated_at" : %s}', coalesce('"' || t.id || '"', 'null'), coalesce('"' || t.short_id || '"', 'null'), coalesce('"' || t.account_id || '"', 'null'), coalesce(to_json(coalesce(a.display_name, a.name))::text, 'null'), coalesce('"' || a.connection_id || '"', 'null'), coalesce(to_json(a.provider)::text, 'null'), coalesce('"' || ou.short_id || '"', 'null'), coalesce('"' || au.short_id || '"', 'null'), coalesce('"' || t.date || '"', 'null'), coalesce(to_json(t.authorized_date)::text, 'null'), coalesce(to_json(t.datetime)::text, 'null'), coalesce('"' || (case when t.amount_cents < 0 then '-' else '' end || (abs(t.amount_cents) / 100)::text || '.' || lpad((abs(t.amount_cents) % 100)::text, 2, '0')) || '"', 'null'), coalesce(to_json(t.iso_currency_code)::text, 'null'), coalesce(to_json(t.name)::text, 'null'), coalesce(to_json(t.merchant_name)::text, 'null'), coalesce('"' || t.counterparty_id || '"', 'null'), coalesce('"' || cp.short_id || '"', 'null'), coalesce(to_json(coalesce(cp.name, t.merchant_name, t.name))::text, 'null'), coalesce(to_json(cp.logo_url)::text, 'null'), coalesce('"' || t.category_id || '"', 'null'), coalesce(case when cat.id is not null then format('{"id" : %s, "short_id" : %s, "slug" : %s, "name" : %s, "parent_id" : %s, "kind" : %s}', coalesce('"' || cat.id || '"', 'null'), coalesce('"' || cat.short_id || '"', 'null'), coalesce(to_json(cat.slug)::text, 'null'), coalesce(to_json(cat.name)::text, 'null'), coalesce('"' || cat.parent_id || '"', 'null'), coalesce('"' || cat.kind || '"', 'null')) end, 'null'), coalesce('"' || t.category_source || '"', 'null'), coalesce(to_json(t.provider_category_primary)::text, 'null'), coalesce(to_json(t.provider_category_detailed)::text, 'null'), coalesce(to_json(t.payment_channel)::text, 'null'), case when t.pending = 1 then 'true' else 'false' end, coalesce('"' || t.series_id || '"', 'null'), coalesce((select json_agg(value)::text
        from (select tg.slug as value
          from transaction_tags tt
          join tags tg on tg.id = tt.tag_id
          where tt.transaction_id = t.id
          order by tg.slug) as list), '[]'), coalesce(t.metadata, 'null'), coalesce('"' || t.flagged_at || '"', 'null'), coalesce('"' || case when a.is_excluded = 1 then 'account_excluded' when a.is_dependent_linked = 1 then 'dependent_account' end || '"', 'null'), coalesce('"' || t.import_id || '"', 'null'), coalesce('"' || t.deleted_at || '"', 'null'), coalesce('"' || t.created_at || '"', 'null'), coalesce('"' || t.updated_at || '"', 'null')) as json
  from transactions t
  join accounts a on a.id = t.account_id
  left join connections c on c.id = a.connection_id
  left join categories cat on cat.id = t.category_id
  left join counterparties cp on cp.id = t.counterparty_id
  left join users au on au.id = t.attributed_user_id
  left join users ou on ou.id = coalesce(t.attributed_user_id, a.owner_user_id, c.user_id)
  where t.deleted_at is null
  and ((((t.name_text_id = $1::bigint) or (coalesce(t.merchant_text_id, 0) = $2::bigint))))
  order by t.date asc, t.id asc;

-- GET /api/v1/transactions/export {"category_slug":"food_and_drink"}, large ledger

select count(*) as n
  from (select id
    from transactions
    where deleted_at is null
    and "category_id" = any($1::text[])
    limit 5001) as capped;

select format('{"id" : %s, "short_id" : %s, "account_id" : %s, "account_name" : %s, "connection_id" : %s, "provider" : %s, "user_id" : %s, "attributed_user_id" : %s, "date" : %s, "authorized_date" : %s, "datetime" : %s, "amount" : %s, "iso_currency_code" : %s, "name" : %s, "merchant_name" : %s, "counterparty_id" : %s, "counterparty_short_id" : %s, "counterparty_name" : %s, "counterparty_logo_url" : %s, "category_id" : %s, "category" : %s, "category_source" : %s, "provider_category_primary" : %s, "provider_category_detailed" : %s, "payment_channel" : %s, "pending" : %s, "series_id" : %s, "tags" : %s, "metadata" : %s, "flagged_at" : %s, "excluded_from_totals" : %s, "import_id" : %s, "deleted_at" : %s, "created_at" : %s, "updated_at" : %s}', coalesce('"' || t.id || '"', 'null'), coalesce('"' || t.short_id || '"', 'null'), coalesce('"' || t.account_id || '"', 'null'), coalesce(to_json(coalesce(a.display_name, a.name))::text, 'null'), coalesce('"' || a.connection_id || '"', 'null'), coalesce(to_json(a.provider)::text, 'null'), coalesce('"' || ou.short_id || '"', 'null'), coalesce('"' || au.short_id || '"', 'null'), coalesce('"' || t.date || '"', 'null'), coalesce(to_json(t.authorized_date)::text, 'null'), coalesce(to_json(t.datetime)::text, 'null'), coalesce('"' || (case when t.amount_cents < 0 then '-' else '' end || (abs(t.amount_cents) / 100)::text || '.' || lpad((abs(t.amount_cents) % 100)::text, 2, '0')) || '"', 'null'), coalesce(to_json(t.iso_currency_code)::text, 'null'), coalesce(to_json(t.name)::text, 'null'), coalesce(to_json(t.merchant_name)::text, 'null'), coalesce('"' || t.counterparty_id || '"', 'null'), coalesce('"' || cp.short_id || '"', 'null'), coalesce(to_json(coalesce(cp.name, t.merchant_name, t.name))::text, 'null'), coalesce(to_json(cp.logo_url)::text, 'null'), coalesce('"' || t.category_id || '"', 'null'), coalesce(case when cat.id is not null then format('{"id" : %s, "short_id" : %s, "slug" : %s, "name" : %s, "parent_id" : %s, "kind" : %s}', coalesce('"' || cat.id || '"', 'null'), coalesce('"' || cat.short_id || '"', 'null'), coalesce(to_json(cat.slug)::text, 'null'), coalesce(to_json(cat.name)::text, 'null'), coalesce('"' || cat.parent_id || '"', 'null'), coalesce('"' || cat.kind || '"', 'null')) end, 'null'), coalesce('"' || t.category_source || '"', 'null'), coalesce(to_json(t.provider_category_primary)::text, 'null'), coalesce(to_json(t.provider_category_detailed)::text, 'null'), coalesce(to_json(t.payment_channel)::text, 'null'), case when t.pending = 1 then 'true' else 'false' end, coalesce('"' || t.series_id || '"', 'null'), coalesce((select json_agg(value)::text
        from (select tg.slug as value
          from transaction_tags tt
          join tags tg on tg.id = tt.tag_id
          where tt.transaction_id = t.id
          order by tg.slug) as list), '[]'), coalesce(t.metadata, 'null'), coalesce('"' || t.flagged_at || '"', 'null'), coalesce('"' || case when a.is_excluded = 1 then 'account_excluded' when a.is_dependent_linked = 1 then 'dependent_account' end || '"', 'null'), coalesce('"' || t.import_id || '"', 'null'), coalesce('"' || t.deleted_at || '"', 'null'), coalesce('"' || t.created_at || '"', 'null'), coalesce('"' || t.updated_at || '"', 'null')) as json
  from transactions t
  join accounts a on a.id = t.account_id
  left join connections c on c.id = a.connection_id
  left join categories cat on cat.id = t.category_id
  left join counterparties cp on cp.id = t.counterparty_id
  left join users au on au.id = t.attributed_user_id
  left join users ou on ou.id = coalesce(t.attributed_user_id, a.owner_user_id, c.user_id)
  where t.deleted_at is null
  and t.category_id = any($1::text[])
  order by t.date asc, t.id asc;

-- POST /api/v1/transactions/bulk-recategorize {"filter":{"search":"coffee"},"target_category_id":"travel","dry_run":true}, small ledger

select id
  from texts
  where trigrams @> $1::text[]
  and position($2 in folded) > 0
  limit 1001;

select id
  from (select t.date, t.id as id
    from transactions t
    where (t.name_text_id = $1::bigint)
    and t.name_text_id is not null
    and t.deleted_at is null
    and t.deleted_at is null
    union select t.date, t.id as id
    from transactions t
    where (t.merchant_text_id = $2::bigint)
    and t.merchant_text_id is not null
    and t.deleted_at is null
    and t.deleted_at is null
    limit 100001) as found
  order by date desc, id desc;

select t.id, t.short_id, t.category_id, t.category_source, t.category_rule_id, t.counterparty_id, t.series_id, t.attributed_user_id, t.attributed_by_link_id, t.flagged_at, t.metadata, t.locks, t.deleted_at, t.deleted_cause, (select string_agg(tg.slug, ' ')
    from transaction_tags tt
    join tags tg on tg.id = tt.tag_id
    where tt.transaction_id = t.id) as tags
  from transactions t
  where ("t"."id" = $1::text);

update transactions set "category_id" = $1, "locks" = $2, "updated_at" = $3
  where id = $4;

-- POST /api/v1/transactions/bulk-recategorize {"filter":{"search":"coffee"},"target_category_id":"travel","dry_run":true}, large ledger

select id
  from texts
  where trigrams @> $1::text[]
  and position($2 in folded) > 0
  limit 1001;

select id
  from (select t.date, t.id as id
    from transactions t
    where (t.name_text_id = $1::bigint)
    and t.name_text_id is not null
    and t.deleted_at is null
    and t.deleted_at is null
    union select t.date, t.id as id
    from transactions t
    where (t.merchant_text_id = $2::bigint)
    and t.merchant_text_id is not null
    and t.deleted_at is null
    and t.deleted_at is null
    limit 100001) as found
  order by date desc, id desc;

select t.id, t.short_id, t.category_id, t.category_source, t.category_rule_id, t.counterparty_id, t.series_id, t.attributed_user_id, t.attributed_by_link_id, t.flagged_at, t.metadata, t.locks, t.deleted_at, t.deleted_cause, (select string_agg(tg.slug, ' ')
    from transaction_tags tt
    join tags tg on tg.id = tt.tag_id
    where tt.transaction_id = t.id) as tags
  from transactions t
  where ("t"."id" = $1::text);

update transactions set "category_id" = $1, "locks" = $2, "updated_at" = $3
  where id = $4;

-- GET /api/v1/tags {}, small ledger

select tag_id, count(*) as n
  from transaction_tags
  group by tag_id;

select p.tag_id, count(*) as n
  from transactions t
  join transaction_tags p on p.transaction_id = t.id
  where t.deleted_at is not null
  group by p.tag_id;

-- GET /api/v1/overview {}, small ledger

select waiting.pending, waiting.uncategorized + cast(posted.uncategorized as bigint) as uncategorized, (select count(*)
    from tags
    join transaction_tags tt on tt.tag_id = tags.id
    where tags.slug = $1) - (select count(*)
    from transactions t
    join transaction_tags tt on tt.transaction_id = t.id
    join tags on tags.id = tt.tag_id
    where t.deleted_at is not null
    and tags.slug = $2) as needs_review, flagged, flagged_since
  from (select count(*) filter (where t.deleted_at is null ) as pending, count(*) filter (where t.category_id is null
      and t.deleted_at is null ) as uncategorized
    from transactions t
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
    from transactions t
    where t.pending = 1
    and t.deleted_at is null) as transactions, (select min(date)
    from transactions
    where deleted_at is null) as earliest_date, (select max(date)
    from transactions
    where deleted_at is null) as latest_date;

select count(*) as n
  from (select 1
    from transactions
    where id >= $1
    limit 1000) as capped;

select (select count(*)
    from transactions t
    where t.id >= $1) - (select count(*) filter (where t.id >= $2)
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
  and "accounts"."is_excluded" = $1
  and "accounts"."is_dependent_linked" = $2
  and "connections"."status" != $3;

-- GET /api/v1/overview {"user_id":"ID"}, small ledger

select waiting.pending, waiting.uncategorized + cast(posted.uncategorized as bigint) as uncategorized, (select count(*)
    from tags
    join transaction_tags tt on tt.tag_id = tags.id
    join transactions t on t.id = tt.transaction_id
    where tags.slug = $1
    and t.deleted_at is null
    and ("t"."attributed_user_id" = $2 or ("t"."attributed_user_id" is null
        and "t"."account_id" = any($3::text[])))) as needs_review, flagged, flagged_since
  from (select count(*) filter (where t.deleted_at is null
      and ("t"."attributed_user_id" = $4 or ("t"."attributed_user_id" is null
          and "t"."account_id" = any($5::text[])))) as pending, count(*) filter (where t.category_id is null
      and t.deleted_at is null
      and ("t"."attributed_user_id" = $6 or ("t"."attributed_user_id" is null
          and "t"."account_id" = any($7::text[])))) as uncategorized
    from transactions t
    where t.pending = 1) as waiting
  cross join (select coalesce(sum(t.count), 0) as uncategorized
    from (select month, account_id, nullif(category_id, '') as category_id, nullif(attributed_user_id, '') as attributed_user_id, count
      from monthly_totals) as t
    where t.category_id is null
    and ("t"."attributed_user_id" = $8 or ("t"."attributed_user_id" is null
        and "t"."account_id" = any($9::text[])))) as posted
  cross join (select count(*) filter (where t.deleted_at is null
      and ("t"."attributed_user_id" = $10 or ("t"."attributed_user_id" is null
          and "t"."account_id" = any($11::text[])))) as flagged, min(t.flagged_at) filter (where t.deleted_at is null
      and ("t"."attributed_user_id" = $12 or ("t"."attributed_user_id" is null
          and "t"."account_id" = any($13::text[])))) as flagged_since
    from transactions t
    where t.flagged_at is not null) as flags;

with months as materialized ( select cast(coalesce(sum(t.count), 0) as bigint) as n, min(t.month) as first, max(t.month) as last
    from (select month, account_id, nullif(category_id, '') as category_id, nullif(attributed_user_id, '') as attributed_user_id, count
      from monthly_totals) as t
    where ("t"."attributed_user_id" = $1 or ("t"."attributed_user_id" is null
        and "t"."account_id" = any($2::text[])))), parts as materialized ( select n, (select min(t.date)
      from transactions t
      where t.deleted_at is null
      and t.pending = 0
      and t.date >= months.first || '-01'
      and t.date <= months.first || '-31'
      and ("t"."attributed_user_id" = $3 or ("t"."attributed_user_id" is null
          and "t"."account_id" = any($4::text[])))) as first, (select max(t.date)
      from transactions t
      where t.deleted_at is null
      and t.pending = 0
      and t.date >= months.last || '-01'
      and t.date <= months.last || '-31'
      and ("t"."attributed_user_id" = $5 or ("t"."attributed_user_id" is null
          and "t"."account_id" = any($6::text[])))) as last
    from months
    union all select count(*) as n, min(t.date) as first, max(t.date) as last
    from transactions t
    where t.pending = 1
    and t.deleted_at is null
    and ("t"."attributed_user_id" = $7 or ("t"."attributed_user_id" is null
        and "t"."account_id" = any($8::text[])))) select cast(sum(n) as bigint) as transactions, min(first) as earliest_date, max(last) as latest_date
  from parts;

select count(*) as n
  from (select 1
    from transactions
    where id >= $1
    limit 1000) as capped;

select (select count(*)
    from transactions t
    where t.id >= $1
    and t.deleted_at is null
    and ("t"."attributed_user_id" = $2 or ("t"."attributed_user_id" is null
        and "t"."account_id" = any($3::text[])))) as n;

select waiting.pending, waiting.uncategorized + cast(posted.uncategorized as bigint) as uncategorized, (select count(*)
    from tags
    join transaction_tags tt on tt.tag_id = tags.id
    where tags.slug = $1) - (select count(*)
    from transactions t
    join transaction_tags tt on tt.transaction_id = t.id
    join tags on tags.id = tt.tag_id
    where t.deleted_at is not null
    and tags.slug = $2) as needs_review, flagged, flagged_since
  from (select count(*) filter (where t.deleted_at is null ) as pending, count(*) filter (where t.category_id is null
      and t.deleted_at is null ) as uncategorized
    from transactions t
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
  and (coalesce("accounts"."owner_user_id", "connections"."user_id") = $1::text)
  and "accounts"."is_excluded" = $2
  and "accounts"."is_dependent_linked" = $3
  and "connections"."status" != $4;

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
  and "accounts"."is_excluded" = $1
  and "accounts"."is_dependent_linked" = $2
  and "connections"."status" != $3;
