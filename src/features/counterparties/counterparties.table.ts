import type { z } from 'zod';

import type { CounterpartiesTable } from '../../db/schema.ts';
import type { Counterparty } from './counterparties.contract.ts';

/** A counterparty as the journal keeps it: the record without what follows from other fields. */
export type CounterpartyFields = Omit<CounterpartiesTable, 'name_folded' | 'name_text_id'>;

export function toCounterpartyFields(row: CounterpartiesTable): CounterpartyFields {
  const { name_folded: _folded, name_text_id: _textId, ...fields } = row;
  return fields;
}

/** The record of lists. */
export function toCounterparty(row: CounterpartiesTable): z.output<typeof Counterparty> {
  return { ...toCounterpartyFields(row), is_merged: row.canonical_counterparty_id !== null };
}
