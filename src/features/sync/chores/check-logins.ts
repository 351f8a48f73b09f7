import { sql } from 'kysely';

import type { ConnectionsTable } from '../../../db/schema.ts';
import type { BareWriteTx } from '../../../db/unit-of-work.ts';
import { CONSENT_EXPIRED, CREDENTIALS_UNREADABLE } from '../../../engines/sync/sync-errors.ts';
import { bookkeep, write, type Origin } from '../../../journal/write.ts';
import { instantNow } from '../../../kernel/clock.ts';
import { DAY_MS, instantAfter } from '../../../kernel/dates.ts';
import { ProviderFailure } from '../../../providers/provider-failure.ts';
import type { Access } from '../../../providers/provider.ts';
import type { Instance } from '../../handler.ts';
import { accessOf, configuredProviders, openProvider, sealAccess } from '../../providers/index.ts';
import { applyConnectionEvent } from '../status/connection-events.ts';
import { SYNC_ORIGIN } from '../turns/end-turn.ts';

const ORIGIN: Origin = { ...SYNC_ORIGIN, action: 'connection.reauthenticate' };

/**
 * Asks, once a day, whether logins that were lost work again, because nobody tells a household that receives no webhooks
 * (contract 30.11). If one does, its connection is active again.
 */
export async function checkLogins(instance: Instance): Promise<void> {
  for (const connection of await takeUnchecked(instance)) {
    const proven = await prove(instance, connection);
    if (proven) await revive(instance, connection, proven);
  }
}

/** Connections not asked about for a day. They are marked first, so that only one process asks. */
async function takeUnchecked(instance: Instance): Promise<ConnectionsTable[]> {
  const { database, clock } = instance;
  const due = instantAfter(instantNow(clock), -DAY_MS);
  const found = await database.read(async (tx) => {
    const { rows } = await sql<{ id: string; provider: string }>`select c.id, c.provider from connections c
      left join sync_turns t on t.connection_id = c.id
      where c.status = 'pending_reauth' and c.paused = 0 and c.provider <> 'csv'
        and c.error_code not in (${CONSENT_EXPIRED}, ${CREDENTIALS_UNREADABLE})
        and coalesce(t.checked_at, c.last_error_at, c.created_at) <= ${due}`.execute(tx.q);
    const configured = rows.length === 0 ? [] : await configuredProviders(tx, instance);
    return rows.filter(({ provider }) => configured.includes(provider)).map(({ id }) => id);
  });
  if (found.length === 0) return [];
  return bookkeep(database, async (tx) => {
    const taken = [];
    for (const id of found) if (await mark(tx, id, due)) taken.push(id);
    return tx.q
      .selectFrom('connections')
      .selectAll()
      .where(tx.portable.inList(sql.ref('id'), taken))
      .execute();
  });
}

async function mark(tx: BareWriteTx, connectionId: string, due: string): Promise<boolean> {
  const marked = await tx.q
    .insertInto('sync_turns')
    .values({ connection_id: connectionId, checked_at: tx.now })
    .onConflict((conflict) =>
      conflict
        .column('connection_id')
        .doUpdateSet({ checked_at: tx.now })
        .where((turn) =>
          turn.or([turn('sync_turns.checked_at', 'is', null), turn('sync_turns.checked_at', '<=', due)]),
        ),
    )
    .returning('connection_id')
    .executeTakeFirst();
  return marked !== undefined;
}

async function prove(instance: Instance, connection: ConnectionsTable): Promise<Access | null> {
  const access = accessOf(instance, connection);
  const provider = await openProvider(instance, connection.provider);
  if (!access || !provider) return null;
  try {
    return await provider.proveLogin(access, {});
  } catch (error) {
    // No answer proves nothing; it is asked again tomorrow.
    if (!(error instanceof ProviderFailure)) throw error;
    return null;
  }
}

async function revive(instance: Instance, { id }: ConnectionsTable, proven: Access): Promise<void> {
  await write(instance.database, ORIGIN, async (tx) => {
    const connection = await tx.q.selectFrom('connections').selectAll().where('id', '=', id).executeTakeFirst();
    if (connection?.status !== 'pending_reauth') return;
    const credentials = await sealAccess(tx, instance, id, proven);
    await applyConnectionEvent(
      tx,
      instance,
      connection,
      { kind: 'reauthenticated', trigger: 'cron' },
      { columns: { credentials } },
    );
    tx.journal.summarise('The login of a bank works again');
  });
}
