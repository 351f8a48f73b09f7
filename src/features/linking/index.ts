export { bankOfBody, type BankBody } from './bank-of-body.ts';
export { disconnect } from './disconnect.ts';
export { linkBank, type LinkedBank } from './link-bank.ts';
export { openRenewal } from './open-renewal.ts';
export { endAccess, revokeStaleLinks } from './pending-links.ts';
export { revokeAll, type BankAccess } from './revoke.ts';
