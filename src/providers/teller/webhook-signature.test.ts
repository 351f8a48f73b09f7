import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';

import { fakeOutside } from '../../../test/harness/servers/scripted-server.ts';
import type { WebhookEvent, WebhookVerdict } from '../webhook.ts';
import { receiveTellerWebhook } from './webhook-signature.ts';

const BODY =
  '{"id":"wh_sim_1","payload":{"enrollment_id":"enr_sim_1","reason":"disconnected.credentials_invalid"},' +
  '"timestamp":"2025-10-09T08:53:20Z","type":"enrollment.disconnected"}';
const CURRENT = '941febf481b4952933b4ea176ce6a7592d34ba112003f60aeb2174d1e2df86fd';
const PREVIOUS = '94baa21096a99d94cbd49ff11ffbaa5dc8a32f4365e32cd3b16cc5e312643dd3';
const WRONG = '0'.repeat(64);
const SIGNED_AT = 1_760_000_000;

function receive(
  header: unknown,
  {
    body = BODY,
    secret = 'whsec_sim_current',
    seconds = 0,
  }: { body?: string; secret?: string | null; seconds?: number } = {},
): WebhookVerdict {
  const outside = fakeOutside(new Date((SIGNED_AT + seconds) * 1_000).toISOString());
  const headers = header === undefined ? {} : { 'teller-signature': header as string };
  return receiveTellerWebhook({ headers, body: Buffer.from(body) }, secret, outside);
}

describe('a webhook of Teller', () => {
  test('is accepted as the test vectors have it', () => {
    expect(Buffer.byteLength(BODY)).toBe(169);
    const event = { type: 'connection_error', itemId: 'enr_sim_1', failureClass: 'login' };
    expect(receive(`t=${SIGNED_AT},v1=${CURRENT}`)).toMatchObject({
      verdict: 'accepted',
      event: { ...event, code: 'enrollment.disconnected.credentials_invalid', duplicateWindowMs: 86_400_000 },
    });
    expect(receive(`t=${SIGNED_AT},v1=${PREVIOUS}`, { secret: 'whsec_sim_previous' }).verdict).toBe('accepted');
  });

  test('is accepted by any of its signatures and any of two secrets', () => {
    const both = 'whsec_sim_current,whsec_sim_previous';
    expect(receive(`t=${SIGNED_AT},v1=${WRONG},v1=${CURRENT}`).verdict).toBe('accepted');
    expect(receive(`t=${SIGNED_AT},v1=${PREVIOUS}`, { secret: both }).verdict).toBe('accepted');
    expect(receive(`t=${SIGNED_AT}, v1=${CURRENT.toUpperCase()}`, { secret: both }).verdict).toBe('accepted');
  });

  test('is refused if the signature is not right', () => {
    for (const header of [
      undefined,
      '',
      `v1=${CURRENT}`,
      `t=${SIGNED_AT}`,
      `t=${SIGNED_AT},v1=${WRONG}`,
      `t=${SIGNED_AT},v1=${PREVIOUS}`,
      `t=${SIGNED_AT},v1=${CURRENT.slice(2)}`,
      `t=${SIGNED_AT + 1},v1=${CURRENT}`,
      `t=${SIGNED_AT}.0,v1=${CURRENT}`,
      `t=${SIGNED_AT},${`v1=${WRONG},`.repeat(10)}v1=${CURRENT}`,
      [`t=${SIGNED_AT},v1=${CURRENT}`],
    ]) {
      expect([header, receive(header)]).toEqual([header, { verdict: 'rejected', reason: 'signature' }]);
    }
    expect(receive(`t=${SIGNED_AT},v1=${CURRENT}`, { body: `${BODY} ` }).verdict).toBe('rejected');
    for (const secret of [null, '', ','])
      expect(receive(`t=${SIGNED_AT},v1=${CURRENT}`, { secret }).verdict).toBe('rejected');
  });

  test('is refused 181 seconds off either way, because of the clock', () => {
    const header = `t=${SIGNED_AT},v1=${CURRENT}`;
    for (const seconds of [-180, 180]) expect(receive(header, { seconds }).verdict).toBe('accepted');
    for (const seconds of [-181, 181])
      expect(receive(header, { seconds })).toEqual({ verdict: 'rejected', reason: 'clock' });
    const forged = receive(`t=${SIGNED_AT},v1=${WRONG}`, { seconds: 500 });
    expect(forged).toEqual({ verdict: 'rejected', reason: 'signature' });
  });

  test('means what the contract says', () => {
    const read = (body: string): Partial<WebhookEvent> => {
      const hash = createHmac('sha256', 'whsec_sim_current').update(`${SIGNED_AT}.${body}`).digest('hex');
      const said = receive(`t=${SIGNED_AT},v1=${hash}`, { body });
      return said.verdict === 'accepted' ? said.event : {};
    };
    const sent = (type: unknown, payload: unknown): string =>
      JSON.stringify({ id: 'wh', payload, timestamp: 'x', type });
    const rows = [{ account_id: 'acc_1' }, { account_id: 'acc_2' }, { account_id: 'acc_1' }, null];
    expect(read(sent('transactions.processed', { enrollment_id: 'enr_1', transactions: rows }))).toEqual({
      type: 'sync_available',
      isReadable: true,
      itemId: 'enr_1',
      accountIds: ['acc_1', 'acc_2'],
      code: null,
      failureClass: null,
      consentExpiresAt: null,
      duplicateWindowMs: 86_400_000,
    });
    expect(read(sent('transactions.processed', { transactions: rows }))).toMatchObject({
      itemId: null,
      accountIds: ['acc_1', 'acc_2'],
    });
    expect(read(sent('enrollment.disconnected', { enrollment_id: 'e', reason: 'disconnected' })).code).toBe(
      'enrollment.disconnected',
    );
    expect(read(sent('enrollment.disconnected', { reason: 'a b' })).code).toBe('enrollment.disconnected');
    expect(read(sent('webhook.test', {})).type).toBe('test');
    expect(read(sent('account.number_verification.processed', { account_id: 'acc_1' }))).toMatchObject({
      type: 'unknown',
      accountIds: ['acc_1'],
    });
    expect(read(sent(['x'], null)).type).toBe('unknown');
    for (const body of ['', '[]', '7', '{']) expect(read(body)).toMatchObject({ type: 'unknown', isReadable: false });
  });
});
