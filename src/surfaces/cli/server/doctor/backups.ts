import { recipientsOf } from '../../../../features/recovery-keys/index.ts';
import { ofApp, pass, warn } from './check.ts';

/** Whether what the household would lose with this machine could be brought back. */
export const recoveryKey = ofApp('backups', async ({ instance }) => {
  const recipients = await instance.database.read(recipientsOf);
  if (recipients.length > 0) return pass(`Backups are encrypted to ${recipients.length} recovery keys.`);
  return warn('There is no recovery key, so backups are not encrypted.', 'Run `homeledger backup recovery-key`.');
});
