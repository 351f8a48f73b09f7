import {
  createMcpHandler,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';

import type { Instance } from '../../features/handler.ts';
import type { Dispatch } from '../../features/run-operation.ts';
import { localBackend, type Connection } from './local-backend.ts';
import { createMcpServer, type Backend } from './mcp-server.ts';

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
    async answer(request, parsedBody, connection) {
      if (!wantsProgress(parsedBody) && (await isLegacyRequest(request, parsedBody))) {
        return answerInJson(request, parsedBody, await localBackend(instance, dispatch, connection));
      }
      // What the library calls authorisation is passed through as it is.
      const authInfo = { token: '', clientId: '', scopes: [], extra: { connection } };
      return handler.fetch(request, { parsedBody, authInfo });
    },
    close: handler.close,
  };
}

/** Left to itself, the library answers the older line as a stream, even if there is nothing to report. */
async function answerInJson(request: Request, parsedBody: unknown, backend: Backend): Promise<Response> {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  const server = createMcpServer(backend);
  await server.connect(transport);
  try {
    return await transport.handleRequest(request, { parsedBody });
  } finally {
    await server.close();
  }
}

function wantsProgress(body: unknown): boolean {
  const { params } = (body ?? {}) as { params?: { _meta?: { progressToken?: unknown } | null } | null };
  return params?._meta?.progressToken !== undefined;
}
