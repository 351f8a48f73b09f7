import { z } from 'zod';

import { defineOperation } from '../../contract/operation.ts';

const group = 'health';
const Alive = z.object({ status: z.literal('ok'), version: z.string() }).meta({ id: 'Health' });
const Ready = z
  .object({
    status: z.literal('ok'),
    db: z.literal('ok'),
    scheduler: z.enum(['running', 'stopped']),
    version: z.string(),
  })
  .meta({ id: 'Readiness' });
const Version = z
  .object({ version: z.string(), latest: z.string().nullable(), update_available: z.boolean().nullable() })
  .meta({ id: 'Version' });
const exampleVersion = { version: '0.1.0', latest: null, update_available: null };

export const getHealth = defineOperation({
  name: 'getHealth',
  group,
  method: 'GET',
  path: '/health',
  aliases: ['/health/live', '/api/v1/health', '/api/v1/health/live'],
  scope: 'none',
  openBucket: 'none',
  summary: 'Check that the process is alive',
  description: 'Checks nothing else, not even the database.',
  response: Alive,
  status: 200,
  errors: [],
  effect: 'background',
  weight: 'light',
  noStore: true,
  example: { response: { status: 'ok', version: '0.1.0' } },
});

export const getReadiness = defineOperation({
  name: 'getReadiness',
  group,
  method: 'GET',
  path: '/health/ready',
  aliases: ['/api/v1/health/ready'],
  scope: 'none',
  openBucket: 'none',
  summary: 'Check that the service can work',
  description:
    'Ready means that the database responds and takes writes, its schema is current and worker threads can work.',
  response: Ready,
  status: 200,
  errors: ['UNAVAILABLE'],
  effect: 'background',
  weight: 'light',
  noStore: true,
  example: { response: { status: 'ok', db: 'ok', scheduler: 'running', version: '0.1.0' } },
});

export const getVersion = defineOperation({
  name: 'getVersion',
  group,
  method: 'GET',
  path: '/version',
  scope: 'none',
  openBucket: 'open',
  summary: 'Get the version of the program without an API key',
  response: Version,
  status: 200,
  errors: [],
  effect: 'background',
  weight: 'light',
  noStore: true,
  example: { response: exampleVersion },
});

export const getApiVersion = defineOperation({
  name: 'getApiVersion',
  group,
  method: 'GET',
  path: '/api/v1/version',
  scope: 'read_only',
  summary: 'Get the version of the program',
  response: Version,
  status: 200,
  errors: [],
  effect: 'background',
  weight: 'light',
  noStore: true,
  example: { response: exampleVersion },
});

export const operations = [getHealth, getReadiness, getVersion, getApiVersion];
