import type { LoginsTable, UsersTable } from '../../db/schema.ts';
import { write, type Origin, type WriteTx } from '../../journal/write.ts';
import { instantNow } from '../../kernel/clock.ts';
import { sha256Hex } from '../../kernel/crypto.ts';
import { browserOf, checkPassword, describeSession, logAttempt, startSession } from '../auth/index.ts';
import { handleBackground, Reply, type BackgroundContext, type ClientInfo, type Instance } from '../handler.ts';
import { guardToken, invalidInvitation } from './guard-token.ts';
import { setPassword } from './set-password.ts';
import { acceptInvitation as operation } from './setup.contract.ts';
import { findInvited } from './setup.queries.ts';

interface Acceptance {
  tokenHash: string;
  passwordHash: string;
  remember: boolean;
  client: ClientInfo;
}

export const acceptInvitation = handleBackground(operation, async (context, { params, body: sent }) => {
  const { instance, request } = context;
  const tokenHash = sha256Hex(params.token);
  const { login, member } = await findGuarded(context, tokenHash);
  const { password, remember } = await instance.checkBody(operation, sent);
  await checkPassword(password, login.identifier);
  const passwordHash = await instance.passwords.hash(password);
  const acceptance = { tokenHash, passwordHash, remember, client: browserOf(request) };
  const { value, changeSetId } = await write(instance.database, originFor(member, context), (tx) =>
    accept(instance, tx, acceptance),
  );
  logAttempt(instance, request, login, 'A password was set with a setup token.');
  const headers = {
    'set-cookie': value.cookies,
    ...(changeSetId === null ? {} : { 'x-change-set-id': changeSetId }),
  };
  return new Reply(value.answer, { headers });
});

/** @throws INVALID_SETUP_TOKEN, RATE_LIMITED */
async function findGuarded(
  context: BackgroundContext,
  tokenHash: string,
): Promise<{ login: LoginsTable; member: UsersTable }> {
  const { database, clock } = context.instance;
  let invited: Awaited<ReturnType<typeof findInvited>>;
  await guardToken(context, async () => {
    invited = await database.read((tx) => findInvited(tx, tokenHash, instantNow(clock)));
    return invited !== undefined;
  });
  if (!invited) throw invalidInvitation();
  return invited;
}

/** Whoever has the link is the member, whoever else was signed in to this browser. */
function originFor({ short_id: id, name }: UsersTable, { request }: BackgroundContext): Origin {
  const actor = { type: 'user' as const, id, userId: id, name };
  const { reason, surface, id: requestId } = request;
  return { actor, surface, source: 'edit', action: 'login.set_password', reason, requestId };
}

/** The token may have been used or replaced while the password was hashed. @throws INVALID_SETUP_TOKEN */
async function accept(instance: Instance, tx: WriteTx, { tokenHash, passwordHash, remember, client }: Acceptance) {
  const invited = await findInvited(tx, tokenHash, tx.now);
  if (!invited) throw invalidInvitation();
  const { login, member } = invited;
  await setPassword(tx, login, passwordHash, { last_used_at: tx.now });
  const { session, cookies } = await startSession(instance, tx, client, { login, remember });
  tx.journal.summarise(`${member.name} set a password`);
  return { answer: await describeSession(tx, session.id, tx.now), cookies };
}
