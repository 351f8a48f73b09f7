export { connections } from './connections.entity.ts';
export { forgetCredentials, forgetPendingLinks } from './forget-credentials.ts';
export { findConnectionOf, hasAccounts } from './connections.queries.ts';
