import { invalidParameter } from '../../kernel/errors.ts';
import { transactionFields } from './transaction-record.contract.ts';

export type FieldName = keyof typeof transactionFields;

const ALL = Object.keys(transactionFields) as FieldName[];
const ALIASES: ReadonlyMap<string, readonly FieldName[]> = new Map<string, readonly FieldName[]>(
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

/** The fields of a `fields=` value in their given order, id and short_id first. @throws INVALID_PARAMETER */
export function parseFields(value: string | readonly string[] | undefined): readonly FieldName[] {
  if (value === undefined) return ALL;
  const wanted = new Set<FieldName>(['id', 'short_id']);
  for (const part of [value]
    .flat()
    .join(',')
    .split(',')
    .map((text) => text.trim())) {
    if (part === '') continue;
    const fields = ALIASES.get(part) ?? (ALL.includes(part as FieldName) ? [part as FieldName] : undefined);
    if (!fields)
      throw invalidParameter('fields', `fields: ${JSON.stringify(part.slice(0, 100))} is no field or alias.`);
    for (const field of fields) wanted.add(field);
  }
  return [...wanted];
}
