import { z } from 'zod';

import { getReport, listReports as operation, Report } from '../../reports/reports.contract.ts';
import { refuseBeside } from '../parts/argument-pairs.ts';
import { fieldsOf } from '../results/result-schema.ts';
import { callOperation, pick } from '../call-operation.ts';
import { defineReadTool } from '../tool.ts';

const SUMMARY = ['id', 'title', 'kind', 'priority', 'tags', 'author_name', 'read_at', 'created_at'] as const;

export const listReports = defineReadTool({
  name: 'list_reports',
  title: 'List reports',
  description:
    'Reports to the household, newest first, without their bodies. read false: only unread ones. With report_id: that' +
    ' report with its body; this does not mark it as read.',
  scope: 'read_only',
  weight: 'heavy',
  input: {
    report_id: z.string().optional(),
    read: z.boolean().optional(),
    priority: z.array(z.enum(['info', 'warning', 'critical'])).optional(),
    kind: z.array(z.string()).optional(),
    tag: z.array(z.string()).optional(),
    limit: z.int().min(1).max(500).default(20),
  },
  output: { reports: z.array(fieldsOf(Report, [...SUMMARY, 'body']).partial({ body: true })) },
  operations: ['listReports', 'getReport'],
  examples: [{ arguments: { read: false }, says: 'Which reports are unread?' }],
  run: async (context, input) => {
    const { report_id: id, ...query } = input;
    refuseBeside('report_id', input, ['read', 'priority', 'kind', 'tag']);
    if (id !== undefined) {
      const report = await callOperation(context, getReport, { params: { id } });
      return { reports: [pick(report, [...SUMMARY, 'body'])] };
    }
    const reports = await callOperation(context, operation, { query });
    return { reports: reports.map((report) => pick(report, SUMMARY)) };
  },
});
