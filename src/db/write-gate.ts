/** Lets one writer through at a time, in order of arrival, without blocking the event loop. */
export interface WriteGate {
  /** Resolves at the caller's turn, with a function that ends the turn. */
  enter(): Promise<() => void>;
  /** Identifies the turn under way; undefined while there is none, and in a thread that waits at the gate of another. */
  readonly turn?: object | undefined;
}

interface Waiting {
  owner: unknown;
  admit: (leave: () => void) => void;
}

/** The gate of a process. `enterFor` waits on behalf of a thread; `forget` drops a dead thread from the queue and ends its turn. */
export interface SharedWriteGate extends WriteGate {
  enterFor(owner: unknown): Promise<() => void>;
  forget(owner: unknown): void;
}

export function createWriteGate(): SharedWriteGate {
  const queue: Waiting[] = [];
  let inside: { owner: unknown } | undefined;

  function admitNext(): void {
    if (inside) return;
    const next = queue.shift();
    if (!next) return;
    const turn = { owner: next.owner };
    inside = turn;
    next.admit(() => {
      if (inside !== turn) return;
      inside = undefined;
      admitNext();
    });
  }
  function enterFor(owner: unknown): Promise<() => void> {
    return new Promise((admit) => {
      queue.push({ owner, admit });
      admitNext();
    });
  }
  return {
    enter: () => enterFor(undefined),
    get turn() {
      return inside;
    },
    enterFor,
    forget(owner) {
      for (let i = queue.length - 1; i >= 0; i--) if (queue[i]?.owner === owner) queue.splice(i, 1);
      if (inside?.owner === owner) {
        inside = undefined;
        admitNext();
      }
    },
  };
}
