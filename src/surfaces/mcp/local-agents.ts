import type { App } from '../../app.ts';
import { checkScope } from '../../features/check-rights.ts';
import type { Principal } from '../../features/handler.ts';
import { LIMITS } from '../../kernel/limits.ts';
import type { KeyScope } from '../../kernel/scopes.ts';
import { authenticateKey } from '../http/authenticate.ts';
import { localBackend, type Connection } from './local-backend.ts';
import { serveOverStdio } from './serve-stdio.ts';

export interface LocalOptions {
  /** At most; undefined leaves it to the key, and allows reading without one. */
  scope: KeyScope | undefined;
  /** The name of the agent in the history, instead of the client's. */
  name: string | undefined;
  key: string | undefined;
}

/**
 * Serves agents from the ledger of this installation.
 * @throws INVALID_API_KEY, REVOKED_API_KEY
 */
export async function serveLocalAgents(app: App, options: LocalOptions): Promise<void> {
  const { instance } = app;
  const { scope, key } = options;
  const connection: Connection = {
    principal: key === undefined ? async (client) => principalWithoutKey(options, client) : () => keyed(key),
    transport: 'stdio',
    most: scope ?? (key === undefined ? 'read_only' : 'full_access'),
    clientName: null,
    clientVersion: null,
    requestId: null,
    baseUrl: (await instance.settings.baseUrl()) ?? 'http://localhost',
  };
  await connection.principal(null);
  instance.syncs().leaveToServer();
  instance.runs().leaveToServer();
  await serveOverStdio(() => localBackend(instance, (operation, call) => app.dispatch(operation, call), connection));

  async function keyed(text: string): Promise<Principal> {
    const principal = await authenticateKey(instance, ['x-api-key', text]);
    if (!principal) throw new Error('There is a key.');
    checkScope(principal, 'read_only');
    return principal;
  }
}

/** Without a key, whoever can start this program may do as much as it was started for. */
function principalWithoutKey({ scope, name }: LocalOptions, client: string | null): Principal {
  const shown = (name ?? client ?? '').replaceAll(/[\p{Cc}\p{Cf}\p{Cs}]/gu, ' ').trim();
  const actorName = [...shown].slice(0, LIMITS.nameChars).join('') || 'Agent';
  return {
    kind: 'server',
    // Its name is all that tells it from another: what one proposed, the other does not add to.
    id: `stdio:${actorName}`,
    scope: scope ?? 'read_only',
    actor: { type: 'agent', id: null, userId: null, name: actorName },
    memberId: null,
    session: null,
  };
}
