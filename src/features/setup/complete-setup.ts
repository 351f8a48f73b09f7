import type { z } from 'zod';

import type { ReadTx } from '../../db/unit-of-work.ts';
import { systemOrigin, write, type WriteTx } from '../../journal/write.ts';
import { instantNow } from '../../kernel/clock.ts';
import { sha256Hex } from '../../kernel/crypto.ts';
import { makeKey } from '../api-keys/index.ts';
import { browserOf, checkPassword, startSession } from '../auth/index.ts';
import { isFirstRun } from '../bootstrap/index.ts';
import { handleBackground, Reply, type ClientInfo, type Instance } from '../handler.ts';
import { logins, toLogin, toUser } from '../users/index.ts';
import { alreadySetUp, guardToken, invalidFirstRunToken } from './guard-token.ts';
import { readSettings, storeSettings, type Settings } from './household-settings.ts';
import { makeAdmin, type NewAdmin } from './make-admin.ts';
import { completeSetup as operation, type NewHousehold } from './setup.contract.ts';
import { isFirstRunToken } from './setup.queries.ts';

/** Everything that the transaction writes, checked and hashed before it begins. */
interface Plan {
  tokenHash: string;
  admin: NewAdmin;
  /** Name of the key to make, if one was asked for. */
  keyName: string | null;
  settings: Settings;
  client: ClientInfo;
}

export const completeSetup = handleBackground(operation, async (context, { body: sent }) => {
  const { instance, request } = context;
  const { token } = sent as { token?: unknown };
  const tokenHash = sha256Hex(typeof token === 'string' ? token : '');
  const isGood = await guardToken(context, () =>
    instance.database.read((tx) => isUsable(tx, tokenHash, instantNow(instance.clock))),
  );
  if (!isGood) throw invalidFirstRunToken();
  const household = await instance.checkBody(operation, sent);
  const plan = await preparePlan(instance, tokenHash, browserOf(request), household);
  const { reason, id: requestId } = request;
  const origin = systemOrigin('setup', 'setup.complete', { surface: 'setup', reason, requestId });
  const { value, changeSetId } = await write(instance.database, origin, (tx) => carryOut(instance, tx, plan));
  const { cookies, ...answer } = value;
  const headers = { 'set-cookie': cookies, ...(changeSetId === null ? {} : { 'x-change-set-id': changeSetId }) };
  return new Reply(answer, { headers });
});

/** Whether the token is good. @throws ALREADY_SET_UP when tokens no longer work */
async function isUsable(tx: ReadTx, tokenHash: string, now: string): Promise<boolean> {
  if (!(await isFirstRun(tx))) throw alreadySetUp();
  return isFirstRunToken(tx, tokenHash, now);
}

/** @throws VALIDATION_ERROR */
async function preparePlan(
  instance: Instance,
  tokenHash: string,
  client: ClientInfo,
  household: z.output<typeof NewHousehold>,
): Promise<Plan> {
  const { email, password, user_id: userId, name = '' } = household;
  await checkPassword(password, email);
  const settings = readSettings(household);
  return {
    tokenHash,
    admin: {
      who: userId === undefined ? { name } : { userId },
      email,
      passwordHash: await instance.passwords.hash(password),
    },
    keyName: household.create_api_key ? household.api_key_name : null,
    settings,
    client,
  };
}

/** Writers take turns, on one PostgreSQL too: whoever comes second finds an admin, and is told so. */
async function carryOut(instance: Instance, tx: WriteTx, { tokenHash, admin, keyName, settings, client }: Plan) {
  if (!(await isUsable(tx, tokenHash, tx.now))) throw invalidFirstRunToken();
  const { user, login: made } = await makeAdmin(tx, admin);
  const login = await logins.change(tx, made, { last_used_at: tx.now });
  const key =
    keyName === null ? null : await makeKey(instance, tx, { name: keyName, scope: 'full_access', memberId: user.id });
  await storeSettings(tx, settings);
  tx.journal.summarise(`Set up the household, with ${user.name} as its first admin`);
  const { cookies } = await startSession(instance, tx, client, { login, remember: false });
  return {
    user: toUser(user),
    login: toLogin(login, user.short_id, tx.now),
    api_key: key,
    encryption: { source: instance.keySource, key_file: instance.keyFile },
    cookies,
  };
}
