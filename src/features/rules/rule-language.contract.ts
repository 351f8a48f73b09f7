import { z } from 'zod';

import { AnyId } from '../../contract/common.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { SeriesType } from '../series/series.contract.ts';

/**
 * Conditions and actions as the reference shows them (contract 40.2, 40.3). Nothing is validated here: the engine
 * parses them and reports what is wrong.
 */

const Field = z.string().meta({ description: 'Such as merchant_name, amount, tags or metadata.invoice' });
const Scalar = z.union([z.string(), z.number(), z.boolean()]).meta({ id: 'RuleValue' });

const Comparison = z
  .strictObject({
    field: Field,
    op: z.enum([
      'eq',
      'neq',
      'gt',
      'gte',
      'lt',
      'lte',
      'contains',
      'not_contains',
      'starts_with',
      'ends_with',
      'matches',
    ]),
    value: Scalar.nullable().meta({ description: 'null in a response if what it referred to has been deleted' }),
  })
  .meta({ id: 'RuleComparison' });
const Membership = z
  .strictObject({ field: Field, op: z.enum(['in', 'not_in']), value: z.array(Scalar).min(1).max(500).nullable() })
  .meta({ id: 'RuleMembership' });
const Range = z
  .strictObject({ field: Field, op: z.literal('between'), min: Scalar, max: Scalar })
  .meta({ id: 'RuleRange', description: 'Both ends are inclusive' });
const Nearness = z
  .strictObject({ field: Field, op: z.literal('approx'), value: Scalar, tolerance: Scalar })
  .meta({ id: 'RuleNearness' });
const Presence = z
  .strictObject({ field: Field, op: z.enum(['exists', 'not_exists']) })
  .meta({ id: 'RulePresence', description: 'Whether the field has a value' });

const And = z
  .strictObject({
    get and() {
      return z.array(Node).min(1);
    },
  })
  .meta({ id: 'RuleAnd' });
const Or = z
  .strictObject({
    get or() {
      return z.array(Node).min(1);
    },
  })
  .meta({ id: 'RuleOr' });
const Not = z
  .strictObject({
    get not() {
      return Node;
    },
  })
  .meta({ id: 'RuleNot' });
const forms = [And, Or, Not, Comparison, Membership, Range, Nearness, Presence] as const;
const Node: z.ZodType = z.xor(forms).meta({ id: 'RuleNode', description: 'A test, or a combination of tests' });
const Everything = z.strictObject({}).meta({ id: 'RuleEverything', description: '`{}`: every transaction' });

/** A whole condition; unlike its parts, it can be empty. */
export const RuleCondition = z
  .xor([...forms, Everything])
  .meta({ id: 'RuleCondition', description: 'What a transaction must look like; `{}` is every transaction' });

const metadataKey = z.string().min(1).max(LIMITS.metadataKeyChars);
const tagSlug = z.string().min(1).max(200);
const named = z.string().max(LIMITS.nameChars).nullable().optional();
const mayCreate = z.boolean().optional().meta({ description: 'Create it if nothing has this name' });
const id = AnyId.nullable().optional();

export const RuleAction = z
  .discriminatedUnion('type', [
    z
      .strictObject({ type: z.literal('set_category'), category_id: id, category_slug: named })
      .meta({ id: 'SetCategory', description: 'Send category_id or category_slug' }),
    z.strictObject({ type: z.literal('add_tag'), tag_slug: tagSlug }).meta({ id: 'AddTag' }),
    z.strictObject({ type: z.literal('remove_tag'), tag_slug: tagSlug }).meta({ id: 'RemoveTag' }),
    z
      .strictObject({
        type: z.literal('assign_series'),
        series_id: id,
        series_name: named,
        create_if_missing: mayCreate,
        series_type: SeriesType.optional(),
      })
      .meta({ id: 'AssignSeries', description: 'Send series_id or series_name' }),
    z
      .strictObject({
        type: z.literal('assign_counterparty'),
        counterparty_id: id,
        counterparty_name: named,
        create_if_missing: mayCreate,
      })
      .meta({ id: 'AssignCounterparty', description: 'Send counterparty_id or counterparty_name' }),
    z
      .strictObject({
        type: z.literal('set_metadata'),
        metadata_key: metadataKey,
        metadata_value: z.unknown().meta({ description: 'Any JSON' }),
      })
      .meta({ id: 'SetMetadata' }),
    z.strictObject({ type: z.literal('remove_metadata'), metadata_key: metadataKey }).meta({ id: 'RemoveMetadata' }),
    z.strictObject({ type: z.literal('flag') }).meta({ id: 'Flag' }),
    z.strictObject({ type: z.literal('unflag') }).meta({ id: 'Unflag' }),
    z
      .strictObject({ type: z.literal('add_comment'), content: z.string().min(1).max(LIMITS.commentChars) })
      .meta({ id: 'AddComment' }),
  ])
  .meta({ id: 'RuleAction', description: 'What to do to a matching transaction' });
