import { beforeAll, describe, expect, test } from 'vitest';

import { AGENT_CLIENTS, CLIENT, callTool, sendMessage } from '../../../test/harness/agents/agent-clients.ts';
import { forEachDatabase, type TestApp } from '../../../test/harness/test-app.ts';

const ORIGIN = 'https://helper.example';
/** What a request of the newer line says of itself. */
const NEWER = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': CLIENT,
} as const;
const ANY = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };

forEachDatabase(
  (database) => {
    let app: TestApp;
    let url: string;
    beforeAll(async () => {
      app = await database.open({ env: { PORT: '0', CORS_ORIGINS: ORIGIN } });
      url = await app.app.listen();
      await app.request('POST', '/api/v1/tags', { body: { name: 'Holiday' } });
    });

    async function lastCall(): Promise<Record<string, unknown>> {
      const { json } = await app.request('GET', '/api/v1/mcp-calls', { query: { limit: 1 } });
      return (json as { mcp_calls: Record<string, unknown>[] }).mcp_calls[0] as Record<string, unknown>;
    }

    describe.each(AGENT_CLIENTS)('an official client of $name', ({ connect }) => {
      test('learns who answers and what to know, lists the tools and calls them', async () => {
        const client = await connect(url, app.key);
        expect(client.getServerVersion()).toMatchObject({ name: 'homeledger', title: 'Homeledger' });
        expect(client.getInstructions()).toMatch(/^Homeledger holds one household.*say why in a comment\.$/);
        const { tools } = await client.listTools();
        expect(tools.find(({ name }) => name === 'delete_tag')).toMatchObject({
          inputSchema: { type: 'object', required: ['slug'] },
          annotations: { readOnlyHint: false, destructiveHint: true },
        });
        const result = await client.callTool({ name: 'list_tags', arguments: {} });
        expect(result.structuredContent).toMatchObject({ tags: [{ slug: 'holiday' }, { slug: 'needs-review' }] });
        expect(result.content).toEqual([{ type: 'text', text: JSON.stringify(result.structuredContent) }]);
        await client.close();
        expect(await lastCall()).toMatchObject({ tool: 'list_tags', transport: 'http', outcome: 'ok', effect: 'read' });
      });

      test('is told by a tool what is wrong, and by the protocol that there is no such tool', async () => {
        const client = await connect(url, app.key);
        // From here on it holds what tools answer against what they promise.
        await client.listTools();
        const refused = await client.callTool({ name: 'delete_tag', arguments: { slug: 'nothing-here' } });
        expect(refused).toMatchObject({ isError: true, structuredContent: { error: { code: 'NOT_FOUND' } } });
        const text = 'NOT_FOUND: The tag was not found. See the slugs of tags with list_tags.';
        expect(refused.content).toEqual([{ type: 'text', text }]);
        await expect(client.callTool({ name: 'no_such_tool', arguments: {} })).rejects.toMatchObject({ code: -32_602 });
        await client.close();
      });

      test('is refused without a key', async () => {
        await expect(connect(url, null)).rejects.toThrow();
      });
    });

    test('the client says its name, with each request or in its user agent', async () => {
      const client = await (AGENT_CLIENTS[0] as (typeof AGENT_CLIENTS)[0]).connect(url, app.key);
      await client.callTool({ name: 'list_tags', arguments: {} });
      await client.close();
      expect(await lastCall()).toMatchObject({ client_name: CLIENT.name, client_version: CLIENT.version });
      await callTool(app, 'list_tags', {}, { headers: { 'user-agent': 'desk-agent/7.2 (linux)' } });
      expect(await lastCall()).toMatchObject({ client_name: 'desk-agent', client_version: '7.2' });
    });

    test('an answer is JSON in both lines, unless the call asks to be told of progress', async () => {
      const typeOf = async (params: object): Promise<string> => {
        const { headers } = await sendMessage(app, 'tools/call', { name: 'list_tags', arguments: {}, ...params });
        return String(headers['content-type']);
      };
      expect(await typeOf({})).toMatch(/^application\/json/);
      expect(await typeOf({ _meta: { progressToken: 1 } })).toMatch(/^text\/event-stream/);
    });

    describe('a key', () => {
      test.each([
        ['none', {}, 'MISSING_API_KEY'],
        ['a wrong one', { authorization: `Bearer hl_${'x'.repeat(43)}` }, 'INVALID_API_KEY'],
        ['another scheme', { authorization: 'Basic aGw6aGw=' }, 'MISSING_API_KEY'],
        ['a cookie alone', { cookie: 'homeledger_session=abc' }, 'MISSING_API_KEY'],
      ])('%s is refused in the form of the REST API', async (_what, headers, code) => {
        const { status, json, headers: got } = await app.request('POST', '/mcp', { key: null, headers, body: ANY });
        expect({ status, code: json.error.code, challenge: got['www-authenticate'] }).toEqual({
          status: 401,
          code,
          challenge: 'Bearer',
        });
      });

      test('counts as bearer in any case, and X-API-Key counts before it', async () => {
        const bearer = { authorization: `bEaReR ${app.readOnlyKey}` };
        const names = async (headers: Record<string, string>): Promise<string[]> => {
          const { json } = await sendMessage(app, 'tools/list', {}, { key: null, headers });
          return json.result.tools.map(({ name }: { name: string }) => name);
        };
        expect(await names(bearer)).not.toContain('delete_tag');
        expect(await names({ ...bearer, 'x-api-key': app.key })).toContain('delete_tag');
      });

      test('that is revoked is refused from the next request on', async () => {
        const { id, key } = await app.newKey();
        expect((await sendMessage(app, 'tools/list', {}, { key })).status).toBe(200);
        await app.request('DELETE', `/api/v1/api-keys/${id}`);
        const { status, json } = await sendMessage(app, 'tools/list', {}, { key });
        expect([status, json.error.code]).toEqual([401, 'REVOKED_API_KEY']);
      });
    });

    test('a page of our own or one that is allowed may call, no other', async () => {
      const from = async (origin: string) => sendMessage(app, 'tools/list', {}, { headers: { origin } });
      for (const origin of [ORIGIN, 'http://localhost:80']) expect((await from(origin)).status).toBe(200);
      expect((await from(ORIGIN)).headers['access-control-allow-origin']).toBe(ORIGIN);
      for (const origin of ['https://evil.example', 'null']) {
        const { status, json } = await from(origin);
        expect([status, json.error.code]).toEqual([403, 'ORIGIN_MISMATCH']);
      }
    });

    test.each(['GET', 'DELETE', 'PUT'])('%s is not for this address', async (method) => {
      const { status, json, headers } = await app.request(method, '/mcp');
      expect([status, json.error.code, headers.allow]).toEqual([405, 'METHOD_NOT_ALLOWED', 'POST, OPTIONS']);
    });

    test.each(['oauth-protected-resource', 'oauth-authorization-server/mcp', 'openid-configuration'])(
      'a client that looks for %s learns that there is no sign-in',
      async (path) => {
        const headers = { accept: 'text/html,*/*' };
        const { status, json } = await app.request('GET', `/.well-known/${path}`, { key: null, headers });
        expect([status, json.error.code]).toEqual([404, 'NOT_FOUND']);
      },
    );

    test.each([
      ['a batch', JSON.stringify([ANY]), 400, 'INVALID_BODY'],
      ['no JSON', '{"jsonrpc"', 400, 'INVALID_BODY'],
      ['a body of two megabytes', `{"x":"${'x'.repeat(2_097_152)}"}`, 413, 'PAYLOAD_TOO_LARGE'],
      ['a body that nests too deep', '['.repeat(100) + ']'.repeat(100), 400, 'VALIDATION_ERROR'],
    ])('%s is refused in the form of the REST API', async (_what, body, status, code) => {
      const answer = await sendMessage(app, '', {}, { body });
      expect([answer.status, answer.json.error.code]).toEqual([status, code]);
    });

    const unread = 'VALIDATION_ERROR: The arguments must be a JSON object.';
    const proto = JSON.parse('{"__proto__":"x"}') as object;
    test.each([
      ['resources/read', {}, 'uri: must be the URI of a resource. See resources/list.'],
      ['resources/read', { uri: 5 }, 'uri: must be the URI of a resource. See resources/list.'],
      ['prompts/get', {}, 'name: must be the name of a prompt. See prompts/list.'],
      ['prompts/get', { name: 'monthly_review', arguments: { month: 5 } }, 'month: must be a string'],
      ['prompts/get', { name: 'monthly_review', arguments: ['2026-03'] }, 'arguments: must be an object'],
      ['prompts/get', { name: 'monthly_review', arguments: proto }, '__proto__: unknown argument'],
      ['tools/call', { name: 5 }, 'name: must be the name of a tool. See tools/list.'],
      ['tools/call', { name: 'list_tags', arguments: ['holiday'] }, unread],
      ['tools/call', { name: 'list_tags', arguments: 'holiday' }, unread],
      ['tools/call', { name: 'list_tags', arguments: proto }, 'VALIDATION_ERROR: __proto__: unknown field'],
    ])('%s of %o says in both lines what is wrong with it', async (method, params, message) => {
      const { name = '', uri = '' } = params as { name?: unknown; uri?: unknown };
      const named = { 'mcp-method': method, 'mcp-name': String(method === 'resources/read' ? uri : name) };
      const headers = { 'mcp-protocol-version': '2026-07-28', ...named };
      for (const { json } of [
        await sendMessage(app, method, params),
        await sendMessage(app, method, { ...params, _meta: NEWER }, { headers }),
      ]) {
        const said = json.error ?? { code: -32_602, message: json.result.content[0].text };
        expect(said).toEqual({ code: -32_602, message });
        if (!json.error) expect(await lastCall()).toMatchObject({ tool: 'list_tags', error_code: 'VALIDATION_ERROR' });
      }
    });

    test.each([
      ['nothing', {}],
      ['no name', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: {} }],
      ['a number', { protocolVersion: 5, capabilities: {}, clientInfo: CLIENT }],
    ])('a handshake with %s is told what it needs, and may be made again', async (_what, params) => {
      const { error } = (await sendMessage(app, 'initialize', params)).json;
      expect(error).toEqual({
        code: -32_602,
        message: expect.stringMatching(/^An initialize request needs .*clientInfo/),
      });
      const whole = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: CLIENT };
      const { result } = (await sendMessage(app, 'initialize', whole)).json;
      expect(result).toMatchObject({ protocolVersion: '2025-11-25', serverInfo: { name: 'homeledger' } });
    });

    test('there is nothing to subscribe to', async () => {
      const client = await (AGENT_CLIENTS[0] as (typeof AGENT_CLIENTS)[0]).connect(url, app.key);
      await expect(
        (client as unknown as { listen: (filter: object) => Promise<unknown> }).listen({ toolsListChanged: true }),
      ).rejects.toThrow();
      await client.close();
    });

    test('lists are not to be kept', async () => {
      const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' };
      const { json } = await sendMessage(app, 'tools/list', { _meta: NEWER }, { headers });
      expect(json.result).toMatchObject({ ttlMs: 0, cacheScope: 'private' });
      expect(json.result.nextCursor).toBeUndefined();
    });
  },
  ['SQLite'],
);
