import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

import { expect, test } from 'vitest';

import { forEachDatabase } from '../../../../test/harness/test-app.ts';
import { LIMITS, MEBIBYTE } from '../../../kernel/limits.ts';

const LENGTH = LIMITS.importBodyBytes;
const PIECE = Buffer.alloc(64 * 1_024, 'x');
/** What a loopback connection holds in its buffers, generously. */
const IN_FLIGHT = 24 * MEBIBYTE;

forEachDatabase(
  ({ open }) => {
    async function dial(): Promise<{ socket: Socket; answers: () => string }> {
      const { app } = await open({ env: { PORT: '0' } });
      const address = new URL(await app.listen());
      const socket = connect(Number(address.port), address.hostname);
      let text = '';
      socket.on('data', (piece: Buffer) => (text += piece.toString('latin1')));
      socket.on('error', () => undefined);
      return { socket, answers: () => text };
    }
    const head = (length: number, key = ''): string =>
      `POST /api/v1/imports HTTP/1.1\r\nHost: x\r\nContent-Type: text/csv\r\n${key}Content-Length: ${length}\r\n\r\n`;

    test.each([
      ['without a key', ''],
      ['with a wrong key', 'X-API-Key: hl_wrong\r\n'],
    ])('the body of a request %s is not read to its end', async (_how, key) => {
      const { socket, answers } = await dial();
      // Being cut off while sending is an error to the sender.
      const closed = new Promise((resolve) => socket.once('close', resolve));
      socket.write(head(LENGTH, key));
      let sent = 0;
      while (sent < LENGTH && !socket.destroyed) {
        sent += PIECE.length;
        if (!socket.write(PIECE)) await Promise.race([once(socket, 'drain').catch(() => undefined), closed]);
      }
      await closed;
      expect(answers()).toMatch(/^HTTP\/1\.1 401 /);
      expect(socket.bytesWritten).toBeLessThan(IN_FLIGHT);
    });

    test('a short body of such a request leaves the connection usable', async () => {
      const { socket, answers } = await dial();
      socket.write(head(PIECE.length));
      socket.write(PIECE);
      socket.write('GET /health/live HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
      await once(socket, 'close');
      expect(answers().match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 401', 'HTTP/1.1 200']);
    });
  },
  ['SQLite'],
);
