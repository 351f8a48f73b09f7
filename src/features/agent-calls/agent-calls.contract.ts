import { z } from 'zod';

import {
  Actor,
  AnyId,
  clearableText,
  Code,
  Id,
  Instant,
  page,
  QueryInstant,
  queryInteger,
  queryList,
  ShortId,
} from '../../contract/common.ts';
import { defineOperation } from '../../contract/operation.ts';
import { LIMITS } from '../../kernel/limits.ts';

export const AgentMode = z
  .enum(['read_only', 'propose', 'read_write'], 'must be read_only, propose or read_write')
  .meta({ id: 'AgentMode' });

function between(min: number, max: number): z.ZodInt {
  const message = `must be a whole number from ${min} to ${max}`;
  return z.int(message).min(min, message).max(max, message);
}

const text = (max: number) => clearableText(max).meta({ description: 'null or "" restores the built-in text' });

/** What agents may do over MCP, and what they are told (contract 70.7). */
const settings = {
  mode: AgentMode.meta({ description: 'The most that any MCP client may do, whatever its key allows' }),
  disabled_tools: z
    .array(z.string().max(LIMITS.nameChars))
    .max(LIMITS.toolNames, `must have at most ${LIMITS.toolNames} names`)
    .transform((names) => [...new Set(names)])
    .meta({ description: 'Names of tools that MCP clients can neither see nor call' }),
  instructions: text(LIMITS.agentInstructionsChars),
  review_guide: text(LIMITS.reviewGuideChars),
  report_guide: text(LIMITS.reportGuideChars),
  max_response_bytes: between(LIMITS.toolResultBytesMin, LIMITS.toolResultBytesMax).meta({
    description: 'Largest result of a tool that reads, in bytes',
  }),
  mask_numbers: z.boolean().meta({
    description: 'Whether agents see only the last four digits of account and card numbers in text from outside',
  }),
  call_retention_days: between(0, LIMITS.callRetentionDays).meta({
    description: 'How long calls are kept; 0 keeps them forever',
  }),
};

export const AgentSettings = z.object(settings).meta({ id: 'AgentSettings' });

const AgentSettingsInput = z.strictObject(settings).partial();

const exampleSettings = {
  mode: 'propose' as const,
  disabled_tools: ['delete_tag'],
  instructions: null,
  review_guide: null,
  report_guide: null,
  max_response_bytes: 60_000,
  mask_numbers: false,
  call_retention_days: 30,
};

const group = 'agent-calls';

export const getAgentSettings = defineOperation({
  name: 'getAgentSettings',
  group,
  method: 'GET',
  path: '/api/v1/settings/mcp',
  scope: 'full_access',
  adminOnly: true,
  summary: 'Get what agents may do over MCP and what they are told',
  response: AgentSettings,
  status: 200,
  errors: [],
  effect: 'read',
  weight: 'light',
  etag: true,
  cli: { command: 'mcp settings' },
  example: { response: exampleSettings },
});

const Effect = z.enum(['read', 'write'], 'must be read or write');

export const getAgentCatalog = defineOperation({
  name: 'getAgentCatalog',
  group,
  method: 'GET',
  path: '/api/v1/settings/mcp/catalog',
  scope: 'full_access',
  adminOnly: true,
  summary: 'Get all agent tools, and the built-in texts that the settings can replace',
  response: z
    .object({
      tools: z.array(
        z.object({
          name: z.string(),
          title: z.string(),
          description: z.string().meta({ description: 'As agents read it' }),
          effect: Effect,
          proposable: z.boolean().meta({ description: 'Whether a call becomes a proposal in propose mode' }),
        }),
      ),
      instructions: z.string(),
      review_guide: z.string(),
      report_guide: z.string(),
    })
    .meta({ id: 'AgentCatalog' }),
  status: 200,
  errors: [],
  effect: 'read',
  weight: 'light',
  etag: true,
  example: {
    response: {
      tools: [
        {
          name: 'delete_tag',
          title: 'Delete a tag',
          description: 'Deletes a tag and removes it from all transactions. Refused while a rule uses it.',
          effect: 'write',
          proposable: true,
        },
      ],
      instructions: 'Homeledger holds one household’s bank accounts and transactions.',
      review_guide: '# Review',
      report_guide: '# Reports',
    },
  },
});

const update = {
  group,
  path: '/api/v1/settings/mcp',
  scope: 'full_access',
  adminOnly: true,
  body: AgentSettingsInput,
  response: AgentSettings,
  status: 200,
  errors: ['VALIDATION_ERROR'],
  effect: 'write',
  weight: 'light',
  example: { body: { mode: 'propose', disabled_tools: ['delete_tag'] }, response: exampleSettings },
} as const;

export const updateAgentSettings = defineOperation({
  ...update,
  name: 'updateAgentSettings',
  method: 'PATCH',
  summary: 'Change what agents may do over MCP or what they are told',
  description:
    'Absent fields stay as they are. Either all fields are stored or none. Changes apply from an agent’s next request.',
});

export const replaceAgentSettings = defineOperation({
  ...update,
  name: 'replaceAgentSettings',
  method: 'PUT',
  summary: 'Change the agent settings, just as PATCH does',
  description: 'Send what GET returned, with your changes. Absent fields stay as they are.',
});

const CallSurface = z.enum(['mcp', 'workflow'], 'must be mcp or workflow');
const Transport = z.enum(['http', 'stdio'], 'must be http or stdio');
const CallOutcome = z.enum(['ok', 'error'], 'must be ok or error');

/** One call of a tool, allowed or refused. Its result is not kept. */
export const AgentCallRecord = z
  .object({
    id: Id,
    short_id: ShortId,
    tool: Code.meta({ description: 'Or `resource:<uri>`, or `prompt:<name>`' }),
    effect: Effect,
    surface: CallSurface,
    transport: Transport.nullable().meta({ description: 'null for a workflow run' }),
    principal: Actor,
    api_key_id: Id.nullable(),
    run_id: Id.nullable(),
    change_set_id: Id.nullable().meta({ description: 'What the call changed' }),
    proposal_id: Id.nullable().meta({ description: 'What the call proposed' }),
    client_name: z.string().nullable().meta({ description: 'The name that the client gives itself' }),
    client_version: z.string().nullable(),
    reason: z.string().nullable(),
    arguments: z
      .record(z.string(), z.unknown())
      .meta({ description: 'Above 32 KiB, `{"truncated": true, "bytes": n, "preview": "…"}`' }),
    outcome: CallOutcome,
    error_code: Code.nullable(),
    result_bytes: z.int(),
    duration_ms: z.int(),
    created_at: Instant,
  })
  .meta({ id: 'AgentCall' });

const exampleCall = {
  id: '0197b0c2-0000-7000-8000-000000000021',
  short_id: 'mC4pC411',
  tool: 'update_transactions',
  effect: 'write' as const,
  surface: 'mcp' as const,
  transport: 'http' as const,
  principal: { type: 'agent' as const, id: '0197aa00-0000-7000-8000-000000000007', name: 'Desk assistant' },
  api_key_id: '0197aa00-0000-7000-8000-000000000007',
  run_id: null,
  change_set_id: '0197b100-0000-7000-8000-000000000033',
  proposal_id: null,
  client_name: 'example-client',
  client_version: '2.1.0',
  reason: 'weekly review',
  arguments: { operations: [{ transaction_id: 'Tx9kLm2P', category_slug: 'food_and_drink_groceries' }] },
  outcome: 'ok' as const,
  error_code: null,
  result_bytes: 412,
  duration_ms: 18,
  created_at: '2026-07-01T09:00:00.000Z',
};

export const listAgentCalls = defineOperation({
  name: 'listAgentCalls',
  group,
  method: 'GET',
  path: '/api/v1/mcp-calls',
  scope: 'full_access',
  summary: 'List agent calls, newest first',
  description: 'Includes every call, allowed or refused, over HTTP, over stdio or in a workflow run.',
  query: z.object({
    tool: queryList(z.string().max(LIMITS.callToolChars)).optional(),
    effect: Effect.optional(),
    surface: CallSurface.optional(),
    transport: Transport.optional(),
    outcome: CallOutcome.optional(),
    api_key_id: AnyId.optional(),
    run_id: AnyId.optional(),
    from: QueryInstant.optional().meta({ description: 'Inclusive' }),
    to: QueryInstant.optional().meta({ description: 'Exclusive' }),
    limit: queryInteger(1, LIMITS.pageMax).default(LIMITS.pageDefault),
    cursor: z.string().optional(),
  }),
  response: page('mcp_calls', AgentCallRecord),
  status: 200,
  errors: ['INVALID_PARAMETER', 'INVALID_CURSOR'],
  effect: 'read',
  weight: 'light',
  etag: true,
  cli: { command: 'mcp calls' },
  example: {
    query: { outcome: 'ok', limit: '1' },
    response: { mcp_calls: [exampleCall], next_cursor: '', has_more: false, limit: 1 },
  },
});

export const getAgentCall = defineOperation({
  name: 'getAgentCall',
  group,
  method: 'GET',
  path: '/api/v1/mcp-calls/{id}',
  scope: 'full_access',
  summary: 'Get an agent call',
  params: z.object({ id: AnyId }),
  response: AgentCallRecord,
  status: 200,
  errors: ['NOT_FOUND'],
  effect: 'read',
  weight: 'light',
  etag: true,
  cli: { command: 'mcp call-get' },
  example: { params: { id: exampleCall.short_id }, response: exampleCall },
});

export const operations = [
  getAgentSettings,
  getAgentCatalog,
  updateAgentSettings,
  replaceAgentSettings,
  listAgentCalls,
  getAgentCall,
];
