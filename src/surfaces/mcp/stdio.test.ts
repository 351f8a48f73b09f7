import { chmod, mkdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as OlderClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as OlderTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';

import { CLIENT, type Connected } from '../../../test/harness/agents/agent-clients.ts';
import { runCommand } from '../../../test/harness/programs/command-line.ts';
import { freePort } from '../../../test/harness/servers/free-port.ts';
import { startProgram } from '../../../test/harness/programs/program.ts';
import { forEachDatabase, type TestApp } from '../../../test/harness/test-app.ts';

const PROGRAM = join(import.meta.dirname, '../../start.js');

interface Start {
  words?: readonly string[];
  env?: Readonly<Record<string, string>>;
}

forEachDatabase(
  (database) => {
    let app: TestApp;
    let url: string;
    beforeAll(async () => {
      app = await database.open({ env: { PORT: '0' } });
      url = await app.app.listen();
      await app.request('POST', '/api/v1/tags', { body: { name: 'Old' } });
    });

    const LINES: readonly [string, (start: Start) => Promise<Connected>][] = [
      [
        '2026-07-28',
        async (start) => {
          const client = new Client(CLIENT, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
          await client.connect(new StdioClientTransport(commandOf(start)));
          return client;
        },
      ],
      [
        '2025-11-25',
        async (start) => {
          const client = new OlderClient(CLIENT);
          await client.connect(new OlderTransport(commandOf(start)));
          return client as unknown as Connected;
        },
      ],
    ];
    const connect = LINES[0]?.[1] as (start: Start) => Promise<Connected>;

    function environment(env: Readonly<Record<string, string>> = {}): Record<string, string> {
      return { ...app.env, NODE_COMPILE_CACHE: join(inject('temporaryRoot'), 'compiled'), ...env };
    }
    function commandOf({ words = [], env }: Start) {
      return {
        command: process.execPath,
        args: [PROGRAM, 'mcp', ...words],
        env: environment(env),
        stderr: 'ignore' as const,
      };
    }
    async function started(start: Start, how = connect): Promise<Connected> {
      const client = await how(start);
      onTestFinished(() => client.close());
      return client;
    }
    async function namesOf(client: Connected): Promise<string[]> {
      return (await client.listTools()).tools.map(({ name }) => name);
    }

    describe('on this installation, beside a running server', () => {
      test.each(LINES)('a client of %s reads, and sees nothing that writes', async (_line, how) => {
        const client = await started({}, how);
        const names = await namesOf(client);
        expect(names).toContain('list_tags');
        expect(names).not.toContain('delete_tag');
        const { structuredContent: tags } = await client.callTool({ name: 'list_tags', arguments: {} });
        expect(tags).toMatchObject({ tags: [{ slug: 'needs-review' }, { slug: 'old' }] });
        const refused = await client.callTool({ name: 'delete_tag', arguments: { slug: 'old' } });
        expect(refused).toMatchObject({ isError: true, structuredContent: { error: { code: 'FORBIDDEN' } } });
      });

      test('with full access it writes, under the name of the client', async () => {
        const client = await started({ words: ['--scope', 'full_access'] });
        await client.callTool({ name: 'save_tag', arguments: { slug: 'by-stdio', reason: 'A try' } });
        const { json } = await app.request('GET', '/api/v1/change-sets', { query: { limit: 1 } });
        const actor = { actor_type: 'agent', actor_id: null, actor_name: CLIENT.name };
        expect(json.change_sets[0]).toMatchObject({ ...actor, surface: 'mcp', reason: 'A try' });
        const calls = await app.request('GET', '/api/v1/mcp-calls', { query: { transport: 'stdio', limit: 1 } });
        expect(calls.json.mcp_calls[0]).toMatchObject({ tool: 'save_tag', api_key_id: null, client_name: CLIENT.name });
      });

      test('without a key, its name says whose a proposal is', async () => {
        const [desk, phone] = await Promise.all(
          ['Desk', 'Phone'].map(async (name) => started({ words: ['--scope', 'propose', '--name', name] })),
        );
        const save = async (client: Connected | undefined, slug: string, more = {}) =>
          client?.callTool({ name: 'save_tag', arguments: { slug, ...more } });
        const made = (await save(desk, 'one'))?.structuredContent as { proposal_id: string };
        const { proposal_id } = made;
        expect(await save(desk, 'two', { proposal_id })).toMatchObject({
          structuredContent: { proposal_id, plan: { change_count: 2 } },
        });
        expect(await save(phone, 'three', { proposal_id })).toMatchObject({
          structuredContent: { error: { code: 'FORBIDDEN' } },
        });
      });

      test('a key decides what it may do, and --scope takes from that', async () => {
        const env = { HOMELEDGER_API_KEY: app.key };
        const names = await namesOf(await started({ env, words: ['--scope=propose'] }));
        expect(names).toContain('preview_rule');
        expect(names).not.toContain('revert_import');
      });

      test.each([
        ['a scope that does not exist', 'mcp --scope full-access', 2],
        ['a flag that does not exist', 'mcp --write', 2],
        ['a scope for another host', 'mcp --host home --scope read_only', 2],
        ['a host that nobody knows', 'mcp --host nowhere', 2],
        ['a wrong key', 'mcp', 3],
        ['a key that the server refuses', 'mcp --host', 3],
      ])('%s ends it before anything is said', async (what, words, code) => {
        const {
          code: ended,
          out,
          err,
        } = await runCommand(words, {
          ...app.env,
          HOMELEDGER_CONFIG_DIR: join(inject('temporaryRoot'), 'no-hosts'),
          ...(code === 3 ? { HOMELEDGER_API_KEY: `hl_${'x'.repeat(43)}` } : {}),
          ...(what.endsWith('refuses') ? { HOMELEDGER_URL: url } : {}),
        });
        expect([ended, out]).toEqual([code, '']);
        expect(err).toMatch(code === 3 ? /^error: INVALID_API_KEY: The API key is not valid\.\n$/ : /^error: /);
      });

      test('a call that runs when the input ends is finished and answered; what cannot be read is answered too', async () => {
        const lines = [
          'not json',
          `"${'x'.repeat(2_000_000)}"`,
          '[]',
          '{"jsonrpc":"2.0","id":null,"method":"ping"}',
          '{"jsonrpc":"2.0","id":5,"method":"tools/call","params":[]}',
          JSON.stringify({
            jsonrpc: '2.0',
            id: 7,
            method: 'initialize',
            params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: CLIENT },
          }),
          JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }),
          JSON.stringify({
            jsonrpc: '2.0',
            id: 8,
            method: 'tools/call',
            params: { name: 'save_tag', arguments: { slug: 'last' } },
          }),
        ];
        const program = startProgram(['src/start.js', 'mcp', '--scope', 'full_access', '--name', 'Script'], {
          env: environment(),
          input: lines.join('\n'),
        });
        expect(await program.ended).toEqual({ code: 0, signal: null });
        const answers = program
          .out()
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line) as Record<string, unknown>);
        expect(answers).toMatchObject([
          { id: null, error: { code: -32_700 } },
          { id: null, error: { code: -32_600 } },
          { id: null, error: { code: -32_600 } },
          { id: null, error: { code: -32_600 } },
          { id: 5, error: { code: -32_600 } },
          { id: 7, result: { serverInfo: { name: 'homeledger' } } },
          { id: 8, result: { structuredContent: { created: true } } },
        ]);
        expect((await app.request('GET', '/api/v1/tags/last')).status).toBe(200);
      });
    });

    describe('passed on to another server', () => {
      async function hostsFile(text: string): Promise<Record<string, string>> {
        const folder = join(inject('temporaryRoot'), `hosts-${process.hrtime.bigint()}`);
        await mkdir(folder, { recursive: true });
        await writeFile(join(folder, 'hosts.toml'), text);
        await chmod(join(folder, 'hosts.toml'), 0o644);
        return { HOMELEDGER_CONFIG_DIR: folder, HOMELEDGER_DATA_DIR: join(folder, 'no-data') };
      }

      test.each(LINES)('a client of %s has the rights of the stored key', async (_line, how) => {
        const env = await hostsFile(`[hosts.home]\nbase_url = "${url}"\ntoken = "${app.readOnlyKey}"\n`);
        const client = await started({ words: ['--host'], env }, how);
        expect(client.getInstructions()).toMatch(/^Homeledger holds/);
        expect(await namesOf(client)).not.toContain('delete_tag');
        expect((await client.callTool({ name: 'list_tags', arguments: {} })).isError).toBeUndefined();
        await expect(client.callTool({ name: 'no_such_tool', arguments: {} })).rejects.toMatchObject({ code: -32_602 });
        const { json } = await app.request('GET', '/api/v1/mcp-calls', { query: { transport: 'http' } });
        expect(json.mcp_calls[0]).toMatchObject({ tool: 'list_tags', transport: 'http', client_name: CLIENT.name });
        expect((await stat(join(env['HOMELEDGER_CONFIG_DIR'] as string, 'hosts.toml'))).mode & 0o777).toBe(0o600);
      });

      test('while the server is away each call says so, and goes on when it is back', async () => {
        const port = await freePort();
        const later = { HOMELEDGER_URL: `http://127.0.0.1:${port}`, HOMELEDGER_API_KEY: app.key };
        const client = await started({ words: ['--host'], env: later });
        const away = await client.callTool({ name: 'list_tags', arguments: {} });
        expect(away).toMatchObject({ isError: true, structuredContent: { error: { code: 'UNAVAILABLE' } } });
        await expect(client.listTools()).rejects.toThrow(/UNAVAILABLE/);
        const second = await app.again({ env: { PORT: String(port) } });
        await second.app.listen();
        expect((await client.callTool({ name: 'list_tags', arguments: {} })).isError).toBeUndefined();
      });
    });
  },
  ['SQLite'],
);
