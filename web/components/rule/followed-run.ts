import { createStore } from '../../lib/store.ts';

/** A run of rules that was started in this tab, or found running: shown on the pages of rules until it is dismissed. */
export interface FollowedRun {
  jobId: string;
  /** The rule that runs alone; null for all of them. */
  rule: { id: string; name: string } | null;
  /** It has ended, and what it changed was read again. */
  isOver?: boolean;
}

export const followedRun = createStore<FollowedRun | null>(null);

const dismissed = new Set<string>();

export function dismissRun(jobId: string): void {
  dismissed.add(jobId);
  followedRun.set(null);
}

/** A run that goes on, unless this tab had enough of it. */
export function followIfNew(jobId: string): void {
  if (!dismissed.has(jobId)) followedRun.set({ jobId, rule: null });
}
