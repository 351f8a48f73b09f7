import type { ConnectionsTable } from '../../db/schema.ts';
import { write, type WriteTx } from '../../journal/write.ts';
import { AppError, validationError } from '../../kernel/errors.ts';
import { ProviderFailure } from '../../providers/provider-failure.ts';
import type { Access, Provider } from '../../providers/provider.ts';
import { findConnectionOf } from '../connections/index.ts';
import { handleBackground, originOf, type Instance } from '../handler.ts';
import { accessOf, asking, requireProvider, sealAccess } from '../providers/index.ts';
import { applyConnectionEvent } from '../sync/index.ts';
import { withClaim } from './claim-session.ts';
import type { SessionRow } from './hosted-links.queries.ts';
import { RENEWAL_FIELDS, renewOnPage as operation } from './link-page.contract.ts';
import { useSession } from './link-guard.ts';
import { asLinkCreator } from './on-behalf.ts';
import { endWithResult } from './session-result.ts';
import { disconnected } from './refusals.ts';
import { getRenewed } from './start-link.ts';

/** Only a login that is proved to work again ends the page (contract 30.5.5). */
export const renewOnPage = handleBackground(operation, async (context, { params, body: sent }) => {
  const { instance } = context;
  const session = await useSession(instance, params.token);
  const body = await instance.checkBody(operation, sent);
  if (session.action !== 'relink')
    throw new AppError('FORBIDDEN', 'This link is for connecting a bank, not for signing in again.');
  const missing = (RENEWAL_FIELDS[session.provider] ?? []).find((field) => body[field] === undefined);
  if (missing !== undefined) throw validationError(missing, `${missing}: is required`);
  await withClaim(instance, session, { canSpend: false }, async (claimed) => {
    const provider = await requireProvider(instance, session.provider);
    const before = storedAccess(instance, await getRenewed(instance, session));
    const proved = await prove(provider, before, body);
    const origin = originOf(asLinkCreator(context, session), 'connection.reauthenticate');
    await write(instance.database, origin, (tx) => store(tx, instance, claimed, { before, proved }));
  });
  return null;
});

/** Access that cannot be decrypted may be replaced by what the bank's window handed over. */
function storedAccess(instance: Instance, connection: ConnectionsTable): Access {
  return accessOf(instance, connection) ?? { itemId: connection.external_id ?? '', credentials: '' };
}

/** @throws REAUTH_NOT_CONFIRMED, PROVIDER_ERROR */
async function prove(provider: Provider, access: Access, sent: Readonly<Record<string, unknown>>): Promise<Access> {
  const proved = await asking(provider, () => proof(provider, access, sent));
  if (proved) return proved;
  throw new AppError(
    'REAUTH_NOT_CONFIRMED',
    'The bank still asks for a new sign-in. Open its window and sign in again.',
  );
}

async function proof(
  provider: Provider,
  access: Access,
  sent: Readonly<Record<string, unknown>>,
): Promise<Access | null> {
  try {
    return await provider.proveLogin(access, sent);
  } catch (error) {
    if (error instanceof ProviderFailure && error.failureClass === 'login') return null;
    throw error;
  }
}

async function store(
  tx: WriteTx,
  instance: Instance,
  session: SessionRow,
  { before, proved }: { before: Access; proved: Access },
): Promise<void> {
  const connection = await findConnectionOf(tx, session.connection_id);
  if (!connection || connection.status === 'disconnected') throw disconnected();
  const columns = await newCredentials(tx, instance, connection, { before, proved });
  // A connection whose status stays the same was still renewed.
  const fields = { after: { reauthenticated_at: tx.now } };
  const event = { kind: 'reauthenticated', trigger: 'manual' } as const;
  await applyConnectionEvent(tx, instance, connection, event, { columns, fields });
  tx.journal.summarise(`Signed in to ${connection.institution_name ?? 'a bank'} again`);
  await endWithResult(tx, session.id, connection.id);
}

async function newCredentials(
  tx: WriteTx,
  instance: Instance,
  { id }: ConnectionsTable,
  { before, proved }: { before: Access; proved: Access },
): Promise<Partial<Pick<ConnectionsTable, 'credentials' | 'external_id'>>> {
  if (proved.credentials === before.credentials && proved.itemId === before.itemId) return {};
  return { credentials: await sealAccess(tx, instance, id, proved), external_id: proved.itemId };
}
