import type { ConnectionsTable } from '../../../db/schema.ts';
import type { BareWriteTx, ReadTx } from '../../../db/unit-of-work.ts';
import { INTERRUPTED } from '../../../engines/sync/sync-errors.ts';
import { bookkeep } from '../../../journal/write.ts';
import { instantNow } from '../../../kernel/clock.ts';
import { DAY_MS, dayIn, instantAfter } from '../../../kernel/dates.ts';
import { LIMITS } from '../../../kernel/limits.ts';
import { configValue, householdZone } from '../../config/index.ts';
import type { Instance } from '../../handler.ts';
import { raise } from '../../notifications/index.ts';

/** Notifications about connections (contract 50.4.1). `connection_alerts` remembers which were sent. */

type ReportedConnection = Pick<ConnectionsTable, 'id' | 'status' | 'institution_name'>;

/** Notifies of a lost login, in the write that detected it. A disconnected connection has nothing to report. */
export async function tellOfStatus(
  tx: BareWriteTx,
  before: ReportedConnection,
  now: ReportedConnection['status'],
  message: string,
): Promise<void> {
  if (now === 'disconnected')
    await tx.q.deleteFrom('connection_alerts').where('connection_id', '=', before.id).execute();
  if (now !== 'pending_reauth' || before.status === now) return;
  await noteFailing(tx, before.id, tx.now);
  await raise(tx, {
    event: 'connection.reauth_required',
    occurrenceId: `${before.id}:${tx.now}`,
    priority: 'critical',
    title: 'A bank wants you to sign in again',
    body: message,
    data: { connection_id: before.id },
    subjectType: 'connection',
    subjectId: before.id,
  });
}

interface EndedSync {
  readonly syncLogId: string;
  readonly connection: ReportedConnection;
}

/** Notifies of a failed sync, unless the previous one failed too or people already know that the login is lost. */
export async function tellOfFailure(
  tx: BareWriteTx,
  { syncLogId, connection }: EndedSync,
  message: string,
): Promise<void> {
  if (connection.status === 'pending_reauth' || (await hadFailedBefore(tx, connection.id, syncLogId))) return;
  await noteFailing(tx, connection.id, tx.now);
  await raise(tx, {
    event: 'sync.failed',
    occurrenceId: syncLogId,
    priority: 'warning',
    title: 'A bank connection has stopped syncing',
    body: message,
    data: { connection_id: connection.id, sync_log_id: syncLogId },
    subjectType: 'sync_log',
    subjectId: syncLogId,
  });
}

/** Notifies that a connection works again, if people were told that it had failed. */
export async function tellOfRecovery(tx: BareWriteTx, { syncLogId, connection }: EndedSync): Promise<void> {
  if (connection.status !== 'active') return;
  const alert = await tx.q
    .selectFrom('connection_alerts')
    .select('failing_since')
    .where('connection_id', '=', connection.id)
    .executeTakeFirst();
  if ((alert?.failing_since ?? null) === null) return;
  await noteFailing(tx, connection.id, null);
  await raise(tx, {
    event: 'sync.recovered',
    occurrenceId: syncLogId,
    priority: 'info',
    title: 'A bank connection is syncing again',
    body: connection.institution_name,
    data: { connection_id: connection.id, sync_log_id: syncLogId },
    subjectType: 'sync_log',
    subjectId: syncLogId,
  });
}

/** Whether the previous sync failed. An interrupted one says nothing about the bank. */
async function hadFailedBefore(tx: ReadTx, connectionId: string, syncLogId: string): Promise<boolean> {
  const before = await tx.q
    .selectFrom('sync_logs')
    .select('status')
    .where('connection_id', '=', connectionId)
    .where('id', '!=', syncLogId)
    .where('finished_at', 'is not', null)
    .where((log) => log.or([log('error_code', 'is', null), log('error_code', '!=', INTERRUPTED)]))
    .orderBy('started_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return before?.status === 'error';
}

async function noteFailing(tx: BareWriteTx, connectionId: string, since: string | null): Promise<void> {
  await tx.q
    .insertInto('connection_alerts')
    .values({ connection_id: connectionId, failing_since: since, consent_expires_at: null })
    .onConflict((conflict) => conflict.column('connection_id').doUpdateSet({ failing_since: since }))
    .execute();
}

/** Notifies once of each consent that ends soon. */
export async function tellOfConsents(instance: Instance): Promise<void> {
  const { database, clock } = instance;
  const ending = await database.read(async (tx) => selectEnding(tx, instantNow(clock)));
  if (ending.length === 0) return;
  await bookkeep(database, async (tx) => {
    for (const connection of await selectEnding(tx, tx.now)) await tellOfConsent(tx, connection);
  });
}

interface EndingConsent extends ReportedConnection {
  readonly endsAt: string;
  /** When the end was guessed; null if the bank said it. */
  readonly guessedAt: string | null;
  /** The end that was last announced. */
  readonly toldEnd: string | null;
}

async function selectEnding(tx: ReadTx, now: string): Promise<EndingConsent[]> {
  const days = Number(await configValue(tx, 'consent_warning_days'));
  const rows = await tx.q
    .selectFrom('connections')
    .leftJoin('connection_alerts', 'connection_alerts.connection_id', 'connections.id')
    .select([
      'connections.id',
      'connections.status',
      'connections.institution_name',
      'connections.consent_expires_at as endsAt',
      'connections.consent_guessed_at as guessedAt',
      'connection_alerts.consent_expires_at as toldEnd',
    ])
    .where('connections.status', 'in', ['active', 'error'])
    .where('connections.consent_expires_at', '>', now)
    .where('connections.consent_expires_at', '<=', instantAfter(now, days * DAY_MS))
    .orderBy('connections.id')
    .execute();
  return rows.filter((row): row is EndingConsent => row.endsAt !== null && !isSame(row.endsAt, row.toldEnd));
}

/** An end that the bank moved by a few days, or that was guessed before, belongs to the same consent. */
function isSame(end: string, told: string | null): boolean {
  return told !== null && Math.abs(Date.parse(end) - Date.parse(told)) < LIMITS.consentGuessDays * DAY_MS;
}

async function tellOfConsent(tx: BareWriteTx, ending: EndingConsent): Promise<void> {
  const { id, institution_name: name, endsAt, guessedAt } = ending;
  await tx.q
    .insertInto('connection_alerts')
    .values({ connection_id: id, failing_since: null, consent_expires_at: endsAt })
    .onConflict((conflict) => conflict.column('connection_id').doUpdateSet({ consent_expires_at: endsAt }))
    .execute();
  const when = guessedAt === null ? `on ${dayIn(await householdZone(tx), Date.parse(endsAt))}` : 'soon';
  await raise(tx, {
    event: 'connection.consent_expiring',
    occurrenceId: `${id}:${endsAt}`,
    priority: 'warning',
    title: `Your permission for a bank ends ${when}`,
    body: `Sign in to ${name ?? 'the bank'} again before then. Otherwise no new transactions will arrive.`,
    data: { connection_id: id },
    subjectType: 'connection',
    subjectId: id,
  });
}
