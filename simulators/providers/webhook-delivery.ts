import { isLoopbackHost } from '../../src/kernel/network.ts';
import { ControlError } from './control-routes.ts';

export interface WebhookDelivery {
  /** Status, body and headers of the receiver's answer; the status is null when there was none. */
  status: number | null;
  body: string;
  headers: Record<string, string>;
}

const DELIVERY_MS = 10_000;

/** Sends the same bytes some times at once. No simulator speaks to anything but loopback. */
export async function deliverWebhook(
  url: string,
  { headers, body }: { headers: Readonly<Record<string, string>>; body: string },
  times: number,
): Promise<WebhookDelivery[]> {
  if (!URL.canParse(url) || !isLoopbackHost(new URL(url).hostname)) {
    throw new ControlError(`A webhook can go only to an address on loopback, not to ${url}.`);
  }
  return Promise.all(Array.from({ length: times }, () => deliver(url, { ...headers }, body)));
}

async function deliver(url: string, headers: Record<string, string>, body: string): Promise<WebhookDelivery> {
  try {
    const signal = AbortSignal.timeout(DELIVERY_MS);
    const answer = await fetch(url, { method: 'POST', headers, body, signal, redirect: 'manual' });
    return { status: answer.status, body: await answer.text(), headers: Object.fromEntries(answer.headers) };
  } catch (error) {
    return { status: null, body: String(error), headers: {} };
  }
}

/** JSON with the fields of every object in the order of their names. */
export function sortedJson(value: unknown, indent?: number): string {
  return JSON.stringify(sorted(value), null, indent);
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, one]) => [name, sorted(one)]));
}
