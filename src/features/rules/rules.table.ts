import type { z } from 'zod';

import { renderActions } from '../../engines/rules/actions.ts';
import type { Catalog } from '../../engines/rules/catalog.ts';
import type { Rule, StoredAction, StoredCondition, Trigger } from '../../engines/rules/definition.ts';
import { renderCondition } from '../../engines/rules/render.ts';
import type { Rule as RuleShape } from './rule-record.contract.ts';
import type { RuleHits, RuleRow } from './rules.queries.ts';

/** A rule for a run, with its short_id for answers. */
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

export type RuleRecord = z.output<typeof RuleShape>;

/** A rule as returned: everything it refers to has its present name. */
export function toRuleRecord(row: RuleRow, hits: RuleHits | undefined, catalog: Catalog): RuleRecord {
  return {
    id: row.id,
    short_id: row.short_id,
    name: row.name,
    enabled: row.is_enabled === 1,
    priority: row.priority,
    condition: renderCondition(JSON.parse(row.condition) as StoredCondition, catalog),
    actions: renderActions(JSON.parse(row.actions) as readonly StoredAction[], catalog),
    triggers: JSON.parse(row.triggers) as RuleRecord['triggers'],
    overwrite_manual: row.is_overwriting_manual === 1,
    stop: row.is_stopping === 1,
    expires_at: row.expires_at,
    creator_type: row.creator_type as RuleRecord['creator_type'],
    creator_id: row.creator_id,
    creator_name: row.creator_name ?? '',
    hit_count: hits?.hit_count ?? 0,
    last_hit_at: hits?.last_hit_at ?? null,
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}
