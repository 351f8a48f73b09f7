import { shortIdFor } from '../../db/short-ids.ts';
import type { SeriesTable } from '../../db/schema.ts';
import type { ReadTx } from '../../db/unit-of-work.ts';
import type { WriteTx } from '../../journal/write.ts';
import { AppError } from '../../kernel/errors.ts';
import { fold } from '../../kernel/fold.ts';
import { findSeriesByFoldedName, insertSeries } from './series.queries.ts';
import { toSeries, type SeriesRecord } from './series.table.ts';

/** Names are unique by their folded form. */
export async function findSeriesByName(tx: ReadTx, name: string): Promise<SeriesTable | undefined> {
  return findSeriesByFoldedName(tx, fold(name));
}

/** Makes a series, whose name is trimmed already, and records it. @throws CONFLICT when another has the name */
export async function makeSeries(
  tx: WriteTx,
  { name, type = 'subscription' }: { name: string; type?: SeriesRecord['type'] },
): Promise<SeriesTable> {
  await refuseTakenName(tx, name);
  const row: SeriesTable = {
    id: tx.ids.uuid(),
    short_id: await shortIdFor(tx, 'series'),
    name,
    name_folded: fold(name),
    type,
    created_at: tx.now,
    updated_at: tx.now,
  };
  await insertSeries(tx, row);
  tx.journal.record({
    entityType: 'series',
    entityId: row.id,
    entityShortId: row.short_id,
    operation: 'create',
    before: null,
    after: toSeries(row),
    revertible: true,
  });
  return row;
}

/** @throws CONFLICT when a series other than this one has the name */
export async function refuseTakenName(tx: ReadTx, name: string, ownId?: string): Promise<void> {
  const other = await findSeriesByName(tx, name);
  if (!other || other.id === ownId) return;
  throw new AppError('CONFLICT', `The series ${other.short_id} has this name already. Use it, or choose another name.`);
}
