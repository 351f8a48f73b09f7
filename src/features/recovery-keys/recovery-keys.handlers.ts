import type { LoginsTable } from '../../db/schema.ts';
import { write, type WriteTx } from '../../journal/write.ts';
import { AppError } from '../../kernel/errors.ts';
import { checkOwnPassword, getSignedIn, sessionOf, wrongPassword } from '../auth/index.ts';
import { handleBackground, handleRead, originOf, Reply, type BackgroundContext } from '../handler.ts';
import { makeIdentity, readRecipient } from './make-identity.ts';
import { addRecipient, removeRecipient, selectRecoveryKeys } from './recipients.queries.ts';
import * as contract from './recovery-keys.contract.ts';

export const listRecoveryKeys = handleRead(contract.listRecoveryKeys, async ({ tx }) =>
  (await selectRecoveryKeys(tx)).map((row) => ({
    recipient: row.recipient,
    own: row.is_own === 1,
    added_at: row.added_at,
    added_by: { type: row.added_by_type, id: row.added_by_id, name: row.added_by_name },
  })),
);

/** Who can add a recipient can read the bank logins of later backups, so a session alone is not enough (contract 85.4). */
export const addRecoveryKey = handleBackground(contract.addRecoveryKey, async (context, { body }) => {
  const login = await checkPassword(context, body.password);
  const given = body.recipient === undefined ? null : await readRecipient(body.recipient);
  const made = given === null ? await makeIdentity() : { recipient: given, identity: null };
  const headers = await writeAs(context, login, (tx, by) =>
    addRecipient(tx, { recipient: made.recipient, isOwn: given !== null, by }),
  );
  return new Reply({ recipient: made.recipient, identity: made.identity }, { headers });
});

export const removeRecoveryKey = handleBackground(contract.removeRecoveryKey, async (context, { body }) => {
  const login = await checkPassword(context, body.password);
  const headers = await writeAs(context, login, (tx) => removeRecipient(tx, body.recipient.trim()));
  return new Reply(null, { headers });
});

/** @throws INVALID_CREDENTIALS, RATE_LIMITED */
async function checkPassword({ instance, principal, request }: BackgroundContext, password: string) {
  const own = sessionOf(principal);
  const { login } = await instance.database.read((tx) => getSignedIn(tx, own));
  await checkOwnPassword(instance, request, login, password);
  return login;
}

type Writer = ReturnType<typeof originOf>['actor'];

/** The caller must still be the admin whose password was right. */
async function writeAs(
  context: BackgroundContext,
  checked: LoginsTable,
  change: (tx: WriteTx, by: Writer) => Promise<void>,
): Promise<Readonly<Record<string, string>>> {
  const own = sessionOf(context.principal);
  const origin = originOf(context, 'setting.update');
  const { changeSetId } = await write(context.instance.database, origin, async (tx) => {
    const { login } = await getSignedIn(tx, own);
    if (login.password_hash !== checked.password_hash) throw wrongPassword();
    if (login.role !== 'admin') throw new AppError('FORBIDDEN', 'Only an admin can do this.');
    await change(tx, origin.actor);
  });
  return changeSetId === null ? {} : { 'x-change-set-id': changeSetId };
}
