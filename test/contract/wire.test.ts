import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

import { beforeAll, describe, expect, test } from 'vitest';

import { encodeCursor } from '../../src/kernel/cursor.ts';
import { LIMITS } from '../../src/kernel/limits.ts';
import { forEachDatabase, type TestApp } from '../harness/test-app.ts';

interface Answered {
  status: number;
  head: string;
  code: string | undefined;
}

forEachDatabase((database) => {
  let app: TestApp;
  let port: number;
  beforeAll(async () => {
    app = await database.open({ env: { PORT: '0' } });
    port = Number(new URL(await app.app.listen()).port);
  });

  describe('bytes that no client would send are answered in the envelope', () => {
    const key = (): string => `X-API-Key: ${app.key}`;
    const post = 'POST /api/v1/users HTTP/1.1';
    const json = 'Content-Type: application/json';

    test.each<[string, number, string, () => readonly string[], string?]>([
      ['no Host', 400, 'INVALID_BODY', () => ['GET /health HTTP/1.1']],
      ['no Host, with a key', 400, 'INVALID_BODY', () => ['GET /api/v1/users HTTP/1.1', key()]],
      ['two Hosts', 400, 'INVALID_BODY', () => ['GET /health HTTP/1.1', 'Host: x', 'Host: y']],
      ['an unknown expectation', 417, 'EXPECTATION_FAILED', () => ['GET /health HTTP/1.1', 'Host: x', 'Expect: tea']],
      [
        'one on a write',
        417,
        'EXPECTATION_FAILED',
        () => [post, 'Host: x', key(), json, 'Expect: 200-ok', 'Content-Length: 2'],
        '{}',
      ],
      ['an unknown method', 400, 'INVALID_BODY', () => ['BREW /health HTTP/1.1', 'Host: x']],
      ['CONNECT', 405, 'METHOD_NOT_ALLOWED', () => ['CONNECT example.org:443 HTTP/1.1', 'Host: example.org']],
      ['another protocol', 400, 'INVALID_BODY', () => ['PRI * HTTP/2.0', '', 'SM']],
      [
        'an upgrade of a path that is not there',
        404,
        'NOT_FOUND',
        () => ['GET /socket HTTP/1.1', 'Host: x', 'Connection: Upgrade', 'Upgrade: websocket'],
      ],
      ['HTTP/1.0 at a path that is not there', 404, 'NOT_FOUND', () => ['GET /nothing HTTP/1.0']],
      ['a negative length', 400, 'INVALID_BODY', () => [post, 'Host: x', key(), 'Content-Length: -1']],
      ['two lengths', 400, 'INVALID_BODY', () => [post, 'Host: x', key(), 'Content-Length: 1', 'Content-Length: 2']],
      [
        'length and chunks',
        400,
        'INVALID_BODY',
        () => [post, 'Host: x', key(), 'Content-Length: 1', 'Transfer-Encoding: chunked'],
      ],
      [
        'chunks that are none',
        400,
        'INVALID_BODY',
        () => [post, 'Host: x', key(), json, 'Transfer-Encoding: chunked'],
        'zz\r\n',
      ],
      [
        'a transfer encoding that is none',
        400,
        'INVALID_BODY',
        () => [post, 'Host: x', key(), json, 'Transfer-Encoding: tea'],
        '{}',
      ],
      ['a header without a name', 400, 'INVALID_BODY', () => ['GET /health HTTP/1.1', 'Host: x', ': y']],
      [
        'a head that is too large',
        431,
        'HEADERS_TOO_LARGE',
        () => ['GET /health HTTP/1.1', 'Host: x', `X-A: ${'a'.repeat(40_000)}`],
      ],
    ])('%s', async (_name, status, code, lines, body = '') => {
      const answer = await exchange(port, `${lines().join('\r\n')}\r\n\r\n${body}`);
      expect([answer.status, answer.code]).toEqual([status, code]);
      expect(answer.head).toMatch(/content-type: application\/json; charset=utf-8/i);
    });

    test('HTTP/1.0 needs no Host, and 100-continue is what Expect takes', async () => {
      expect((await exchange(port, 'GET /health HTTP/1.0\r\n\r\n')).status).toBe(200);
      const lines = [post, 'Host: x', key(), json, 'Expect: 100-continue', 'Connection: close', 'Content-Length: 14'];
      expect((await exchange(port, `${lines.join('\r\n')}\r\n\r\n{"name":"Ben"}`)).head).toMatch(
        /^HTTP\/1.1 100 .*201 /s,
      );
    });

    test('a request that does not come in time', async () => {
      const { server } = await app.app.http();
      const accepted = once(server, 'connection') as Promise<[Socket]>;
      const answer = exchange(port, 'GET /health HTTP/1.1\r\nHost: x\r\n');
      const [socket] = await accepted;
      // What Node does after a minute.
      server.emit('clientError', Object.assign(new Error('late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket);
      expect(await answer).toMatchObject({ status: 408, code: 'REQUEST_TIMEOUT' });
    });
  });

  test('of a body without a key, the rest is not read after its limit', async () => {
    const { server } = await app.app.http();
    const accepted = once(server, 'connection') as Promise<[Socket]>;
    const length = 64 * LIMITS.refusedBodyBytes;
    const head = `POST /api/v1/users HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${length}`;
    const client = connect(port, '127.0.0.1', () => client.write(`${head}\r\n\r\n`));
    // Whoever is cut off while sending may see that as an error.
    client.on('error', () => undefined);
    const [[socket], [answer]] = (await Promise.all([accepted, once(client, 'data')])) as [[Socket], [Buffer]];
    expect(answer.toString()).toMatch(/^HTTP\/1.1 401 /);
    client.write(Buffer.alloc(length));
    await once(socket, 'close');
    expect(socket.bytesRead).toBeLessThan(2 * LIMITS.refusedBodyBytes);
    client.destroy();
  });

  test('a cursor with characters that no text may contain is malformed in every list', async () => {
    for (const path of ['transactions', 'rules', 'change-sets', 'imports']) {
      // The fingerprint of the list stands in its own cursors; a forged one keeps it.
      const first = await app.request('GET', `/api/v1/${path}?limit=1`);
      const own = first.json.next_cursor as string;
      const mark = own === '' ? '0'.repeat(16) : (JSON.parse(Buffer.from(own, 'base64url').toString()) as string[])[0];
      for (const text of ['\0', 'a\0b', '\ud800']) {
        for (const position of [
          { key: text, id: 'a' },
          { key: '2026-01-01', id: text },
        ]) {
          const cursor = encodeCursor(mark as string, position);
          const answer = await app.request('GET', `/api/v1/${path}?limit=1&cursor=${cursor}`);
          expect([path, answer.status, answer.json.error.code]).toEqual([path, 400, 'INVALID_CURSOR']);
        }
      }
    }
  });

  test('a key in the header Authorization is not accepted, and the message names the right header', async () => {
    const answer = await app.request('GET', '/api/v1/users', {
      key: null,
      headers: { authorization: `Bearer ${app.key}` },
    });
    expect([answer.status, answer.json.error.code]).toEqual([401, 'MISSING_API_KEY']);
    expect(answer.json.error.message).toContain('X-API-Key');
    expect(answer.json.error.message).toContain('Authorization');
    expect(answer.headers['www-authenticate']).toBe('ApiKey realm="homeledger"');
    const both = { headers: { authorization: `Bearer ${app.key}` } };
    expect((await app.request('GET', '/api/v1/users', both)).status).toBe(200);
  });
});

/** Everything that comes back until the server hangs up; our side stays open until then. */
async function exchange(port: number, text: string): Promise<Answered> {
  const received = await new Promise<string>((resolve, reject) => {
    let all = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    socket.on('data', (chunk: Buffer) => {
      all += chunk.toString();
      // An answer that keeps the connection open is whole when its JSON is.
      if (/\r\n\r\n\{.*\}$/s.test(all)) socket.end();
    });
    socket.on('close', () => resolve(all));
    socket.on('error', (error) => (all === '' ? reject(error) : resolve(all)));
  });
  const end = received.lastIndexOf('\r\n\r\n');
  const body = received.slice(end + 4);
  const { error } = (body.startsWith('{') ? JSON.parse(body) : {}) as { error?: { code: string } };
  return { status: Number(received.split(' ')[1]), head: received.slice(0, end), code: error?.code };
}
