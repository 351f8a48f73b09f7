import type { LoginsTable } from '../../db/schema.ts';
import type { WriteTx } from '../../journal/write.ts';
import { endSessions, forgetBrowsers } from '../auth/index.ts';
import { NO_SETUP_TOKEN } from '../logins/index.ts';
import { logins } from '../users/index.ts';

type Extra = Partial<Pick<LoginsTable, 'role' | 'last_used_at'>>;

/**
 * Sets the password of a login for somebody who does not know the present one. What was signed in before ends, and a
 * setup link is void (contract 20.6, 20.8).
 */
export async function setPassword(
  tx: WriteTx,
  login: LoginsTable,
  passwordHash: string,
  extra: Extra = {},
): Promise<LoginsTable> {
  const changed = await logins.change(tx, login, { password_hash: passwordHash, ...NO_SETUP_TOKEN, ...extra });
  await endSessions(tx, login.id);
  await forgetBrowsers(tx, login.id);
  return changed;
}
