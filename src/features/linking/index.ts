export { bankOfBody, type BankBody } from './bank-of-body.ts';
export { disconnect, endAccess, finishDisconnects } from './disconnect.ts';
export { linkBank, type LinkedBank } from './link-bank.ts';
export { openRenewal } from './open-renewal.ts';
export { revokeStaleLinks } from './pending-links.ts';
export { revokeAll, type BankAccess } from './revoke.ts';
