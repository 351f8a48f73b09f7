import { z } from 'zod';

import { Actor, AnyId, DateOnly, Id, Instant, queryInteger, queryList, ShortId, Slug } from '../../contract/common.ts';
import { defineOperation } from '../../contract/operation.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { NewRule, StoredActions, StoredCondition, exampleRule } from './rule-record.contract.ts';
import { CategorySource } from '../transactions/transaction-record.contract.ts';
import { RuleChange, SampleMatch } from './rule-runs.contract.ts';

const group = 'rules';
const params = z.object({ id: AnyId });
const exampleParams = { id: exampleRule.short_id };

function within(min: number, max: number): z.ZodInt {
  const message = `must be a whole number from ${min} to ${max}`;
  return z.int(message).min(min, message).max(max, message);
}

export const Conflict = z
  .object({
    rule_id: Id,
    short_id: ShortId,
    name: z.string(),
    priority: z.int(),
    facet: z.string(),
    this_value: z.unknown(),
    other_value: z.unknown(),
    winner: z.enum(['this', 'other']).meta({ description: 'The rule that runs later' }),
    overlap_count: z.int().meta({ description: 'Transactions on which both rules set a value' }),
    sample_transaction_ids: z.array(Id),
  })
  .meta({ id: 'RuleConflict' });

export type ConflictRecord = z.output<typeof Conflict>;

const exampleConflict = {
  rule_id: '0199e0b4-6a1e-7c3e-9d55-2f6b1a0c4d22',
  short_id: 'm4Yr81Ac',
  name: 'Markets are shopping',
  priority: 200,
  facet: 'category',
  this_value: 'food_and_drink_groceries',
  other_value: 'general_merchandise_other',
  winner: 'other' as const,
  overlap_count: 12,
  sample_transaction_ids: ['019a8c60-1f2e-7b4c-8d5e-6f708192a3b4'],
};

export const previewRule = defineOperation({
  name: 'previewRule',
  group,
  method: 'POST',
  path: '/api/v1/rules/preview',
  scope: 'full_access',
  summary: 'Preview what a rule would do',
  description:
    'Stores nothing. Scans the newest transactions first and stops after `time_limit_ms`; `truncated` is then true. ' +
    'A request that is given up ends its scan.',
  body: z.strictObject({
    ...NewRule.partial().shape,
    sample_size: within(1, LIMITS.rulePreviewSamples).default(LIMITS.ruleSamplesDefault),
    include_conflicts: z
      .boolean()
      .default(false)
      .meta({ description: 'Also list the conflicts that /rules/{id}/conflicts would show' }),
    time_limit_ms: within(LIMITS.rulePreviewLeastMs, LIMITS.rulePreviewMs)
      .default(LIMITS.rulePreviewMs)
      .meta({ description: 'How long it may scan' }),
  }),
  response: z.object({
    match_count: z.int().meta({ description: 'Transactions that match' }),
    change_count: z.int().meta({ description: 'Transactions that would change' }),
    skipped_count: z.int().meta({ description: 'Matching transactions on which an action would be skipped' }),
    total_scanned: z.int().meta({ description: 'Transactions that were looked at' }),
    sample_matches: z.array(SampleMatch).meta({ description: 'The newest matches' }),
    truncated: z.boolean().meta({ description: 'The scan stopped early; the counts cover the newest transactions' }),
    conflicts: z.array(Conflict),
  }),
  status: 200,
  errors: ['VALIDATION_ERROR', 'INVALID_PARAMETER'],
  effect: 'read',
  weight: 'heavy',
  cli: { command: 'rules preview' },
  example: {
    body: { condition: { field: 'name', op: 'contains', value: 'market' }, sample_size: 1 },
    response: {
      match_count: 41,
      change_count: 38,
      skipped_count: 3,
      total_scanned: 10_422,
      sample_matches: [],
      truncated: false,
      conflicts: [],
    },
  },
});

export const listRuleConflicts = defineOperation({
  name: 'listRuleConflicts',
  group,
  method: 'GET',
  path: '/api/v1/rules/{id}/conflicts',
  scope: 'read_only',
  summary: 'List the rules that conflict with a rule',
  description:
    'A conflict is another active rule that matches some of the same transactions and sets a different value.',
  params,
  response: z.object({ rule_id: Id, conflicts: z.array(Conflict), total_scanned: z.int(), truncated: z.boolean() }),
  status: 200,
  errors: ['NOT_FOUND'],
  effect: 'read',
  weight: 'heavy',
  cli: { command: 'rules conflicts' },
  example: {
    params: exampleParams,
    response: { rule_id: exampleRule.id, conflicts: [exampleConflict], total_scanned: 10_422, truncated: false },
  },
});

export const suggestRules = defineOperation({
  name: 'suggestRules',
  group,
  method: 'POST',
  path: '/api/v1/rules/suggest',
  scope: 'full_access',
  summary: "Suggest rules from the household's own choices of category",
  description: 'Stores nothing. A suggested `rule` can be sent to POST /rules as it is.',
  body: z.strictObject({
    min_count: within(2, LIMITS.ruleSuggestionMinCount)
      .default(3)
      .meta({ description: 'Number of equal choices that a suggestion needs' }),
    since: DateOnly.optional().meta({ description: 'Only count choices on transactions dated this day or later' }),
    limit: within(1, LIMITS.ruleSuggestions).default(20),
  }),
  bodyOptional: true,
  response: z.object({
    suggestions: z.array(
      z.object({
        text: z.string(),
        basis: z.enum(['merchant_name', 'name']),
        category_id: Id,
        category_slug: Slug,
        transaction_count: z.int().meta({ description: 'Transactions that led to the suggestion' }),
        last_date: DateOnly,
        would_change_count: z.int().meta({ description: 'Transactions that the rule would change now' }),
        rule: z.object({
          name: z.string(),
          condition: StoredCondition,
          actions: StoredActions,
        }),
      }),
    ),
  }),
  status: 200,
  errors: ['VALIDATION_ERROR'],
  effect: 'read',
  weight: 'heavy',
  cli: { command: 'rules suggest' },
  example: {
    body: { min_count: 3 },
    response: {
      suggestions: [
        {
          text: 'Corner Market',
          basis: 'merchant_name',
          category_id: '0199e000-0000-7000-8000-00000000c001',
          category_slug: 'food_and_drink_groceries',
          transaction_count: 9,
          last_date: '2026-03-05',
          would_change_count: 4,
          rule: {
            name: 'Corner Market: Groceries',
            condition: { field: 'merchant_name', op: 'eq', value: 'Corner Market' },
            actions: [{ type: 'set_category', category_slug: 'food_and_drink_groceries' }],
          },
        },
      ],
    },
  },
});

const RunType = z.enum(['sync', 'import', 'apply', 'apply_all']);

const HistoryEntry = z
  .object({
    run_type: RunType,
    sync_id: Id.nullable(),
    import_id: Id.nullable(),
    change_set_id: Id.nullable(),
    started_at: Instant,
    status: z.enum(['in_progress', 'success', 'error']),
    hit_count: z.int(),
    changed_count: z.int(),
    institution: z.string().nullable(),
  })
  .meta({ id: 'RuleHistoryEntry' });

export const listRuleHistory = defineOperation({
  name: 'listRuleHistory',
  group,
  method: 'GET',
  path: '/api/v1/rules/{id}/sync-history',
  scope: 'read_only',
  summary: 'List the runs in which a rule matched, newest first',
  params,
  query: z.object({
    limit: queryInteger(1, LIMITS.ruleHistoryMax).default(10),
    run_type: queryList(RunType).optional(),
  }),
  strictQuery: true,
  response: z.object({ history: z.array(HistoryEntry) }),
  status: 200,
  errors: ['NOT_FOUND', 'INVALID_PARAMETER'],
  effect: 'read',
  weight: 'light',
  cli: { command: 'rules history' },
  example: {
    params: exampleParams,
    response: {
      history: [
        {
          run_type: 'apply_all',
          sync_id: null,
          import_id: null,
          change_set_id: '019a8c61-aa00-7111-8222-333344445555',
          started_at: '2026-03-06T08:00:00.010Z',
          status: 'success',
          hit_count: 41,
          changed_count: 38,
          institution: null,
        },
      ],
    },
  },
});

const Decision = z
  .object({
    field: z.string(),
    value: z.unknown(),
    source: CategorySource.nullable(),
    locked: z.boolean().meta({ description: 'Protected from rules' }),
    by: Actor.nullable(),
    rule_id: Id.nullable(),
    rule_name: z.string().nullable(),
    rule_exists: z.boolean().nullable(),
    rule_changed_since: z.boolean().nullable().meta({ description: 'Whether the rule was changed after this write' }),
    change_set_id: Id.nullable(),
    at: Instant.nullable(),
  })
  .meta({ id: 'FacetDecision' });

export type DecisionRecord = z.output<typeof Decision>;

export const explainTransaction = defineOperation({
  name: 'explainTransaction',
  group,
  method: 'GET',
  path: '/api/v1/transactions/{id}/explain',
  scope: 'read_only',
  summary: 'Explain why a transaction looks as it does',
  description: 'Shows who decided each value, which rules match, and what they would change now.',
  params,
  query: z.object({
    rule_id: AnyId.optional().meta({ description: 'Only this rule, whether active or not' }),
    include: z.enum(['matched', 'all']).default('matched'),
  }),
  strictQuery: true,
  response: z.object({
    transaction_id: Id,
    evaluated_at: Instant,
    fields: z.array(Decision),
    rules: z.array(
      z.object({
        id: Id,
        short_id: ShortId,
        name: z.string(),
        priority: z.int(),
        enabled: z.boolean(),
        matches: z.boolean().nullable().meta({ description: 'null if the evaluation stopped at an earlier rule' }),
        effect: z.string().meta({ description: 'The actions of the rule on one line' }),
        actions: z.array(z.object({ action: z.int(), type: z.string(), result: z.string() })),
        trace: z.record(z.string(), z.unknown()).nullable(),
      }),
    ),
    would_change: z.array(RuleChange).meta({ description: 'What applying the rules would change now' }),
  }),
  status: 200,
  errors: ['NOT_FOUND', 'INVALID_PARAMETER'],
  effect: 'read',
  weight: 'heavy',
  cli: { command: 'transactions explain' },
  example: {
    params: { id: 'Tx9kLm2P' },
    response: {
      transaction_id: '019a8c60-1f2e-7b4c-8d5e-6f708192a3b4',
      evaluated_at: '2026-04-26T12:00:00.000Z',
      fields: [],
      rules: [],
      would_change: [],
    },
  },
});

export const operations = [previewRule, suggestRules, listRuleConflicts, listRuleHistory, explainTransaction];
