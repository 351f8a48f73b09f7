export { applyConnectionEvent, changeByEvent, nextSyncAfterChange } from './status/connection-events.ts';
export { endRunningSync } from './run/fail-sync.ts';
export { requestSync, type SyncTrigger } from './turns/request-sync.ts';
export { attachAccounts } from './accounts/attach-accounts.ts';
export { storeBalances } from './accounts/store-balances.ts';
export { connectionsAttention, type ConnectionAttention } from './status/connection-attention.ts';
export { rescheduleAll } from './turns/reschedule.ts';
export { selectNewestLogs } from './logs/sync-history.queries.ts';
export { toSyncLogs } from './logs/sync-log-record.ts';
