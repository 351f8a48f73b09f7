import { collapsed } from './cell-text.ts';

const PLACEHOLDERS = new Set(['', '0', '-', 'nonref', 'notprovided', 'not provided', 'n/a']);

/** A bank's own id as it counts (36.7.1): without quotes around it; null for what banks write when they have none. */
export function bankIdOf(text: string): string | null {
  let id = collapsed(text);
  if (id.length >= 2 && id.startsWith("'") && id.endsWith("'")) id = id.slice(1, -1).trim();
  return PLACEHOLDERS.has(id.toLowerCase()) ? null : id;
}
