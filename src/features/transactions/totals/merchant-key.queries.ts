import { sql } from 'kysely';

/**
 * Of `transactions t` without a counterparty, the counterparty whose name is the text of the row (contract 10.5.5): that
 * of one merged into another stands for its target.
 */
export const MERCHANTS_BY_NAME = sql`left join counterparties named on t.counterparty_id is null
  and named.name_text_id = coalesce(t.merchant_text_id, t.name_text_id)`;

/** What makes rows those of one merchant, as text: a counterparty, otherwise the text of merchant or name. */
export const MERCHANT_KEY = sql`coalesce(t.counterparty_id, named.canonical_counterparty_id, named.id,
  cast(coalesce(t.merchant_text_id, t.name_text_id) as text))`;
