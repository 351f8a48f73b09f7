import { z } from 'zod';

import { Actor, Code, Instant, text } from '../../contract/common.ts';
import { defineOperation } from '../../contract/operation.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { Password } from '../auth/auth.contract.ts';

const RecoveryKey = z
  .object({
    recipient: Code.meta({ description: 'What backups are encrypted to. It opens nothing.' }),
    own: z.boolean().meta({ description: 'Whether the household brought it; false if it was made here' }),
    added_at: Instant,
    added_by: Actor,
  })
  .meta({ id: 'RecoveryKey' });

const NewRecoveryKey = z.object({
  recipient: Code,
  identity: Code.nullable().meta({
    description: 'What opens backups. Shown this once and never stored; null for a recipient of your own',
  }),
});

const Recipient = text(LIMITS.recipientChars, 1);
const RECIPIENT = 'age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p';
const common = {
  group: 'recovery-keys',
  scope: 'none',
  session: 'required',
  adminOnly: true,
  weight: 'light',
  noStore: true,
} as const;

export const listRecoveryKeys = defineOperation({
  ...common,
  name: 'listRecoveryKeys',
  method: 'GET',
  path: '/auth/recovery-keys',
  summary: 'List what backups are encrypted to, oldest first',
  response: z.array(RecoveryKey),
  status: 200,
  errors: ['LOGIN_REQUIRED', 'FORBIDDEN'],
  effect: 'read',
  example: {
    response: [
      {
        recipient: RECIPIENT,
        own: false,
        added_at: '2026-03-01T09:30:00.000Z',
        added_by: { type: 'user', id: 'uB4x90Lm', name: 'Ana' },
      },
    ],
  },
});

export const addRecoveryKey = defineOperation({
  ...common,
  name: 'addRecoveryKey',
  method: 'POST',
  path: '/auth/recovery-keys',
  summary: 'Make a recovery key, or add a recipient of your own',
  body: z.strictObject({ password: Password, recipient: Recipient.optional() }),
  response: NewRecoveryKey,
  status: 201,
  errors: ['VALIDATION_ERROR', 'LOGIN_REQUIRED', 'INVALID_CREDENTIALS', 'FORBIDDEN', 'CONFLICT', 'UNAVAILABLE'],
  effect: 'background',
  secretFields: ['identity'],
  example: {
    body: { password: 'a long password' },
    response: { recipient: RECIPIENT, identity: 'AGE-SECRET-KEY-1…' },
  },
});

export const removeRecoveryKey = defineOperation({
  ...common,
  name: 'removeRecoveryKey',
  method: 'POST',
  path: '/auth/recovery-keys/remove',
  summary: 'Take a recipient away: backups made from now on are not encrypted to it',
  body: z.strictObject({ password: Password, recipient: Recipient }),
  response: null,
  status: 204,
  errors: ['VALIDATION_ERROR', 'LOGIN_REQUIRED', 'INVALID_CREDENTIALS', 'FORBIDDEN', 'NOT_FOUND', 'UNAVAILABLE'],
  effect: 'background',
  example: { body: { password: 'a long password', recipient: RECIPIENT }, response: null },
});

export const operations = [listRecoveryKeys, addRecoveryKey, removeRecoveryKey];
