import { bookkeep } from '../../journal/write.ts';
import { AppError, notFound } from '../../kernel/errors.ts';
import { instantNow } from '../../kernel/clock.ts';
import { instantAfter } from '../../kernel/dates.ts';
import { sha256Hex } from '../../kernel/crypto.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { connections } from '../connections/index.ts';
import { actorOf, handleBackground, handleRead, handleWrite, type WriteContext } from '../handler.ts';
import { accessOf, configuredProviders, notConfigured, traitsOf } from '../providers/index.ts';
import { unknownUser, users } from '../users/index.ts';
import * as contract from './hosted-links.contract.ts';
import { findSession, insertSession, moveSession, type NewSession } from './hosted-links.queries.ts';
import { checkRedirect } from './redirect.ts';
import { disconnected, nothingToRenew, unreadable } from './refusals.ts';
import { toSession } from './session-record.ts';
import { isEnded } from './session-states.ts';
import * as page from './link-page.contract.ts';
import { getLiveSession, getSession, useSession } from './link-guard.ts';

const TOKEN_BYTES = 16;

export const createHostedLink = handleWrite(
  contract.createHostedLink,
  'hosted_link.create',
  async (context, { body }) => {
    const member = await users.find(context.tx, body.user_id);
    if (!member) throw unknownUser('user_id', body.user_id);
    await requireConfigured(context, body.provider);
    const { provider } = body;
    const whose = { user_id: member.id, provider, connection_id: null };
    return mint(context, { ...whose, action: 'link', is_single_use: body.single_use ? 1 : 0 }, body);
  },
);

export const createHostedRelink = handleWrite(
  contract.createHostedRelink,
  'hosted_link.create',
  async (context, { params, body }) => {
    const { tx, instance } = context;
    const connection = await connections.find(tx, params.id);
    if (!connection) throw notFound('connection');
    const { id, user_id, provider, status } = connection;
    const traits = traitsOf(instance, provider);
    if (traits?.capabilities.includes('reauth') !== true) throw nothingToRenew();
    if (status === 'disconnected') throw disconnected();
    await requireConfigured(context, provider);
    if (traits.renewsByItemId !== true && !accessOf(instance, connection)) throw unreadable();
    return mint(context, { user_id, provider, connection_id: id, action: 'relink', is_single_use: 1 }, body);
  },
);

export const getHostedLink = handleRead(contract.getHostedLink, async ({ tx, instance }, { params }) => {
  const session = await findSession(tx, params.id);
  if (!session) throw notFound('link session');
  return toSession(session, instantNow(instance.clock));
});

export const cancelHostedLink = handleWrite(
  contract.cancelHostedLink,
  'hosted_link.cancel',
  async ({ tx }, { params }) => {
    const session = await findSession(tx, params.id);
    if (!session) throw notFound('link session');
    const moved = await moveSession(tx, session, 'cancelled', {
      error: { code: 'cancelled', message: 'This page was cancelled by whoever asked for it.' },
    });
    if (moved) return null;
    const { status } = toSession(session, tx.now);
    const message = isEnded(status)
      ? `This link has already ended: it is ${status}.`
      : 'A bank is being connected through this link right now. Try again in a moment.';
    throw new AppError('INVALID_STATE', message);
  },
);

export const finishLink = handleBackground(page.finishLink, async ({ instance }, { params }) => {
  const session = await useSession(instance, params.token);
  if (session.action === 'relink') throw new AppError('FORBIDDEN', 'This link renews a login, and ends with that.');
  await bookkeep(instance.database, async (tx) => {
    if (await moveSession(tx, await getSession(tx, session), 'finished')) return;
    throw new AppError('INVALID_STATE', 'No bank has been connected yet.');
  });
  return null;
});

export const giveUpLink = handleBackground(page.giveUpLink, async ({ instance }, { params, body: sent }) => {
  const session = await getLiveSession(instance, params.token);
  const { code, message } = await instance.checkBody(page.giveUpLink, sent);
  await bookkeep(instance.database, async (tx) => {
    await moveSession(tx, await getSession(tx, session), 'given_up', { error: { code, message } });
  });
  return null;
});

interface Wanted {
  redirect_url?: string | undefined;
  label?: string | undefined;
  expires_in_seconds?: number | undefined;
}

async function mint(
  context: WriteContext,
  session: Pick<NewSession, 'user_id' | 'provider' | 'connection_id' | 'action' | 'is_single_use'>,
  { redirect_url: redirectUrl = '', label = '', expires_in_seconds: seconds = 0 }: Wanted,
) {
  const { tx, instance, principal, request } = context;
  if (redirectUrl !== '') await checkRedirect(tx, request.baseUrl, redirectUrl);
  const token = Buffer.from(instance.random.bytes(TOKEN_BYTES)).toString('base64url');
  const actor = actorOf(principal);
  const made = await insertSession(tx, {
    ...session,
    token_hash: sha256Hex(token),
    redirect_url: redirectUrl === '' ? null : redirectUrl,
    label: label.trim() === '' ? null : label.trim(),
    actor_type: actor.type,
    actor_id: actor.id,
    actor_user_id: actor.userId,
    actor_name: actor.name,
    expires_at: instantAfter(tx.now, 1_000 * (seconds === 0 ? LIMITS.hostedLinkSeconds : seconds)),
  });
  return { ...toSession(made, tx.now), token, url: `${request.baseUrl}/link/${token}` };
}

/** The provider named, or at least one. @throws PROVIDER_NOT_CONFIGURED */
async function requireConfigured({ tx, instance }: WriteContext, provider: string): Promise<void> {
  const configured = await configuredProviders(tx, instance);
  if (provider === '' ? configured.length > 0 : configured.includes(provider)) return;
  throw notConfigured(instance, provider);
}
