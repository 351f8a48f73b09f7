import type { Instance } from '../handler.ts';
import { endRun, INTERRUPTED } from './end-run.ts';
import { readMask } from './known-secrets.ts';
import { findHeld, takeOver, type ClaimedRun } from './run-leases.ts';
import { RunRecord } from './run-record.ts';
import type { RunDefinition } from './run-definition.ts';
import { LeaseLost } from './run-stop.ts';
import { openingLines } from './transcript.ts';

/** A run whose holder may be gone. */
export interface LostRun {
  id: string;
  fencing_token: string;
}

/** Ends runs whose process is gone. `anyLease`: no other process can have one, so it does not matter when it lapses. */
export async function endLostRuns(
  instance: Instance,
  lost: readonly LostRun[],
  how: { anyLease: boolean },
): Promise<void> {
  for (const one of lost) {
    const taken = await takeOver(instance, one, how);
    if (taken) await endInterrupted(instance, taken);
  }
}

/** Ends a run that this process has, and does not work on any longer. */
export async function endInterrupted(instance: Instance, run: ClaimedRun): Promise<void> {
  const { id, fencing_token: token } = run;
  const found = await instance.database.read(async (tx) => {
    const stored = await findHeld(tx, { id, fencingToken: token });
    return stored && { stored, mask: await readMask(tx, instance) };
  });
  if (!found) return;
  const stored = { ...found.stored, fencing_token: token };
  const record = new RunRecord(instance, stored, { isAbandoned: () => false }, found.mask);
  await endFromOutside(instance, record).catch((error: unknown) => {
    if (!(error instanceof LeaseLost)) throw error;
  });
}

/** Its process may have died before the first line. */
async function endFromOutside(instance: Instance, record: RunRecord): Promise<void> {
  const { definition, transcript_lines: lines } = record.row;
  if (lines === 0 && definition !== null) await record.add(openingLines(JSON.parse(definition) as RunDefinition));
  await endRun(instance, record, INTERRUPTED, null);
}
