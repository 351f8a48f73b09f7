import type { z } from 'zod';

import type { SeriesTable } from '../../db/schema.ts';
import type { Series } from './series.contract.ts';

export type SeriesRecord = z.output<typeof Series>;

/** The record of lists, which is also what the journal keeps. */
export function toSeries(row: SeriesTable): SeriesRecord {
  const { name_folded: _derived, type, ...fields } = row;
  return { ...fields, type: type as SeriesRecord['type'] };
}
