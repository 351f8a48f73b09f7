import { sql } from 'kysely';
import type { z } from 'zod';

import type { SeriesTable } from '../../db/schema.ts';
import type { ReadTx } from '../../db/unit-of-work.ts';
import { derived, IDS, isReferred, recorded, STAMPS } from '../../journal/columns.ts';
import { defineEntity } from '../../journal/entity.ts';
import type { WriteTx } from '../../journal/write.ts';
import { AppError } from '../../kernel/errors.ts';
import { fold } from '../../kernel/fold.ts';
import { countReferring } from '../facets/index.ts';
import { countRulesNaming } from '../rules/index.ts';
import type { Series } from './series.contract.ts';

type SeriesRecord = z.output<typeof Series>;

const REFERRING = [['transactions', 'series_id']] as const;

export const series = defineEntity('series', {
  type: 'series',
  columns: { ...IDS, name: recorded, name_folded: derived, type: recorded, ...STAMPS },
  derive: ({ name }) => ({ name_folded: fold(name) }),
  undo: {
    unique: [{ field: 'name', column: 'name_folded', from: (name) => fold(name as string) }],
    isUsed: async (tx, id) => (await countReferring(tx, 'series_id', id)) > 0 || (await countRulesNaming(tx, id)) > 0,
    isUsedBesides: async (tx, id, others) =>
      (await isReferred(tx, id, REFERRING, others)) || (await countRulesNaming(tx, id, others)) > 0,
  },
});

/** The record in lists. */
export function toSeries(row: SeriesTable): SeriesRecord {
  const { name_folded: _derived, type, ...fields } = row;
  return { ...fields, type: type as SeriesRecord['type'] };
}

/** Series by name, ignoring case, then by id. All types unless some are given. */
export async function selectSeries(tx: ReadTx, types?: readonly string[]): Promise<SeriesTable[]> {
  const all = tx.q.selectFrom('series').selectAll().orderBy('name_folded').orderBy('id');
  return (types ? all.where(tx.portable.inList(sql.ref('type'), types)) : all).execute();
}

export async function findSeriesByFoldedName(tx: ReadTx, folded: string): Promise<SeriesTable | undefined> {
  return tx.q.selectFrom('series').selectAll().where('name_folded', '=', folded).executeTakeFirst();
}

/** Creates a series. The name is already trimmed. @throws CONFLICT if another series has the name */
export async function makeSeries(
  tx: WriteTx,
  { name, type = 'subscription' }: { name: string; type?: SeriesRecord['type'] },
): Promise<SeriesTable> {
  await refuseTakenName(tx, name);
  return series.create(tx, { name, type });
}

/** @throws CONFLICT if a series other than `ownId` has the name. Case and accents do not matter. */
export async function refuseTakenName(tx: ReadTx, name: string, ownId?: string): Promise<void> {
  const other = await findSeriesByFoldedName(tx, fold(name));
  if (!other || other.id === ownId) return;
  throw new AppError('CONFLICT', `The series ${other.short_id} already has this name. Use it, or choose another name.`);
}
