import { z } from 'zod';

import { text } from '../../contract/common.ts';
import { defineOperation } from '../../contract/operation.ts';
import { LIMITS } from '../../kernel/limits.ts';

export const ConfigEntry = z
  .object({
    key: z.string(),
    value: z.string().nullable().meta({ description: 'Value in effect, in canonical form' }),
    default: z.string().nullable(),
    type: z.enum(['string', 'integer', 'instant', 'list']),
    source: z.enum(['env', 'db', 'default']).meta({ description: 'Where the value in effect comes from' }),
    description: z.string().meta({ description: 'What the setting does, and the values it accepts' }),
  })
  .meta({ id: 'ConfigEntry' });

/** Which of them a setting takes depends on its type. */
const ConfigInput = z
  .union(
    [text(LIMITS.configValueChars), z.number(), z.array(text(LIMITS.configValueChars)).max(LIMITS.configListItems)],
    'must be text, a number or a list of texts',
  )
  .meta({ description: 'Text; an integer may also be a number, and a list an array' });

const exampleEntry = {
  key: 'default_currency',
  value: 'EUR',
  default: null,
  type: 'string',
  source: 'db',
  description:
    'Currency of imported rows if the file, the account and the request state none: an ISO 4217 code, such as EUR.',
};
const group = 'config';
const params = z.object({ key: z.string().meta({ description: 'Name of the setting, case-sensitive' }) });
const shared = { group, scope: 'full_access', adminOnly: true, weight: 'light', noStore: true } as const;

export const listConfig = defineOperation({
  ...shared,
  name: 'listConfig',
  method: 'GET',
  path: '/api/v1/config',
  summary: 'List all settings, ordered by key',
  response: z.array(ConfigEntry),
  status: 200,
  errors: [],
  effect: 'read',
  cli: { command: 'config list' },
  example: { response: [exampleEntry] },
});

export const getConfigEntry = defineOperation({
  ...shared,
  name: 'getConfigEntry',
  method: 'GET',
  path: '/api/v1/config/{key}',
  summary: 'Get one setting',
  params,
  response: ConfigEntry,
  status: 200,
  errors: ['NOT_FOUND'],
  etag: true,
  effect: 'read',
  cli: { command: 'config get' },
  example: { params: { key: 'default_currency' }, response: exampleEntry },
});

export const setConfigEntry = defineOperation({
  ...shared,
  name: 'setConfigEntry',
  method: 'PUT',
  path: '/api/v1/config/{key}',
  summary: 'Change one setting',
  params,
  body: z.strictObject({ value: ConfigInput }),
  response: ConfigEntry,
  status: 200,
  errors: ['VALIDATION_ERROR', 'NOT_FOUND', 'SETTING_FROM_ENV'],
  effect: 'write',
  cli: { command: 'config set' },
  example: { params: { key: 'default_currency' }, body: { value: 'EUR' }, response: exampleEntry },
});

export const resetConfigEntry = defineOperation({
  ...shared,
  name: 'resetConfigEntry',
  method: 'DELETE',
  path: '/api/v1/config/{key}',
  summary: 'Reset one setting to its default',
  params,
  response: null,
  status: 204,
  errors: ['NOT_FOUND'],
  effect: 'write',
  cli: { command: 'config reset' },
  example: { params: { key: 'default_currency' }, response: null },
});

export const operations = [listConfig, getConfigEntry, setConfigEntry, resetConfigEntry];
