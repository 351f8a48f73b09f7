import type { LoginsTable } from '../../db/schema.ts';
import { write, type WriteTx } from '../../journal/write.ts';
import { fieldFault } from '../../kernel/errors.ts';
import type { InputOf } from '../../contract/operation.ts';
import { handleBackground, originOf, Reply, type BackgroundContext, type Session } from '../handler.ts';
import { logins, readEmail, readIdentifier, users } from '../users/index.ts';
import { updateProfile as operation } from './auth.contract.ts';
import { describeSession } from './describe-session.ts';
import { checkOwnPassword, getSignedIn, sessionOf, wrongPassword } from './own-login.ts';

type Body = InputOf<typeof operation>['body'];

/** What members may change of themselves, whatever their role. Another identifier needs the password (contract 20.6). */
export const updateProfile = handleBackground(operation, async (context, { body }) => {
  const own = sessionOf(context.principal);
  const checked = body.identifier === undefined ? null : await checkPasswordFor(context, own, body);
  const action = body.identifier === undefined ? 'user.update' : 'login.update';
  const { value, changeSetId } = await write(context.instance.database, originOf(context, action), async (tx) => {
    await change(tx, own, body, checked);
    return describeSession(tx, own.id, tx.now);
  });
  return new Reply(value, { headers: changeSetId === null ? {} : { 'x-change-set-id': changeSetId } });
});

/** The login whose password was right. @throws VALIDATION_ERROR, INVALID_CREDENTIALS, RATE_LIMITED */
async function checkPasswordFor(
  { instance, request }: BackgroundContext,
  own: Session,
  { current_password: password }: Body,
): Promise<LoginsTable> {
  if (password === undefined) {
    throw fieldFault('current_password', 'is required to change the email address you sign in with');
  }
  const { login } = await instance.database.read((tx) => getSignedIn(tx, own));
  await checkOwnPassword(instance, request, login, password);
  return login;
}

async function change(tx: WriteTx, own: Session, body: Body, checked: LoginsTable | null): Promise<void> {
  const { login, user } = await getSignedIn(tx, own);
  const email = body.email === undefined ? undefined : await readEmail(tx, body.email, user.id);
  const changed = await users.change(tx, user, { name: body.name, email });
  if (body.identifier !== undefined) {
    if (login.password_hash !== checked?.password_hash) throw wrongPassword();
    const identifier = await readIdentifier(tx, body.identifier, login.id);
    if (body.current_password?.toLowerCase() === identifier) throw fieldFault('identifier', 'must not be the password');
    await logins.change(tx, login, { identifier });
  }
  tx.journal.summarise(`Changed the profile of ${changed.name}`);
}
