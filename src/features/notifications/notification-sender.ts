import { isUnavailable } from '../../db/unavailable.ts';
import { instantNow } from '../../kernel/clock.ts';
import { LIMITS } from '../../kernel/limits.ts';
import type { Instance } from '../handler.ts';
import { createLoop, type Loop } from '../loop.ts';
import type { ClaimedDelivery } from './send-queue.ts';
import type { AttemptResult } from './attempt-delivery.ts';

const OUR_BUG = 'A bug in Homeledger prevented sending. The server log has details.';

/** The service is stopping: what is on its way is cut off, and sent again after the next start. */
class Stopping extends Error {}

/**
 * Sends what is due (contract 50.4.4): of one channel one message at a time, of different channels at once. Any process
 * may do it; `claimNext` keeps them from doing the same.
 */
export class NotificationSender {
  readonly #instance: Instance;
  /** Channels that something is being sent to. */
  readonly #busy = new Map<string, Promise<void>>();
  readonly #stopping = new AbortController();
  readonly #loop: Loop;

  constructor(instance: Instance) {
    this.#instance = instance;
    this.#loop = createLoop({
      logger: instance.logger,
      look: () => this.#lookNow(),
      beatMs: LIMITS.notificationLookMs,
      failure: 'Notifications could not be sent. The next attempt is in a few seconds.',
    });
  }

  /** Begins to send whatever is due. */
  async look(): Promise<void> {
    await this.#loop.look();
  }

  /** Resolves when nothing is being sent. */
  async settled(): Promise<void> {
    while (this.#busy.size > 0) await Promise.all(this.#busy.values());
  }

  /** Begins the loop. */
  start(): void {
    this.#loop.start();
  }

  /** Makes the loop look at once. Does nothing where no loop runs. */
  wake(): void {
    this.#loop.wake();
  }

  /** Ends the loop. What is being sent has a moment to arrive. */
  async stop(): Promise<void> {
    await this.#loop.stop();
    const cutOff = setTimeout(
      () => this.#stopping.abort(new Stopping('The service is stopping.')),
      LIMITS.notificationAbortMs,
    );
    await this.settled();
    clearTimeout(cutOff);
  }

  async #lookNow(): Promise<void> {
    const { database, clock } = this.#instance;
    const { selectDueChannels } = await import('./send-queue.ts');
    for (const id of await database.read((tx) => selectDueChannels(tx, instantNow(clock)))) {
      if (this.#loop.isStopped() || this.#busy.has(id)) continue;
      const work = this.#sendAll(id)
        .catch(this.#loop.report)
        .finally(() => this.#busy.delete(id));
      this.#busy.set(id, work);
    }
  }

  async #sendAll(channelId: string): Promise<void> {
    const { claimNext } = await import('./send-queue.ts');
    while (!this.#loop.isStopped()) {
      const claimed = await claimNext(this.#instance, channelId);
      if (!claimed) return;
      await this.#send(claimed);
    }
  }

  async #send(claimed: ClaimedDelivery): Promise<void> {
    const instance = this.#instance;
    const { giveBack, settle } = await import('./send-queue.ts');
    const result = await this.#attempt(claimed);
    instance.failpoint('notification:sent');
    await instance.untilDone(() => (result ? settle(instance, claimed, result) : giveBack(instance, claimed)));
  }

  /** undefined: it was cut off, or the database is away. */
  async #attempt(claimed: ClaimedDelivery): Promise<AttemptResult | undefined> {
    const instance = this.#instance;
    const { attemptDelivery, failed, messageOf } = await import('./attempt-delivery.ts');
    try {
      const message = await messageOf(instance, claimed);
      return await attemptDelivery(instance, claimed.channel, message, this.#stopping.signal);
    } catch (error) {
      if (error instanceof Stopping || isUnavailable(error)) return undefined;
      instance.logger.error({ err: error }, 'A notification could not be sent because of a bug.');
      return failed(OUR_BUG);
    }
  }
}
