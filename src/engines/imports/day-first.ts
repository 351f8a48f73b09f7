import { normalisedName } from './cell-text.ts';
import type { ColumnStats } from './column-stats.ts';
import type { Detection } from './analysis.ts';

/** Names of date columns in languages that are nowhere written month first; Spanish is, in Puerto Rico. */
const DAY_FIRST_NAME = /datum|\bdato\b|\bdata\b|tag$|dag$|tarih|paiva|^pvm$|kuupaev|дата|ημερομηνια/;
/** French is day first in Europe; Canadian banks write `3/4/2023`, month first, below French names. */
const FRENCH_NAME = /^date (?:d['’ ]|de |valeur|comptable|operation|traitement)/;

/**
 * What says that dates are written day first although every one of them could be month first: full stops between the
 * numbers, amounts with a decimal comma, or a column named in a language that knows no other order.
 */
export function dayFirstEvidence(
  column: ColumnStats | undefined,
  name: string,
  decimal: Detection,
): 'full_stops' | 'decimal_comma' | 'header_language' | null {
  if (column && hasFullStops(column)) return 'full_stops';
  // Apps of American make write `2/8/23` beside any decimal separator.
  const isPadded = column?.unpadded === 0;
  if (isPadded && decimal.value === ',' && decimal.confidence === 'certain') return 'decimal_comma';
  const folded = normalisedName(name);
  return DAY_FIRST_NAME.test(folded) || (isPadded && FRENCH_NAME.test(folded)) ? 'header_language' : null;
}

/** True for dates such as `03.04.2025`, which nobody writes month first. */
export function hasFullStops({ firstDate }: ColumnStats): boolean {
  return /^\s*\d{1,2}\.\s?\d{1,2}\.\s?\d/.test(firstDate?.raw ?? '');
}
