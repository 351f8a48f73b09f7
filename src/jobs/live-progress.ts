/**
 * Progress of long writes, which readers cannot see in the database before the commit. The thread that answers requests
 * stores it; other threads send it there. Another server of the same database does not see it.
 */
export interface LiveProgress {
  /** `progress` in its stored form; null when the work has ended. */
  note(id: string, progress: string | null): void;
  of(id: string): string | undefined;
}

/** @param send where a thread sends its notes */
export function createLiveProgress(send?: (id: string, progress: string | null) => void): LiveProgress {
  const known = new Map<string, string>();
  return {
    note(id, progress) {
      if (send) send(id, progress);
      else if (progress === null) known.delete(id);
      else known.set(id, progress);
    },
    of: (id) => known.get(id),
  };
}
