export { isFromHere, isOwnAddress, openFirstRun } from './first-run-token.ts';
export { makeAdmin, type NewAdmin } from './make-admin.ts';
export { setPassword } from './set-password.ts';
