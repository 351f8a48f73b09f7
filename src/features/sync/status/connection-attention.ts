import { sql } from 'kysely';

import type { ConnectionsTable, PendingLinksTable } from '../../../db/schema.ts';
import type { ReadTx } from '../../../db/unit-of-work.ts';
import { intervalMs, type SyncPace } from '../../../engines/sync/next-sync.ts';
import { instantNow } from '../../../kernel/clock.ts';
import { DAY_MS, HOUR_MS, dayIn, instantAfter } from '../../../kernel/dates.ts';
import { LIMITS } from '../../../kernel/limits.ts';
import { configValue, householdZone } from '../../config/index.ts';
import type { Instance } from '../../handler.ts';
import { configuredProviders, traitsOf } from '../../providers/index.ts';
import { countOpenSuggestions } from '../../suggestions/index.ts';
import type { CONNECTION_ATTENTION_CODES } from '../sync-record.contract.ts';
import { syncPace } from './connection-events.ts';

/** A closed account must not nag forever. */
const MISSING_SHOWN_DAYS = 30;

export interface AttentionEntry {
  readonly code: (typeof CONNECTION_ATTENTION_CODES)[number];
  /** Without names from banks, which the connection has; of a disconnected one, which few lists show, with it. */
  readonly message: string;
  readonly since: string | null;
}

export interface ConnectionAttention {
  readonly connection: ConnectionsTable;
  readonly entries: readonly AttentionEntry[];
}

interface Household {
  readonly now: string;
  readonly zone: string;
  readonly warningDays: number;
  /** Providers that the server could talk to. */
  readonly configured: readonly string[];
  readonly paces: ReadonlyMap<string, SyncPace>;
  /** Per connection: how many, and since when. */
  readonly missing: ReadonlyMap<string, Counted>;
  readonly suggestions: ReadonlyMap<string, Counted>;
}

interface Counted {
  readonly connection_id: string;
  readonly n: number | string;
  readonly since: string | null;
}

/** Access of a disconnected connection that has not been revoked. */
type Revocation = Pick<PendingLinksTable, 'item_id' | 'credentials' | 'created_at'>;

/** What needs a person, of one connection or of all, oldest first (contract 30.2.1). */
export async function connectionsAttention(
  tx: ReadTx,
  instance: Instance,
  connectionId?: string,
): Promise<ConnectionAttention[]> {
  const revocations = await selectRevocations(tx);
  let query = tx.q
    .selectFrom('connections')
    .selectAll()
    .where((eb) =>
      eb.or([eb('status', '!=', 'disconnected'), tx.portable.inList(sql.ref('id'), [...revocations.keys()])]),
    );
  if (connectionId !== undefined) query = query.where('id', '=', connectionId);
  const connections = await query.orderBy('created_at').orderBy('id').execute();
  if (connections.length === 0) return [];
  const household = await readHousehold(tx, instance, new Set(connections.map(({ provider }) => provider)));
  return connections.map((connection) => {
    const revocation = revocations.get(connection.id);
    const entries =
      connection.status === 'disconnected'
        ? revocation
          ? [ofRevocation(connection, revocation, household.zone, instance)]
          : []
        : entriesOf(connection, household, instance);
    return { connection, entries };
  });
}

async function selectRevocations(tx: ReadTx): Promise<ReadonlyMap<string, Revocation>> {
  const rows = await tx.q.selectFrom('pending_links').selectAll().where('connection_id', 'is not', null).execute();
  return new Map(rows.map((row) => [String(row.connection_id), row]));
}

async function readHousehold(tx: ReadTx, instance: Instance, providers: ReadonlySet<string>): Promise<Household> {
  const now = instantNow(instance.clock);
  const paces = new Map<string, SyncPace>();
  for (const provider of providers) paces.set(provider, await syncPace(tx, instance, provider));
  return {
    now,
    zone: await householdZone(tx),
    warningDays: Number(await configValue(tx, 'consent_warning_days')),
    configured: await configuredProviders(tx, instance),
    paces,
    missing: await countMissing(tx, instantAfter(now, -MISSING_SHOWN_DAYS * DAY_MS)),
    suggestions: byConnection(await countOpenSuggestions(tx)),
  };
}

/** Accounts that the last sync did not see, or saw closed, and saw open not long ago. */
async function countMissing(tx: ReadTx, openSince: string): Promise<ReadonlyMap<string, Counted>> {
  const { rows } = await sql<Counted>`select f.connection_id, count(*) as n, min(f.last_open_at) as since
    from account_feeds f join accounts a on a.id = f.account_id and a.connection_id = f.connection_id
    where f.state in ('closed', 'missing') and f.last_open_at > ${openSince} and a.is_excluded = 0
      and a.deleted_at is null group by f.connection_id`.execute(tx.q);
  return byConnection(rows);
}

function byConnection(rows: readonly Counted[]): ReadonlyMap<string, Counted> {
  return new Map(rows.map((row) => [row.connection_id, row]));
}

function entriesOf(connection: ConnectionsTable, household: Household, instance: Instance): AttentionEntry[] {
  const { status, provider, last_error_at: lastErrorAt } = connection;
  const entries: (AttentionEntry | undefined)[] = [
    status !== 'pending_reauth'
      ? undefined
      : {
          code: 'reauth_required',
          message: 'The bank wants you to sign in again. Until you do, this connection gets no new data.',
          since: lastErrorAt,
        },
    status !== 'error'
      ? undefined
      : {
          code: 'connection_error',
          message: 'The last sync failed. Until a sync succeeds, this connection gets no new data.',
          since: lastErrorAt,
        },
    provider === 'csv' || household.configured.includes(provider)
      ? undefined
      : {
          code: 'provider_not_configured',
          message: `${traitsOf(instance, provider)?.displayName ?? provider} is not set up, so this connection cannot sync. Set it up in the settings.`,
          since: null,
        },
    ofConsent(connection, household),
    ofStaleness(connection, household),
    connection.new_accounts_at === null
      ? undefined
      : {
          code: 'new_accounts_available',
          message: 'The bank has accounts that have not been shared yet. Sign in again to choose them.',
          since: connection.new_accounts_at,
        },
    ofMissing(household.missing.get(connection.id)),
    ofSuggestions(household.suggestions.get(connection.id)),
  ];
  return entries.filter((entry) => entry !== undefined);
}

function ofRevocation(
  { provider, institution_name: bank }: ConnectionsTable,
  { item_id: itemId, credentials, created_at: since }: Revocation,
  zone: string,
  instance: Instance,
): AttentionEntry {
  const { displayName: name, endAccessAt: place } = traitsOf(instance, provider) ?? { displayName: provider };
  const item = `${bank ?? 'a bank'} (${itemId})`;
  const until = dayIn(zone, Date.parse(instantAfter(since, LIMITS.revocationTriedMs)));
  const message =
    credentials === null
      ? `The access to ${item} was not ended at ${name}, which may go on charging for it. Remove it at ${place ?? name}.`
      : `${name} has not ended the access to ${item} yet, and may go on charging for it. This is tried hourly until ${until}.`;
  return { code: 'revocation_pending', message, since };
}

function ofConsent(connection: ConnectionsTable, { now, zone, warningDays }: Household): AttentionEntry | undefined {
  const { consent_expires_at: endsAt, consent_guessed_at: guessedAt } = connection;
  if (endsAt === null || !isSynced(connection)) return undefined;
  const since = instantAfter(endsAt, -warningDays * DAY_MS);
  // A guess that proved wrong is not worth a warning.
  if (since >= now || (guessedAt !== null && endsAt <= now)) return undefined;
  const when = guessedAt === null ? `ends on ${dayIn(zone, Date.parse(endsAt))}` : 'ends soon';
  return {
    code: 'consent_expiring',
    message: `Your permission for this bank ${when}. Renew it before then by signing in again.`,
    since,
  };
}

/** No sync has succeeded for more than two intervals. */
function ofStaleness(connection: ConnectionsTable, { now, paces }: Household): AttentionEntry | undefined {
  const pace = paces.get(connection.provider);
  if (!pace || !isSynced(connection) || connection.paused === 1 || connection.provider === 'csv') return undefined;
  const since = connection.last_sync_at ?? connection.created_at;
  if (instantAfter(since, 2 * intervalMs(connection, pace) + HOUR_MS) >= now) return undefined;
  const message = 'No sync has succeeded for more than two intervals, so recent transactions may be missing.';
  return { code: 'sync_stale', message, since };
}

function isSynced({ status }: ConnectionsTable): boolean {
  return status === 'active' || status === 'error';
}

function ofMissing(missing: Counted | undefined): AttentionEntry | undefined {
  if (!missing) return undefined;
  const n = Number(missing.n);
  const message =
    n === 1
      ? 'The bank no longer shows one account, or shows it as closed. Everything stored is kept. If it is still open, ' +
        'sign in again and share it.'
      : `The bank no longer shows ${n} accounts, or shows them as closed. Everything stored is kept. If they are still ` +
        'open, sign in again and share them.';
  return { code: 'account_missing', message, since: missing.since };
}

function ofSuggestions(open: Counted | undefined): AttentionEntry | undefined {
  if (!open) return undefined;
  const n = Number(open.n);
  const message =
    n === 1 ? 'One suggestion is waiting for your decision.' : `${n} suggestions are waiting for your decision.`;
  return { code: 'suggestions_open', message, since: open.since };
}
