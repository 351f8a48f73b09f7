/** Sums beside the rows, kept in the statement that changes a row: docs/decisions/0026. */
export const totals: readonly string[] = [
  // incoming_cents sums the negative amounts, outgoing_count counts the positive ones.
  `create table monthly_totals (
    month {text} not null, account_id {text} not null, category_id {text} not null,
    attributed_user_id {text} not null, iso_currency_code {text} not null, count {int} not null,
    outgoing_count {int} not null, total_cents {money} not null, incoming_cents {money} not null,
    primary key (month, account_id, category_id, attributed_user_id, iso_currency_code)) {strict}{without_rowid}`,

  `create table merchant_totals (
    month {text} not null, account_id {text} not null, category_id {text} not null,
    attributed_user_id {text} not null, iso_currency_code {text} not null, counterparty_id {text} not null,
    text_id {int} not null, count {int} not null, outgoing_count {int} not null, total_cents {money} not null,
    incoming_cents {money} not null,
    primary key (month, account_id, category_id, attributed_user_id, iso_currency_code, counterparty_id,
      text_id)) {strict}{without_rowid}`,
];
