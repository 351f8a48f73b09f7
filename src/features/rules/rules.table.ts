import type { Rule, StoredAction, StoredCondition, Trigger } from '../../engines/rules/definition.ts';
import type { RuleRow } from './rules.queries.ts';

/** A rule as a run takes it, with what answers say of it. */
export interface StoredRule extends Rule {
  readonly shortId: string;
}

export function toRule(row: RuleRow): StoredRule {
  return {
    id: row.id,
    shortId: row.short_id,
    name: row.name,
    priority: row.priority,
    createdAt: row.created_at,
    condition: JSON.parse(row.condition) as StoredCondition,
    actions: JSON.parse(row.actions) as readonly StoredAction[],
    triggers: JSON.parse(row.triggers) as readonly Trigger[],
    overwriteManual: row.is_overwriting_manual === 1,
    stop: row.is_stopping === 1,
  };
}

/** Enabled and not expired; a rule that expires at T acts at T − 1 ms and not at T (contract 40.4). */
export function isActive(row: Pick<RuleRow, 'is_enabled' | 'expires_at'>, now: string): boolean {
  return row.is_enabled === 1 && (row.expires_at === null || row.expires_at > now);
}
