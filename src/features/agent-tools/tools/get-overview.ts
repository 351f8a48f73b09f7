import { z } from 'zod';

import { getOverview as operation, getOverviewHistory } from '../../overview/overview.contract.ts';
import { refuseUnless } from '../parts/argument-pairs.ts';
import { answerOf } from '../results/result-schema.ts';
import { callOperation } from '../call-operation.ts';
import { defineReadTool } from '../tool.ts';

export const getOverview = defineReadTool({
  name: 'get_overview',
  title: 'Get an overview',
  description:
    'Start here. Returns members, net worth per currency, counts, the dates covered, how fresh the data is, the ' +
    'backlog (rows without a category, rows to review) and what needs attention. history adds net worth over time, by' +
    ' default for the last year.',
  scope: 'read_only',
  weight: 'heavy',
  input: {
    user_id: z.string().optional(),
    history: z.enum(['none', 'day', 'week', 'month']).default('none'),
    date_from: z.string().optional(),
    date_to: z.string().optional(),
  },
  output: { ...answerOf(operation).shape, history: answerOf(getOverviewHistory).shape.series.optional() },
  operations: ['getOverview', 'getOverviewHistory'],
  examples: [
    { arguments: {}, says: 'How is the household doing?' },
    { arguments: { history: 'month' }, says: 'How did net worth change over the last year?' },
  ],
  run: async (context, { user_id, history, ...range }) => {
    const hasHistory = history !== 'none';
    refuseUnless(hasHistory, range, ['date_from', 'date_to'], 'history');
    const overview = await callOperation(context, operation, { query: { user_id } });
    if (!hasHistory) return overview;
    const query = { interval: history, user_id, ...range };
    const { series } = await callOperation(context, getOverviewHistory, { query });
    return { ...overview, history: series };
  },
});
