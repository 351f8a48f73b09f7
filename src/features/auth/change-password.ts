import { write } from '../../journal/write.ts';
import { hasPasswordLength } from '../../kernel/credentials.ts';
import { fieldFault } from '../../kernel/errors.ts';
import { revokeKeysOf } from '../api-keys/index.ts';
import { handleBackground, originOf, Reply } from '../handler.ts';
import { NO_SETUP_TOKEN } from '../logins/index.ts';
import { logins } from '../users/index.ts';
import { changePassword as operation } from './auth.contract.ts';
import { checkPassword } from './check-password.ts';
import { forgetBrowsers } from './known-browsers.queries.ts';
import { browserOf, checkOwnPassword, getSignedIn, sessionOf, wrongPassword } from './own-login.ts';
import { endSessions } from './session.queries.ts';
import { startSession } from './start-session.ts';

/** All other sessions of the login end, and a token that would set another password is void (contract 20.6). */
export const changePassword = handleBackground(operation, async (context, { body }) => {
  const { instance, request, principal } = context;
  const { current_password: currentPassword, new_password: newPassword, revoke_keys: revokesKeys } = body;
  const own = sessionOf(principal);
  const { login: checked } = await instance.database.read((tx) => getSignedIn(tx, own));
  await checkPassword(newPassword, checked.identifier, 'new_password');
  // Only a text of such a length can be the same, and only a short one is normalised quickly.
  if (hasPasswordLength(currentPassword) && newPassword.normalize('NFKC') === currentPassword.normalize('NFKC')) {
    throw fieldFault('new_password', 'must differ from the current password');
  }
  await checkOwnPassword(instance, request, checked, currentPassword);
  const passwordHash = await instance.passwords.hash(newPassword);
  const { value: headers } = await write(instance.database, originOf(context, 'login.set_password'), async (tx) => {
    const { session, login, user } = await getSignedIn(tx, own);
    if (login.password_hash !== checked.password_hash) throw wrongPassword();
    await logins.change(tx, login, { password_hash: passwordHash, ...NO_SETUP_TOKEN });
    await endSessions(tx, login.id);
    await forgetBrowsers(tx, login.id);
    if (revokesKeys) await revokeKeysOf(tx, user.id);
    tx.journal.summarise(`Changed the password of ${user.name}`);
    const remember = session.is_remembered === 1;
    const { cookies } = await startSession(instance, tx, browserOf(request), { login, remember });
    return { 'set-cookie': cookies, 'x-change-set-id': tx.journal.changeSetId };
  });
  return new Reply(null, { headers });
});
