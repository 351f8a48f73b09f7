import { z } from 'zod';

import { findRecentReport } from '../../reports/index.ts';
import { createReport, Report, reportFields } from '../../reports/reports.contract.ts';
import { callOperation } from '../call-operation.ts';
import { defineWriteTool } from '../tool.ts';

export const submitReport = defineWriteTool({
  name: 'submit_report',
  title: 'Submit a report',
  description:
    'Sends a message to the household: it appears in the dashboard and goes to the notification channels that accept ' +
    'its priority. The title carries the message. get_guide("reports") explains how to write one. Sending the same ' +
    'title and body again within 24 hours returns the existing report, with `existing` true.',
  action: 'report.create',
  isIdempotent: true,
  isOpenWorld: true,
  input: { ...reportFields, title: reportFields.title.meta({ description: 'The message in one line' }) },
  output: { report: Report, existing: z.boolean().optional() },
  operations: ['createReport'],
  examples: [
    {
      arguments: {
        title: 'Streaming now costs 14.99 USD',
        body: '## Price rise\n- Streaming: 12.99 to 14.99 USD since March',
        kind: 'anomaly',
        priority: 'warning',
      },
      says: 'Tell the household that a subscription went up in price.',
    },
  ],
  run: async (context, { title, body, kind, priority, tags, author_name }) => {
    const stored = await findRecentReport(context.tx, context.principal, { title, body, author_name });
    if (stored) return { report: stored, existing: true };
    const sent = { title, body, kind, priority, tags, author_name };
    return { report: await callOperation(context, createReport, { body: sent }) };
  },
});
