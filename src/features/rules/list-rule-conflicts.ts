import { instantNow } from '../../kernel/clock.ts';
import { notFound } from '../../kernel/errors.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { handleRead } from '../handler.ts';
import { countConflicts } from './count-conflicts.ts';
import { loadCatalog } from './rule-catalog.ts';
import { listRuleConflicts as operation } from './rule-insights.contract.ts';
import { loadRuleWorld } from './rule-rows.queries.ts';
import { selectActiveRules } from './rule-set.ts';
import { findRule } from './rules.queries.ts';
import { toRule } from './rules.table.ts';
import { scanLedger } from './scan-ledger.ts';

export const listRuleConflicts = handleRead(operation, async ({ tx, instance }, { params }) => {
  const row = await findRule(tx, params.id);
  if (!row) throw notFound('The rule was');
  const active = await selectActiveRules(tx, instantNow(instance.clock));
  const conflicts = countConflicts(toRule(row), active, await loadCatalog(tx));
  // Where no other rule can disagree there is nothing to scan.
  if (!conflicts.isPossible) return { rule_id: row.id, conflicts: [], total_scanned: 0, truncated: false };
  const scan = scanLedger(tx, await loadRuleWorld(tx), conflicts.parts, LIMITS.rulePreviewMs);
  for await (const rows of scan.chunks) conflicts.look(rows);
  return {
    rule_id: row.id,
    conflicts: conflicts.found(),
    total_scanned: scan.scannedCount(),
    truncated: scan.isTruncated(),
  };
});
