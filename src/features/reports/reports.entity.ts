import type { z } from 'zod';

import type { ReportsTable } from '../../db/schema.ts';
import { IDS, STAMPS, json, recorded } from '../../journal/columns.ts';
import { defineEntity } from '../../journal/entity.ts';
import { cancelDeliveriesOf } from '../notifications/index.ts';
import type { Report } from './reports.contract.ts';

export const reports = defineEntity('reports', {
  type: 'report',
  columns: {
    ...IDS,
    title: recorded,
    body: recorded,
    kind: recorded,
    priority: recorded,
    tags: json,
    author_type: recorded,
    author_id: recorded,
    author_name: recorded,
    workflow_run_id: recorded,
    read_at: recorded,
    ...STAMPS,
  },
  // Also when its submission is reverted. What was cancelled stays so if the report comes back.
  removeBelongings: (tx, id) => cancelDeliveriesOf(tx, id),
  undo: {},
});

type ReportRecord = z.output<typeof Report>;

/** The record (contract 50.3.1). */
export function toReport({ updated_at: _hidden, tags, ...row }: ReportsTable): ReportRecord {
  return { ...row, tags: JSON.parse(tags) as string[] } as ReportRecord;
}
