import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

import { LIMITS } from '../../kernel/limits.ts';

/** What one connection has asked for and not received yet. */
interface Connection {
  begunCount: number;
  /** Each begins the next request. */
  readonly waiting: (() => void)[];
}

/**
 * Lets a request continue once few enough of the requests before it on the same connection are unanswered. A client may
 * send thousands at once and read none of the answers, which then all lie in memory.
 */
export function createConnectionTurns(): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  const connections = new WeakMap<Socket, Connection>();

  function begin(socket: Socket, connection: Connection, response: ServerResponse): void {
    connection.begunCount += 1;
    response.once('close', () => {
      connection.begunCount -= 1;
      // What waits on a lost connection is not begun any more.
      if (!socket.destroyed) connection.waiting.shift()?.();
    });
  }

  return async ({ socket }, response) => {
    const connection = connections.get(socket) ?? { begunCount: 0, waiting: [] };
    connections.set(socket, connection);
    if (connection.begunCount < LIMITS.connectionRequests) {
      begin(socket, connection, response);
      return;
    }
    if (connection.waiting.length >= LIMITS.connectionRequestsWaiting) socket.destroy();
    await new Promise<void>((resolve) => {
      connection.waiting.push(() => {
        begin(socket, connection, response);
        resolve();
      });
    });
  };
}
