import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';

import { expect, onTestFinished, test } from 'vitest';

import { eventually } from '../../../test/harness/eventually.ts';
import { addAccount, addMember, addTransactions } from '../../../test/harness/ledger.ts';
import { setLimit } from '../../../test/harness/limits.ts';
import { forEachDatabase, type TestApp } from '../../../test/harness/test-app.ts';
import { LIMITS } from '../../kernel/limits.ts';

const ROWS = 300;
const MANY = 200;
const QUIET_MS = 100;

forEachDatabase(
  ({ open }) => {
    async function household(): Promise<{ app: TestApp; responses: ServerResponse[]; socket: Socket }> {
      const app = await open();
      const account = await addAccount(app, await addMember(app, 'Ana'));
      const row = { account, date: '2026-04-20', amount_cents: 450, name: 'Café '.repeat(60) };
      await addTransactions(
        app,
        Array.from({ length: ROWS }, () => row),
      );
      const address = new URL(await app.app.listen());
      const { server } = await app.app.http();
      const responses: ServerResponse[] = [];
      server.on('request', (_request, response) => responses.push(response));
      const socket = connect(Number(address.port), address.hostname);
      onTestFinished(() => void socket.destroy());
      return { app, responses, socket };
    }
    const asks = (app: TestApp, path: string, count: number): string =>
      `GET ${path} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${app.key}\r\n\r\n`.repeat(count);

    test('of thousands of requests on a connection that reads nothing, few are answered in advance', async () => {
      const { app, responses, socket } = await household();
      socket.pause();
      socket.write(asks(app, '/api/v1/transactions?limit=300', MANY));
      const lying = (): number => responses.filter((one) => one.writableEnded && !one.writableFinished).length;
      await eventually(() => expect(lying()).toBe(LIMITS.connectionRequests));
      await setTimeout(QUIET_MS);
      expect(lying()).toBe(LIMITS.connectionRequests);
      expect(responses.length).toBeGreaterThan(3 * LIMITS.connectionRequests);
      let [text, answered] = ['', 0];
      socket.on('data', (data) => {
        text = text.slice(-20) + data.toString('latin1');
        answered += text.split('HTTP/1.1 200').length - 1;
        if (text.includes('HTTP/1.1 200')) text = '';
      });
      socket.resume();
      await eventually(() => expect(answered).toBe(MANY));
    });

    test('what a lost connection still waits for is not begun', async () => {
      const { app, responses, socket } = await household();
      socket.pause();
      socket.write(asks(app, '/api/v1/transactions?limit=300', MANY));
      const begun = (): number => responses.filter((one) => one.getHeaderNames().length > 0).length;
      await eventually(() => expect(begun()).toBeGreaterThanOrEqual(LIMITS.connectionRequests));
      socket.destroy();
      await eventually(() => expect(responses.every(({ destroyed }) => destroyed)).toBe(true));
      expect(begun()).toBeLessThan(MANY);
      await app.close();
    });

    test('a connection on which far too many requests wait is closed', async () => {
      setLimit('connectionRequestsWaiting', 50);
      const { app, socket } = await household();
      socket.pause();
      socket.write(asks(app, '/api/v1/transactions?limit=300', MANY));
      socket.on('error', () => undefined);
      socket.resume();
      await once(socket, 'close');
    });
  },
  ['SQLite'],
);
