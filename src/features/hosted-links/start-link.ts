import type { ConnectionsTable } from '../../db/schema.ts';
import { AppError, notFound } from '../../kernel/errors.ts';
import { findConnectionOf } from '../connections/index.ts';
import { handleBackground, type Instance } from '../handler.ts';
import { openRenewal } from '../linking/index.ts';
import { openLinkSession, requireProvider, traitsOf } from '../providers/index.ts';
import type { SessionRow } from './hosted-links.queries.ts';
import { startLink as operation } from './link-page.contract.ts';
import { useSession } from './link-guard.ts';
import { disconnected } from './refusals.ts';

export const startLink = handleBackground(operation, async ({ instance }, { params }) => {
  const session = await useSession(instance, params.token);
  const { name } = params;
  if (traitsOf(instance, name)?.needsLinkSession !== true) throw notFound('provider');
  refuseOther(session, name);
  if (session.action === 'relink') return openRenewal(instance, await getRenewed(instance, session));
  const link = { memberId: session.user_id, renewing: null };
  return openLinkSession(await requireProvider(instance, name), link);
});

/** @throws FORBIDDEN if the link is for another provider */
export function refuseOther({ provider }: SessionRow, name: string): void {
  if (provider === '' || provider === name) return;
  throw new AppError('FORBIDDEN', 'This link is for another provider.');
}

/** The connection whose login a relink renews. @throws CONNECTION_DISCONNECTED */
export async function getRenewed(instance: Instance, { connection_id: id }: SessionRow): Promise<ConnectionsTable> {
  const connection = await instance.database.read((tx) => findConnectionOf(tx, id));
  if (!connection || connection.status === 'disconnected') throw disconnected();
  return connection;
}
