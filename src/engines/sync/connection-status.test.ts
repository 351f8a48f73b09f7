import { describe, expect, test } from 'vitest';

import { seededRandom } from '../../kernel/random.ts';
import {
  applyEvent,
  type ConnectionEvent,
  type ConnectionState,
  type EventContext,
  type Status,
} from './connection-status.ts';
import { syncErrorMessage, type FailureClass } from './sync-errors.ts';

const NOW = '2026-03-02T06:00:00.000Z';
const CONTEXT: EventContext = {
  institutionName: 'First Platypus Bank',
  providerName: 'Plaid',
  pace: { globalIntervalSeconds: 43_200, minIntervalSeconds: null },
  now: NOW,
};

interface Stored extends ConnectionState {
  readonly error_code: string | null;
  readonly error_message: string | null;
  readonly next_sync_at: string | null;
}

function connection(given: Partial<Stored> = {}): Stored {
  return {
    id: '0198c2a0-7d1e-7c55-9a0e-3f6b0d9c1a11',
    status: 'active',
    paused: 0,
    sync_interval_seconds: null,
    consecutive_failures: 0,
    last_sync_at: null,
    last_error_at: null,
    next_sync_at: '2026-03-02T18:00:00.000Z',
    linked_at: '2026-01-01T00:00:00.000Z',
    created_at: '2026-01-01T00:00:00.000Z',
    consent_expires_at: null,
    consent_guessed_at: null,
    consent_announced_at: null,
    error_code: null,
    error_message: null,
    ...given,
  };
}

function failed(failureClass: FailureClass, code = 'CODE'): ConnectionEvent {
  return { kind: 'sync_failed', failureClass, code, notBefore: null };
}

const SUCCEEDED: ConnectionEvent = {
  kind: 'sync_succeeded',
  notAfter: null,
  history: 'complete',
  loginProblem: null,
  consentExpiresAt: undefined,
};
const WITHOUT_LOGIN: ConnectionEvent = { ...SUCCEEDED, loginProblem: { code: 'ITEM_LOGIN_REQUIRED' } };
const REVOKED: ConnectionEvent = {
  kind: 'error_reported',
  failureClass: 'login',
  code: 'USER_PERMISSION_REVOKED',
};
const REPORTED: ConnectionEvent = { kind: 'error_reported', failureClass: 'item', code: 'ITEM_NOT_FOUND' };
const SIGNED_IN: ConnectionEvent = { kind: 'reauthenticated', trigger: 'manual' };
const REPAIRED: ConnectionEvent = { kind: 'reauthenticated', trigger: 'webhook' };
const EVENTS: readonly ConnectionEvent[] = [
  SUCCEEDED,
  WITHOUT_LOGIN,
  failed('transient'),
  failed('rate_limited'),
  failed('config'),
  failed('item'),
  failed('login'),
  { kind: 'sync_interrupted', counts: false },
  { kind: 'sync_interrupted', counts: true },
  REVOKED,
  REPORTED,
  { kind: 'consent_expired' },
  { kind: 'credentials_unreadable' },
  SIGNED_IN,
  REPAIRED,
  { kind: 'linked_again' },
  { kind: 'disconnected' },
];

/** The connection after the events, one after the other. */
function after(events: readonly ConnectionEvent[], from: Partial<Stored> = {}): Stored {
  return events.reduce<Stored>((state, event) => {
    const outcome = applyEvent(state, event, CONTEXT);
    return outcome ? { ...state, ...outcome.changes } : state;
  }, connection(from));
}

describe('the status of a connection', () => {
  test.each(['transient', 'rate_limited', 'config'] as const)(
    'survives two failed syncs of class %s, becomes error with the third, and active with a success',
    (failureClass) => {
      const failure = failed(failureClass);
      expect(after([failure])).toMatchObject({ status: 'active', error_code: 'CODE', consecutive_failures: 1 });
      expect(after([failure, failure])).toMatchObject({ status: 'active', error_code: 'CODE', last_error_at: NOW });
      const broken = after([failure, failure, failure]);
      expect(broken).toMatchObject({ status: 'error', consecutive_failures: 3 });
      expect(broken.next_sync_at).not.toBeNull();
      expect(after([failure, failure, failure, SUCCEEDED])).toMatchObject({
        status: 'active',
        error_code: null,
        error_message: null,
        consecutive_failures: 0,
        last_sync_at: NOW,
        last_error_at: NOW,
      });
    },
  );

  test('changes at once when the login or the item is lost', () => {
    expect(after([failed('login', 'ITEM_LOGIN_REQUIRED')])).toMatchObject({
      status: 'pending_reauth',
      error_code: 'ITEM_LOGIN_REQUIRED',
      consecutive_failures: 1,
      next_sync_at: null,
    });
    expect(after([failed('item', 'ITEM_NOT_FOUND')])).toMatchObject({ status: 'error', consecutive_failures: 1 });
    expect(after([REVOKED])).toMatchObject({ status: 'pending_reauth', consecutive_failures: 0, next_sync_at: null });
    const reported = { status: 'error', consecutive_failures: 0, next_sync_at: connection().next_sync_at };
    expect(after([REPORTED])).toMatchObject(reported);
  });

  test('is pending_reauth after a sync that brought data and the news that the login is lost', () => {
    expect(after([failed('transient'), WITHOUT_LOGIN])).toMatchObject({
      status: 'pending_reauth',
      error_code: 'ITEM_LOGIN_REQUIRED',
      last_sync_at: NOW,
      consecutive_failures: 0,
      next_sync_at: null,
    });
  });

  test('stays pending_reauth whatever syncs and webhooks say, with the error it has', () => {
    const from = after([failed('login', 'ITEM_LOGIN_REQUIRED')]);
    const still = { status: 'pending_reauth', error_code: 'ITEM_LOGIN_REQUIRED', next_sync_at: null };
    expect(after([SUCCEEDED], from)).toMatchObject({ ...still, last_sync_at: NOW, consecutive_failures: 0 });
    expect(after([failed('item')], from)).toMatchObject({ ...still, consecutive_failures: 2 });
    for (const event of [REVOKED, REPORTED, { kind: 'consent_expired' } as const]) {
      expect(after([event], from)).toEqual(from);
    }
  });

  test('is active again after a new login, which asks for a sync', () => {
    for (const status of ['error', 'pending_reauth', 'active'] as const) {
      const from = connection({ status, error_code: 'X', error_message: 'Y', consecutive_failures: 4 });
      for (const [event, request] of [
        [SIGNED_IN, 'manual'],
        [{ kind: 'reauthenticated', trigger: 'cron' }, 'cron'],
        [{ kind: 'linked_again' }, 'initial'],
      ] as const) {
        const outcome = applyEvent(from, event, CONTEXT);
        expect(outcome).toMatchObject({
          request,
          changes: {
            status: 'active',
            error_code: null,
            error_message: null,
            consecutive_failures: 0,
            new_accounts_at: null,
            next_sync_at: NOW,
          },
        });
      }
    }
    const broken = connection({ status: 'pending_reauth', error_code: 'X', consecutive_failures: 2 });
    expect(applyEvent(broken, REPAIRED, CONTEXT)).toMatchObject({ request: 'webhook', changes: { status: 'active' } });
    const working = connection({ error_code: 'X', consecutive_failures: 2 });
    expect(applyEvent(working, REPAIRED, CONTEXT)).toEqual({
      request: 'webhook',
      waiting: 'keep',
      changes: { status: 'active', next_sync_at: NOW },
    });
  });

  test('ends with a disconnect, which forgets errors, consent, schedule and the sync that waits', () => {
    const from = connection({ error_code: 'X', error_message: 'Y', consent_expires_at: '2026-09-01T00:00:00.000Z' });
    expect(applyEvent(from, { kind: 'disconnected' }, CONTEXT)).toEqual({
      request: null,
      waiting: 'drop',
      changes: {
        status: 'disconnected',
        error_code: null,
        error_message: null,
        next_sync_at: null,
        consent_expires_at: null,
        consent_guessed_at: null,
        consent_announced_at: null,
        new_accounts_at: null,
      },
    });
    const ended = connection({ status: 'disconnected', next_sync_at: null });
    for (const event of EVENTS.filter(({ kind }) => kind !== 'linked_again')) {
      expect(applyEvent(ended, event, CONTEXT)).toBeUndefined();
    }
    expect(after([{ kind: 'linked_again' }], ended)).toMatchObject({ status: 'active', next_sync_at: NOW });
  });

  test('keeps a sync that waits, unless the one that ended lost the login and no person asked', () => {
    expect(applyEvent(connection(), failed('login'), CONTEXT)?.waiting).toBe('drop_unless_manual');
    expect(applyEvent(connection(), WITHOUT_LOGIN, CONTEXT)?.waiting).toBe('drop_unless_manual');
    expect(applyEvent(connection({ status: 'pending_reauth' }), SUCCEEDED, CONTEXT)?.waiting).toBe(
      'drop_unless_manual',
    );
    expect(applyEvent(connection(), failed('item'), CONTEXT)?.waiting).toBe('keep');
    expect(applyEvent(connection(), SUCCEEDED, CONTEXT)?.waiting).toBe('keep');
  });

  test('does not suffer from one interrupted sync, which is due at once, and fails with the second in a row', () => {
    const once: ConnectionEvent = { kind: 'sync_interrupted', counts: false };
    expect(after([once])).toEqual(connection({ next_sync_at: NOW }));
    expect(after([once], { paused: 1, next_sync_at: null })).toEqual(connection({ paused: 1, next_sync_at: null }));
    const again = after([{ kind: 'sync_interrupted', counts: true }]);
    expect(again).toMatchObject({ status: 'active', error_code: 'INTERRUPTED', consecutive_failures: 1 });
    expect(Date.parse(again.next_sync_at ?? NOW)).toBeGreaterThanOrEqual(Date.parse(NOW) + 30 * 60_000);
  });

  test('follows the consent: what the provider states counts, a guess is only shown', () => {
    const soon = '2026-03-12T00:00:00.000Z';
    const told = { ...SUCCEEDED, consentExpiresAt: soon } as const;
    expect(after([told])).toMatchObject({ consent_expires_at: soon, consent_guessed_at: null });
    expect(after([told, SUCCEEDED])).toMatchObject({ consent_expires_at: soon });
    expect(after([told, { ...SUCCEEDED, consentExpiresAt: null }])).toMatchObject({ consent_expires_at: null });
    const guessed = { consent_expires_at: soon, consent_guessed_at: NOW };
    expect(after([{ ...SUCCEEDED, consentExpiresAt: null }], guessed)).toMatchObject(guessed);
    expect(after([told], guessed)).toMatchObject({ consent_guessed_at: null });
    expect(after([SIGNED_IN], guessed)).toMatchObject({ consent_expires_at: null });
    const silent = { ...SUCCEEDED, consentExpiresAt: null } as const;
    const announced = { consent_expires_at: soon, consent_announced_at: NOW };
    expect(after([silent, SUCCEEDED], announced)).toMatchObject(announced);
    expect(after([told, silent], announced)).toMatchObject({ consent_expires_at: null });
    expect(after([SIGNED_IN], announced)).toMatchObject({ consent_expires_at: soon });
    expect(after([SIGNED_IN, silent], announced)).toMatchObject({ consent_expires_at: null });
    expect(after([SIGNED_IN], { consent_expires_at: soon })).toMatchObject({ consent_expires_at: soon });
    expect(after([SIGNED_IN], { consent_expires_at: NOW })).toMatchObject({ consent_expires_at: null });
    expect(after([{ kind: 'consent_expired' }])).toMatchObject({
      status: 'pending_reauth',
      error_code: 'CONSENT_EXPIRED',
      error_message: 'Your permission for First Platypus Bank has ended. Renew it by signing in again.',
    });
  });

  test('says what happened in our own words, of the bank if its name is known', () => {
    const message = (event: ConnectionEvent, institutionName: string | null): unknown =>
      applyEvent(connection(), event, { ...CONTEXT, institutionName })?.changes.error_message;
    expect(message(failed('login'), 'Ona')).toBe(
      'Ona wants you to sign in again. Nothing is lost; new transactions arrive after that.',
    );
    expect(message(failed('transient'), null)).toBe(
      'The bank or Plaid cannot be reached. It is tried again by itself; there is nothing to do.',
    );
    expect(message(failed('item'), null)).toBe(
      'Plaid has lost its link to the bank for good. Disconnect and link the bank again; accounts and history are kept.',
    );
    expect(message({ kind: 'credentials_unreadable' }, 'Ona')).toBe(
      'The stored access to Ona cannot be decrypted. Restore the encryption key, or disconnect and link Ona again; accounts and history are kept.',
    );
  });

  test('never breaks its own rules, whatever happens in whatever order', () => {
    const random = seededRandom(30);
    for (let round = 0; round < 300; round += 1) {
      let state = connection({ paused: random.next() < 0.2 ? 1 : 0 });
      for (let step = 0; step < 30; step += 1) {
        const event = EVENTS[Math.floor(random.next() * EVENTS.length)] as ConnectionEvent;
        const next = after([event], state);
        expectLawful(state, event, next);
        state = next;
      }
    }
  });
});

const REVIVING = ['reauthenticated', 'linked_again'];

function expectLawful(before: Stored, event: ConnectionEvent, next: Stored): void {
  const [from, to] = [before.status, next.status] as [Status, Status];
  if (from === 'pending_reauth') expect(to).not.toBe('error');
  if (from === 'pending_reauth' && to === 'active') expect(REVIVING).toContain(event.kind);
  if (from === 'disconnected' && event.kind !== 'linked_again') {
    expect(next).toEqual(before);
    return;
  }
  if (to === 'pending_reauth' || to === 'disconnected' || (next.paused === 1 && next !== before)) {
    expect(next.next_sync_at === null || next.next_sync_at === before.next_sync_at).toBe(true);
  }
  if (to === 'pending_reauth' || to === 'disconnected') expect(next.next_sync_at).toBeNull();
  if (to === 'error' || to === 'pending_reauth') expect(next.error_code).not.toBeNull();
  if (event.kind === 'sync_succeeded') expect(next.consecutive_failures).toBe(0);
  if (event.kind === 'error_reported') expect(next.consecutive_failures).toBe(before.consecutive_failures);
  if (to === 'active' && next.consecutive_failures > 2) expect(next.consecutive_failures).toBe(0);
}

test('a code that every object knows has the sentence of its class', () => {
  for (const code of ['__proto__', 'constructor', 'toString']) {
    const message = syncErrorMessage({ failureClass: 'config', code }, CONTEXT);
    expect(message).toBe(
      `Plaid refuses what this server sends (${code}). An admin finds what it says in the provider settings.`,
    );
  }
});
