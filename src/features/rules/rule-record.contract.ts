import { z } from 'zod';

import { refuseUncleanJson } from '../../contract/clean-json.ts';
import { ActorType, ClearableInstant, Code, Id, Instant, name, ShortId } from '../../contract/common.ts';
import { describedAs } from '../../contract/described-as.ts';
import { RuleAction, RuleCondition } from './rule-language.contract.ts';

export const Trigger = z.enum(['sync', 'create', 'retroactive', 'manual']).meta({ id: 'RuleTrigger' });

const Node = z.record(z.string(), z.unknown());
export const StoredCondition = describedAs(Node, RuleCondition);
export const StoredActions = describedAs(z.array(Node), z.array(RuleAction));

/** A rule (contract 40.1): when a transaction looks like this, do that. */
export const Rule = z
  .object({
    id: Id,
    short_id: ShortId,
    name: z.string(),
    enabled: z.boolean(),
    priority: z.int(),
    condition: StoredCondition,
    actions: StoredActions,
    triggers: z.array(Trigger),
    overwrite_manual: z.boolean(),
    stop: z.boolean(),
    expires_at: Instant.nullable(),
    creator_type: ActorType,
    creator_id: Code.nullable(),
    creator_name: z.string(),
    hit_count: z.int(),
    last_hit_at: Instant.nullable(),
    created_at: Instant,
    updated_at: Instant,
  })
  .meta({ id: 'Rule' });

const Expiry = ClearableInstant.meta({ description: 'When the rule becomes inactive; must be in the future' });

/** The fields that define a rule. The engine parses condition and actions and reports what is wrong. */
const definition = {
  name: name(),
  enabled: z.boolean(),
  priority: z.int().min(0, 'must be a whole number from 0 to 1000').max(1_000, 'must be a whole number from 0 to 1000'),
  condition: describedAs(
    z.record(z.string(), z.unknown()).nullable().superRefine(refuseUncleanJson),
    RuleCondition.nullable(),
  ),
  actions: describedAs(z.array(z.unknown()).superRefine(refuseUncleanJson), z.array(RuleAction).min(1).max(20)),
  triggers: z
    .array(Trigger)
    .min(1, 'must have at least one of sync, create, retroactive, manual')
    .refine((list) => new Set(list).size === list.length, 'must contain each trigger only once'),
  overwrite_manual: z.boolean(),
  stop: z.boolean(),
  expires_at: Expiry,
};

export const NewRule = z
  .strictObject({ ...z.object(definition).partial().shape, name: definition.name })
  .meta({ id: 'NewRule' });
export type NewRule = z.output<typeof NewRule>;

/** The other fields of a fetched rule are ignored, so that it can be sent back as it is. */
export const RuleUpdate = z.strictObject({
  ...z.object(definition).partial().shape,
  ...Object.fromEntries(
    [
      'id',
      'short_id',
      'creator_type',
      'creator_id',
      'creator_name',
      'hit_count',
      'last_hit_at',
      'created_at',
      'updated_at',
    ].map((field) => [field, z.unknown().superRefine(refuseUncleanJson).optional().meta({ description: 'Ignored' })]),
  ),
});

export type RuleUpdate = Partial<NewRule>;

export const exampleRule = {
  id: '0199e0b4-6a1e-7c3e-9d55-2f6b1a0c4d21',
  short_id: 'k3Xq90Zb',
  name: 'Corner Market is groceries',
  enabled: true,
  priority: 100,
  condition: {
    and: [
      { field: 'merchant_name', op: 'eq', value: 'Corner Market' },
      { field: 'amount', op: 'gt', value: '0.00' },
    ],
  },
  actions: [
    {
      type: 'set_category',
      category_id: '0199e000-0000-7000-8000-00000000c001',
      category_slug: 'food_and_drink_groceries',
    },
    { type: 'remove_tag', tag_slug: 'needs-review' },
  ],
  triggers: ['sync' as const, 'retroactive' as const, 'manual' as const],
  overwrite_manual: false,
  stop: false,
  expires_at: null,
  creator_type: 'user' as const,
  creator_id: 'uB4x90Lm',
  creator_name: 'Ada',
  hit_count: 41,
  last_hit_at: '2026-03-05T06:00:00.000Z',
  created_at: '2026-02-01T10:00:00.000Z',
  updated_at: '2026-02-01T10:00:00.000Z',
};
