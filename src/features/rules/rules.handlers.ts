import type { ReadTx } from '../../db/unit-of-work.ts';
import type { WriteTx } from '../../journal/write.ts';
import { instantNow } from '../../kernel/clock.ts';
import { AppError } from '../../kernel/errors.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { actorOf, handleBackground, handleRead, handleWrite, Reply } from '../handler.ts';
import { answerApply } from './runs/apply-answer.ts';
import { loadRulesOf, type ApplyRequest } from './runs/apply-request.ts';
import { countConflicts } from './count-conflicts.ts';
import { createRules } from './create-rules.ts';
import { createWanted, readDefinitions, type Definition } from './definitions.ts';
import { loadCatalog, loadReferences } from './rule-catalog.ts';
import { selectHistory } from './runs/rule-outcomes.queries.ts';
import * as insights from './rule-insights.contract.ts';
import type { RuleUpdate } from './rule-record.contract.ts';
import { loadAccountsAndMembers } from './rule-rows.queries.ts';
import * as runs from './rule-runs.contract.ts';
import { selectActiveRules } from './rule-set.ts';
import * as contract from './rules.contract.ts';
import { getRuleRow, rules } from './rules.entity.ts';
import { findHits } from './rules.queries.ts';
import { toRule, toRuleRecord, type RuleRecord } from './rules.table.ts';
import { changeRule, insertRule } from './save-rule.ts';
import { scanLedger } from './runs/scan-ledger.ts';

export const getRule = handleRead(contract.getRule, async ({ tx }, { params }) => {
  const row = await getRuleRow(tx, params.id);
  return toRuleRecord(row, await findHits(tx, row.id), await loadCatalog(tx));
});

export const createRule = handleWrite(contract.createRule, 'rule.create', async ({ tx, principal }, { body }) => {
  const { references } = await loadReferences(tx);
  const reader = readDefinitions(references);
  const definition = reader.read(body, '');
  reader.refuseProblems();
  const ids = await createWanted(tx, reader.wanted);
  const row = await insertRule(tx, body, definition, ids, actorOf(principal));
  tx.journal.summarise(`Created the rule ${row.name}`);
  const record = toRuleRecord(row, undefined, await loadCatalog(tx));
  return new Reply(record, { headers: { location: `/api/v1/rules/${row.id}` } });
});

export const createRulesBatch = handleWrite(
  contract.createRulesBatch,
  'rules.batch_create',
  async (context, { body }) => {
    const rules = await createRules(context, body);
    return body.dry_run ? new Reply({ dry_run: true as const, rules }, { status: 200 }) : { rules };
  },
);

export const updateRule = handleWrite(contract.updateRule, 'rule.update', ({ tx }, { params, body }) =>
  applyUpdate(tx, params.id, body as RuleUpdate),
);

export const replaceRule = handleWrite(contract.replaceRule, 'rule.update', ({ tx }, { params, body }) =>
  applyUpdate(tx, params.id, body as RuleUpdate),
);

/** PATCH and PUT alike: absent fields stay. @throws NOT_FOUND, VALIDATION_ERROR, INVALID_PARAMETER */
async function applyUpdate(tx: WriteTx, anyId: string, body: RuleUpdate): Promise<RuleRecord> {
  const row = await getRuleRow(tx, anyId);
  const { references } = await loadReferences(tx);
  const reader = readDefinitions(references);
  const previous: Definition = {
    condition: JSON.parse(row.condition) as Definition['condition'],
    actions: JSON.parse(row.actions) as Definition['actions'],
  };
  const definition = reader.readParts(body, '', previous);
  reader.refuseProblems();
  const ids = await createWanted(tx, reader.wanted);
  const changed = await changeRule(tx, row, body, definition, ids);
  tx.journal.summarise(`Changed the rule ${changed.name}`);
  return toRuleRecord(changed, await findHits(tx, row.id), await loadCatalog(tx));
}

export const deleteRule = handleWrite(contract.deleteRule, 'rule.delete', async ({ tx }, { params }) => {
  const row = await getRuleRow(tx, params.id);
  if (row.creator_type === 'system' && row.creator_id === null) {
    throw new AppError('SYSTEM_RULE', 'This rule came with Homeledger. Disable it instead of deleting it.');
  }
  await rules.remove(tx, row);
  tx.journal.summarise(`Deleted the rule ${row.name}`);
  return null;
});

export const applyRule = handleBackground(runs.applyRule, async (context, { params, body }) => {
  const { database, clock } = context.instance;
  const find = async (tx: ReadTx): Promise<ApplyRequest> => {
    const { id: ruleId } = await getRuleRow(tx, params.id);
    const wanted = { ruleId, overwriteManual: body.overwrite_manual, isDryRun: body.dry_run };
    await loadRulesOf(tx, wanted, instantNow(clock));
    return wanted;
  };
  const request = await (context.tx ? find(context.tx) : database.read(find));
  return (await answerApply(context, request)) as never;
});

export const applyAllRules = handleBackground(runs.applyAllRules, async (context, { body }) => {
  const request = { ruleId: null, overwriteManual: body.overwrite_manual, isDryRun: body.dry_run };
  return (await answerApply(context, request)) as never;
});

export const listRuleConflicts = handleRead(
  insights.listRuleConflicts,
  async ({ tx, instance, isAbandoned }, { params }) => {
    const row = await getRuleRow(tx, params.id);
    const active = await selectActiveRules(tx, instantNow(instance.clock));
    const conflicts = countConflicts(toRule(row), active, await loadCatalog(tx));
    // If no other rule can disagree, there is nothing to scan.
    if (!conflicts.isPossible) return { rule_id: row.id, conflicts: [], total_scanned: 0, truncated: false };
    const scan = scanLedger(tx, await loadAccountsAndMembers(tx), conflicts.parts, {
      maxMs: LIMITS.rulePreviewMs,
      isAbandoned,
    });
    for await (const rows of scan.chunks) conflicts.look(rows);
    return {
      rule_id: row.id,
      conflicts: conflicts.found(),
      total_scanned: scan.scannedCount(),
      truncated: scan.isTruncated(),
    };
  },
);

export const listRuleHistory = handleRead(insights.listRuleHistory, async ({ tx }, { params, query }) => {
  const { id } = await getRuleRow(tx, params.id);
  const history = await selectHistory(tx, id, query);
  return {
    history: history.map((run) => ({
      run_type: run.run_type,
      sync_id: run.sync_log_id,
      import_id: run.import_id,
      change_set_id: run.change_set_id,
      started_at: run.started_at,
      status: run.status,
      hit_count: run.hit_count,
      changed_count: run.changed_count,
      institution: run.institution_name,
    })) as never,
  };
});
