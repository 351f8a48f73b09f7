import { invalidParameter } from '../../kernel/errors.ts';
import { FIELD_ALIASES, type FieldName } from './transaction-fields.contract.ts';
import { transactionFields } from './transaction-record.contract.ts';

export type { FieldName } from './transaction-fields.contract.ts';

const ALL = Object.keys(transactionFields) as FieldName[];
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
    const fields = FIELD_ALIASES.get(part) ?? (ALL.includes(part as FieldName) ? [part as FieldName] : undefined);
    if (!fields)
      throw invalidParameter('fields', `fields: ${JSON.stringify(part.slice(0, 100))} is not a field or alias.`);
    for (const field of fields) wanted.add(field);
  }
  return [...wanted];
}
