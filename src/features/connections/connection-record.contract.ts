import { z } from 'zod';

import { Code, ConnectionStatus, Id, Instant, Provider, ShortId, UserRef } from '../../contract/common.ts';

/** A link to a bank, or a group of accounts kept by bank files (30.1). */
export const Connection = z
  .object({
    id: Id,
    short_id: ShortId,
    user_id: UserRef,
    user_name: z.string(),
    provider: Provider,
    institution_name: z.string().nullable(),
    institution_id: z.string().nullable(),
    status: ConnectionStatus,
    paused: z.boolean().meta({ description: 'No sync starts automatically' }),
    sync_interval_seconds: z
      .int()
      .nullable()
      .meta({ description: 'null: the household’s interval; always null for csv' }),
    last_sync_at: Instant.nullable().meta({
      description: 'When the last successful sync ended; for csv, the last import',
    }),
    next_sync_at: Instant.nullable().meta({ description: 'When the next automatic sync is due' }),
    account_count: z.int().meta({ description: 'Includes excluded accounts' }),
    error_code: Code.nullable(),
    error_message: z.string().nullable(),
    consecutive_failures: z.int(),
    last_error_at: Instant.nullable(),
    consent_expires_at: Instant.nullable().meta({
      description: 'When the consent ends, as far as the provider has said',
    }),
    new_accounts_available: z.boolean().meta({ description: 'The bank has accounts that have not been shared yet' }),
    created_at: Instant,
    updated_at: Instant,
  })
  .meta({ id: 'Connection' });

export const exampleConnection = {
  id: '0198c2a0-7d1e-7c55-9a0e-3f6b0d9c1a11',
  short_id: 'c9KfT2xA',
  user_id: 'u4Rm81Zq',
  user_name: 'Ana',
  provider: 'plaid' as const,
  institution_name: 'First Platypus Bank',
  institution_id: 'ins_109508',
  status: 'active' as const,
  paused: false,
  sync_interval_seconds: null,
  last_sync_at: '2026-03-02T06:00:04.120Z',
  next_sync_at: '2026-03-02T18:03:11.000Z',
  account_count: 3,
  error_code: null,
  error_message: null,
  consecutive_failures: 0,
  last_error_at: null,
  consent_expires_at: null,
  new_accounts_available: false,
  created_at: '2026-01-10T12:00:00.000Z',
  updated_at: '2026-03-02T06:00:04.120Z',
};
