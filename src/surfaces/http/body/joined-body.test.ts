import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate } from 'node:timers/promises';

import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { JoinedBodyRequest } from './joined-body.ts';

/** Answers with the body, and says how many pieces it came in. */
const server = createServer({ IncomingMessage: JoinedBodyRequest }, (incoming, answer) => {
  const pieces: Buffer[] = [];
  incoming.on('data', (piece: Buffer) => pieces.push(piece));
  incoming.on('end', () => answer.setHeader('x-pieces', pieces.length).end(Buffer.concat(pieces)));
});
let port: number;

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  ({ port } = server.address() as AddressInfo);
});

afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
});

/** The chunks in writes of several at a time, so that some arrive together and some alone. */
async function send(writes: readonly (readonly Buffer[])[]): Promise<{ body: Buffer; pieces: number }> {
  const sent = request({ port, host: '127.0.0.1', method: 'POST' });
  for (const chunks of writes) {
    sent.cork();
    for (const chunk of chunks) sent.write(chunk);
    sent.uncork();
    await setImmediate();
  }
  sent.end();
  const [answer] = (await once(sent, 'response')) as [AsyncIterable<Buffer> & { headers: Record<string, string> }];
  const pieces: Buffer[] = [];
  for await (const piece of answer) pieces.push(piece);
  return { body: Buffer.concat(pieces), pieces: Number(answer.headers['x-pieces']) };
}

test('a body arrives whole and in order, however it is cut', async () => {
  const chunk = fc.oneof(
    fc.uint8Array({ minLength: 1, maxLength: 3 }),
    fc.uint8Array({ minLength: 1_000, maxLength: 1_100 }),
  );
  const writes = fc.array(fc.array(chunk, { minLength: 1, maxLength: 100 }), { maxLength: 6 });
  const property = fc.asyncProperty(writes, async (cut) => {
    const chunks = cut.map((some) => some.map((bytes) => Buffer.from(bytes)));
    expect((await send(chunks)).body.equals(Buffer.concat(chunks.flat()))).toBe(true);
  });
  await fc.assert(property, { numRuns: 100 });
});

test('chunks of one byte that arrive together are one piece', async () => {
  const chunks = Array.from({ length: 5_000 }, (_, i) => Buffer.from([i % 256]));
  const { body, pieces } = await send([chunks]);
  expect(body.equals(Buffer.concat(chunks))).toBe(true);
  expect(pieces).toBeLessThan(50);
});

test('a connection is used again after a body in many pieces', async () => {
  const chunks = Array.from({ length: 200 }, () => Buffer.from('a'));
  for (let i = 0; i < 3; i++) expect((await send([chunks])).body.length).toBe(200);
});
