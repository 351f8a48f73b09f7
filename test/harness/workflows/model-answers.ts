import type { ModelRequest } from '../../../src/models/model.ts';
import type { Scripted } from '../servers/scripted-server.ts';

/** Answers as the three kinds of model server send them, and a request that they could follow. */

export const CLAUDE = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'claude-haiku-4-5',
  stop_reason: 'tool_use',
  stop_sequence: null,
  content: [
    { type: 'thinking', thinking: 'Let me look.', signature: 'c2lnbmVk' },
    { type: 'text', text: 'Looking.' },
    { type: 'tool_use', id: 'toolu_1', name: 'look', input: { where: 'here' } },
    { type: 'tool_use', id: 'toolu_2', name: 'unknown_tool', input: {} },
  ],
  usage: { input_tokens: 12, output_tokens: 34, cache_creation_input_tokens: 500, cache_read_input_tokens: 9_000 },
};

export const RESPONSE = {
  id: 'resp_1',
  object: 'response',
  created_at: 1_772_000_000,
  status: 'completed',
  model: 'gpt-5',
  error: null,
  incomplete_details: null,
  output: [
    { id: 'rs_1', type: 'reasoning', summary: [], encrypted_content: 'c2VjcmV0' },
    {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text: 'Looking.', annotations: [] }],
    },
    {
      id: 'fc_1',
      type: 'function_call',
      status: 'completed',
      call_id: 'call_1',
      name: 'look',
      arguments: '{"where":"here"}',
    },
    { id: 'fc_2', type: 'function_call', status: 'completed', call_id: 'call_2', name: 'look', arguments: '{"where":' },
  ],
  usage: {
    input_tokens: 10_000,
    input_tokens_details: { cached_tokens: 8_000 },
    output_tokens: 300,
    output_tokens_details: { reasoning_tokens: 200 },
    total_tokens: 10_300,
  },
};

export const chat = (message: object, extra: object = {}): Scripted => ({
  json: {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1_772_000_000,
    model: 'local',
    choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', ...message } }],
    usage: {
      prompt_tokens: 100,
      completion_tokens: 20,
      total_tokens: 120,
      prompt_tokens_details: { cached_tokens: 60 },
    },
    ...extra,
  },
});

export const LOOK = {
  name: 'look',
  description: 'Looks.',
  inputSchema: { type: 'object', properties: { where: { type: 'string' } }, additionalProperties: false },
};
export const ASKED: ModelRequest = { system: 'Be brief.', messages: [{ role: 'user', text: 'Look.' }], tools: [LOOK] };
