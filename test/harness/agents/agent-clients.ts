import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as OlderClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OlderTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

import type { Answer, RequestOptions, TestApp } from '../test-app.ts';

export const CLIENT = { name: 'example-client', version: '2.1.0' } as const;

/** An official client of the protocol, with the methods that tests use. */
export interface AgentClient {
  name: string;
  /** A header with the key; null sends none. */
  connect: (url: string, key: string | null) => Promise<Connected>;
}

export type Connected = Pick<Client, 'callTool' | 'close' | 'getInstructions' | 'getPrompt' | 'getServerVersion'> &
  Pick<Client, 'listPrompts' | 'listResources' | 'listResourceTemplates' | 'listTools' | 'readResource'>;

function headersOf(key: string | null): Record<string, string> {
  return key === null ? {} : { authorization: `Bearer ${key}` };
}

/** The two lines of the protocol that are served, each by its official client. */
export const AGENT_CLIENTS: readonly AgentClient[] = [
  {
    name: '2026-07-28',
    async connect(url, key) {
      const client = new Client(CLIENT, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
      await client.connect(
        new StreamableHTTPClientTransport(new URL('/mcp', url), { requestInit: { headers: headersOf(key) } }),
      );
      return client;
    },
  },
  {
    name: '2025-11-25',
    async connect(url, key) {
      const client = new OlderClient(CLIENT);
      const transport = new OlderTransport(new URL('/mcp', url), { requestInit: { headers: headersOf(key) } });
      await client.connect(transport);
      return client as unknown as Connected;
    },
  },
];

let lastId = 0;

/** Sends one message of the older line, without a handshake. */
export async function sendMessage(
  app: TestApp,
  method: string,
  params: Readonly<Record<string, unknown>>,
  { headers, ...options }: RequestOptions = {},
): Promise<Answer> {
  const accept = 'application/json, text/event-stream';
  const answer = await app.request('POST', '/mcp', {
    ...options,
    headers: { accept, ...headers },
    body: options.body ?? { jsonrpc: '2.0', id: ++lastId, method, params },
  });
  const data = answer.text.split('\n').findLast((line) => line.startsWith('data: '));
  return data === undefined ? answer : { ...answer, json: JSON.parse(data.slice(6)) as unknown };
}

/** What a call of a tool answers: the result, or the error of the tool. */
export async function callTool(
  app: TestApp,
  name: string,
  args: Readonly<Record<string, unknown>> = {},
  options: RequestOptions & { meta?: Readonly<Record<string, unknown>> } = {},
  // oxlint-disable-next-line typescript/no-explicit-any -- a test may look at any field
): Promise<any> {
  const { meta, ...others } = options;
  const params = { name, arguments: args, ...(meta ? { _meta: meta } : {}) };
  const { json } = await sendMessage(app, 'tools/call', params, others);
  return (json as { result?: { structuredContent: unknown } }).result?.structuredContent ?? json;
}
