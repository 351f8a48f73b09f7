import { serveStdio } from '@modelcontextprotocol/server/stdio';

import { createMcpServer, type Backend } from './mcp-server.ts';
import { StdioTransport } from './stdio-transport.ts';

/** Serves agents over standard input and output until the input ends. Running calls are finished first. */
export async function serveOverStdio(backend: () => Promise<Backend>): Promise<void> {
  const running = new Set<Promise<unknown>>();
  const transport = new StdioTransport(process.stdin, process.stdout);
  const server = serveStdio(async () => createMcpServer(watched(await backend(), running)), {
    maxSubscriptions: 0,
    transport,
  });
  await transport.ended;
  // A cancelled call has no answer, but may be writing.
  await Promise.allSettled(running);
  await server.close();
}

function watched({ answer, ...backend }: Backend, running: Set<Promise<unknown>>): Backend {
  return {
    ...backend,
    answer: (request) => {
      const answered = answer(request);
      running.add(answered);
      void answered.finally(() => running.delete(answered)).catch(() => undefined);
      return answered;
    },
  };
}
