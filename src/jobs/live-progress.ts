/**
 * Progress of long writes, which readers cannot see in the database before the commit. The thread that answers requests
 * stores it; other threads send it there. Another server of the same database does not see it.
 */
export interface LiveProgress {
  /** `progress` in its stored form; null when the work has ended. */
  note(id: string, progress: string | null): void;
  of(id: string): string | undefined;
  /** Calls `listener`, the only one, with each note of this work, until the function that it answers is called. */
  watch(id: string, listener: (progress: string) => void): () => void;
}

/** @param send where a thread sends its notes */
export function createLiveProgress(send?: (id: string, progress: string | null) => void): LiveProgress {
  const known = new Map<string, string>();
  const listeners = new Map<string, (progress: string) => void>();
  return {
    note(id, progress) {
      if (send) {
        send(id, progress);
        return;
      }
      if (progress === null) known.delete(id);
      else {
        known.set(id, progress);
        listeners.get(id)?.(progress);
      }
    },
    of: (id) => known.get(id),
    watch(id, listener) {
      listeners.set(id, listener);
      return () => void listeners.delete(id);
    },
  };
}
