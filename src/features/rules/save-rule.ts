import { TRIGGERS, type Trigger } from '../../engines/rules/definition.ts';
import { fillActions, fillCondition } from '../../engines/rules/stored-references.ts';
import type { Actor, WriteTx } from '../../journal/write.ts';
import { fieldFault } from '../../kernel/errors.ts';
import type { Definition } from './definitions.ts';
import type { NewRule, RuleUpdate } from './rule-record.contract.ts';
import { rules } from './rules.entity.ts';
import type { RuleRow } from './rules.queries.ts';

/** The priority of a rule that states none. */
export const DEFAULT_PRIORITY = 100;
const DEFAULT_TRIGGERS: readonly Trigger[] = ['sync', 'retroactive', 'manual'];

/** Creates a rule. `ids` has the records that were created for it, by placeholder. */
export async function insertRule(
  tx: WriteTx,
  body: NewRule,
  definition: Definition,
  ids: ReadonlyMap<string, string>,
  actor: Actor,
): Promise<RuleRow> {
  const row = newRule(body, definition, ids, actor);
  refusePastExpiry('expires_at', row.expires_at, null, tx.now);
  return rules.create(tx, row);
}

/** A rule as it would be stored. */
export function newRule(body: NewRule, definition: Definition, ids: ReadonlyMap<string, string>, actor: Actor) {
  return {
    name: body.name,
    priority: body.priority ?? DEFAULT_PRIORITY,
    is_enabled: flag(body.enabled) ?? 1,
    is_system: 0,
    condition: JSON.stringify(fillCondition(definition.condition, ids)),
    actions: JSON.stringify(fillActions(definition.actions, ids)),
    triggers: JSON.stringify(inOrder(body.triggers ?? DEFAULT_TRIGGERS)),
    is_overwriting_manual: flag(body.overwrite_manual) ?? 0,
    is_stopping: flag(body.stop) ?? 0,
    expires_at: body.expires_at ?? null,
    creator_type: actor.type,
    creator_id: actor.id,
    creator_name: actor.name,
  } as const;
}

/** Changes the fields that the body has. Answers the row as it is afterwards. */
export async function changeRule(
  tx: WriteTx,
  row: RuleRow,
  body: RuleUpdate,
  { condition, actions }: Partial<Definition>,
  ids: ReadonlyMap<string, string>,
): Promise<RuleRow> {
  if (body.expires_at !== undefined) refusePastExpiry('expires_at', body.expires_at, row.expires_at, tx.now);
  return rules.change(tx, row, {
    name: body.name,
    priority: body.priority,
    is_enabled: flag(body.enabled),
    condition: condition && JSON.stringify(fillCondition(condition, ids)),
    actions: actions && JSON.stringify(fillActions(actions, ids)),
    triggers: body.triggers && JSON.stringify(inOrder(body.triggers)),
    is_overwriting_manual: flag(body.overwrite_manual),
    is_stopping: flag(body.stop),
    expires_at: body.expires_at,
  });
}

/** A fresh installation has one rule (contract 40.11): it tags every transaction when that first arrives. */
export async function seedRules(tx: WriteTx, needsReviewTagId: string): Promise<void> {
  const seeded = {
    name: 'Mark new transactions for review',
    priority: 0,
    is_enabled: 1,
    is_system: 1,
    condition: '{}',
    actions: JSON.stringify([{ type: 'add_tag', tag_id: needsReviewTagId }]),
    triggers: '["create"]',
    is_overwriting_manual: 0,
    is_stopping: 0,
    expires_at: null,
    creator_type: 'system',
    creator_id: null,
    creator_name: 'Homeledger',
  } as const;
  await rules.create(tx, seeded, { revertible: false });
}

/** @throws VALIDATION_ERROR; an update may repeat what is stored, even when that has passed */
export function refusePastExpiry(path: string, expiresAt: string | null, stored: string | null, now: string): void {
  if (expiresAt === null || expiresAt === stored || expiresAt > now) return;
  throw fieldFault(path, 'must be in the future');
}

function inOrder(triggers: readonly Trigger[]): readonly Trigger[] {
  return TRIGGERS.filter((trigger) => triggers.includes(trigger));
}

function flag(value: boolean | undefined): 0 | 1 | undefined {
  return value === undefined ? undefined : value ? 1 : 0;
}
