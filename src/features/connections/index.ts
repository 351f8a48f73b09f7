export { connections } from './connections.entity.ts';
export { findConnectionOf, hasAccounts } from './connections.queries.ts';
