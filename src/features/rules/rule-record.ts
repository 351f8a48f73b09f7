import type { z } from 'zod';

import { renderActions } from '../../engines/rules/actions.ts';
import type { Catalog } from '../../engines/rules/catalog.ts';
import type { StoredAction, StoredCondition } from '../../engines/rules/definition.ts';
import { renderCondition } from '../../engines/rules/render.ts';
import type { Rule } from './rule-record.contract.ts';
import type { RuleRow, RuleHits } from './rules.queries.ts';

export type RuleRecord = z.output<typeof Rule>;

/** A rule as served: everything it refers to under its present name. */
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

/** A rule as the journal keeps it: references by id, and nothing that is counted (contract 10.13.1). */
export function toRuleFields(row: RuleRow): Record<string, unknown> {
  return {
    id: row.id,
    short_id: row.short_id,
    name: row.name,
    enabled: row.is_enabled === 1,
    priority: row.priority,
    condition: JSON.parse(row.condition) as unknown,
    actions: JSON.parse(row.actions) as unknown,
    triggers: JSON.parse(row.triggers) as unknown,
    overwrite_manual: row.is_overwriting_manual === 1,
    stop: row.is_stopping === 1,
    expires_at: row.expires_at,
    creator_type: row.creator_type,
    creator_id: row.creator_id,
    creator_name: row.creator_name,
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}
