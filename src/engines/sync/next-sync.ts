import { HOUR_MS, MINUTE_MS } from '../../kernel/dates.ts';

/** When the scheduler syncs a connection next (contract 30.11). */

const SECOND_MS = 1_000;
const SPREAD_MAX_MS = 10 * MINUTE_MS;
const BACK_OFF_FIRST_MS = 30 * MINUTE_MS;
const BACK_OFF_MAX_MS = 24 * HOUR_MS;
/** While a bank is still preparing its history: nothing is ready yet, or only a part. */
const NOT_READY_MS = MINUTE_MS;
const LOADING_MS = 10 * MINUTE_MS;
/** The bank is not asked more often than that while our own database has trouble. */
const OWN_TROUBLE_MS = 5 * MINUTE_MS;
/** After that, an incomplete history is checked at the usual interval. */
const HISTORY_EXPECTED_MS = 24 * HOUR_MS;

export interface ScheduledConnection {
  readonly id: string;
  readonly status: string;
  readonly paused: number;
  readonly sync_interval_seconds: number | null;
  readonly consecutive_failures: number;
  readonly last_sync_at: string | null;
  readonly last_error_at: string | null;
  readonly linked_at: string | null;
  readonly created_at: string;
}

/** What applies to all connections of a provider. */
export interface SyncPace {
  /** The setting `sync_interval_minutes`, in seconds. */
  readonly globalIntervalSeconds: number;
  /** The provider's own limit; null: none. */
  readonly minIntervalSeconds: number | null;
}

export type History = 'not_ready' | 'loading' | 'complete';

/** What the time of the next sync is worked out after. */
export type NextSyncCause =
  | { readonly after: 'request' }
  /** This server could not store what the bank sent. */
  | { readonly after: 'own_trouble' }
  /** `notAfter`: a webhook during the sync may have announced more than it read. */
  | { readonly after: 'success'; readonly history: History; readonly notAfter: string | null }
  /** `notBefore`: the provider asked not to be called before then. */
  | { readonly after: 'failure'; readonly notBefore: string | null }
  /** Resumed, or an interval changed. */
  | { readonly after: 'change'; readonly notBefore: string | null };

/** I of the contract, in milliseconds. */
export function intervalMs(connection: Pick<ScheduledConnection, 'sync_interval_seconds'>, pace: SyncPace): number {
  const seconds = connection.sync_interval_seconds ?? pace.globalIntervalSeconds;
  return Math.max(seconds, pace.minIntervalSeconds ?? 0) * SECOND_MS;
}

/** `connection` is as it is after the event at `now`. null: the scheduler leaves it alone. */
export function nextSyncAt(
  connection: ScheduledConnection,
  cause: NextSyncCause,
  pace: SyncPace,
  now: string,
): string | null {
  const { status, paused } = connection;
  if (paused === 1 || (status !== 'active' && status !== 'error')) return null;
  if (cause.after === 'request') return now;
  const nowMs = Date.parse(now);
  if (cause.after === 'own_trouble') return instant(nowMs + Math.max(OWN_TROUBLE_MS, minimumMs(pace)));
  if (cause.after === 'success') {
    const next = instant(nowMs + afterSuccess(connection, cause.history, pace, nowMs));
    return cause.notAfter !== null && cause.notAfter < next ? cause.notAfter : next;
  }
  const notBefore = timeOf(cause.notBefore);
  if (cause.after === 'failure') return instant(Math.max(backOffEnd(connection, pace, nowMs), notBefore));
  const usual = timeOf(connection.last_sync_at ?? connection.created_at) + regular(connection, pace);
  const hasFailed = connection.consecutive_failures > 0;
  const earliest = hasFailed ? Math.max(backOffEnd(connection, pace, timeOf(connection.last_error_at)), notBefore) : 0;
  return instant(Math.max(nowMs, usual, earliest));
}

function afterSuccess(connection: ScheduledConnection, history: History, pace: SyncPace, nowMs: number): number {
  const usual = regular(connection, pace);
  const isRecent = nowMs - timeOf(connection.linked_at ?? connection.created_at) < HISTORY_EXPECTED_MS;
  if (history === 'complete' || !isRecent) return usual;
  const soon = history === 'not_ready' ? NOT_READY_MS : LOADING_MS;
  return Math.min(usual, Math.max(soon, minimumMs(pace)));
}

function minimumMs({ minIntervalSeconds }: SyncPace): number {
  return (minIntervalSeconds ?? 0) * SECOND_MS;
}

/** I + j: connections that were linked in one minute drift apart, each by the same delay every time. */
function regular(connection: ScheduledConnection, pace: SyncPace): number {
  const interval = intervalMs(connection, pace);
  return interval + Math.round(shareOf(connection.id) * Math.min(interval / 10, SPREAD_MAX_MS));
}

function backOffEnd({ id, consecutive_failures: failures }: ScheduledConnection, pace: SyncPace, from: number): number {
  const doublings = Math.min(Math.max(failures, 1) - 1, 10);
  const wait = Math.min(BACK_OFF_FIRST_MS * 2 ** doublings, BACK_OFF_MAX_MS);
  const withSpread = wait + Math.round((shareOf(`${id}/${failures}`) * wait) / 10);
  return from + Math.max(withSpread, minimumMs(pace));
}

/** A number from 0 to below 1 that is always the same for the text and evenly spread over texts (FNV-1a, mixed). */
function shareOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}

function timeOf(at: string | null): number {
  return at === null ? 0 : Date.parse(at);
}

function instant(ms: number): string {
  return new Date(ms).toISOString();
}
