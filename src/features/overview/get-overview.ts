import type { ReadTx } from '../../db/unit-of-work.ts';
import { instantNow } from '../../kernel/clock.ts';
import { DAY_MS, instantAfter } from '../../kernel/dates.ts';
import { householdZone } from '../config/index.ts';
import { handleRead } from '../handler.ts';
import { countUnread } from '../reports/index.ts';
import { countOpenSuggestions } from '../suggestions/index.ts';
import { resolveUserIds, selectUsers } from '../users/index.ts';
import { selectAttention } from './attention.ts';
import { balancesOf } from './balances-now.ts';
import { getOverview as operation } from './overview.contract.ts';
import {
  countFailedRuns,
  countOpenProposals,
  countRecords,
  selectFailedWorkflows,
  selectOwnConnections,
  selectSyncTimes,
} from './overview.queries.ts';
import { countLive, countStates, ownedBy } from './transaction-counts.queries.ts';

export const getOverview = handleRead(operation, async ({ tx, instance }, { query }) => {
  const now = instantNow(instance.clock);
  const [ownerId = null] = query.user_id === undefined ? [] : await resolveUserIds(tx, [query.user_id], 'user_id');
  const own = await ownedBy(tx, ownerId);
  const states = await countStates(tx, own);
  const { transactions, earliest_date, latest_date, ...added } = await countLive(
    tx,
    own,
    instantAfter(now, -DAY_MS),
    instantAfter(now, -7 * DAY_MS),
  );
  const members = await selectUsers(tx);
  const waiting = {
    flagged: own === null ? states : await countStates(tx, null),
    reports: await countUnread(tx),
    proposals: await countOpenProposals(tx, now),
    failedWorkflows: await selectFailedWorkflows(tx),
  };
  return {
    as_of: now,
    timezone: await householdZone(tx),
    members: members.map(({ short_id, name }) => ({ user_id: short_id, name })),
    balances: await balancesOf(tx, ownerId === null ? {} : { ownerIds: [ownerId] }),
    counts: { ...(await countRecords(tx, ownerId)), transactions, pending: states.pending },
    period: { earliest_date, latest_date },
    freshness: { ...(await selectSyncTimes(tx)), ...added },
    backlog: {
      uncategorized_count: states.uncategorized,
      needs_review_count: states.needs_review,
      flagged_count: states.flagged,
      unread_reports_count: waiting.reports.count,
      open_proposals_count: waiting.proposals.count,
      open_suggestions_count: await countSuggestions(tx, ownerId),
      failed_runs_24h: await countFailedRuns(tx, instantAfter(now, -DAY_MS)),
    },
    attention: await selectAttention(tx, instance, waiting),
  };
});

/** Open suggestions about connections of this member, or about all. */
async function countSuggestions(tx: ReadTx, ownerId: string | null): Promise<number> {
  const own = await selectOwnConnections(tx, ownerId);
  const open = (await countOpenSuggestions(tx)).filter(({ connection_id: id }) => own === null || own.has(id));
  return open.reduce((sum, { n }) => sum + n, 0);
}
