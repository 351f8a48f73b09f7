/** The end at which pieces of an answer come in. */
export interface StreamFeed {
  push: (piece: string) => void;
  end: (error: Error | null) => void;
}

export interface ThreadStream {
  feed: StreamFeed;
  pieces: AsyncIterableIterator<string>;
}

/**
 * Pieces of an answer as they come; the thread makes the next one only when this one was taken. No generator: a
 * reader that leaves before the first piece must still set the thread free.
 */
export function openStream(tell: (type: 'more' | 'cancel') => void): ThreadStream {
  const waiting: string[] = [];
  let isOver = false;
  let failure: Error | null = null;
  let wake: (() => void) | undefined;
  const giveUp = (): void => {
    if (!isOver) tell('cancel');
    isOver = true;
  };
  return {
    feed: {
      push(piece) {
        waiting.push(piece);
        wake?.();
      },
      end(error) {
        isOver = true;
        failure = error;
        wake?.();
      },
    },
    pieces: {
      [Symbol.asyncIterator]() {
        return this;
      },
      async next() {
        if (!isOver) tell('more');
        while (waiting.length === 0 && !isOver) {
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
        const value = waiting.shift();
        if (value !== undefined) return { done: false, value };
        if (failure) throw failure;
        return { done: true, value: undefined };
      },
      async return() {
        giveUp();
        return { done: true, value: undefined };
      },
      async throw(error) {
        giveUp();
        throw error;
      },
    },
  };
}
