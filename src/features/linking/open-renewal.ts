import type { z } from 'zod';

import type { ConnectionsTable } from '../../db/schema.ts';
import { AppError } from '../../kernel/errors.ts';
import { ProviderFailure } from '../../providers/provider-failure.ts';
import type { Instance } from '../handler.ts';
import { accessOf, asking, requireProvider, traitsOf } from '../providers/index.ts';
import type { LinkSession } from '../providers/providers.contract.ts';

type Session = z.output<typeof LinkSession>;

/**
 * What the bank's window is opened with to sign in again to a connection (contract 30.2.3). Changes nothing.
 * @throws CONFLICT, PROVIDER_NOT_CONFIGURED, PROVIDER_ERROR
 */
export async function openRenewal(instance: Instance, connection: ConnectionsTable): Promise<Session> {
  const { provider: name, external_id: itemId, user_id: memberId } = connection;
  const traits = traitsOf(instance, name);
  if (!traits || itemId === null)
    throw new AppError('CONFLICT', 'Bank files need no login, so there is none to renew.');
  if (!traits.capabilities.includes('reauth')) {
    throw new AppError('CONFLICT', `${traits.displayName} renews a login only at its own site. Renew it there.`);
  }
  const provider = await requireProvider(instance, name);
  // A provider that needs only the id of the item opens its window without the stored access.
  const renewing = accessOf(instance, connection) ?? { itemId, credentials: '' };
  const link = { memberId, renewing };
  return asking(provider, async () => provider.createLinkSession(link).catch(explain)) as Promise<Session>;
}

function explain(error: unknown): never {
  throw error instanceof ProviderFailure && error.code === 'CREDENTIALS_UNREADABLE' ? unreadable() : error;
}

function unreadable(): AppError {
  return new AppError(
    'CONFLICT',
    'The stored access to the bank cannot be decrypted, so it cannot be renewed. Restore the encryption key, or ' +
      'disconnect and link the bank again; accounts and history are kept.',
  );
}
