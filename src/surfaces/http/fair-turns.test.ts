import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { setImmediate } from 'node:timers/promises';

import { expect, test } from 'vitest';

import { setLimit } from '../../../test/harness/limits.ts';
import { forEachDatabase } from '../../../test/harness/test-app.ts';

const MANY = 500;
const IN_A_TURN = 50;
const REQUEST = 'GET /health HTTP/1.1\r\nHost: x\r\n\r\n';

forEachDatabase(
  ({ open }) => {
    test('requests of one packet wait for their turn before anything is done for them', async () => {
      setLimit('connectionRequests', MANY);
      const { app } = await open({ env: { PORT: '0' } });
      const address = new URL(await app.listen());
      const { server } = await app.http();
      const answers: ServerResponse[] = [];
      server.on('request', (_request, response) => answers.push(response));
      const socket = connect(Number(address.port), address.hostname);
      const arrived = once(server, 'request');
      socket.write(REQUEST.repeat(MANY));
      await arrived;
      await setImmediate();
      const begunCount = answers.filter((answer) => answer.headersSent || answer.getHeaderNames().length > 0).length;
      socket.destroy();
      expect(answers.length).toBeGreaterThan(2 * IN_A_TURN);
      // The next turn may have begun as well.
      expect(begunCount).toBeLessThanOrEqual(2 * IN_A_TURN);
    });
  },
  ['SQLite'],
);
