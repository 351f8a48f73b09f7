import type { InputOf } from '../../contract/operation.ts';
import type { ReadTx } from '../../db/unit-of-work.ts';
import { instantNow } from '../../kernel/clock.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { handleRead } from '../handler.ts';
import { countConflicts } from './count-conflicts.ts';
import { readDefinitions } from './definitions.ts';
import { rehearseRun } from './runs/rehearse-run.ts';
import { loadReferences } from './rule-catalog.ts';
import { previewRule as operation } from './rule-insights.contract.ts';
import { loadGivenRules, selectActiveRules, type LoadedRules } from './rule-set.ts';
import type { StoredRule } from './rules.table.ts';
import { DEFAULT_PRIORITY } from './save-rule.ts';
import { scanLedger } from './runs/scan-ledger.ts';

type Sent = Omit<InputOf<typeof operation>['body'], 'sample_size' | 'include_conflicts' | 'time_limit_ms'>;

export const previewRule = handleRead(operation, async ({ tx, instance, isAbandoned }, { body }) => {
  const { sample_size: sampleSize, include_conflicts: hasConflicts, time_limit_ms: limitMs, ...definition } = body;
  const now = instantNow(instance.clock);
  const loaded = await loadDefinition(tx, definition, now);
  const [rule] = loaded.rules as [StoredRule];
  const conflicts = hasConflicts ? countConflicts(rule, await selectActiveRules(tx, now), loaded.catalog) : null;
  const parts = new Set([...loaded.parts, ...(conflicts?.parts ?? [])]);
  const scan = scanLedger(tx, loaded.household, parts, { maxMs: Math.min(limitMs, LIMITS.rulePreviewMs), isAbandoned });
  const options = { overwriteManual: false, sampleSize, onRows: conflicts?.look };
  const { tally, samples } = await rehearseRun(tx, loaded, scan, options);
  return {
    match_count: tally.matchedCount,
    change_count: tally.affectedCount,
    skipped_count: tally.skippedCount,
    total_scanned: tally.totalScanned,
    sample_matches: samples as never,
    truncated: scan.isTruncated(),
    conflicts: conflicts?.found() ?? [],
  };
});

/** The rule as sent, compiled. @throws VALIDATION_ERROR, INVALID_PARAMETER */
async function loadDefinition(tx: ReadTx, body: Sent, now: string): Promise<LoadedRules> {
  const { references } = await loadReferences(tx);
  const reader = readDefinitions(references);
  const { actions: sent, ...rest } = body;
  const { condition = {}, actions = [] } = reader.readParts(sent?.length ? body : rest, '');
  reader.refuseProblems();
  const rule: StoredRule = {
    ...LAST_OF_ITS_PRIORITY,
    name: body.name ?? '',
    priority: body.priority ?? DEFAULT_PRIORITY,
    condition,
    actions,
    triggers: [],
    overwriteManual: body.overwrite_manual ?? false,
    stop: body.stop ?? false,
  };
  return loadGivenRules(tx, [rule], now, reader.wanted);
}

/** The previewed rule comes after the stored rules of its priority (contract 40.8.3). */
const LAST_OF_ITS_PRIORITY = { id: 'preview', shortId: '', createdAt: '9999-12-31T23:59:59.999Z' };
