import { z } from 'zod';

import { name } from '../../../contract/common.ts';
import { SeriesDetail, SeriesType } from '../../series/series.contract.ts';
import { LINK_ARGUMENTS, LINK_RESULT, saveAndLink } from '../parts/save-and-link.ts';
import { defineWriteTool } from '../tool.ts';

export const saveSeries = defineWriteTool({
  name: 'save_series',
  title: 'Create or change a recurring series',
  description:
    'With series_id: changes that series. With name: uses the series with that name, or creates it (a subscription ' +
    'unless type says otherwise). Adds and removes transactions; those of another series are skipped: move them with ' +
    'update_transactions.',
  action: 'series.link',
  isProposable: true,
  isIdempotent: true,
  weight: 'heavy',
  input: {
    series_id: z.string().optional(),
    name: name().optional(),
    new_name: z.string().optional().meta({ description: 'Renames the series given by series_id' }),
    type: z.enum(SeriesType.options).optional(),
    ...LINK_ARGUMENTS,
  },
  output: { series: SeriesDetail, ...LINK_RESULT },
  errors: ['CONFLICT'],
  operations: ['createSeries', 'updateSeries', 'linkSeriesTransactions', 'unlinkSeriesTransaction'],
  examples: [
    {
      arguments: { name: 'Streaming', type: 'subscription', add_transaction_ids: ['Tx8kLm2P', 'Tx9kLm2P'] },
      says: 'These charges are a subscription.',
    },
  ],
  run: async (context, { series_id: id, name: known, new_name: newName, type, ...lists }) => {
    const { add_transaction_ids: add, remove_transaction_ids: remove } = lists;
    const { record, ...done } = await saveAndLink(context, 'series', {
      id,
      name: known,
      newName,
      fields: { type },
      add,
      remove,
    });
    return { series: record, ...done };
  },
});
