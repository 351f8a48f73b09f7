import { notFound } from '../../kernel/errors.ts';
import { handleRead } from '../handler.ts';
import { selectHistory } from './rule-hits.queries.ts';
import { listRuleHistory as operation } from './rule-insights.contract.ts';
import { findRule } from './rules.queries.ts';

export const listRuleHistory = handleRead(operation, async ({ tx }, { params, query }) => {
  const rule = await findRule(tx, params.id);
  if (!rule) throw notFound('The rule was');
  const runs = await selectHistory(tx, rule.id, query);
  return {
    history: runs.map((run) => ({
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
