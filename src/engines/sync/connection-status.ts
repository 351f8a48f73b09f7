import { nextSyncAt, type History, type NextSyncCause, type ScheduledConnection, type SyncPace } from './next-sync.ts';
import {
  CONSENT_EXPIRED,
  CREDENTIALS_UNREADABLE,
  INTERNAL_ERROR,
  INTERRUPTED,
  syncErrorMessage,
  type ErrorNames,
  type FailureClass,
  type SyncError,
} from './sync-errors.ts';

/** The status machine of a connection (contract 30.3). Nothing else changes a status. */

export type Status = 'active' | 'error' | 'pending_reauth' | 'disconnected';

/** The stored columns that the machine reads. */
export interface ConnectionState extends ScheduledConnection {
  readonly consent_expires_at: string | null;
  readonly consent_guessed_at: string | null;
  readonly consent_announced_at: string | null;
}

export type ConnectionEvent =
  | {
      readonly kind: 'sync_succeeded';
      readonly history: History;
      /** The account list came with an item that wants a new login. */
      readonly loginProblem: { readonly code: string } | null;
      /** null: the provider says there is none; undefined: it does not say. */
      readonly consentExpiresAt: string | null | undefined;
      /** The next one is not to be later than this. */
      readonly notAfter: string | null;
    }
  | {
      readonly kind: 'sync_failed';
      readonly failureClass: FailureClass;
      readonly code: string;
      /** The provider asked not to be called before then. */
      readonly notBefore: string | null;
    }
  /** The bank answered; this server's own database could not store it. Says nothing of the connection. */
  | { readonly kind: 'sync_unstored' }
  /** The process that ran the sync is gone. It counts as a failure only if the previous sync ended that way too. */
  | { readonly kind: 'sync_interrupted'; readonly counts: boolean }
  /** A webhook reported an error, or that access was revoked (class `login`). */
  | { readonly kind: 'error_reported'; readonly failureClass: FailureClass; readonly code: string }
  | { readonly kind: 'consent_expired' }
  | { readonly kind: 'credentials_unreadable' }
  /** Someone signed in again, or the provider says that the login works again. */
  | { readonly kind: 'reauthenticated'; readonly trigger: 'manual' | 'webhook' | 'cron' }
  /** The same item was linked again, whatever its status. */
  | { readonly kind: 'linked_again' }
  | { readonly kind: 'disconnected' };

export interface EventContext extends ErrorNames {
  readonly pace: SyncPace;
  /** When it happened; for a sync, when it finished. */
  readonly now: string;
}

/** The columns of the connection that the event sets. */
export interface ConnectionChanges {
  readonly status: Status;
  readonly error_code?: string | null;
  readonly error_message?: string | null;
  readonly consecutive_failures?: number;
  readonly last_error_at?: string;
  readonly last_sync_at?: string;
  readonly next_sync_at?: string | null;
  readonly consent_expires_at?: string | null;
  readonly consent_guessed_at?: string | null;
  readonly consent_announced_at?: string | null;
  readonly new_accounts_at?: null;
}

export interface EventOutcome {
  readonly changes: ConnectionChanges;
  /** The sync to ask for in the same write. */
  readonly request: 'manual' | 'initial' | 'webhook' | 'cron' | null;
  /** What happens to a waiting sync. */
  readonly waiting: 'keep' | 'drop' | 'drop_unless_manual';
}

/** From this many in a row on, a failure of any class but `login` and `item` is an error. */
const FAILURES_TOLERATED = 2;

/** An event as the table knows it. */
type Kind =
  | 'succeeded'
  | 'succeeded_without_login'
  | 'failed_bearably'
  | 'failed'
  | 'failed_login'
  | 'interrupted'
  | 'unstored'
  | 'reported'
  | 'reported_login'
  | 'reauthenticated'
  | 'login_repaired'
  | 'linked_again'
  | 'disconnected';

interface Effect {
  readonly to: Status;
  /** What happens to error_code and error_message. */
  readonly error: 'set' | 'clear' | 'keep';
  readonly failures: 'up' | 'reset' | 'keep';
  /** null: next_sync_at stays. */
  readonly next: NextSyncCause['after'] | null;
  readonly requests?: true;
  readonly waiting?: EventOutcome['waiting'];
}

const SUCCESS = { error: 'clear', failures: 'reset', next: 'success' } as const;
const FAILURE = { error: 'set', failures: 'up', next: 'failure' } as const;
const LOST_LOGIN = { to: 'pending_reauth', error: 'set', failures: 'keep', next: 'request' } as const;
const RENEWED = { to: 'active', error: 'clear', failures: 'reset', next: 'request', requests: true } as const;
const ONLY_A_SYNC = { to: 'active', error: 'keep', failures: 'keep', next: 'request', requests: true } as const;
const ENDED = { to: 'disconnected', error: 'clear', failures: 'keep', next: 'request', waiting: 'drop' } as const;
const DUE_SOON = { error: 'set', failures: 'keep', next: 'own_trouble' } as const;
const DUE_AT_ONCE = { error: 'keep', failures: 'keep', next: 'request' } as const;
/** A sync that ends here drops the waiting sync too, unless a person asked for that one. */
const SYNC_WITHOUT_LOGIN = { to: 'pending_reauth', waiting: 'drop_unless_manual' } as const;

/** Status × event → effect; without an entry, the event changes nothing. The numbers are the rows of 30.3. */
const TABLE: Readonly<Record<Status, Readonly<Partial<Record<Kind, Effect>>>>> = {
  active: {
    succeeded: { to: 'active', ...SUCCESS }, // 2
    failed_bearably: { to: 'active', ...FAILURE }, // 3
    failed: { to: 'error', ...FAILURE }, // 4
    reported: { to: 'error', error: 'set', failures: 'keep', next: null }, // 4
    succeeded_without_login: { ...SUCCESS, ...SYNC_WITHOUT_LOGIN, error: 'set' }, // 5
    failed_login: { ...FAILURE, ...SYNC_WITHOUT_LOGIN }, // 5
    reported_login: LOST_LOGIN, // 5
    interrupted: { to: 'active', ...DUE_AT_ONCE },
    unstored: { to: 'active', ...DUE_SOON },
    reauthenticated: RENEWED,
    login_repaired: ONLY_A_SYNC,
    linked_again: RENEWED,
    disconnected: ENDED, // 10
  },
  error: {
    succeeded: { to: 'active', ...SUCCESS }, // 6
    failed_bearably: { to: 'error', ...FAILURE }, // 7
    failed: { to: 'error', ...FAILURE }, // 7
    reported: { to: 'error', error: 'set', failures: 'keep', next: null }, // 7
    succeeded_without_login: { ...SUCCESS, ...SYNC_WITHOUT_LOGIN, error: 'set' }, // 5
    failed_login: { ...FAILURE, ...SYNC_WITHOUT_LOGIN }, // 5
    reported_login: LOST_LOGIN, // 5
    interrupted: { to: 'error', ...DUE_AT_ONCE },
    unstored: { to: 'error', ...DUE_SOON, error: 'keep' },
    reauthenticated: RENEWED, // 8
    login_repaired: RENEWED, // 8
    linked_again: RENEWED, // 8
    disconnected: ENDED, // 10
  },
  pending_reauth: {
    succeeded: { ...SUCCESS, ...SYNC_WITHOUT_LOGIN, error: 'keep' }, // 9
    succeeded_without_login: { ...SUCCESS, ...SYNC_WITHOUT_LOGIN, error: 'keep' }, // 9
    failed_bearably: { ...FAILURE, ...SYNC_WITHOUT_LOGIN, error: 'keep' }, // 9
    failed: { ...FAILURE, ...SYNC_WITHOUT_LOGIN, error: 'keep' }, // 9
    failed_login: { ...FAILURE, ...SYNC_WITHOUT_LOGIN, error: 'keep' }, // 9
    reauthenticated: RENEWED, // 8
    login_repaired: RENEWED, // 8
    linked_again: RENEWED, // 8
    disconnected: ENDED, // 10
  },
  disconnected: { linked_again: RENEWED }, // 11
};

/** What an event does to a connection; undefined: nothing. Write it only if the status is still the same. */
export function applyEvent(
  connection: ConnectionState,
  event: ConnectionEvent,
  context: EventContext,
): EventOutcome | undefined {
  const effect = TABLE[connection.status as Status][kindOf(event, connection.consecutive_failures)];
  if (!effect) return undefined;
  const changes = {
    status: effect.to,
    ...errorAfter(effect, event, context),
    ...failuresAfter(connection, effect),
    ...(event.kind === 'sync_succeeded' ? { last_sync_at: context.now } : {}),
    ...accessAfter(connection, effect, event, context.now),
  };
  return {
    changes: { ...changes, ...nextAfter({ ...connection, ...changes }, effect, event, context) },
    request: effect.requests ? triggerOf(event) : null,
    waiting: effect.waiting ?? 'keep',
  };
}

function kindOf(event: ConnectionEvent, failures: number): Kind {
  switch (event.kind) {
    case 'sync_succeeded':
      return event.loginProblem ? 'succeeded_without_login' : 'succeeded';
    case 'sync_failed':
      return failedAs(event.failureClass, failures);
    case 'sync_interrupted':
      return event.counts ? failedAs('transient', failures) : 'interrupted';
    case 'sync_unstored':
      return 'unstored';
    case 'error_reported':
      return event.failureClass === 'login' ? 'reported_login' : 'reported';
    case 'consent_expired':
    case 'credentials_unreadable':
      return 'reported_login';
    case 'reauthenticated':
      return event.trigger === 'webhook' ? 'login_repaired' : event.kind;
    case 'linked_again':
    case 'disconnected':
      break;
  }
  return event.kind;
}

function failedAs(failureClass: FailureClass, failures: number): Kind {
  if (failureClass === 'login') return 'failed_login';
  return failureClass === 'item' || failures >= FAILURES_TOLERATED ? 'failed' : 'failed_bearably';
}

function errorAfter(
  { error, failures }: Effect,
  event: ConnectionEvent,
  context: EventContext,
): Partial<ConnectionChanges> {
  if (error === 'clear') return { error_code: null, error_message: null };
  const lastError = failures === 'up' || error === 'set' ? { last_error_at: context.now } : {};
  const reported = errorOf(event);
  if (error === 'keep' || !reported) return lastError;
  return { ...lastError, error_code: reported.code, error_message: syncErrorMessage(reported, context) };
}

function errorOf(event: ConnectionEvent): SyncError | undefined {
  switch (event.kind) {
    case 'sync_succeeded':
      return event.loginProblem ? { failureClass: 'login', code: event.loginProblem.code } : undefined;
    case 'sync_failed':
    case 'error_reported':
      return event;
    case 'sync_interrupted':
      return { failureClass: null, code: INTERRUPTED };
    case 'sync_unstored':
      return { failureClass: 'transient', code: INTERNAL_ERROR };
    case 'consent_expired':
      return { failureClass: 'login', code: CONSENT_EXPIRED };
    case 'credentials_unreadable':
      return { failureClass: 'login', code: CREDENTIALS_UNREADABLE };
    case 'reauthenticated':
    case 'linked_again':
    case 'disconnected':
      break;
  }
  return undefined;
}

function failuresAfter(
  { consecutive_failures: failures }: ConnectionState,
  effect: Effect,
): Partial<ConnectionChanges> {
  if (effect.failures === 'keep') return {};
  return { consecutive_failures: effect.failures === 'up' ? failures + 1 : 0 };
}

/** When the consent ends, and whether accounts are waiting to be shared. */
function accessAfter(
  { consent_expires_at: expiresAt, consent_guessed_at: guessedAt, consent_announced_at: announcedAt }: ConnectionState,
  { error }: Effect,
  event: ConnectionEvent,
  now: string,
): Partial<ConnectionChanges> {
  const ofItem = { consent_guessed_at: null, consent_announced_at: null };
  const without = { consent_expires_at: null, ...ofItem };
  if (event.kind === 'sync_succeeded') {
    const { consentExpiresAt: told } = event;
    if (typeof told === 'string') return { consent_expires_at: told, ...ofItem };
    // What a webhook announced, or was guessed after it, an item without an expiry does not refute.
    return told === null && guessedAt === null && announcedAt === null ? without : {};
  }
  if (event.kind === 'disconnected') return { new_accounts_at: null, ...without };
  const isRenewed = event.kind === 'linked_again' || event.kind === 'reauthenticated';
  if (!isRenewed || error !== 'clear') return {};
  const isOver = (expiresAt ?? now) <= now || guessedAt !== null;
  return { new_accounts_at: null, ...(isOver ? without : { consent_announced_at: null }) };
}

function nextAfter(
  after: ConnectionState,
  { next }: Effect,
  event: ConnectionEvent,
  { pace, now }: EventContext,
): Partial<ConnectionChanges> {
  if (next === null) return {};
  return { next_sync_at: nextSyncAt(after, causeOf(next, event), pace, now) };
}

function causeOf(after: NextSyncCause['after'], event: ConnectionEvent): NextSyncCause {
  if (after === 'request') return { after };
  if (after === 'success') {
    if (event.kind !== 'sync_succeeded') return { after, history: 'complete', notAfter: null };
    return { after, history: event.history, notAfter: event.notAfter };
  }
  return { after, notBefore: event.kind === 'sync_failed' ? event.notBefore : null };
}

function triggerOf(event: ConnectionEvent): EventOutcome['request'] {
  if (event.kind === 'reauthenticated') return event.trigger;
  return event.kind === 'linked_again' ? 'initial' : null;
}
