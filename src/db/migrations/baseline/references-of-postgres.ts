/**
 * The references of tables that are written thousands of rows at a time. A foreign key is checked with a query for each
 * row, which took more than a third of an import; here a statement checks its rows at once, looked up by the index of
 * ids. Writers are serialised, so no row vanishes in between: docs/decisions/0029.
 */
export const referencesOfPostgres: readonly string[] = [
  `alter table transactions drop constraint transactions_account_id_fkey`,
  `alter table transactions drop constraint transactions_name_text_id_fkey`,
  `alter table transactions drop constraint transactions_merchant_text_id_fkey`,
  `alter table transactions drop constraint transactions_counterparty_id_fkey`,
  `alter table transactions drop constraint transactions_category_id_fkey`,
  `alter table transactions drop constraint transactions_series_id_fkey`,
  `alter table transactions drop constraint transactions_attributed_user_id_fkey`,
  `alter table transactions drop constraint transactions_import_id_fkey`,
  `alter table transactions drop constraint transactions_merged_into_id_fkey`,
  `alter table transactions drop constraint transactions_creation_effects_id_fkey`,
  `create function check_references_of_transactions() returns trigger
    language plpgsql set enable_seqscan = off as $$
    begin
      if exists (select from new_rows r where
        (r.account_id is not null
          and (select 1 from accounts p where p.id = r.account_id) is null)
        or (r.name_text_id is not null
          and (select 1 from texts p where p.id = r.name_text_id) is null)
        or (r.merchant_text_id is not null
          and (select 1 from texts p where p.id = r.merchant_text_id) is null)
        or (r.counterparty_id is not null
          and (select 1 from counterparties p where p.id = r.counterparty_id) is null)
        or (r.category_id is not null
          and (select 1 from categories p where p.id = r.category_id) is null)
        or (r.series_id is not null
          and (select 1 from series p where p.id = r.series_id) is null)
        or (r.attributed_user_id is not null
          and (select 1 from users p where p.id = r.attributed_user_id) is null)
        or (r.import_id is not null
          and (select 1 from imports p where p.id = r.import_id) is null)
        or (r.merged_into_id is not null
          and (select 1 from transactions p where p.id = r.merged_into_id) is null)
        or (r.creation_effects_id is not null
          and (select 1 from rule_effects p where p.id = r.creation_effects_id) is null)
      ) then
        raise foreign_key_violation
        using message = 'A row of transactions refers to a row that does not exist.', table = tg_table_name;
      end if;
      return null;
    end $$`,
  `create trigger transactions_refer_after_insert after insert on transactions
    referencing new table as new_rows for each statement execute function check_references_of_transactions()`,
  `create trigger transactions_refer_after_update after update on transactions
    referencing new table as new_rows for each statement execute function check_references_of_transactions()`,

  `alter table transaction_tags drop constraint transaction_tags_transaction_id_fkey`,
  `alter table transaction_tags drop constraint transaction_tags_tag_id_fkey`,
  `create function check_references_of_transaction_tags() returns trigger
    language plpgsql set enable_seqscan = off as $$
    begin
      if exists (select from new_rows r where
        (r.transaction_id is not null
          and (select 1 from transactions p where p.id = r.transaction_id) is null)
        or (r.tag_id is not null
          and (select 1 from tags p where p.id = r.tag_id) is null)
      ) then
        raise foreign_key_violation
        using message = 'A row of transaction_tags refers to a row that does not exist.', table = tg_table_name;
      end if;
      return null;
    end $$`,
  `create trigger transaction_tags_refer_after_insert after insert on transaction_tags
    referencing new table as new_rows for each statement execute function check_references_of_transaction_tags()`,
  `create trigger transaction_tags_refer_after_update after update on transaction_tags
    referencing new table as new_rows for each statement execute function check_references_of_transaction_tags()`,

  `alter table transaction_aliases drop constraint transaction_aliases_transaction_id_fkey`,
  `alter table transaction_aliases drop constraint transaction_aliases_account_id_fkey`,
  `create function check_references_of_transaction_aliases() returns trigger
    language plpgsql set enable_seqscan = off as $$
    begin
      if exists (select from new_rows r where
        (r.transaction_id is not null
          and (select 1 from transactions p where p.id = r.transaction_id) is null)
        or (r.account_id is not null
          and (select 1 from accounts p where p.id = r.account_id) is null)
      ) then
        raise foreign_key_violation
        using message = 'A row of transaction_aliases refers to a row that does not exist.', table = tg_table_name;
      end if;
      return null;
    end $$`,
  `create trigger transaction_aliases_refer_after_insert after insert on transaction_aliases
    referencing new table as new_rows for each statement execute function check_references_of_transaction_aliases()`,
  `create trigger transaction_aliases_refer_after_update after update on transaction_aliases
    referencing new table as new_rows for each statement execute function check_references_of_transaction_aliases()`,

  `alter table transaction_origins drop constraint transaction_origins_transaction_id_fkey`,
  `alter table transaction_origins drop constraint transaction_origins_import_id_fkey`,
  `create function check_references_of_transaction_origins() returns trigger
    language plpgsql set enable_seqscan = off as $$
    begin
      if exists (select from new_rows r where
        (r.transaction_id is not null
          and (select 1 from transactions p where p.id = r.transaction_id) is null)
        or (r.import_id is not null
          and (select 1 from imports p where p.id = r.import_id) is null)
      ) then
        raise foreign_key_violation
        using message = 'A row of transaction_origins refers to a row that does not exist.', table = tg_table_name;
      end if;
      return null;
    end $$`,
  `create trigger transaction_origins_refer_after_insert after insert on transaction_origins
    referencing new table as new_rows for each statement execute function check_references_of_transaction_origins()`,
  `create trigger transaction_origins_refer_after_update after update on transaction_origins
    referencing new table as new_rows for each statement execute function check_references_of_transaction_origins()`,

  `alter table transaction_feeds drop constraint transaction_feeds_transaction_id_fkey`,
  `create function check_references_of_transaction_feeds() returns trigger
    language plpgsql set enable_seqscan = off as $$
    begin
      if exists (select from new_rows r where
        (r.transaction_id is not null
          and (select 1 from transactions p where p.id = r.transaction_id) is null)
      ) then
        raise foreign_key_violation
        using message = 'A row of transaction_feeds refers to a row that does not exist.', table = tg_table_name;
      end if;
      return null;
    end $$`,
  `create trigger transaction_feeds_refer_after_insert after insert on transaction_feeds
    referencing new table as new_rows for each statement execute function check_references_of_transaction_feeds()`,
  `create trigger transaction_feeds_refer_after_update after update on transaction_feeds
    referencing new table as new_rows for each statement execute function check_references_of_transaction_feeds()`,

  `alter table transaction_matches drop constraint transaction_matches_account_link_id_fkey`,
  `alter table transaction_matches drop constraint transaction_matches_primary_transaction_id_fkey`,
  `alter table transaction_matches drop constraint transaction_matches_dependent_transaction_id_fkey`,
  `create function check_references_of_transaction_matches() returns trigger
    language plpgsql set enable_seqscan = off as $$
    begin
      if exists (select from new_rows r where
        (r.account_link_id is not null
          and (select 1 from account_links p where p.id = r.account_link_id) is null)
        or (r.primary_transaction_id is not null
          and (select 1 from transactions p where p.id = r.primary_transaction_id) is null)
        or (r.dependent_transaction_id is not null
          and (select 1 from transactions p where p.id = r.dependent_transaction_id) is null)
      ) then
        raise foreign_key_violation
        using message = 'A row of transaction_matches refers to a row that does not exist.', table = tg_table_name;
      end if;
      return null;
    end $$`,
  `create trigger transaction_matches_refer_after_insert after insert on transaction_matches
    referencing new table as new_rows for each statement execute function check_references_of_transaction_matches()`,
  `create trigger transaction_matches_refer_after_update after update on transaction_matches
    referencing new table as new_rows for each statement execute function check_references_of_transaction_matches()`,

  `alter table import_rows drop constraint import_rows_import_id_fkey`,
  `create function check_references_of_import_rows() returns trigger
    language plpgsql set enable_seqscan = off as $$
    begin
      if exists (select from new_rows r where
        (r.import_id is not null
          and (select 1 from imports p where p.id = r.import_id) is null)
      ) then
        raise foreign_key_violation
        using message = 'A row of import_rows refers to a row that does not exist.', table = tg_table_name;
      end if;
      return null;
    end $$`,
  `create trigger import_rows_refer_after_insert after insert on import_rows
    referencing new table as new_rows for each statement execute function check_references_of_import_rows()`,
  `create trigger import_rows_refer_after_update after update on import_rows
    referencing new table as new_rows for each statement execute function check_references_of_import_rows()`,

  `alter table changes drop constraint changes_change_set_id_fkey`,
  `create function check_references_of_changes() returns trigger
    language plpgsql set enable_seqscan = off as $$
    begin
      if exists (select from new_rows r where
        (r.change_set_id is not null
          and (select 1 from change_sets p where p.id = r.change_set_id) is null)
      ) then
        raise foreign_key_violation
        using message = 'A row of changes refers to a row that does not exist.', table = tg_table_name;
      end if;
      return null;
    end $$`,
  `create trigger changes_refer_after_insert after insert on changes
    referencing new table as new_rows for each statement execute function check_references_of_changes()`,
  `create trigger changes_refer_after_update after update on changes
    referencing new table as new_rows for each statement execute function check_references_of_changes()`,

  `create function check_references_to_accounts() returns trigger language plpgsql as $$
    begin
      if exists (select from old_rows o join transactions r on r.account_id = o.id)
        or exists (select from old_rows o join transaction_aliases r on r.account_id = o.id) then
        raise foreign_key_violation
        using message = 'A row of accounts cannot be deleted while another row refers to it.',
          table = tg_table_name;
      end if;
      return null;
    end $$`,
  `create trigger accounts_referred_after_delete after delete on accounts
    referencing old table as old_rows for each statement execute function check_references_to_accounts()`,
  `create function check_references_to_texts() returns trigger language plpgsql as $$
    begin
      if exists (select from old_rows o join transactions r on r.name_text_id = o.id)
        or exists (select from old_rows o join transactions r on r.merchant_text_id = o.id) then
        raise foreign_key_violation
        using message = 'A row of texts cannot be deleted while another row refers to it.',
          table = tg_table_name;
      end if;
      return null;
    end $$`,
  `create trigger texts_referred_after_delete after delete on texts
    referencing old table as old_rows for each statement execute function check_references_to_texts()`,
  `create function check_references_to_counterparties() returns trigger language plpgsql as $$
    begin
      if exists (select from old_rows o join transactions r on r.counterparty_id = o.id) then
        raise foreign_key_violation
        using message = 'A row of counterparties cannot be deleted while another row refers to it.',
          table = tg_table_name;
      end if;
      return null;
    end $$`,
  `create trigger counterparties_referred_after_delete after delete on counterparties
    referencing old table as old_rows for each statement execute function check_references_to_counterparties()`,
  `create function check_references_to_categories() returns trigger language plpgsql as $$
    begin
      if exists (select from old_rows o join transactions r on r.category_id = o.id) then
        raise foreign_key_violation
        using message = 'A row of categories cannot be deleted while another row refers to it.',
          table = tg_table_name;
      end if;
      return null;
    end $$`,
  `create trigger categories_referred_after_delete after delete on categories
    referencing old table as old_rows for each statement execute function check_references_to_categories()`,
  `create function check_references_to_series() returns trigger language plpgsql as $$
    begin
      if exists (select from old_rows o join transactions r on r.series_id = o.id) then
        raise foreign_key_violation
        using message = 'A row of series cannot be deleted while another row refers to it.',
          table = tg_table_name;
      end if;
      return null;
    end $$`,
  `create trigger series_referred_after_delete after delete on series
    referencing old table as old_rows for each statement execute function check_references_to_series()`,
  `create function check_references_to_users() returns trigger language plpgsql as $$
    begin
      if exists (select from old_rows o join transactions r on r.attributed_user_id = o.id) then
        raise foreign_key_violation
        using message = 'A row of users cannot be deleted while another row refers to it.',
          table = tg_table_name;
      end if;
      return null;
    end $$`,
  `create trigger users_referred_after_delete after delete on users
    referencing old table as old_rows for each statement execute function check_references_to_users()`,
  `create function check_references_to_imports() returns trigger language plpgsql as $$
    begin
      if exists (select from old_rows o join transactions r on r.import_id = o.id)
        or exists (select from old_rows o join transaction_origins r on r.import_id = o.id)
        or exists (select from old_rows o join import_rows r on r.import_id = o.id) then
        raise foreign_key_violation
        using message = 'A row of imports cannot be deleted while another row refers to it.',
          table = tg_table_name;
      end if;
      return null;
    end $$`,
  `create trigger imports_referred_after_delete after delete on imports
    referencing old table as old_rows for each statement execute function check_references_to_imports()`,
  `create function check_references_to_transactions() returns trigger language plpgsql as $$
    begin
      if exists (select from old_rows o join transactions r on r.merged_into_id = o.id)
        or exists (select from old_rows o join transaction_tags r on r.transaction_id = o.id)
        or exists (select from old_rows o join transaction_aliases r on r.transaction_id = o.id)
        or exists (select from old_rows o join transaction_origins r on r.transaction_id = o.id)
        or exists (select from old_rows o join transaction_feeds r on r.transaction_id = o.id)
        or exists (select from old_rows o join transaction_matches r on r.primary_transaction_id = o.id)
        or exists (select from old_rows o join transaction_matches r on r.dependent_transaction_id = o.id) then
        raise foreign_key_violation
        using message = 'A row of transactions cannot be deleted while another row refers to it.',
          table = tg_table_name;
      end if;
      return null;
    end $$`,
  `create trigger transactions_referred_after_delete after delete on transactions
    referencing old table as old_rows for each statement execute function check_references_to_transactions()`,
  `create function check_references_to_rule_effects() returns trigger language plpgsql as $$
    begin
      if exists (select from old_rows o join transactions r on r.creation_effects_id = o.id) then
        raise foreign_key_violation
        using message = 'A row of rule_effects cannot be deleted while another row refers to it.',
          table = tg_table_name;
      end if;
      return null;
    end $$`,
  `create trigger rule_effects_referred_after_delete after delete on rule_effects
    referencing old table as old_rows for each statement execute function check_references_to_rule_effects()`,
  `create function check_references_to_tags() returns trigger language plpgsql as $$
    begin
      if exists (select from old_rows o join transaction_tags r on r.tag_id = o.id) then
        raise foreign_key_violation
        using message = 'A row of tags cannot be deleted while another row refers to it.',
          table = tg_table_name;
      end if;
      return null;
    end $$`,
  `create trigger tags_referred_after_delete after delete on tags
    referencing old table as old_rows for each statement execute function check_references_to_tags()`,
  `create function check_references_to_account_links() returns trigger language plpgsql as $$
    begin
      if exists (select from old_rows o join transaction_matches r on r.account_link_id = o.id) then
        raise foreign_key_violation
        using message = 'A row of account_links cannot be deleted while another row refers to it.',
          table = tg_table_name;
      end if;
      return null;
    end $$`,
  `create trigger account_links_referred_after_delete after delete on account_links
    referencing old table as old_rows for each statement execute function check_references_to_account_links()`,
  `create function check_references_to_change_sets() returns trigger language plpgsql as $$
    begin
      if exists (select from old_rows o join changes r on r.change_set_id = o.id) then
        raise foreign_key_violation
        using message = 'A row of change_sets cannot be deleted while another row refers to it.',
          table = tg_table_name;
      end if;
      return null;
    end $$`,
  `create trigger change_sets_referred_after_delete after delete on change_sets
    referencing old table as old_rows for each statement execute function check_references_to_change_sets()`,
];
