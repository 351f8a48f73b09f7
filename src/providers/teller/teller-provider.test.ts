import { createServer, type AddressInfo } from 'node:net';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { startTellerSimulator } from '../../../simulators/teller.ts';
import { PEM, SERVER_PEM } from '../../../test/harness/servers/certificates.ts';
import { fakeOutside, scriptedServer, type ScriptedServer } from '../../../test/harness/servers/scripted-server.ts';
import {
  ACCESS,
  account,
  answerAt,
  refusal,
  tellerAt,
  TOKEN,
  type Routes,
} from '../../../test/harness/banks/teller-answers.ts';
import type { KeyPair } from '../../kernel/certificate.ts';
import { toAccess } from '../access.ts';
import type { Provider } from '../provider.ts';
import { createTeller, type TellerSettings } from './teller-provider.ts';

let server: ScriptedServer;
beforeAll(async () => {
  server = await scriptedServer();
});
afterAll(() => server.close());

const world = (routes: Routes): void => answerAt(server, routes);

const teller = (change: Partial<TellerSettings> = {}): Provider => tellerAt(server.url, change);

const SETTINGS = { applicationId: 'app_1', environment: 'development', webhookSecret: null } as const;

describe('an enrollment of Teller', () => {
  test('is opened in the browser, without a call', async () => {
    server.script({ status: 500 });
    const link = { memberId: 'm', renewing: null };
    const session = { provider: 'teller', expiration: null, application_id: 'app_1', environment: 'sandbox' };
    expect(await teller().createLinkSession(link)).toEqual({ ...session, link_token: 'app_1', enrollment_id: null });
    expect(await teller().createLinkSession({ ...link, renewing: ACCESS })).toEqual({
      ...session,
      link_token: 'enr_1',
      enrollment_id: 'enr_1',
    });
    expect(await teller().exchange({ access_token: TOKEN, enrollment_id: 'enr_1' })).toEqual(ACCESS);
    expect(server.requests).toEqual([]);
  });

  test('shows whose accounts a token really opens', async () => {
    world({ '/accounts': { json: [account('acc_1'), account('acc_2')] } });
    expect((await teller().readItem(ACCESS)).item.id).toBe('enr_1');
    world({ '/accounts': { json: [account('acc_1'), account('acc_2', { enrollment_id: 'enr_2' })] } });
    expect((await teller().readItem(ACCESS)).item.id).toBe('enr_2');
    world({ '/accounts': { json: [account('acc_1', { enrollment_id: null })] } });
    expect((await teller().readItem(ACCESS)).item.id).not.toBe('enr_1');
  });

  test('works again only with proof', async () => {
    const sent = { enrollment_id: 'enr_1', access_token: 'test_token_2' };
    const own = { json: [account('acc_1')] };
    for (const [answer, handed, proof] of [
      [own, {}, ACCESS],
      [own, sent, toAccess('enr_1', 'test_token_2')],
      [own, { ...sent, enrollment_id: 'enr_2' }, null],
      [{ json: [account('acc_1', { enrollment_id: 'enr_2' })] }, sent, null],
      [{ json: [] }, sent, null],
      [{ json: [] }, {}, ACCESS],
      [refusal(403, 'forbidden'), sent, null],
      [refusal(404, 'enrollment.disconnected'), {}, null],
    ] as const) {
      world({ '/accounts': answer });
      expect(await teller().proveLogin(ACCESS, handed)).toEqual(proof);
    }
    world({ '/accounts': refusal(502, 'bank_down') });
    await expect(teller().proveLogin(ACCESS, {})).rejects.toMatchObject({ failureClass: 'transient' });
  });

  test('is ended by one request', async () => {
    for (const answer of [{ status: 204 }, refusal(403, 'forbidden'), refusal(404, 'enrollment.disconnected')]) {
      server.script(answer);
      await teller().revoke(ACCESS);
      expect(server.requests.map(({ method, path }) => [method, path])).toEqual([['DELETE', '/accounts']]);
    }
    server.script(refusal(400, 'bad_request'));
    await expect(teller().revoke(ACCESS)).rejects.toMatchObject({ code: 'CERTIFICATE_REJECTED' });
  });
});

describe('the credentials of Teller', () => {
  test('are tested as a user that does not exist', async () => {
    for (const [answer, ok, said] of [
      [refusal(401, 'x'), true, 'asks for no certificate'],
      [refusal(403, 'forbidden'), true, 'asks for no certificate'],
      [refusal(400, 'bad_request'), false, 'refuses the certificate'],
      [refusal(500, 'x'), false, 'status 500'],
      [{ json: [] }, false, 'status 200'],
      ['drop', false, 'cannot be reached'],
    ] as const) {
      server.script(answer);
      expect(await teller().test()).toMatchObject({ ok, message: expect.stringContaining(said) });
      expect(server.requests.map(({ method, path }) => [method, path])).toEqual([['GET', '/accounts']]);
      const user = Buffer.from('homeledger_probe:').toString('base64');
      expect(server.requests[0]?.headers.authorization).toBe(`Basic ${user}`);
    }
  });

  test('fail without a call if the certificate cannot be used', async () => {
    server.script({ status: 500 });
    const { certificate, privateKey, expired, otherKey } = PEM;
    for (const [keyPair, said] of [
      [{ certificate, privateKey: otherKey }, 'must belong to the certificate'],
      [{ certificate: expired, privateKey }, 'must not have expired'],
      [{ certificate: 'x', privateKey }, 'must be a certificate'],
    ] as const) {
      const { ok, message } = await teller({ keyPair }).test();
      if (said === 'must not have expired') expect(message).not.toContain('BEGIN');
      expect([ok, message]).toEqual([false, expect.stringMatching(/^The (certificate|private key) of Teller must /)]);
    }
    expect(server.requests).toEqual([]);
  });

  test('are a certificate that is shown over TLS, in every call', async () => {
    const { certificate, privateKey } = PEM;
    const wrong = { certificate: SERVER_PEM.certificate, privateKey: SERVER_PEM.privateKey };
    const tls = { ...SERVER_PEM, clientCertificate: certificate };
    const { url, control, ...simulator } = await startTellerSimulator({ tls, requireCertificate: true });
    const { access_token: token, enrollment_id: id } = control.addEnrollment();
    const outside = fakeOutside();
    const open = (keyPair: KeyPair | null, ca: string = SERVER_PEM.certificate): Provider =>
      createTeller({ ...SETTINGS, baseUrl: url, keyPair }, outside, { ca });
    const access = toAccess(id, token);
    const right = open({ certificate, privateKey });
    expect(await right.test()).toEqual({ ok: true, message: 'Teller accepts the certificate (development).' });
    expect((await right.readItem(access)).item.id).toBe(id);
    for (const keyPair of [wrong, null]) {
      const said = await open(keyPair).test();
      expect([said.ok, said.message]).toEqual([false, expect.stringContaining('refuses the certificate')]);
      await expect(open(keyPair).readItem(access)).rejects.toMatchObject({ code: 'CERTIFICATE_REJECTED' });
    }
    expect(outside.pauses).toEqual([]);
    // A server that nobody vouches for is told nothing, and is not our certificate's fault.
    const alone = open({ certificate, privateKey }, PEM.expired).readItem(access);
    await expect(alone).rejects.toMatchObject({ failureClass: 'transient', code: 'NETWORK_ERROR' });
    await right.close?.();
    await simulator.close();
  });

  test('are refused by an alert of TLS as well', async () => {
    const outside = fakeOutside();
    for (const [alert, code] of [
      [40, 'CERTIFICATE_REJECTED'],
      [42, 'CERTIFICATE_REJECTED'],
      [45, 'CERTIFICATE_REJECTED'],
      [46, 'CERTIFICATE_REJECTED'],
      [48, 'CERTIFICATE_REJECTED'],
      [116, 'CERTIFICATE_REJECTED'],
      [80, 'NETWORK_ERROR'],
    ] as const) {
      const refusing = createServer((socket) => {
        socket.on('error', () => undefined);
        // A record of type alert: level fatal, and its number.
        socket.once('data', () => socket.end(Buffer.from([0x15, 3, 3, 0, 2, 2, alert])));
      });
      await new Promise<void>((resolve) => refusing.listen(0, '127.0.0.1', resolve));
      const baseUrl = `https://127.0.0.1:${(refusing.address() as AddressInfo).port}`;
      const client = createTeller({ ...SETTINGS, baseUrl, keyPair: PEM }, outside);
      await expect(client.readItem(toAccess('e', 't'))).rejects.toMatchObject({ code });
      refusing.close();
    }
    expect(outside.pauses).toHaveLength(4);
  });
});
