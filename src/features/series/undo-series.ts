import type { SeriesTable } from '../../db/schema.ts';
import { undoRows } from '../../journal/undo-rows.ts';
import { fold } from '../../kernel/fold.ts';
import { countReferring } from '../facets/index.ts';
import { countRulesNaming } from '../rules/index.ts';
import { toSeries } from './series.table.ts';

export const undo = undoRows({
  entityType: 'series',
  table: 'series',
  toFields: (row) => toSeries(row as unknown as SeriesTable),
  toColumns: async (_tx, fields) => {
    const { name } = fields;
    return { ...(fields as Partial<SeriesTable>), ...(typeof name === 'string' ? { name_folded: fold(name) } : {}) };
  },
  unique: ['short_id', { field: 'name', column: 'name_folded' }],
  references: () => [],
  isUsed: async (tx, id) => (await countReferring(tx, 'series_id', id)) > 0 || (await countRulesNaming(tx, id)) > 0,
});
