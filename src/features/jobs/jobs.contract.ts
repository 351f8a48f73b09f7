import { z } from 'zod';

import { Actor, AnyId, Failure, Id, Instant, ShortId, queryList } from '../../contract/common.ts';
import { defineOperation } from '../../contract/operation.ts';

export const JobKind = z.enum(['rules_apply', 'rules_apply_all']).meta({ id: 'JobKind' });
export const JobStatus = z.enum(['queued', 'running', 'succeeded', 'failed', 'cancelled']).meta({ id: 'JobStatus' });

/** A run of rules that may outlive its request (contract 40.9). */
export const Job = z
  .object({
    id: Id,
    short_id: ShortId,
    kind: JobKind,
    status: JobStatus,
    progress: z.object({ done: z.int(), total: z.int().nullable() }).meta({ id: 'JobProgress' }),
    result: z.record(z.string(), z.unknown()).nullable(),
    error: Failure.nullable(),
    created_by: Actor,
    created_at: Instant,
    started_at: Instant.nullable(),
    finished_at: Instant.nullable(),
  })
  .meta({ id: 'Job' });

const example = {
  id: '0199e5aa-0000-7000-8000-00000000aa01',
  short_id: 'Jb5Kp2Qx',
  kind: 'rules_apply_all' as const,
  status: 'running' as const,
  progress: { done: 212_000, total: 1_000_000 },
  result: null,
  error: null,
  created_by: { type: 'user' as const, id: 'uB4x90Lm', name: 'Ada' },
  created_at: '2026-03-06T08:00:00.000Z',
  started_at: '2026-03-06T08:00:00.010Z',
  finished_at: null,
};
const group = 'jobs';
const params = z.object({ id: AnyId });

export const listJobs = defineOperation({
  name: 'listJobs',
  group,
  method: 'GET',
  path: '/api/v1/jobs',
  scope: 'read_only',
  summary: 'List the 50 newest jobs',
  description: 'Every run of rules is a job, even if it ended within its request.',
  query: z.object({ kind: queryList(JobKind).optional(), status: queryList(JobStatus).optional() }),
  response: z.array(Job),
  status: 200,
  errors: ['INVALID_PARAMETER'],
  effect: 'read',
  weight: 'light',
  etag: true,
  cli: { command: 'jobs list' },
  example: { query: { status: 'running' }, response: [example] },
});

export const getJob = defineOperation({
  name: 'getJob',
  group,
  method: 'GET',
  path: '/api/v1/jobs/{id}',
  scope: 'read_only',
  summary: 'Get one job with its progress or result',
  params,
  response: Job,
  status: 200,
  errors: ['NOT_FOUND'],
  effect: 'read',
  weight: 'light',
  etag: true,
  cli: { command: 'jobs get' },
  example: { params: { id: 'Jb5Kp2Qx' }, response: example },
});

export const cancelJob = defineOperation({
  name: 'cancelJob',
  group,
  method: 'POST',
  path: '/api/v1/jobs/{id}/cancel',
  scope: 'full_access',
  summary: 'Cancel a job',
  description:
    'The job stops after its current batch of transactions. What it has changed so far stays changed and can be reverted.',
  params,
  response: Job,
  status: 200,
  errors: ['NOT_FOUND'],
  effect: 'background',
  weight: 'light',
  cli: { command: 'jobs cancel' },
  example: { params: { id: 'Jb5Kp2Qx' }, response: { ...example, status: 'cancelled' as const } },
});

export const operations = [listJobs, getJob, cancelJob];
