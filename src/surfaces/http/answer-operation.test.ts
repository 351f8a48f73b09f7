import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { connect, type AddressInfo } from 'node:net';

import { expect, onTestFinished, test } from 'vitest';

import { abandonmentOf } from './answer-operation.ts';

test.each([
  ['a client that goes away before its answer', false, 1],
  ['one that has its answer', true, 0],
])('%s is noticed as such', async (_who, isAnswered, expected) => {
  const server = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  const [, response] = (await once(server, 'request')) as [unknown, ServerResponse];
  const abandoned = abandonmentOf(response);
  expect(Atomics.load(abandoned, 0)).toBe(0);
  const closed = once(response, 'close');
  if (isAnswered) {
    response.end('there');
    await once(client, 'data');
  }
  client.destroy();
  await closed;
  expect(Atomics.load(abandoned, 0)).toBe(expected);
});
