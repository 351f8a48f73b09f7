import { shortIdFor } from '../../db/short-ids.ts';
import { TRIGGERS, type Trigger } from '../../engines/rules/definition.ts';
import { fillActions, fillCondition } from '../../engines/rules/stored-references.ts';
import { difference, type Actor, type WriteTx } from '../../journal/write.ts';
import { validationError } from '../../kernel/errors.ts';
import { fold } from '../../kernel/fold.ts';
import type { Definition } from './read-definition.ts';
import type { NewRule, RuleUpdate } from './rule-record.contract.ts';
import { toRuleFields } from './rule-record.ts';
import { insertRuleRow, updateRuleRow, type RuleRow } from './rules.queries.ts';

/** Of a rule that says none. */
export const DEFAULT_PRIORITY = 100;
const DEFAULT_TRIGGERS: readonly Trigger[] = ['sync', 'retroactive', 'manual'];

/** Stores a new rule, with the ids of what was made for it, and records it. */
export async function insertRule(
  tx: WriteTx,
  body: NewRule,
  definition: Definition,
  ids: ReadonlyMap<string, string>,
  actor: Actor,
): Promise<RuleRow> {
  const row: RuleRow = {
    id: tx.ids.uuid(),
    short_id: await shortIdFor(tx, 'rules'),
    name: body.name,
    name_folded: fold(body.name),
    priority: body.priority ?? DEFAULT_PRIORITY,
    is_enabled: body.enabled === false ? 0 : 1,
    is_system: 0,
    condition: JSON.stringify(fillCondition(definition.condition, ids)),
    actions: JSON.stringify(fillActions(definition.actions, ids)),
    triggers: JSON.stringify(inOrder(body.triggers ?? DEFAULT_TRIGGERS)),
    is_overwriting_manual: body.overwrite_manual === true ? 1 : 0,
    is_stopping: body.stop === true ? 1 : 0,
    expires_at: body.expires_at ?? null,
    creator_type: actor.type,
    creator_id: actor.id,
    creator_name: actor.name,
    created_at: tx.now,
    updated_at: tx.now,
  };
  refusePastExpiry(row.expires_at, null, tx.now);
  await insertRuleRow(tx, row);
  tx.journal.record({
    ...identity(row),
    operation: 'create',
    before: null,
    after: toRuleFields(row),
    revertible: true,
  });
  return row;
}

/** Changes a rule where the body differs from it, and records what did. Answers the row as it stands now. */
export async function changeRule(
  tx: WriteTx,
  row: RuleRow,
  body: RuleUpdate,
  definition: Partial<Definition>,
  ids: ReadonlyMap<string, string>,
): Promise<RuleRow> {
  const { condition, actions } = definition;
  const changed: RuleRow = {
    ...row,
    ...(body.name === undefined ? {} : { name: body.name, name_folded: fold(body.name) }),
    ...(body.priority === undefined ? {} : { priority: body.priority }),
    ...(body.enabled === undefined ? {} : { is_enabled: body.enabled ? 1 : 0 }),
    ...(condition === undefined ? {} : { condition: JSON.stringify(fillCondition(condition, ids)) }),
    ...(actions === undefined ? {} : { actions: JSON.stringify(fillActions(actions, ids)) }),
    ...(body.triggers === undefined ? {} : { triggers: JSON.stringify(inOrder(body.triggers)) }),
    ...(body.overwrite_manual === undefined ? {} : { is_overwriting_manual: body.overwrite_manual ? 1 : 0 }),
    ...(body.stop === undefined ? {} : { is_stopping: body.stop ? 1 : 0 }),
    ...(body.expires_at === undefined ? {} : { expires_at: body.expires_at }),
  };
  refusePastExpiry(changed.expires_at, row.expires_at, tx.now);
  const fields = difference(toRuleFields(row), toRuleFields(changed));
  if (!fields) return row;
  const { id: _id, ...columns } = { ...changed, updated_at: tx.now };
  await updateRuleRow(tx, row.id, columns);
  tx.journal.record({ ...identity(row), operation: 'update', ...fields, revertible: true });
  return { ...changed, updated_at: tx.now };
}

/** @throws VALIDATION_ERROR; an update may repeat what is stored, though it has passed by now */
function refusePastExpiry(expiresAt: string | null, stored: string | null, now: string): void {
  if (expiresAt === null || expiresAt === stored || expiresAt > now) return;
  throw validationError('expires_at', 'expires_at must lie in the future.');
}

function inOrder(triggers: readonly Trigger[]): readonly Trigger[] {
  return TRIGGERS.filter((trigger) => triggers.includes(trigger));
}

function identity(row: RuleRow) {
  return { entityType: 'rule', entityId: row.id, entityShortId: row.short_id } as const;
}
