import type { Mapping } from './mapping.ts';

/** The fields that an import needs and no column provides. */
export function missingFields(mapping: Mapping): ('date' | 'amount')[] {
  const missing: ('date' | 'amount')[] = [];
  if (!mapping.has('date')) missing.push('date');
  if (!mapping.has('amount') && !mapping.has('debit') && !mapping.has('credit')) missing.push('amount');
  return missing;
}
