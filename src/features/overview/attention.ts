import type { z } from 'zod';

import type { ReadTx } from '../../db/unit-of-work.ts';
import type { Instance } from '../handler.ts';
import { accountsWithBrokenBalances } from '../imports/index.ts';
import { connectionsAttention, type ConnectionAttention } from '../sync/index.ts';
import type { Attention } from './overview.contract.ts';
import type { StateCounts } from './overview.queries.ts';

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
  const entries = [
    ...(await connectionsAttention(tx, instance)).reverse().flatMap(ofConnection),
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

const SEVERITY: Readonly<Partial<Record<Entry['code'], Entry['severity']>>> = {
  reauth_required: 'critical',
  connection_error: 'critical',
  new_accounts_available: 'info',
  suggestions_open: 'info',
};

function ofConnection({ connection, entries }: ConnectionAttention): Entry[] {
  const subject = { count: 1, subject_type: 'connection', subject_id: connection.id };
  return entries.map((entry) => ({ ...entry, severity: SEVERITY[entry.code] ?? 'warning', ...subject }));
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
