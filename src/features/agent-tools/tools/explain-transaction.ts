import { z } from 'zod';

import { explainTransaction as operation } from '../../rules/rule-insights.contract.ts';
import { answerOf } from '../results/result-schema.ts';
import { callOperation } from '../call-operation.ts';
import { defineReadTool } from '../tool.ts';

export const explainTransaction = defineReadTool({
  name: 'explain_transaction',
  title: 'Explain a transaction',
  description:
    'Why a transaction looks the way it does: who decided its category, tags and links, which rules match it now, and' +
    ' what applying them would change. With rule_id: only that rule, with a trace of its condition. include "all" ' +
    'also lists rules that do not match.',
  scope: 'read_only',
  weight: 'heavy',
  input: {
    transaction_id: z.string(),
    rule_id: z.string().optional(),
    include: z.enum(['matched', 'all']).default('matched'),
  },
  output: answerOf(operation).shape,
  operations: ['explainTransaction'],
  examples: [{ arguments: { transaction_id: 'Tx9kLm2P' }, says: 'Why is this row in that category?' }],
  run: async (context, { transaction_id: id, ...query }) =>
    callOperation(context, operation, { params: { id }, query }),
});
