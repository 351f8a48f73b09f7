import { z } from 'zod';

import { AnyId, Id, ShortId } from '../../contract/common.ts';
import { defineOperation } from '../../contract/operation.ts';
import { Job } from '../jobs/jobs.contract.ts';
import { TransactionSelection } from '../transactions/transaction-record.contract.ts';

const group = 'rules';

/** What a rule changes, or would change, about a transaction (contract 40.8.3). */
export const RuleChange = z
  .object({ field: z.string(), before: z.unknown(), after: z.unknown() })
  .meta({ id: 'RuleChange' });

export const SampleMatch = z
  .object({
    transaction: TransactionSelection,
    changes: z.array(RuleChange),
    skipped: z.array(z.object({ action: z.int(), reason: z.enum(['locked', 'archived', 'limit']) })),
  })
  .meta({ id: 'RuleSample' });

const ApplyBody = z
  .strictObject({
    dry_run: z.boolean().default(false).meta({ description: 'Return only counts and a sample; nothing is written' }),
    overwrite_manual: z
      .boolean()
      .default(false)
      .meta({ description: 'Run every rule as if its overwrite_manual were true' }),
  })
  .meta({ id: 'ApplyBody' });

const counts = {
  affected_count: z.int().meta({ description: 'Transactions that changed' }),
  matched_count: z.int().meta({ description: 'Transactions that matched' }),
  skipped_count: z.int().meta({ description: 'Matching transactions on which an action was skipped' }),
  total_scanned: z.int().meta({ description: 'Transactions that were looked at' }),
  dry_run: z.boolean(),
  change_set_id: Id.nullable(),
  sample_matches: z.array(SampleMatch),
};

export const ApplyResult = z.object({ rule_id: Id, ...counts }).meta({ id: 'ApplyResult' });

export const ApplyAllResult = z
  .object({
    ...counts,
    rules_applied: z
      .record(z.string(), z.int())
      .meta({ description: 'Rule id → number of transactions that it matched' }),
    rules: z.array(
      z.object({
        rule_id: Id,
        short_id: ShortId,
        name: z.string(),
        matched_count: z.int(),
        affected_count: z.int(),
      }),
    ),
    total_affected: z.int().meta({ description: 'The same as affected_count' }),
  })
  .meta({ id: 'ApplyAllResult' });

const exampleCounts = {
  affected_count: 38,
  matched_count: 41,
  skipped_count: 3,
  total_scanned: 10_422,
  dry_run: false,
  change_set_id: '019a8c61-aa00-7111-8222-333344445555',
  sample_matches: [],
};
const exampleRule = '0199e0b4-6a1e-7c3e-9d55-2f6b1a0c4d21';

const WAITING =
  'If the run takes longer than 30 seconds, the response is 202 with the job to follow. `Prefer: respond-async` returns ' +
  'the job at once; `Prefer: wait` waits up to 300 seconds. A dry run has a job too.';

export const applyRule = defineOperation({
  name: 'applyRule',
  group,
  method: 'POST',
  path: '/api/v1/rules/{id}/apply',
  scope: 'full_access',
  summary: 'Run one rule over all transactions',
  description: WAITING,
  params: z.object({ id: AnyId }),
  body: ApplyBody,
  bodyOptional: true,
  response: z.union([ApplyResult, Job]),
  status: 200,
  alsoStatus: [202],
  answers: { 200: ApplyResult, 202: Job },
  errors: ['NOT_FOUND', 'RULE_NOT_APPLICABLE', 'VALIDATION_ERROR'],
  effect: 'background',
  weight: 'light',
  cli: { command: 'rules apply', confirm: true },
  example: { params: { id: 'k3Xq90Zb' }, body: {}, response: { rule_id: exampleRule, ...exampleCounts } },
});

export const applyAllRules = defineOperation({
  name: 'applyAllRules',
  group,
  method: 'POST',
  path: '/api/v1/rules/apply-all',
  scope: 'full_access',
  summary: 'Run all retroactive rules, in order, over all transactions',
  description: WAITING,
  body: ApplyBody,
  bodyOptional: true,
  response: z.union([ApplyAllResult, Job]),
  status: 200,
  alsoStatus: [202],
  answers: { 200: ApplyAllResult, 202: Job },
  errors: ['VALIDATION_ERROR'],
  effect: 'background',
  weight: 'light',
  cli: { command: 'rules apply-all', confirm: true },
  example: {
    body: {},
    response: {
      ...exampleCounts,
      rules_applied: { [exampleRule]: 41 },
      rules: [
        {
          rule_id: exampleRule,
          short_id: 'k3Xq90Zb',
          name: 'Corner Market is groceries',
          matched_count: 41,
          affected_count: 38,
        },
      ],
      total_affected: 38,
    },
  },
});

export const operations = [applyRule, applyAllRules];
