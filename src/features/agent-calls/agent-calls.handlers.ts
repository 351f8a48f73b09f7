import type { InputOf } from '../../contract/operation.ts';
import { findIdOf } from '../../db/short-ids.ts';
import type { ReadTx } from '../../db/unit-of-work.ts';
import type { WriteTx } from '../../journal/write.ts';
import { cutPage, fingerprintOf, positionAfter } from '../../kernel/cursor.ts';
import { notFound, quoted, reversedRange, unknownId, validationError } from '../../kernel/errors.ts';
import { isUuid } from '../../kernel/ids.ts';
import { probablyMeant } from '../../kernel/nearest.ts';
import { INSTRUCTIONS, guideText, tools } from '../agent-tools/index.ts';
import { findApiKey } from '../api-keys/index.ts';
import { handleRead, handleWrite } from '../handler.ts';
import * as contract from './agent-calls.contract.ts';
import { findCall, isRunOfCalls, selectCalls, toCall, type CallFilter } from './agent-calls.queries.ts';
import { agentSettings, readAgentSettings, type AgentSettingValues } from './agent-settings.ts';

type Patch = InputOf<typeof contract.updateAgentSettings>['body'];
type Query = InputOf<typeof contract.listAgentCalls>['query'];

export const getAgentSettings = handleRead(contract.getAgentSettings, ({ tx }) => readAgentSettings(tx));

export const getAgentCatalog = handleRead(contract.getAgentCatalog, async () => ({
  tools: tools.map(({ info: { name, title, description, effect, isProposable } }) => {
    return { name, title, description, effect, proposable: isProposable };
  }),
  instructions: INSTRUCTIONS,
  review_guide: await guideText('review', BUILT_IN),
  report_guide: await guideText('reports', BUILT_IN),
}));

const BUILT_IN = { review_guide: null, report_guide: null };

export const updateAgentSettings = handleWrite(contract.updateAgentSettings, 'setting.update', ({ tx }, { body }) =>
  change(tx, body),
);

export const replaceAgentSettings = handleWrite(contract.replaceAgentSettings, 'setting.update', ({ tx }, { body }) =>
  change(tx, body),
);

/** PATCH and PUT alike: absent fields stay. @throws VALIDATION_ERROR for a tool that does not exist */
async function change(tx: WriteTx, patch: Patch): Promise<AgentSettingValues> {
  const names = tools.map(({ info }) => info.name);
  const unknown = patch.disabled_tools?.find((name) => !names.includes(name));
  if (unknown !== undefined) {
    const meant = probablyMeant(unknown, names);
    const hint = meant === undefined ? '' : ` Did you mean ${meant}?`;
    throw validationError('disabled_tools', `disabled_tools: ${quoted(unknown)} is not a known tool.${hint}`);
  }
  tx.journal.summarise('Changed the agent settings');
  return agentSettings.change(tx, patch);
}

export const listAgentCalls = handleRead(contract.listAgentCalls, async ({ tx }, { query }) => {
  const { limit, cursor } = query;
  const filter = await resolveFilter(tx, query);
  const fingerprint = fingerprintOf({ ...filter });
  const position = await positionAfter(cursor, fingerprint, (id) => findCall(tx, id));
  const rows = await selectCalls(tx, filter, position, limit + 1);
  const { shown, end } = cutPage(rows, limit, fingerprint, (last) => ({ key: last.created_at, id: last.id }));
  return {
    mcp_calls: shown.map(toCall),
    ...end,
  };
});

/** Resolves ids to UUIDs. @throws INVALID_PARAMETER */
async function resolveFilter(tx: ReadTx, query: Query): Promise<CallFilter> {
  const { tool, effect, surface, transport, outcome, from, to } = query;
  if (from !== undefined && to !== undefined && from > to) throw reversedRange('from', 'to');
  const same = { tools: tool, effect, surface, transport, outcome, from, to };
  return { ...same, apiKeyId: await keyOf(tx, query.api_key_id), runId: await runOf(tx, query.run_id) };
}

async function keyOf(tx: ReadTx, anyId: string | undefined): Promise<string | undefined> {
  if (anyId === undefined) return undefined;
  const key = await findApiKey(tx, anyId);
  if (!key) throw unknownId('api_key_id', 'API key', anyId);
  return key.id;
}

/** Calls can outlive their run. */
async function runOf(tx: ReadTx, anyId: string | undefined): Promise<string | undefined> {
  if (anyId === undefined) return undefined;
  const id = await findIdOf(tx, 'workflow_runs', anyId);
  if (id !== undefined) return id;
  if (!isUuid(anyId) || !(await isRunOfCalls(tx, anyId))) throw unknownId('run_id', 'run', anyId);
  return anyId;
}

export const getAgentCall = handleRead(contract.getAgentCall, async ({ tx }, { params }) => {
  const row = await findCall(tx, params.id);
  if (!row) throw notFound('call');
  return toCall(row);
});
