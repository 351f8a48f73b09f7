import { setTimeout as pause } from 'node:timers/promises';

import { z } from 'zod';

/** A fault as the control interface takes it (contract 35.9.3). */
export const FaultSchema = z.strictObject({
  /** A path without its query, or `*`. */
  path: z.string().default('*'),
  /** Id of an item, enrollment or account; the others are not concerned. */
  item: z.string().optional(),
  skip: z.int().min(0).default(0),
  times: z.int().min(1).default(1),
  delay_ms: z.int().min(0).default(0),
  status: z.int().min(100).max(599).optional(),
  headers: z.record(z.string(), z.string()).default({}),
  /** Text is sent as it is, anything else as JSON. */
  body: z.unknown().optional(),
  /** The socket is closed instead of an answer. */
  drop: z.boolean().default(false),
  /** The request takes effect before its answer is lost or replaced. */
  applied: z.boolean().default(false),
});

export type FaultToAdd = z.input<typeof FaultSchema>;
export type Fault = z.output<typeof FaultSchema>;

export interface FaultList {
  add(fault: FaultToAdd): number;
  /** Forgets the faults; requests that one delays are answered now. */
  clear(): void;
  /** The fault that befalls a request, if one does; every fault counts the requests that it matches. */
  befalling(path: string, subjects: readonly string[]): Fault | undefined;
  /** Resolves after the delay of a fault, or when the faults are cleared; rejects when the signal is aborted. */
  delay(fault: Fault, signal: AbortSignal): Promise<void>;
  pending(): readonly (Fault & { id: number })[];
}

export function createFaultList(): FaultList {
  let faults: (Fault & { id: number })[] = [];
  let count = 0;
  let cleared = Promise.withResolvers<void>();
  return {
    add(wanted) {
      faults.push({ ...FaultSchema.parse(wanted), id: ++count });
      return count;
    },
    clear() {
      faults = [];
      cleared.resolve();
      cleared = Promise.withResolvers();
    },
    befalling(path, subjects) {
      let found: Fault | undefined;
      for (const fault of faults) {
        if (fault.path !== '*' && fault.path !== path) continue;
        if (fault.item !== undefined && !subjects.includes(fault.item)) continue;
        if (fault.skip > 0) fault.skip--;
        else if (!found) {
          found = fault;
          fault.times--;
        }
      }
      faults = faults.filter(({ times }) => times > 0);
      return found;
    },
    async delay({ delay_ms: ms }, signal) {
      if (ms === 0) return;
      const over = new AbortController();
      const waited = pause(ms, undefined, { signal: AbortSignal.any([signal, over.signal]) });
      try {
        await Promise.race([waited, cleared.promise]);
      } finally {
        waited.catch(() => {});
        over.abort();
      }
    },
    pending: () => faults,
  };
}
