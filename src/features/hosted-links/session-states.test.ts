import { expect, test } from 'vitest';

import { nextStatus, type SessionEvent, type SessionStatus } from './session-states.ts';

const STATUSES: readonly SessionStatus[] = ['pending', 'active', 'consumed', 'completed', 'failed', 'expired'];
const EVENTS: readonly SessionEvent[] = [
  'used',
  'due',
  'claimed',
  'succeeded',
  'released',
  'lost',
  'finished',
  'given_up',
  'cancelled',
  'disconnected',
];

/** Contract 30.5.4: from, event, without a result, with one. Everything else leads nowhere. */
const EXPECTED: readonly (readonly [SessionStatus, SessionEvent, SessionStatus | null, SessionStatus | null])[] = [
  ['pending', 'used', 'active', 'active'],
  ['pending', 'due', 'expired', null],
  ['active', 'due', 'expired', 'completed'],
  ['active', 'claimed', 'consumed', 'consumed'],
  ['consumed', 'succeeded', 'completed', 'completed'],
  ['consumed', 'released', 'active', 'active'],
  ['consumed', 'lost', 'failed', 'completed'],
  ['active', 'finished', null, 'completed'],
  ['pending', 'given_up', 'failed', null],
  ['active', 'given_up', 'failed', 'completed'],
  ['pending', 'cancelled', 'failed', 'failed'],
  ['active', 'cancelled', 'failed', 'failed'],
  ['pending', 'disconnected', 'failed', 'failed'],
  ['active', 'disconnected', 'failed', 'failed'],
  ['consumed', 'disconnected', 'failed', 'failed'],
];

test('a session moves as the contract says, and in no other way', () => {
  const moves = STATUSES.flatMap((from) =>
    EVENTS.flatMap((event) =>
      [false, true].map((hasResult) => [from, event, hasResult, nextStatus(from, event, hasResult) ?? null]),
    ),
  );
  const expected = STATUSES.flatMap((from) =>
    EVENTS.flatMap((event) =>
      [false, true].map((hasResult) => {
        const row = EXPECTED.find((one) => one[0] === from && one[1] === event);
        return [from, event, hasResult, row?.[hasResult ? 3 : 2] ?? null];
      }),
    ),
  );
  expect(moves).toEqual(expected);
});
