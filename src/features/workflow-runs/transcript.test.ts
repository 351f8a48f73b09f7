import { expect, test } from 'vitest';

import { answer, call, openWithModel, type Script } from '../../../test/harness/workflows/runs.ts';
import { forEachDatabase } from '../../../test/harness/test-app.ts';
import { readMask } from './known-secrets.ts';

const MIB = 1_048_576;
const PLAID_SECRET = '0f1e2d3c4b5a69788796a5b4c3d2e1';
const MODEL_KEY = 'sk-abcdefghijklmnop';

forEachDatabase((database) => {
  test('a long text is cut, and neither a line nor a request holds a key or a password', async () => {
    const { app, model, play } = await openWithModel(database, {
      env: { PLAID_CLIENT_ID: '64f0a1b2c3d4e5f6a7b89f3c', PLAID_SECRET },
    });
    const settings = {
      provider: 'openai_compatible',
      model: 'm',
      base_url: 'http://127.0.0.1:9/v1',
      api_key: MODEL_KEY,
    };
    const stored = await app.request('PATCH', '/api/v1/workflows/settings', { body: settings });
    expect(stored.status, stored.text).toBe(200);
    const secrets = [PLAID_SECRET, MODEL_KEY, app.key];
    const said = `I know ${secrets.join(' and ')}.`;
    const { row, lines } = await play(
      [
        { text: said, toolCalls: [call('query_transactions', { [said]: { deep: [said] } })] },
        { text: `${'é'.repeat(40_000)}${said}` },
      ],
      { prompt: said, systemPrompt: said },
    );
    expect(row.status).toBe('success');
    const heard = model.requests.map(({ system, messages }) => [
      system,
      messages.filter(({ role }) => role !== 'assistant'),
    ]);
    const stories = JSON.stringify([lines, row.result_text, heard]);
    expect(secrets.filter((secret) => stories.includes(secret))).toEqual([]);
    expect(lines[1]?.data.text).toBe('I know [redacted] and [redacted] and [redacted].');
    const last: string = lines.findLast(({ type }) => type === 'assistant_message')?.data.text;
    expect(Buffer.byteLength(last)).toBeLessThan(65_536 + 100);
    expect(last).toMatch(/^é{32768}…\[truncated \d+ characters\]$/);
    expect(row.result_text).toHaveLength(10_000);
  });

  test('the password of the database is taken out however it is written in the address', async () => {
    const { instance } = (await database.open()).app;
    for (const password of ['open%sesame', 'open%25sesame', 'open%C3%A4%sesame']) {
      const config = { ...instance.config, databaseUrl: `postgres://ada:${password}@db/ledger` };
      const mask = await instance.database.read((tx) => readMask(tx, { ...instance, config }));
      expect(mask('It is open%sesame, or openä%sesame.')).toContain('[redacted]');
    }
  });
});

forEachDatabase(
  (database) => {
    test('a transcript stops growing at 20 MiB, and still ends with its result', async () => {
      const { play } = await openWithModel(database);
      const text = 'x'.repeat(65_536);
      const calls = Array.from({ length: 90 }, () =>
        call('get_transaction', { transaction_id: text, a: text, b: text }),
      );
      const talks: Script = async () =>
        answer({ text, toolCalls: [...calls.slice(0, 5), call('get_overview'), ...calls.slice(5, 9)] });
      const { row, lines } = await play([talks], { caps: { maxTurns: 20 } });
      expect(row).toMatchObject({
        status: 'success',
        hit_cap: 'max_turns',
        turn_count: 20,
        transcript_lines: lines.length,
      });
      expect(lines.map(({ seq }) => seq)).toEqual(lines.map((_, index) => index + 1));
      expect(lines.slice(-2)).toMatchObject([
        { type: 'system', data: { truncated: true } },
        { type: 'result', data: { turn_count: 20 } },
      ]);
      const size = lines.reduce((sum, { data }) => sum + JSON.stringify(data).length, 0);
      expect(size).toBeLessThan(20 * MIB + 1_000);
      expect(size).toBeGreaterThan(19 * MIB);
    });
  },
  ['SQLite'],
);
