import { expect, test } from 'vitest';

import { breakdownOf, failureOf } from './transport-failure.ts';

const coded = (code: string, extra: object = {}): Error => Object.assign(new Error('x'), { code, ...extra });

test('what broke is told from codes, wherever they are', () => {
  const rows: [unknown, string, boolean][] = [
    [coded('ECONNREFUSED'), 'unsent', true],
    [coded('ENOTFOUND'), 'unsent', true],
    [new AggregateError([coded('ECONNREFUSED'), coded('ENETUNREACH')]), 'unsent', true],
    [coded('ECONNREFUSED', { errors: [] }), 'unsent', true],
    [new AggregateError([coded('ECONNREFUSED'), coded('ECONNRESET')]), 'interrupted', false],
    [new TypeError('failed', { cause: coded('ECONNREFUSED') }), 'unsent', true],
    [coded('UND_ERR_CONNECT_TIMEOUT'), 'timeout', true],
    [coded('UND_ERR_BODY_TIMEOUT'), 'timeout', false],
    [new DOMException('x', 'TimeoutError'), 'timeout', false],
    [coded('UND_ERR_RES_EXCEEDED_MAX_SIZE'), 'too_large', false],
    [coded('UND_ERR_SOCKET'), 'interrupted', false],
    [coded('DEPTH_ZERO_SELF_SIGNED_CERT'), 'interrupted', false],
    [coded('ERR_SSL_TLSV1_ALERT_UNKNOWN_CA'), 'certificate', true],
    [coded('ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE'), 'certificate', true],
    [coded('ERR_OSSL_PEM_NO_START_LINE'), 'certificate', true],
    [coded('ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR'), 'interrupted', false],
    ['thrown text', 'interrupted', false],
  ];
  for (const [error, breakdown, isUnsent] of rows) {
    expect([error, breakdownOf(error)]).toEqual([error, { breakdown, isUnsent }]);
  }
});

test('an alert that came before the closing of a socket is what broke', () => {
  const alert = coded('ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED');
  const { breakdown, isUnsent } = breakdownOf(coded('UND_ERR_SOCKET'), [coded('EPIPE'), alert]);
  expect(failureOf(breakdown, isUnsent)).toMatchObject({ failureClass: 'config', code: 'CERTIFICATE_REJECTED' });
  expect(breakdownOf(coded('UND_ERR_SOCKET'), [coded('EPIPE')]).breakdown).toBe('interrupted');
});
