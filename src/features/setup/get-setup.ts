import type { ReadTx } from '../../db/unit-of-work.ts';
import { instantNow } from '../../kernel/clock.ts';
import { sha256Hex } from '../../kernel/crypto.ts';
import { isFirstRun } from '../bootstrap/index.ts';
import { handleBackground, type BackgroundContext } from '../handler.ts';
import { tokenForLoopback } from './first-run-token.ts';
import { getSetup as operation } from './setup.contract.ts';
import { guardToken } from './guard-token.ts';
import { isFirstRunToken, selectMembersWithoutLogin } from './setup.queries.ts';

export const getSetup = handleBackground(operation, async (context, { query }) => {
  const { instance, request } = context;
  const firstRun = await instance.database.read(isFirstRun);
  if (!firstRun) return { first_run: false, setup_token: null, members: null };
  return {
    first_run: true,
    setup_token: await tokenForLoopback(instance, request),
    members: query.token === undefined ? null : await membersFor(context, query.token),
  };
});

/** Only for a good token: who lives here is no one else's business. */
async function membersFor(context: BackgroundContext, token: string) {
  const { database, clock } = context.instance;
  const isGood = (tx: ReadTx) => isFirstRunToken(tx, sha256Hex(token), instantNow(clock));
  if (!(await guardToken(context, () => database.read(isGood)))) return null;
  const members = await database.read(selectMembersWithoutLogin);
  return members.map(({ short_id: userId, name }) => ({ user_id: userId, name }));
}
