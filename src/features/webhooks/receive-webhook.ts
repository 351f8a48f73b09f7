import { createHash } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';

import { bookkeep, systemOrigin, write } from '../../journal/write.ts';
import { instantNow } from '../../kernel/clock.ts';
import { AppError } from '../../kernel/errors.ts';
import { LIMITS } from '../../kernel/limits.ts';
import type { WebhookRequest } from '../../providers/webhook.ts';
import type { Instance } from '../handler.ts';
import { openProvider } from '../providers/index.ts';
import { noteRejected, type RejectionReason, type Rejections } from './counters.ts';
import { storeEvent, type Receipt } from './store-event.ts';

export interface WebhookReceiver {
  /**
   * Takes in a webhook (contract 30.13). What it means for the connection is written together with the event, so that
   * either both are there or the provider sends it again.
   * @throws INVALID_SIGNATURE, UNAVAILABLE
   */
  receive(provider: string, request: WebhookRequest): Promise<Receipt>;
  /** Resolves when what has arrived is stored; to be called once nothing more arrives. */
  settled(): Promise<void>;
}

const CAME_LATE = Symbol('came late');

export function createWebhookReceiver(instance: Instance): WebhookReceiver {
  const rejections = createRejections(instance);
  const going = new Set<Promise<unknown>>();

  async function take(name: string, request: WebhookRequest): Promise<Receipt> {
    const provider = await openProvider(instance, name);
    const verdict = (await provider?.receiveWebhook?.(request)) ?? { verdict: 'rejected', reason: 'signature' };
    if (verdict.verdict === 'unverifiable') throw unavailable('its signature cannot be checked');
    if (verdict.verdict === 'rejected') {
      rejections.note(name, verdict.reason);
      throw new AppError('INVALID_SIGNATURE', SENTENCES[verdict.reason]);
    }
    const hash = createHash('sha256').update(request.body).digest('hex');
    const sender = `${provider?.traits.displayName ?? name} webhook`;
    const origin = systemOrigin(sender, 'connection.update', { source: 'sync' });
    const { event } = verdict;
    return (await write(instance.database, origin, (tx) => storeEvent(tx, instance, { provider: name, hash, event })))
      .value;
  }

  return {
    async receive(name, request) {
      const taken = take(name, request);
      const tracked = taken.catch(() => undefined).finally(() => going.delete(tracked));
      going.add(tracked);
      // The provider must not wait. A late event is still stored, and is a duplicate when it is sent again.
      const end = new AbortController();
      const late = setTimeout(LIMITS.webhookAnswerMs, CAME_LATE, { ref: false, signal: end.signal });
      try {
        const first = await Promise.race([taken, late]);
        if (first === CAME_LATE) throw unavailable('the server is busy');
        return first;
      } finally {
        late.catch(() => undefined);
        end.abort();
      }
    },
    async settled() {
      await Promise.all(going);
      await rejections.settled();
    },
  };
}

const SENTENCES: Readonly<Record<RejectionReason, string>> = {
  signature: 'The signature of this webhook is missing or wrong.',
  clock: 'The webhook was signed too long ago, or by a clock ahead of this server’s.',
};

function unavailable(why: string): AppError {
  return new AppError('UNAVAILABLE', `The webhook cannot be accepted right now because ${why}. Send it again.`, {
    headers: { 'retry-after': '30' },
  });
}

/** Counts rejections. However many forgeries arrive, the database is written at most once a second. */
function createRejections({ database, clock, logger }: Instance) {
  const waiting = new Map<string, Rejections>();
  const closing = new AbortController();
  let writing: Promise<void> | undefined;

  async function writeAll(): Promise<void> {
    while (waiting.size > 0) {
      const counted = [...waiting];
      waiting.clear();
      await bookkeep(database, async (tx) => {
        for (const [provider, rejected] of counted) await noteRejected(tx, provider, rejected);
      }).catch((error: unknown) => logger.warn({ err: error }, 'Rejected webhooks could not be counted.'));
      await pause(LIMITS.webhookCountEveryMs, closing.signal);
    }
    writing = undefined;
  }

  return {
    note(provider: string, reason: RejectionReason): void {
      const count = (waiting.get(provider)?.count ?? 0) + 1;
      waiting.set(provider, { count, at: instantNow(clock), reason });
      writing ??= writeAll();
    },
    async settled(): Promise<void> {
      closing.abort();
      await writing;
    },
  };
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await setTimeout(ms, undefined, { ref: false, signal }).catch(() => undefined);
}
