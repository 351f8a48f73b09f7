/** The states of a hosted-link session, as a table (contract 30.5.4). */

export type SessionStatus = 'pending' | 'active' | 'consumed' | 'completed' | 'failed' | 'expired';

export type SessionEvent =
  /** A call of the page passed the guard. */
  | 'used'
  /** `expires_at` was reached. */
  | 'due'
  /** One call took the session for itself, before it asked the provider for anything. */
  | 'claimed'
  /** The call that claimed it did what it was for. */
  | 'succeeded'
  /** The call that claimed it failed, and the person can try again. */
  | 'released'
  /** The call that claimed it failed for good, or its process died. */
  | 'lost'
  /** The person is done. */
  | 'finished'
  | 'given_up'
  | 'cancelled'
  /** The connection to be renewed was disconnected. */
  | 'disconnected';

interface Move {
  readonly from: readonly SessionStatus[];
  readonly on: SessionEvent;
  /** Only with, or only without, a connection that was made; undefined: either way. */
  readonly hasResult?: boolean;
  readonly to: SessionStatus;
}

const OPEN = ['pending', 'active'] as const;

const MOVES: readonly Move[] = [
  { from: ['pending'], on: 'used', to: 'active' },
  { from: OPEN, on: 'due', hasResult: false, to: 'expired' },
  { from: ['active'], on: 'due', hasResult: true, to: 'completed' },
  { from: ['active'], on: 'claimed', to: 'consumed' },
  { from: ['consumed'], on: 'succeeded', to: 'completed' },
  { from: ['consumed'], on: 'released', to: 'active' },
  { from: ['consumed'], on: 'lost', hasResult: false, to: 'failed' },
  { from: ['consumed'], on: 'lost', hasResult: true, to: 'completed' },
  { from: ['active'], on: 'finished', hasResult: true, to: 'completed' },
  { from: OPEN, on: 'given_up', hasResult: false, to: 'failed' },
  { from: ['active'], on: 'given_up', hasResult: true, to: 'completed' },
  { from: OPEN, on: 'cancelled', to: 'failed' },
  { from: [...OPEN, 'consumed'], on: 'disconnected', to: 'failed' },
];

/** Where a session goes from here; undefined where nothing leads. */
export function nextStatus(from: SessionStatus, on: SessionEvent, hasResult: boolean): SessionStatus | undefined {
  return MOVES.find(
    (move) =>
      move.on === on && move.from.includes(from) && (move.hasResult === undefined || move.hasResult === hasResult),
  )?.to;
}

export function isEnded(status: SessionStatus): boolean {
  return status === 'completed' || status === 'failed' || status === 'expired';
}
