import { z } from 'zod';

import { ActorType, AnyId, QueryBoolean, page, queryInteger, queryList, text } from '../../contract/common.ts';
import { defineOperation } from '../../contract/operation.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { NewRule, Rule, RuleUpdate, exampleRule } from './rule-record.contract.ts';
import { operations as insightOperations } from './rule-insights.contract.ts';
import { operations as runOperations } from './rule-runs.contract.ts';

/** Compiling this many patterns takes a millisecond; a rule may have two hundred, each of the maximum size. */
const FEW_PATTERNS = 5;

const group = 'rules';
const params = z.object({ id: AnyId });
const path = '/api/v1/rules';
const exampleParams = { id: exampleRule.short_id };
const exampleBody = {
  name: 'Coffee shops',
  condition: { field: 'name', op: 'contains', value: 'cafe' },
  actions: [{ type: 'set_category', category_slug: 'food_and_drink_coffee' }],
};

export const listRules = defineOperation({
  name: 'listRules',
  group,
  method: 'GET',
  path,
  scope: 'read_only',
  summary: 'List rules in the order in which they run',
  query: z.object({
    enabled: QueryBoolean.optional(),
    category_id: AnyId.optional().meta({ description: 'Only rules that set exactly this category' }),
    category_slug: AnyId.optional(),
    tag: AnyId.optional().meta({ description: 'Only rules that add or remove this tag' }),
    series_id: AnyId.optional().meta({ description: 'Only rules that assign this series' }),
    counterparty_id: AnyId.optional().meta({ description: 'Only rules that assign this counterparty' }),
    creator_type: queryList(ActorType).optional(),
    never_matched: QueryBoolean.optional(),
    expired: QueryBoolean.optional().meta({
      description: 'Only rules whose `expires_at` has passed; false: the others',
    }),
    search: text(LIMITS.searchTermMaxChars, 1).optional().meta({ description: 'Part of the name' }),
    limit: queryInteger(1, LIMITS.pageMax).default(LIMITS.pageDefault),
    cursor: z.string().optional(),
  }),
  strictQuery: true,
  response: page('rules', Rule),
  status: 200,
  errors: ['INVALID_PARAMETER', 'INVALID_CURSOR'],
  effect: 'read',
  weight: 'light',
  cli: { command: 'rules list' },
  example: { query: { limit: '1' }, response: { rules: [exampleRule], next_cursor: '', has_more: false, limit: 1 } },
});

export const getRule = defineOperation({
  name: 'getRule',
  group,
  method: 'GET',
  path: `${path}/{id}`,
  scope: 'read_only',
  summary: 'Get one rule',
  params,
  response: Rule,
  status: 200,
  errors: ['NOT_FOUND'],
  effect: 'read',
  weight: 'light',
  etag: true,
  beside: ['hit_count', 'last_hit_at'],
  cli: { command: 'rules get' },
  example: { params: exampleParams, response: exampleRule },
});

export const createRule = defineOperation({
  name: 'createRule',
  group,
  method: 'POST',
  path,
  scope: 'full_access',
  summary: 'Create a rule',
  description: 'Creating a rule does not run it.',
  body: NewRule,
  response: Rule,
  status: 201,
  errors: ['VALIDATION_ERROR', 'INVALID_PARAMETER'],
  effect: 'write',
  weight: weightOfRules,
  cli: { command: 'rules create' },
  example: { body: exampleBody, response: exampleRule },
});

const update = {
  group,
  path: `${path}/{id}`,
  scope: 'full_access',
  params,
  body: RuleUpdate,
  response: Rule,
  status: 200,
  errors: ['NOT_FOUND', 'VALIDATION_ERROR', 'INVALID_PARAMETER'],
  effect: 'write',
  weight: weightOfRules,
  example: { params: exampleParams, body: { enabled: false }, response: { ...exampleRule, enabled: false } },
} as const;

export const updateRule = defineOperation({
  ...update,
  name: 'updateRule',
  method: 'PATCH',
  summary: 'Change a rule',
  description: 'Fields that are left out keep their values. Changing a rule does not run it.',
  cli: { command: 'rules update' },
});

export const replaceRule = defineOperation({
  ...update,
  name: 'replaceRule',
  method: 'PUT',
  summary: 'Change a rule in the same way as PATCH',
  description: 'Send what GET returned, with your changes.',
});

export const deleteRule = defineOperation({
  name: 'deleteRule',
  group,
  method: 'DELETE',
  path: `${path}/{id}`,
  scope: 'full_access',
  summary: 'Delete a rule',
  description: 'What the rule has changed stays changed.',
  params,
  response: null,
  status: 204,
  errors: ['NOT_FOUND', 'SYSTEM_RULE'],
  effect: 'write',
  weight: 'light',
  cli: { command: 'rules delete', confirm: true },
  example: { params: exampleParams, response: null },
});

const nothing = { id: null, short_id: null, created_at: null, updated_at: null };
/** In a dry run: a rule that is not stored has neither ids nor timestamps. */
const UnsavedRule = Rule.extend({
  id: Rule.shape.id.nullable(),
  short_id: Rule.shape.short_id.nullable(),
  created_at: Rule.shape.created_at.nullable(),
  updated_at: Rule.shape.updated_at.nullable(),
}).meta({ id: 'UnsavedRule' });

export const createRulesBatch = defineOperation({
  name: 'createRulesBatch',
  group,
  method: 'POST',
  path: `${path}/batch`,
  scope: 'full_access',
  summary: 'Create up to 50 rules, all or none',
  body: z.strictObject({
    rules: z.array(NewRule).min(1, '1 to 50 rules').max(LIMITS.rulesPerBatch, '1 to 50 rules'),
    dry_run: z.boolean().default(false),
  }),
  response: z.object({ dry_run: z.literal(true).optional(), rules: z.array(UnsavedRule) }),
  status: 201,
  alsoStatus: [200],
  errors: ['VALIDATION_ERROR', 'INVALID_PARAMETER'],
  effect: 'write',
  weight: weightOfRules,
  cli: { command: 'rules import' },
  example: {
    body: { rules: [exampleBody], dry_run: false },
    response: { rules: [{ ...exampleRule, ...nothing }] },
  },
});

/** Rules with many patterns are parsed in a thread, because parsing compiles them. */
function weightOfRules({ body }: { body: unknown }): 'light' | 'heavy' {
  return JSON.stringify(body).split('"matches"').length - 1 > FEW_PATTERNS ? 'heavy' : 'light';
}

export const operations = [
  listRules,
  createRule,
  createRulesBatch,
  ...insightOperations,
  ...runOperations,
  getRule,
  updateRule,
  replaceRule,
  deleteRule,
];
