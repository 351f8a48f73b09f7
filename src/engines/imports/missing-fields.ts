import { AppError } from '../../kernel/errors.ts';
import type { Mapping } from './mapping.ts';

/** WRONG_MAPPING for fields that nothing provides. */
export function missingFields(mapping: Mapping): AppError | null {
  const missing: string[] = [];
  if (!mapping.has('date')) missing.push('date');
  if (!mapping.has('amount') && !mapping.has('debit') && !mapping.has('credit')) missing.push('amount');
  if (missing.length === 0) return null;
  return new AppError(
    'WRONG_MAPPING',
    `No column was recognised as ${missing.join(' and ')}. Send column_mapping with the column's name or number.`,
    {
      details: missing.map((field) => ({ path: `column_mapping.${field}`, message: `which column is the ${field}?` })),
    },
  );
}
