import type { NotificationChannelsTable } from '../../db/schema-agents.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { postChecked, type CheckedAnswer } from '../../providers/checked-request.ts';
import type { Instance } from '../handler.ts';
import { findReachable } from './address-guard.ts';
import { buildRequest, pageAbout, type Message } from './build-request.ts';
import { openTarget } from './notification-channels.entity.ts';
import type { Priority } from './notification-events.contract.ts';
import { notificationSettings } from './notification-settings.ts';
import type { ClaimedDelivery } from './send-queue.ts';

/** The outcome of one attempt. Only the status of an answer is kept. */
export type AttemptResult =
  | { readonly kind: 'delivered'; readonly statusCode: number }
  | {
      readonly kind: 'failed';
      readonly statusCode: number | null;
      /** A sentence without the address. */
      readonly detail: string;
      /** Another attempt would fail as well. */
      readonly isFinal: boolean;
      /** How long the server asks to wait. */
      readonly retryAfterMs: number | null;
    };

/** The message of a delivery, without its body if the channel no longer includes it. */
export async function messageOf({ settings }: Instance, { delivery, channel }: ClaimedDelivery): Promise<Message> {
  return {
    id: delivery.id,
    event: delivery.event,
    priority: delivery.priority as Priority,
    title: delivery.title,
    body: channel.is_body_included === 1 ? delivery.body : null,
    data: JSON.parse(delivery.data) as Message['data'],
    url: pageAbout(await settings.baseUrl(), delivery.subject_type, delivery.subject_id),
  };
}

/**
 * One attempt to tell a channel, outside any transaction: the host is resolved, checked, and connected to at a checked
 * address (contract 50.4.3). @throws the reason of the signal once it is aborted
 */
export async function attemptDelivery(
  instance: Instance,
  channel: NotificationChannelsTable,
  message: Message,
  signal: AbortSignal,
): Promise<AttemptResult> {
  const target = openTarget(instance, channel);
  if (!target) return failed('The channel’s address cannot be decrypted. Enter it again.', { isFinal: true });
  const { allow_private_networks: allowsPrivate } = await instance.database.read((tx) => notificationSettings.read(tx));
  const timeout = AbortSignal.timeout(LIMITS.notificationAttemptMs);
  const either = AbortSignal.any([signal, timeout]);
  const now = (): number => instance.clock.now();
  const request = buildRequest(target, message, now());
  try {
    const found = findReachable(request.url, { resolve: instance.resolveHost, allowsPrivate });
    const reachable = await Promise.race([found, aborted(either)]);
    if (reachable.kind === 'refused') return failed(`The address ${reachable.reason}`, { isFinal: true });
    if (reachable.kind === 'unknown') return failed('The server’s name does not resolve to an address.');
    const headers = { ...request.headers, 'user-agent': `homeledger/${instance.version}` };
    const { addresses } = reachable;
    const answerBytes = LIMITS.notificationAnswerBytes;
    return resultOf(await postChecked({ ...request, headers, addresses, answerBytes, now, signal: either }));
  } catch (error) {
    signal.throwIfAborted();
    if (timeout.aborted) return failed(NO_ANSWER);
    throw error;
  }
}

/** Rejects once the signal is aborted: name resolution cannot be cancelled otherwise. */
async function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason as Error);
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}

export function failed(
  detail: string,
  { isFinal = false, statusCode = null, retryAfterMs = null }: Partial<AttemptResult & { kind: 'failed' }> = {},
): AttemptResult {
  return { kind: 'failed', detail, isFinal, statusCode, retryAfterMs };
}

const RETRIED: ReadonlySet<number> = new Set([408, 425, 429]);

function resultOf(answer: CheckedAnswer): AttemptResult {
  if ('breakdown' in answer) return failed(BREAKDOWNS[answer.breakdown] ?? INTERRUPTED);
  const { status: statusCode, retryAfterMs } = answer;
  if (statusCode >= 200 && statusCode < 300) return { kind: 'delivered', statusCode };
  const isFinal = statusCode < 500 && !RETRIED.has(statusCode);
  const isRedirect = statusCode >= 300 && statusCode < 400;
  const addition = isRedirect ? ', a redirect. Redirects are not followed.' : '.';
  return failed(`The server answered ${statusCode}${addition}`, { statusCode, isFinal, retryAfterMs });
}

const NO_ANSWER = `The server did not answer within ${LIMITS.notificationAttemptMs / 1_000} seconds.`;
const INTERRUPTED = 'The connection ended before the server answered.';
const BREAKDOWNS: Readonly<Record<string, string>> = {
  untrusted: 'The server’s certificate is not valid for this address.',
  unsent: 'The server could not be reached.',
  timeout: NO_ANSWER,
};
