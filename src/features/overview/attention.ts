import type { z } from 'zod';

import type { ReadTx } from '../../db/unit-of-work.ts';
import type { Instance } from '../handler.ts';
import { accountsWithBrokenBalances } from '../imports/index.ts';
import type { UnreadReports } from '../reports/index.ts';
import { connectionsAttention, type ConnectionAttention } from '../sync/index.ts';
import type { Attention } from './overview.contract.ts';
import type { FailedWorkflow, Waiting } from './overview.queries.ts';
import type { StateCounts } from './transaction-counts.queries.ts';

type Entry = z.output<typeof Attention>;

const SEVERITIES: readonly Entry['severity'][] = ['critical', 'warning', 'info'];

/** What waits for the household as a whole, whoever is asked about. */
export interface HouseholdWaiting {
  flagged: Pick<StateCounts, 'flagged' | 'flagged_since'>;
  reports: UnreadReports;
  proposals: Waiting;
  failedWorkflows: readonly FailedWorkflow[];
}

/**
 * What needs a person, most severe first, then newest. Names given by banks stay out of the messages: who wants them
 * looks up the subject. Only that of a disconnected one is there, since lists leave it out.
 */
export async function selectAttention(
  tx: ReadTx,
  instance: Instance,
  { flagged, reports, proposals, failedWorkflows }: HouseholdWaiting,
): Promise<Entry[]> {
  const entries = [
    ...(await connectionsAttention(tx, instance)).reverse().flatMap(ofConnection),
    ...(await accountsWithBrokenBalances(tx)).map(ofBrokenBalances),
    ...failedWorkflows.map(ofFailedWorkflow),
    ...ofReports(reports),
    ...ofProposals(proposals),
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

function ofFailedWorkflow({ workflowId, status, since }: FailedWorkflow): Entry {
  return {
    code: 'workflow_failed',
    severity: 'warning',
    message: `The last run of this workflow ${status === 'timeout' ? 'ran out of time' : 'failed'}. Its transcript says why.`,
    count: 1,
    subject_type: 'workflow',
    subject_id: workflowId,
    since,
  };
}

function ofReports({ count, priority, since }: UnreadReports): Entry[] {
  if (priority === null) return [];
  const message = count === 1 ? '1 report is unread.' : `${count} reports are unread.`;
  return [ofAll({ code: 'unread_reports', severity: priority, message, count, subject_type: 'report', since })];
}

function ofProposals({ count, since }: Waiting): Entry[] {
  if (count === 0) return [];
  const message = count === 1 ? '1 proposal waits for a decision.' : `${count} proposals wait for a decision.`;
  return [ofAll({ code: 'open_proposals', severity: 'info', message, count, subject_type: 'proposal', since })];
}

function ofFlagged({ flagged: count, flagged_since: since }: HouseholdWaiting['flagged']): Entry[] {
  if (count === 0) return [];
  const message = count === 1 ? '1 transaction is flagged.' : `${count} transactions are flagged.`;
  return [
    ofAll({ code: 'flagged_transactions', severity: 'info', message, count, subject_type: 'transaction', since }),
  ];
}

/** An entry about several records, or one among them. */
function ofAll(entry: Omit<Entry, 'subject_id'>): Entry {
  return { ...entry, subject_id: null };
}
