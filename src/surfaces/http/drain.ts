import type { FastifyInstance } from 'fastify';

/**
 * Keeps the listener open until the requests that are running when the stop begins have been answered, so that a probe
 * can see that the service is shutting down (20.2). Later requests are answered too, but not waited for.
 */
export function drainBeforeClose(server: FastifyInstance): void {
  let running = 0;
  let isClosing = false;
  let allDone: (() => void) | undefined;
  server.addHook('onRequest', (_request, reply, done) => {
    if (!isClosing) {
      running += 1;
      reply.raw.once('close', () => {
        running -= 1;
        if (running === 0) allDone?.();
      });
    }
    done();
  });
  server.addHook('preClose', async () => {
    isClosing = true;
    if (running === 0) return;
    await new Promise<void>((resolve) => {
      allDone = resolve;
    });
  });
}
