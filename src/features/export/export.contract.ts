import { z } from 'zod';

import { queryList } from '../../contract/common.ts';
import { defineOperation } from '../../contract/operation.ts';

export const EXPORT_PARTS = ['csv', 'json', 'beancount'] as const;
export type ExportPart = (typeof EXPORT_PARTS)[number];

export const exportHousehold = defineOperation({
  name: 'exportHousehold',
  group: 'export',
  method: 'GET',
  path: '/api/v1/export/household',
  scope: 'full_access',
  adminOnly: true,
  summary: 'Download the whole household as CSV, JSON and Beancount',
  description:
    'A zip file, streamed from one snapshot of the ledger. Its README.txt says what each file has. No secret, login or ' +
    'key is in it. For a copy that can be restored, make a backup.',
  query: z.object({
    parts: queryList(z.enum(EXPORT_PARTS, 'must be csv, json or beancount'), 0)
      .optional()
      .meta({ description: 'csv, json, beancount; all of them by default' }),
  }),
  strictQuery: true,
  response: z.string().meta({ description: 'A zip file' }),
  produces: ['application/zip'],
  status: 200,
  errors: ['INVALID_PARAMETER'],
  effect: 'read',
  weight: 'heavy',
  noStore: true,
  cli: { command: 'export household' },
  example: { query: { parts: 'beancount' }, response: 'PK…' },
});

export const operations = [exportHousehold];
