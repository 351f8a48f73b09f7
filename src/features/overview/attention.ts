import type { z } from 'zod';

import type { ReadTx } from '../../db/unit-of-work.ts';
import type { Instance } from '../handler.ts';
import { accountsWithBrokenBalances } from '../imports/index.ts';
import { providersInForce, type ProvidersInForce } from '../provider-settings/index.ts';
import type { Attention } from './overview.contract.ts';
import { selectConnectionStates, type ConnectionState, type StateCounts } from './overview.queries.ts';

type Entry = z.output<typeof Attention>;

const SEVERITIES: readonly Entry['severity'][] = ['critical', 'warning', 'info'];

/**
 * What needs a person, most severe first, then newest. Names given by banks stay out of the messages: who wants them
 * looks up the subject.
 */
export async function selectAttention(
  tx: ReadTx,
  instance: Instance,
  flagged: Pick<StateCounts, 'flagged' | 'flagged_since'>,
): Promise<Entry[]> {
  const providers = await providersInForce(tx, instance);
  const entries = [
    ...(await selectConnectionStates(tx)).flatMap((connection) => ofConnection(connection, providers)),
    ...(await accountsWithBrokenBalances(tx)).map(ofBrokenBalances),
    ...ofFlagged(flagged),
  ];
  return entries.sort(
    (a, b) =>
      SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity) || newestFirst(a.since ?? '', b.since ?? ''),
  );
}

function newestFirst(a: string, b: string): number {
  return a === b ? 0 : a < b ? 1 : -1;
}

function ofConnection({ id, provider, status }: ConnectionState, providers: ProvidersInForce): Entry[] {
  const subject = { count: 1, subject_type: 'connection', subject_id: id, since: null };
  const entries: Entry[] = [];
  if (status === 'pending_reauth') {
    const message = 'The bank wants you to sign in again. Until you do, this connection gets no new data.';
    entries.push({ code: 'reauth_required', severity: 'critical', message, ...subject });
  }
  if (status === 'error') {
    const message = 'The last sync failed. Until a sync succeeds, this connection gets no new data.';
    entries.push({ code: 'connection_error', severity: 'critical', message, ...subject });
  }
  if (!isConfigured(provider, providers)) {
    const name = provider === 'plaid' ? 'Plaid' : 'Teller';
    const message = `${name} is not set up, so this connection cannot sync. Set it up in the settings.`;
    entries.push({ code: 'provider_not_configured', severity: 'warning', message, ...subject });
  }
  return entries;
}

function isConfigured(provider: string, { plaid, teller }: ProvidersInForce): boolean {
  if (provider === 'plaid') return plaid.isConfigured;
  return provider === 'teller' ? teller.isConfigured : true;
}

function ofBrokenBalances({ accountId, since }: { accountId: string; since: string | null }): Entry {
  return {
    code: 'balance_mismatch',
    severity: 'warning',
    message:
      'The balances in the newest import of this account do not add up. Revert it, or import a file that proves them.',
    count: 1,
    subject_type: 'account',
    subject_id: accountId,
    since,
  };
}

function ofFlagged({ flagged, flagged_since: since }: Pick<StateCounts, 'flagged' | 'flagged_since'>): Entry[] {
  if (flagged === 0) return [];
  const message = flagged === 1 ? '1 transaction is flagged.' : `${flagged} transactions are flagged.`;
  return [
    {
      code: 'flagged_transactions',
      severity: 'info',
      message,
      count: flagged,
      subject_type: 'transaction',
      subject_id: null,
      since,
    },
  ];
}
