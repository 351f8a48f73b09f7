export { findLoginOf } from './logins.queries.ts';
export { NO_SETUP_TOKEN } from './setup-token.ts';
export { removeAccess } from './withdraw-access.ts';
