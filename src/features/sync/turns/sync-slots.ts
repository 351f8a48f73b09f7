import { hasPassed } from '../../../kernel/clock.ts';
import { LIMITS } from '../../../kernel/limits.ts';
import { ProviderFailure } from '../../../providers/provider-failure.ts';
import type { Instance } from '../../handler.ts';
import { createLoop, type Loop } from '../../loop.ts';
import type { SyncTurn, runSync } from '../run/run-sync.ts';
import type { TakenTurn } from './take-turn.ts';

/** A place among the syncs that may run at once. Whoever reserves one starts a sync in it, and leaves it in any case. */
export interface SyncSlot {
  start: (taken: TakenTurn) => void;
  leave: () => void;
}

interface Running {
  readonly turn: SyncTurn;
  readonly abort: AbortController;
  endsAt: number;
  /** The same if it turns out to read everything from the beginning. */
  readonly endsLateAt: number;
  /** When its signal was given. */
  abortedAt: number | null;
  renewedAt: number;
  /** Stops waiting for a run that does not heed its signal. */
  abandon: () => void;
}

/** Why a run is cut off without an outcome: the service is stopping, or the lease was lost. Nothing more is written. */
class CutOff extends Error {}

/** The syncs of this process: how many run at once, their leases and time limits, and the loop that looks for more. */
export class SyncSlots {
  readonly #instance: Instance;
  readonly #run: typeof runSync;
  readonly #chores: () => Promise<void>;
  readonly #running = new Set<Running>();
  /** Runs that have not ended, and what is done after them. */
  readonly #ending = new Set<Promise<void>>();
  readonly #loop: Loop;
  #reserved = 0;
  #isElsewhere = false;
  #lastLookAt = -Infinity;
  #maintaining: Promise<void> | undefined;
  #chore: Promise<void> | undefined;
  /** When the loop last beat, in milliseconds; null: never. */
  lastBeatAt: number | null = null;

  /** `chores`: other work, done whenever it is time to look. */
  constructor(instance: Instance, run: typeof runSync, chores: () => Promise<void>) {
    this.#instance = instance;
    this.#run = run;
    this.#chores = chores;
    this.#loop = createLoop({
      logger: instance.logger,
      look: () => this.#lookNow(),
      beat: () => this.beat(),
      beatMs: LIMITS.syncBeatMs,
      failure: 'The scheduler could not look for syncs. It will try again in a few seconds.',
    });
  }

  /** For a process that ends with its caller: what it is asked for is stored, and a server does it. */
  leaveToServer(): void {
    this.#isElsewhere = true;
  }

  /** Whether syncs run in this process. */
  isOpen(): boolean {
    return !this.#isElsewhere && !this.#loop.isStopped() && !this.#instance.isDraining();
  }

  /** undefined: all slots are taken, or no sync may start here. */
  reserve(concurrency: number): SyncSlot | undefined {
    if (!this.isOpen()) return undefined;
    if (this.#running.size + this.#reserved >= concurrency) return undefined;
    this.#reserved += 1;
    let isReserved = true;
    const leave = (): void => {
      if (isReserved) this.#reserved -= 1;
      isReserved = false;
    };
    const start = (taken: TakenTurn): void => {
      leave();
      this.#begin(taken);
    };
    return { leave, start };
  }

  /** Starts what waits or is due, as far as there are free places. */
  async look(): Promise<void> {
    await this.#loop.look();
  }

  /** Whether the loop has beaten lately. */
  isBeating(): boolean {
    return this.lastBeatAt !== null && this.#instance.clock.now() - this.lastBeatAt <= LIMITS.syncSilentMs;
  }

  /** What the loop does every second: ends syncs that take too long, renews leases, and looks when it is time to. */
  async beat(): Promise<void> {
    const now = this.#instance.clock.now();
    this.lastBeatAt = now;
    for (const one of this.#running) {
      if (one.abortedAt !== null && now - one.abortedAt >= LIMITS.syncAbortMs) one.abandon();
      if (now >= one.endsAt) this.#abort(one, failureOf('TIMEOUT'));
    }
    this.#maintaining ??= this.#maintain(now).finally(() => {
      this.#maintaining = undefined;
    });
    await this.#maintaining;
  }

  /** Begins the loop. */
  start(): void {
    this.#loop.start();
  }

  /** Makes the loop look at once. Does nothing where no loop runs. */
  wake(): void {
    this.#loop.wake();
  }

  /** Resolves when no sync or other work is running. */
  async settled(): Promise<void> {
    while (this.#ending.size > 0) await Promise.all(this.#ending);
    await this.#chore;
  }

  /** Ends the loop and the running syncs. Their logs are closed. */
  async stop(): Promise<void> {
    const lastLook = this.#loop.stop();
    for (const one of this.#running) {
      this.#abort(one, new CutOff('The service is stopping.'));
      setTimeout(one.abandon, LIMITS.syncAbortMs).unref();
    }
    await lastLook;
    await this.settled();
    await this.#maintaining?.catch(this.#loop.report);
  }

  #begin({ turn, limitMs, longLimitMs }: TakenTurn): void {
    const now = this.#instance.clock.now();
    const abandoned = Promise.withResolvers<void>();
    const abortion = new AbortController();
    const one: Running = {
      turn,
      abort: abortion,
      endsAt: now + limitMs,
      endsLateAt: now + longLimitMs,
      abortedAt: null,
      renewedAt: now,
      abandon: abandoned.resolve,
    };
    this.#running.add(one);
    if (this.#loop.isStopped()) this.#abort(one, new CutOff('The service is stopping.'));
    const ended = this.#work(one, abandoned.promise).finally(() => {
      this.#ending.delete(ended);
      this.wake();
    });
    this.#ending.add(ended);
  }

  async #work(one: Running, abandoned: Promise<void>): Promise<void> {
    const { turn, abort: abortion } = one;
    const endLate = (): void => {
      one.endsAt = one.endsLateAt;
    };
    const run = this.#run(this.#instance, turn, abortion.signal, endLate).catch((error: unknown) => {
      if (!abortion.signal.aborted) this.#instance.logger.error({ err: error }, 'A sync failed because of a bug.');
    });
    await Promise.race([run, abandoned]);
    const { endTurn } = await import('./end-turn.ts');
    await this.#instance.untilDone(() => endTurn(this.#instance, turn, leftBy(abortion.signal)));
    this.#running.delete(one);
  }

  async #lookNow(): Promise<void> {
    this.#lastLookAt = this.#instance.clock.now();
    const { lookForSyncs } = await import('./look-for-syncs.ts');
    await lookForSyncs(this.#instance);
  }

  async #maintain(now: number): Promise<void> {
    await this.#renew(now);
    if (this.#loop.isStopped() || !hasPassed(LIMITS.syncLookMs, this.#lastLookAt, now)) return;
    await this.#loop.look();
    // They may wait for a bank; leases must still be renewed meanwhile.
    this.#chore ??= this.#chores()
      .catch(this.#loop.report)
      .finally(() => {
        this.#chore = undefined;
      });
  }

  async #renew(now: number): Promise<void> {
    const due = [...this.#running].filter(({ renewedAt }) => hasPassed(LIMITS.syncRenewMs, renewedAt, now));
    if (due.length === 0) return;
    const { renewLeases } = await import('./leases.ts');
    const tokens = due.map(({ turn }) => turn.fencingToken);
    const held = await renewLeases(this.#instance.database, tokens);
    for (const one of due) {
      one.renewedAt = now;
      if (!held.has(one.turn.fencingToken)) this.#abort(one, new CutOff('Another process has taken over the sync.'));
    }
  }

  /** A run that does not heed it is abandoned soon, so that it holds up neither its place nor the end of the service. */
  #abort(one: Running, reason: Error): void {
    if (one.abortedAt !== null) return;
    one.abortedAt = this.#instance.clock.now();
    one.abort.abort(reason);
  }
}

/** What is stored of a run that ended without closing its log; null if it was cut off. */
function leftBy({ aborted, reason }: AbortSignal): ProviderFailure | null {
  if (reason instanceof CutOff) return null;
  return failureOf(aborted ? 'TIMEOUT' : 'INTERNAL_ERROR');
}

function failureOf(code: string): ProviderFailure {
  return new ProviderFailure({ failureClass: 'transient', code });
}
