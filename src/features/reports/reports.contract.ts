import { z } from 'zod';

import {
  ActorType,
  AnyId,
  Body,
  Code,
  Id,
  Instant,
  name,
  QueryBoolean,
  queryInteger,
  queryList,
  ShortId,
  text,
} from '../../contract/common.ts';
import { describedAs } from '../../contract/described-as.ts';
import { defineOperation } from '../../contract/operation.ts';
import { LIMITS } from '../../kernel/limits.ts';

export const ReportPriority = z
  .enum(['info', 'warning', 'critical'], 'must be info, warning or critical')
  .meta({ id: 'ReportPriority' });

const KIND = /^[a-z0-9][a-z0-9_-]{0,39}$/;

export const Report = z
  .object({
    id: Id,
    short_id: ShortId,
    title: z.string(),
    body: Body.meta({ description: 'Markdown, as it was submitted' }),
    kind: z.string(),
    priority: ReportPriority,
    tags: z.array(z.string()),
    author_type: ActorType,
    author_id: Code.nullable().meta({
      description:
        'UUID of the API key or the workflow, or short_id of the household member who was signed in; null for system',
    }),
    author_name: z.string(),
    workflow_run_id: Id.nullable().meta({ description: 'The workflow run that submitted it' }),
    read_at: Instant.nullable().meta({ description: 'When someone in the household first read it; null while unread' }),
    created_at: Instant,
  })
  .meta({ id: 'Report' });

const Tags = describedAs(
  z
    .array(name(LIMITS.reportTagChars))
    .transform((tags) => [...new Set(tags)])
    .refine((tags) => tags.length <= LIMITS.reportTags, `must have at most ${LIMITS.reportTags} tags`),
  z.array(name(LIMITS.reportTagChars)).max(LIMITS.reportTags),
);

/** What a report says, for the endpoint and for the tool of agents. */
export const reportFields = {
  title: name(LIMITS.reportTitleChars).meta({ description: 'Stored without surrounding white space' }),
  body: text(LIMITS.reportBodyChars, 1)
    .refine((value) => value.trim() !== '', 'must not be blank')
    .meta({ description: 'Markdown: CommonMark with tables, strikethrough and task lists. Stored as sent' }),
  kind: z
    .string()
    .regex(KIND, 'must be a-z, 0-9, - and _, at most 40 characters')
    .default('report')
    .meta({ description: 'Any word; usually report, review, digest or anomaly' }),
  priority: ReportPriority.default('info'),
  tags: Tags.default([]).meta({ description: 'Plain words, unrelated to transaction tags' }),
  author_name: name().optional().meta({ description: 'By default the name of the key or of the signed-in member' }),
};

const example = {
  id: '0199e3f0-2200-7d00-9100-aa00bb00cc01',
  short_id: 'Rp0rT9xZ',
  title: 'Two subscriptions rose in price this month',
  body: '## Changes\n- Streaming: 12.99 to 14.99 USD',
  kind: 'digest',
  priority: 'warning' as const,
  tags: ['subscriptions'],
  author_type: 'agent' as const,
  author_id: '0199e100-0000-7000-8000-0000000000aa',
  author_name: 'Budget watcher',
  workflow_run_id: null,
  read_at: null,
  created_at: '2026-03-06T07:30:00.000Z',
};
const read = { ...example, read_at: '2026-03-06T08:12:00.000Z' };

const group = 'reports';
const path = '/api/v1/reports';
const params = z.object({ id: AnyId });
const exampleParams = { id: example.short_id };
const NoBody = z.strictObject({});

export const listReports = defineOperation({
  name: 'listReports',
  group,
  method: 'GET',
  path,
  scope: 'read_only',
  summary: 'List reports, newest first',
  description: 'Returns all of them unless you send a limit, each with its full body.',
  query: z.object({
    read: QueryBoolean.optional().meta({ description: 'false: only unread ones' }),
    priority: queryList(ReportPriority).optional(),
    kind: queryList(z.string().max(LIMITS.nameChars)).optional(),
    tag: queryList(z.string().max(LIMITS.nameChars)).optional().meta({ description: 'Reports with any of these tags' }),
    workflow_run_id: AnyId.optional(),
    limit: queryInteger(1, LIMITS.pageMax).optional(),
  }),
  response: z.array(Report),
  status: 200,
  errors: ['INVALID_PARAMETER'],
  effect: 'read',
  // Bodies may have 100,000 characters each.
  weight: 'heavy',
  etag: true,
  cli: { command: 'reports list' },
  example: { query: { read: 'false', priority: 'warning,critical' }, response: [example] },
});

export const countUnreadReports = defineOperation({
  name: 'countUnreadReports',
  group,
  method: 'GET',
  path: `${path}/unread-count`,
  scope: 'read_only',
  summary: 'Count the unread reports',
  response: z.object({ count: z.int() }).meta({ id: 'UnreadCount' }),
  status: 200,
  errors: [],
  effect: 'read',
  weight: 'light',
  etag: true,
  example: { response: { count: 2 } },
});

export const getReport = defineOperation({
  name: 'getReport',
  group,
  method: 'GET',
  path: `${path}/{id}`,
  scope: 'read_only',
  summary: 'Get one report, without marking it read',
  params,
  response: Report,
  status: 200,
  errors: ['NOT_FOUND'],
  effect: 'read',
  weight: 'light',
  etag: true,
  cli: { command: 'reports get' },
  example: { params: exampleParams, response: example },
});

export const createReport = defineOperation({
  name: 'createReport',
  group,
  method: 'POST',
  path,
  scope: 'full_access',
  summary: 'Submit a report to the household',
  description: 'Also notifies the channels that accept it. A report cannot be changed later.',
  body: z.strictObject(reportFields),
  response: Report,
  status: 201,
  errors: ['VALIDATION_ERROR'],
  effect: 'write',
  weight: 'light',
  cli: { command: 'reports submit' },
  example: {
    body: {
      title: example.title,
      body: example.body,
      kind: example.kind,
      priority: example.priority,
      tags: example.tags,
    },
    response: example,
  },
});

export const markReportRead = defineOperation({
  name: 'markReportRead',
  group,
  method: 'PATCH',
  path: `${path}/{id}/read`,
  scope: 'full_access',
  summary: 'Mark a report as read, for the whole household',
  params,
  body: NoBody,
  bodyOptional: true,
  response: Report,
  status: 200,
  errors: ['NOT_FOUND'],
  effect: 'write',
  weight: 'light',
  cli: { command: 'reports read' },
  example: { params: exampleParams, response: read },
});

export const markReportUnread = defineOperation({
  name: 'markReportUnread',
  group,
  method: 'PATCH',
  path: `${path}/{id}/unread`,
  scope: 'full_access',
  summary: 'Mark a report as unread',
  params,
  body: NoBody,
  bodyOptional: true,
  response: Report,
  status: 200,
  errors: ['NOT_FOUND'],
  effect: 'write',
  weight: 'light',
  cli: { command: 'reports unread' },
  example: { params: exampleParams, response: example },
});

export const markAllReportsRead = defineOperation({
  name: 'markAllReportsRead',
  group,
  method: 'POST',
  path: `${path}/read-all`,
  scope: 'full_access',
  summary: 'Mark all reports as read',
  body: NoBody,
  bodyOptional: true,
  response: null,
  status: 204,
  errors: [],
  effect: 'write',
  weight: 'light',
  cli: { command: 'reports read-all' },
  example: { response: null },
});

export const deleteReport = defineOperation({
  name: 'deleteReport',
  group,
  method: 'DELETE',
  path: `${path}/{id}`,
  scope: 'full_access',
  summary: 'Delete a report, and cancel its notifications that are not sent yet',
  params,
  response: null,
  status: 204,
  errors: ['NOT_FOUND'],
  effect: 'write',
  weight: 'light',
  cli: { command: 'reports delete', confirm: true },
  example: { params: exampleParams, response: null },
});

export const operations = [
  listReports,
  countUnreadReports,
  getReport,
  createReport,
  markReportRead,
  markReportUnread,
  markAllReportsRead,
  deleteReport,
];
