import { createMcpHandler } from '@modelcontextprotocol/server';

import type { Instance } from '../../features/handler.ts';
import type { Dispatch } from '../../features/run-operation.ts';
import { localBackend, type Connection } from './local-backend.ts';
import { createMcpServer } from './mcp-server.ts';

export interface McpHandler {
  /** `body` is the parsed body of the request. */
  answer: (request: Request, body: unknown, connection: Connection) => Promise<Response>;
  close: () => Promise<void>;
}

/** Both lines of the protocol over HTTP, without a state: each request has a server of its own. */
export function createHandler(instance: Instance, dispatch: Dispatch): McpHandler {
  const handler = createMcpHandler(
    async ({ authInfo }) => {
      const { connection } = (authInfo as unknown as { extra: { connection: Connection } }).extra;
      return createMcpServer(await localBackend(instance, dispatch, connection));
    },
    {
      maxSubscriptions: 0,
      onerror: (error) => instance.logger.debug({ err: error }, 'A request of an agent was refused.'),
    },
  );
  return {
    // What the library calls authorisation is passed through as it is.
    answer: (request, parsedBody, connection) =>
      handler.fetch(request, { parsedBody, authInfo: { token: '', clientId: '', scopes: [], extra: { connection } } }),
    close: handler.close,
  };
}
