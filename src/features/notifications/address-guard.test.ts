import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { PEM } from '../../../test/harness/servers/certificates.ts';
import { allowPrivateNetworks, deliveries, sendDue, tell } from '../../../test/harness/servers/notifications.ts';
import { scriptedServer, type ScriptedServer } from '../../../test/harness/servers/scripted-server.ts';
import { forEachDatabase } from '../../../test/harness/test-app.ts';
import { postChecked } from '../../providers/checked-request.ts';
import { findReachable, judgeAddresses } from './address-guard.ts';

const PUBLIC = '93.184.216.34';
const CHANNELS = '/api/v1/notification-channels';

/** Spellings of refused addresses, with what allows each. */
const PRIVATE = [
  'http://127.0.0.1/',
  'http://127.1/',
  'http://2130706433/',
  'http://0x7f000001/',
  'http://0177.0.0.1/',
  'http://127.0.0.1./',
  'http://0/',
  'https://10.0.0.1/',
  'http://192.168.1.1:8080/',
  'http://[::1]/',
  'http://[::]/',
  'http://[::ffff:127.0.0.1]/',
  'http://[0:0:0:0:0:ffff:7f00:1]/',
  'http://[64:ff9b::127.0.0.1]/',
  'http://[fd12::1]/',
  'http://[ff02::1]/',
  'http://①②⑦.⓪.⓪.①/',
];
const NEVER = [
  'http://169.254.169.254/',
  'http://0xa9fea9fe/',
  'http://2852039166/',
  'http://[::ffff:169.254.169.254]/',
  'http://[fe80::1]/',
  'http://[fd00:ec2::254]/',
  'http://100.100.100.200/',
];

async function kindOf(url: string, allowsPrivate: boolean): Promise<string> {
  const resolve = async () => {
    throw new Error('An address needs no resolver.');
  };
  return (await findReachable(new URL(url), { resolve, allowsPrivate })).kind;
}

describe('an address', () => {
  test('of this machine or network is refused in every spelling unless it is allowed', async () => {
    for (const url of PRIVATE) {
      expect([url, await kindOf(url, false), await kindOf(url, true)]).toEqual([url, 'refused', 'addresses']);
    }
  });

  test('that is link-local or of cloud metadata is always refused', async () => {
    for (const url of NEVER) {
      expect([url, await kindOf(url, false), await kindOf(url, true)]).toEqual([url, 'refused', 'refused']);
    }
    expect(await kindOf(`https://${PUBLIC}/`, false)).toBe('addresses');
  });

  test('of a name counts as a whole on the internet, and without the link-local ones at home', () => {
    expect(judgeAddresses([PUBLIC, '10.0.0.1'], false)).toMatchObject({ kind: 'refused' });
    expect(judgeAddresses([PUBLIC, '2606:4700::1'], false)).toEqual({
      kind: 'addresses',
      addresses: [PUBLIC, '2606:4700::1'],
    });
    expect(judgeAddresses(['192.168.1.5', 'fe80::5'], true)).toEqual({ kind: 'addresses', addresses: ['192.168.1.5'] });
    expect(judgeAddresses(['169.254.169.254', 'fe80::5'], true)).toMatchObject({ kind: 'refused' });
    expect(judgeAddresses([], false)).toEqual({ kind: 'unknown' });
  });
});

let receiver: ScriptedServer;
beforeAll(async () => {
  receiver = await scriptedServer();
});
afterAll(() => receiver.close());

forEachDatabase((database) => {
  test('a refused address is refused when it is entered, and again at each attempt', async () => {
    let answers: readonly string[] | Error = ['10.1.2.3'];
    const resolveHost = async (name: string) => {
      expect(name).toBe('box.example');
      if (answers instanceof Error) throw answers;
      return answers;
    };
    const app = await database.open({ resolveHost });
    const port = new URL(receiver.url).port;
    const body = { name: 'Box', format: 'webhook', url: `http://box.example:${port}/hook` };
    const enter = async (url = body.url) => app.request('POST', CHANNELS, { body: { ...body, url } });
    for (const url of [body.url, 'http://127.0.0.1/', 'http://[::1]/', 'http://169.254.169.254/latest']) {
      const { status, json } = await enter(url);
      expect([status, json.error.code, json.error.details[0].path]).toEqual([400, 'VALIDATION_ERROR', 'url']);
      expect(json.error.message).toContain('allow_private_networks');
    }
    answers = new Error('ENOTFOUND');
    const channel = await enter();
    expect(channel.status).toBe(201);
    const path = `${CHANNELS}/${channel.json.id}`;
    receiver.script({ status: 200 });
    expect((await app.request('POST', `${path}/test`)).json.detail).toBe(
      'The server’s name does not resolve to an address.',
    );
    // The name leads elsewhere since it was entered.
    answers = ['127.0.0.1'];
    await tell(app);
    await sendDue(app);
    const [refused] = await deliveries(app);
    expect(refused).toMatchObject({ status: 'failed', attempts: 1, status_code: null });
    expect(refused.detail).toMatch(/^The address leads to .* turn on allow_private_networks/);
    expect(refused.detail.length).toBeLessThanOrEqual(200);
    expect(receiver.requests).toEqual([]);
    const move = { body: { url: 'http://192.168.1.9/' } };
    expect((await app.request('PATCH', path, move)).status).toBe(400);

    await allowPrivateNetworks(app);
    expect((await app.request('POST', `${path}/test`)).json).toMatchObject({ ok: true, status_code: 200 });
    expect(receiver.requests[0]?.headers.host).toBe(`box.example:${port}`);
    answers = ['169.254.169.254'];
    expect((await app.request('POST', `${path}/test`)).json).toMatchObject({ ok: false, status_code: null });
    expect((await enter('http://169.254.169.254/')).status).toBe(400);
    expect(receiver.requests).toHaveLength(1);
  });
});

describe('a request', () => {
  const asked = { headers: {}, body: 'x', answerBytes: 1_000, now: () => 0, signal: AbortSignal.timeout(10_000) };

  test('goes to a checked address only, and ends where the answer is too long', async () => {
    const { port } = new URL(receiver.url);
    receiver.script({ text: 'x'.repeat(1_000_000) });
    const url = new URL(`http://nobody.invalid:${port}/p?q=1`);
    expect(await postChecked({ ...asked, url, addresses: ['127.0.0.1'] })).toEqual({ status: 200, retryAfterMs: null });
    expect(receiver.requests[0]?.path).toBe('/p?q=1');
    expect(await postChecked({ ...asked, url, addresses: [] })).toEqual({ breakdown: 'unsent' });
  });

  test('over https needs the certificate of its name', async () => {
    const server = createServer({ key: PEM.privateKey, cert: PEM.certificate }, (_request, response) => response.end());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = new URL(`https://localhost:${(server.address() as AddressInfo).port}/`);
    const addresses = ['127.0.0.1'];
    expect(await postChecked({ ...asked, url, addresses })).toEqual({ breakdown: 'untrusted' });
    server.close();
  });
});
