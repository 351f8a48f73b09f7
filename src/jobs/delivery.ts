import type { Piece } from '../features/run-operation.ts';

/** A streamed answer on its way from a thread to its reader. */
export interface Delivery {
  /** What the reader reads. */
  readonly pieces: ReadableStream<Piece>;
  /** Resolves when the last piece was taken, or when the delivery has ended in another way. */
  readonly over: Promise<void>;
  /** Milliseconds for which the reader has not asked for the next piece; 0 while it waits for one. */
  unreadMs(): number;
  /** Breaks the answer off: the reader gets the error, and the thread stops. */
  stop(reason: Error): void;
}

/** Passes on a transferred stream, which by itself never learns that its thread died. */
export function deliver(source: ReadableStream<Piece>): Delivery {
  const reader = source.getReader();
  const over = Promise.withResolvers<void>();
  let lyingSince: number | undefined = performance.now();
  let isStopped = false;
  let toReader: ReadableStreamDefaultController<Piece> | undefined;
  const pieces = new ReadableStream<Piece>({
    start(controller) {
      toReader = controller;
    },
    async pull(controller) {
      lyingSince = undefined;
      try {
        const { done, value } = await reader.read();
        lyingSince = performance.now();
        if (isStopped) return;
        if (!done) return controller.enqueue(value);
        controller.close();
        over.resolve();
      } catch (error) {
        over.resolve();
        throw error;
      }
    },
    async cancel(reason) {
      over.resolve();
      await reader.cancel(reason);
    },
  });
  return {
    pieces,
    over: over.promise,
    unreadMs: () => (lyingSince === undefined ? 0 : performance.now() - lyingSince),
    stop(reason) {
      isStopped = true;
      toReader?.error(reason);
      over.resolve();
      // A dead thread does not answer.
      void reader.cancel(reason).catch(() => undefined);
    },
  };
}
