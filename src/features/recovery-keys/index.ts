export { sheetText, type EmergencySheet } from './emergency-sheet.contract.ts';
export { makeIdentity, readRecipient, type RecoveryKey } from './make-identity.ts';
export { addRecipient, recipientsOf, removeRecipient, selectRecoveryKeys } from './recipients.queries.ts';
