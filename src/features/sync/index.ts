export { applyConnectionEvent, changeByEvent, nextSyncAfterChange } from './connection-events.ts';
export { endRunningSync } from './fail-sync.ts';
export { requestSync, type SyncTrigger } from './request-sync.ts';
export { attachAccounts } from './attach-accounts.ts';
export { storeBalances } from './store-balances.ts';
export { connectionsAttention, type ConnectionAttention } from './connection-attention.ts';
export { rescheduleAll } from './reschedule.ts';
export { selectNewestLogs } from './sync-history.queries.ts';
export { toSyncLogs } from './sync-log-record.ts';
