import { z } from 'zod';

import { describedAs } from '../../contract/described-as.ts';
import { transactionFields } from './transaction-record.contract.ts';

export type FieldName = keyof typeof transactionFields;

/** Names for sets of fields (contract 10.3). */
export const FIELD_ALIASES: ReadonlyMap<string, readonly FieldName[]> = new Map<string, readonly FieldName[]>(
  Object.entries<readonly FieldName[]>({
    minimal: ['date', 'amount', 'name'],
    core: ['date', 'amount', 'iso_currency_code', 'name', 'merchant_name', 'counterparty_name', 'account_id'],
    category: ['category', 'category_id', 'category_source', 'provider_category_primary', 'provider_category_detailed'],
    timestamps: ['datetime', 'authorized_date', 'flagged_at', 'deleted_at', 'created_at', 'updated_at'],
    triage: [
      'date',
      'amount',
      'iso_currency_code',
      'name',
      'merchant_name',
      'counterparty_name',
      'account_name',
      'category',
      'category_source',
      'provider_category_primary',
      'provider_category_detailed',
      'tags',
      'pending',
      'flagged_at',
    ],
  }),
);

const NAMES = [...new Set([...FIELD_ALIASES.keys(), ...Object.keys(transactionFields)])];

/** `fields=`: names and aliases, as a list or separated by commas; resolved where they are used. */
export const FieldsQuery = describedAs(
  z.union([z.string(), z.array(z.string())]),
  z.array(z.enum(NAMES).meta({ id: 'TransactionField' })),
);
