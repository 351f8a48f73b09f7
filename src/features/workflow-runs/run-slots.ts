import { sql, type RawBuilder } from 'kysely';

import type { ReadTx } from '../../db/unit-of-work.ts';
import { hasPassed, instantNow } from '../../kernel/clock.ts';
import { LIMITS } from '../../kernel/limits.ts';
import type { Instance } from '../handler.ts';
import { createLoop, type Loop } from '../loop.ts';
import type { Dispatch } from '../run-operation.ts';
import type { RunDefinition } from './run-definition.ts';
import type { ClaimedRun } from './run-leases.ts';
import { RunStop } from './run-stop.ts';

interface Running {
  readonly run: ClaimedRun;
  readonly abort: AbortController;
  readonly endsAt: number;
  renewedAt: number;
  /** Stops waiting for work that does not heed its signal. */
  abandon: () => void;
  isAbandoned: boolean;
}

/** A run in progress, as it is stored. */
interface OpenRun {
  id: string;
  holder: string | null;
  fencing_token: string | null;
  cancel_requested_at: string | null;
  /** Its lease has lapsed. */
  is_lost: number;
}

/** The runs of workflows in this process: which it works on, their leases and time limits, and the loop that looks for more. */
export class RunSlots {
  readonly #instance: Instance;
  readonly #dispatch: Dispatch;
  readonly #running = new Map<string, Running>();
  /** Runs that have not ended. */
  readonly #ending = new Set<Promise<void>>();
  readonly #loop: Loop;
  #isElsewhere = false;
  #renewing: Promise<void> | undefined;

  constructor(instance: Instance, dispatch: Dispatch) {
    this.#instance = instance;
    this.#dispatch = dispatch;
    this.#loop = createLoop({
      logger: instance.logger,
      look: () => this.#lookNow(),
      beat: () => this.beat(),
      beatMs: LIMITS.runLookMs,
      failure: 'The scheduler could not look for runs of workflows. It will try again in a few seconds.',
    });
  }

  /** For a process that ends with its caller: what it is asked for is stored, and a server does it. */
  leaveToServer(): void {
    this.#isElsewhere = true;
  }

  /** Whether runs are worked on in this process. */
  isOpen(): boolean {
    return !this.#isElsewhere && !this.#loop.isStopped() && !this.#instance.isDraining();
  }

  /** Ends what a process that died has left. On the embedded database no other process can have a run. */
  async recover(): Promise<void> {
    const anyLease = this.#instance.database.engineName === 'sqlite';
    await this.#endLost(await this.#selectOpen(), { anyLease });
  }

  /** Begins the loop. */
  start(): void {
    this.#loop.start();
  }

  /** Makes the loop look at once: for runs that wait, and for those to be cancelled. Does nothing where no loop runs. */
  wake(): void {
    this.#loop.wake();
  }

  /** What the loop does every two seconds: ends runs that take too long, renews leases, and looks. */
  async beat(): Promise<void> {
    const now = this.#instance.clock.now();
    for (const one of this.#running.values()) if (now >= one.endsAt) one.abort.abort(new RunStop('max_duration'));
    // However long a look takes, leases are renewed meanwhile.
    this.#renewing ??= this.#renew(now).finally(() => {
      this.#renewing = undefined;
    });
    await Promise.all([this.#renewing, this.look()]);
  }

  /** Starts the runs that wait, stops those to be cancelled, and ends those whose process is gone. */
  async look(): Promise<void> {
    await this.#loop.look();
  }

  /** Resolves when no run is worked on. */
  async settled(): Promise<void> {
    while (this.#ending.size > 0) await Promise.all(this.#ending);
  }

  /** Ends the loop and the running runs: the current step has a moment, then they are interrupted. */
  async stop(): Promise<void> {
    const lastLook = this.#loop.stop();
    const timers = [...this.#running.values()].flatMap((one) => [
      setTimeout(() => one.abort.abort(new RunStop('interrupted')), LIMITS.runAbortMs),
      setTimeout(one.abandon, 2 * LIMITS.runAbortMs),
    ]);
    await lastLook;
    await this.settled();
    await this.#renewing?.catch(this.#loop.report);
    for (const timer of timers) clearTimeout(timer);
  }

  async #renew(now: number): Promise<void> {
    const due = [...this.#running.values()].filter(({ renewedAt }) => hasPassed(LIMITS.runRenewMs, renewedAt, now));
    if (due.length === 0) return;
    const { renewRuns } = await import('./run-leases.ts');
    const held = await renewRuns(
      this.#instance.database,
      due.map(({ run }) => run.fencing_token),
    );
    for (const one of due) {
      one.renewedAt = now;
      if (!held.has(one.run.fencing_token)) one.abort.abort(new RunStop('lost'));
    }
  }

  async #lookNow(): Promise<void> {
    if (this.isOpen()) await this.#lookForStarts().catch(this.#loop.report);
    const open = await this.#selectOpen();
    for (const { id, cancel_requested_at: at } of open) {
      if (at !== null) this.#running.get(id)?.abort.abort(new RunStop('cancelled'));
    }
    const isOurs = ({ id, fencing_token: token }: OpenRun): boolean =>
      this.#running.get(id)?.run.fencing_token === token;
    await this.#endLost(
      open.filter((one) => one.is_lost === 1 && !isOurs(one)),
      { anyLease: false },
    );
    for (const { id, holder } of open) if (holder === null && this.isOpen()) await this.#claim(id);
  }

  /** Starts what schedules, syncs and imports start. Its code is loaded only where a workflow has such a trigger. */
  async #lookForStarts(): Promise<void> {
    const listener = await this.#instance.database.read(async ({ q }) =>
      q
        .selectFrom('workflows')
        .select('id')
        .where('is_enabled', '=', 1)
        .where((of) => of.or([of('schedule_cron', 'is not', null), of('is_started_by_syncs', '=', 1)]))
        .limit(1)
        .executeTakeFirst(),
    );
    if (!listener) return;
    const { lookForStarts } = await import('../workflow-triggers/index.ts');
    await lookForStarts(this.#instance);
  }

  /** Often asked, and answered by an index: idle workflows must cost nothing. */
  async #selectOpen(): Promise<OpenRun[]> {
    const { database, clock } = this.#instance;
    return database.read(async (tx) =>
      tx.q
        .selectFrom('workflow_runs')
        .select(['id', 'holder', 'fencing_token', 'cancel_requested_at', isLapsed(tx, instantNow(clock)).as('is_lost')])
        // As a parameter, it would keep the index of open runs from being used.
        .where('status', '=', sql.lit('in_progress'))
        .limit(LIMITS.openRuns)
        .execute(),
    );
  }

  async #endLost(open: readonly OpenRun[], how: { anyLease: boolean }): Promise<void> {
    const lost = open.flatMap(({ id, fencing_token, is_lost }) =>
      fencing_token !== null && (how.anyLease || is_lost === 1) ? [{ id, fencing_token }] : [],
    );
    if (lost.length === 0) return;
    const { endLostRuns } = await import('./end-lost-runs.ts');
    await endLostRuns(this.#instance, lost, how);
  }

  async #claim(id: string): Promise<void> {
    const { claimRun } = await import('./run-leases.ts');
    const run = await claimRun(this.#instance, id);
    if (run) this.#begin(run);
  }

  #begin(run: ClaimedRun): void {
    const now = this.#instance.clock.now();
    const abandoned = Promise.withResolvers<void>();
    const { caps } = JSON.parse(run.definition ?? '{"caps":{"maxDurationMs":0}}') as Pick<RunDefinition, 'caps'>;
    const one: Running = {
      run,
      abort: new AbortController(),
      endsAt: now + caps.maxDurationMs,
      renewedAt: now,
      isAbandoned: false,
      abandon: () => {
        one.isAbandoned = true;
        abandoned.resolve();
      },
    };
    this.#running.set(run.id, one);
    if (this.#loop.isStopped()) one.abort.abort(new RunStop('interrupted'));
    const ended = this.#work(one, abandoned.promise).finally(() => {
      this.#ending.delete(ended);
      this.wake();
    });
    this.#ending.add(ended);
  }

  async #work(one: Running, abandoned: Promise<void>): Promise<void> {
    const instance = this.#instance;
    const [{ workOnRun }, { endInterrupted }] = await Promise.all([
      import('./run-loop.ts'),
      import('./end-lost-runs.ts'),
    ]);
    const control = {
      signal: one.abort.signal,
      endsAt: one.endsAt,
      isStopping: this.#loop.isStopped,
      isAbandoned: () => one.isAbandoned,
    };
    const work = workOnRun(instance, this.#dispatch, one.run, control).catch(this.#loop.report);
    await Promise.race([work, abandoned]);
    this.#running.delete(one.run.id);
    // Does nothing for a run that has ended, which is almost always so.
    await instance.untilDone(() => endInterrupted(instance, one.run));
  }
}

function isLapsed({ portable }: ReadTx, now: string): RawBuilder<number> {
  return sql<number>`case when lease_expires_at <= ${portable.sharedClock(now)} then 1 else 0 end`;
}
