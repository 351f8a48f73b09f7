import { instantNow } from '../../kernel/clock.ts';
import { sha256Hex } from '../../kernel/crypto.ts';
import { configValue } from '../config/index.ts';
import { handleBackground } from '../handler.ts';
import { guardToken, invalidInvitation } from './guard-token.ts';
import { getInvitation as operation } from './setup.contract.ts';
import { findInvited } from './setup.queries.ts';

/** Uses nothing up: messengers fetch links for their previews (contract 20.8). */
export const getInvitation = handleBackground(operation, async (context, { params }) => {
  const { database, clock } = context.instance;
  const hash = sha256Hex(params.token);
  const now = instantNow(clock);
  const look = () =>
    database.read(async (tx) => ({
      invited: await findInvited(tx, hash, now),
      household: (await configValue(tx, 'household.name')) ?? '',
    }));
  let found: Awaited<ReturnType<typeof look>> | undefined;
  await guardToken(context, async () => {
    found = await look();
    return found.invited !== undefined;
  });
  if (!found?.invited) throw invalidInvitation();
  const { login, member } = found.invited;
  return {
    identifier: login.identifier,
    user_name: member.name,
    household_name: found.household,
    invited_by: login.setup_token_issuer ?? '',
    purpose: login.password_hash === null ? ('invitation' as const) : ('reset' as const),
    expires_at: login.setup_token_expires_at as string,
  };
});
