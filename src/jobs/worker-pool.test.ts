import { connect } from 'node:net';

import { describe, expect, it } from 'vitest';

import { addAccount, addMember, addTransactions } from '../../test/harness/ledger.ts';
import { forEachDatabase, type TestApp } from '../../test/harness/test-app.ts';

const LIST = '/api/v1/transactions';
const ROWS = 600;

async function ledger(app: TestApp): Promise<void> {
  const account = await addAccount(app, await addMember(app, 'Ana'));
  await addTransactions(
    app,
    Array.from({ length: ROWS }, (_value, index) => ({
      account,
      date: '2025-01-01',
      amount_cents: index,
      name: `ROW ${index} ${'x'.repeat(200)}`,
    })),
  );
}

/** Sends a request and leaves after `bytes` of the answer, or at once. */
function leaveEarly(port: number, key: string, bytes: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(`GET ${LIST}?sort=amount HTTP/1.1\r\nhost: localhost\r\nx-api-key: ${key}\r\n\r\n`);
      if (bytes === 0) socket.destroy();
    });
    let seen = 0;
    socket.on('data', (chunk) => {
      seen += chunk.length;
      if (seen >= bytes) socket.destroy();
    });
    socket.on('close', () => resolve());
    socket.on('error', reject);
  });
}

forEachDatabase(({ open }) => {
  describe('a thread', () => {
    it('streams everything sorted by amount, and is free again when readers leave early', async () => {
      const app = await open({ workers: 1, env: { PORT: '0' } });
      await ledger(app);
      const whole = await app.request('GET', LIST, { query: { sort: 'amount' } });
      expect(whole.status).toBe(200);
      expect((whole.json as { transactions: unknown[]; has_more: boolean }).transactions).toHaveLength(ROWS);

      const port = Number(new URL(await app.app.listen()).port);
      for (const bytes of [0, 1, 0, 70_000, 0]) await leaveEarly(port, app.key, bytes);
      // With one thread, any reader that still held it would keep this waiting forever.
      const count = await app.request('GET', `${LIST}/count`);
      expect(count.json).toEqual({ count: ROWS });
    });

    it('answers a heavy request with the same bytes as without threads', async () => {
      const app = await open({ workers: 2 });
      await ledger(app);
      const alone = await app.again({ workers: 0 });
      for (const path of [
        `${LIST}/summary?group_by=month`,
        `${LIST}?search=row%201`,
        `${LIST}/count?include_totals=true`,
      ]) {
        expect((await app.request('GET', path)).text).toBe((await alone.request('GET', path)).text);
      }
      const refused = await app.request('GET', `${LIST}/count?account_id=nope`);
      expect(refused.status).toBe(400);
      expect(refused.text).toContain('account_id');
    });
  });
});
