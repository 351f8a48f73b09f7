import { z } from 'zod';

import { Code, Currency, Id, Instant, Money, Provider, ShortId } from '../../contract/common.ts';

/** Shapes of the sync group that other groups use too (30.2.1, 30.12). */

export const SyncTriggerName = z
  .enum(['cron', 'webhook', 'manual', 'initial'], 'must be cron, webhook, manual or initial')
  .meta({ id: 'SyncTrigger', description: 'cron: the schedule; initial: the first sync after linking' });
export const SyncLogStatus = z
  .enum(['in_progress', 'success', 'error'], 'must be in_progress, success or error')
  .meta({ id: 'SyncLogStatus' });

const counts = {
  added_count: z.int().meta({ description: 'Transactions that did not exist before' }),
  modified_count: z.int().meta({ description: 'Existing transactions that were changed or restored' }),
  removed_count: z.int().meta({ description: 'Transactions deleted because the bank no longer has them' }),
  unchanged_count: z.int().meta({ description: 'Rows received that changed nothing' }),
  skipped_count: z.int().meta({ description: 'Rows that could not be read' }),
};

/** One sync of a connection, as lists show it. */
export const SyncLog = z
  .object({
    id: Id,
    short_id: ShortId,
    connection_id: Id,
    provider: Provider,
    institution_name: z.string().nullable(),
    status: SyncLogStatus,
    trigger: SyncTriggerName,
    started_at: Instant,
    finished_at: Instant.nullable(),
    duration_ms: z.int().nullable(),
    ...counts,
    rule_hits: z
      .array(z.object({ rule_id: Id, rule_name: z.string(), count: z.int() }).meta({ id: 'SyncRuleHits' }))
      .meta({ description: 'Most hits first' }),
    total_rule_hits: z.int(),
    accounts_affected: z.int().meta({ description: 'Accounts with a transaction that was added, changed or removed' }),
    error_code: Code.nullable(),
    error_message: z.string().nullable(),
    warning_count: z.int(),
    warning_message: z.string().nullable().meta({ description: 'Message of the first warning' }),
  })
  .meta({ id: 'SyncLog' });

/** How the movement of an account's balance compares with its transactions (30.10). */
export const BalanceCheck = z
  .object({
    status: z.enum(['agrees', 'differs', 'not_available']),
    difference: Money.nullable(),
    since: Instant.nullable(),
  })
  .meta({ id: 'BalanceCheck' });

const SyncedAccount = z
  .object({
    account_id: Id,
    account_name: z.string(),
    iso_currency_code: Currency.nullable().meta({ description: 'Of the difference in `balance_check`' }),
    ...counts,
    balance_reported: z.boolean().meta({ description: 'Whether the bank reported a balance' }),
    balance_check: BalanceCheck,
  })
  .meta({ id: 'SyncedAccount' });

const SyncWarning = z
  .object({
    code: Code,
    message: z.string(),
    account_id: Id.nullable(),
    external_id: z.string().nullable().meta({ description: 'The provider’s id for what the warning is about' }),
    count: z.int(),
  })
  .meta({ id: 'SyncWarning' });

const ProviderError = z
  .object({
    code: Code.nullable(),
    type: z.string().nullable(),
    message: z.string().nullable(),
    request_id: z.string().nullable(),
    http_status: z.int().nullable(),
  })
  .meta({ id: 'SyncProviderError', description: 'What the provider said, without tokens' });

export const SyncLogDetail = SyncLog.extend({
  accounts: z.array(SyncedAccount).meta({ description: 'By name; their counts add up to the totals' }),
  warnings: z.array(SyncWarning).meta({ description: 'At most 100; `warning_count` is exact' }),
  provider_error: ProviderError.nullable(),
  is_full: z.boolean().meta({ description: 'Everything was read again from the beginning' }),
  change_set_id: Id.nullable(),
}).meta({ id: 'SyncLogDetail' });

export const CONNECTION_ATTENTION_CODES = [
  'reauth_required',
  'connection_error',
  'provider_not_configured',
  'consent_expiring',
  'sync_stale',
  'new_accounts_available',
  'account_missing',
  'suggestions_open',
  'revocation_pending',
] as const;

/** Something about a connection that needs attention (30.2.1). */
export const ConnectionAttention = z
  .object({ code: z.enum(CONNECTION_ATTENTION_CODES), message: z.string(), since: Instant.nullable() })
  .meta({ id: 'ConnectionAttention' });

export const exampleSyncLog: z.output<typeof SyncLog> = {
  id: '0198c2a0-8000-7000-8000-000000000010',
  short_id: 'Sl9Dk3Pa',
  connection_id: '0198c2a0-7d1e-7c55-9a0e-3f6b0d9c1a11',
  provider: 'plaid',
  institution_name: 'First Platypus Bank',
  status: 'success',
  trigger: 'webhook',
  started_at: '2026-03-02T06:00:01.000Z',
  finished_at: '2026-03-02T06:00:04.120Z',
  duration_ms: 3_120,
  added_count: 12,
  modified_count: 2,
  removed_count: 0,
  unchanged_count: 0,
  skipped_count: 0,
  rule_hits: [{ rule_id: '0198c000-0000-7000-8000-000000000001', rule_name: 'Coffee', count: 3 }],
  total_rule_hits: 3,
  accounts_affected: 2,
  error_code: null,
  error_message: null,
  warning_count: 0,
  warning_message: null,
};

export const exampleAttention: z.output<typeof ConnectionAttention> = {
  code: 'consent_expiring',
  message: 'Your permission for this bank ends on 2026-03-12. Renew it before then by signing in again.',
  since: '2026-03-02T06:00:00.000Z',
};
