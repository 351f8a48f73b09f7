import { AppError, notFound } from '../../kernel/errors.ts';
import { findConnectionOf } from '../connections/index.ts';
import { handleBackground, type Instance } from '../handler.ts';
import { accessOf, openLinkSession, requireProvider, traitsOf } from '../providers/index.ts';
import type { SessionRow } from './hosted-links.queries.ts';
import { startLink as operation } from './link-page.contract.ts';
import { useSession } from './link-guard.ts';
import { disconnected, unreadable } from './refusals.ts';

export const startLink = handleBackground(operation, async ({ instance }, { params }) => {
  const session = await useSession(instance, params.token);
  const { name } = params;
  if (traitsOf(instance, name)?.needsLinkSession !== true) throw notFound('The provider was');
  refuseOther(session, name);
  const link =
    session.action === 'relink' ? await getRenewal(instance, session) : { renewing: null, selectsAccounts: false };
  return openLinkSession(await requireProvider(instance, name), { memberId: session.user_id, ...link });
});

/** @throws FORBIDDEN if the link is for another provider */
export function refuseOther({ provider }: SessionRow, name: string): void {
  if (provider === '' || provider === name) return;
  throw new AppError('FORBIDDEN', 'This link is for another provider.');
}

/** What a relink renews. @throws CONNECTION_DISCONNECTED, CONFLICT */
export async function getRenewal(instance: Instance, { connection_id: id }: SessionRow) {
  const connection = await instance.database.read((tx) => findConnectionOf(tx, id));
  if (!connection || connection.status === 'disconnected') throw disconnected();
  const renewing = accessOf(instance, connection);
  if (!renewing) throw unreadable();
  return { renewing, selectsAccounts: connection.new_accounts_at !== null };
}
