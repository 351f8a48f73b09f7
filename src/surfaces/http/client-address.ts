import type { BlockList } from 'node:net';
import { isIP } from 'node:net';

import { isCovered, plainAddress } from '../../kernel/network.ts';

export interface Client {
  /** The address that counts (20.14). */
  address: string;
  /** Scheme and authority that the client used to reach us. */
  origin: string;
  /** Whether the request has forwarding headers that do not count, because TRUST_PROXY does not cover its peer. */
  isForwardingIgnored: boolean;
}

interface Headers {
  readonly [name: string]: string | string[] | undefined;
}

/**
 * Who is calling: the socket's peer, unless that is a trusted proxy; then the last address in X-Forwarded-For that is
 * not a trusted proxy. `Forwarded` and `X-Real-IP` are never read.
 */
export function clientOf(peer: string, headers: Headers, trusted: BlockList | null): Client {
  const host = one(headers['host']) ?? 'localhost';
  if (!trusted || !isCovered(trusted, peer)) {
    const isForwardingIgnored = Object.keys(headers).some((name) => name.startsWith('x-forwarded-'));
    return { address: plainAddress(peer), origin: `http://${host}`, isForwardingIgnored };
  }
  const scheme = lastOf(headers['x-forwarded-proto']);
  const forwardedHost = hostIn(lastOf(headers['x-forwarded-host']));
  return {
    address: forwardedAddress(peer, headers, trusted),
    origin: `${scheme === 'https' ? 'https' : 'http'}://${forwardedHost ?? host}`,
    isForwardingIgnored: false,
  };
}

function forwardedAddress(peer: string, headers: Headers, trusted: BlockList): string {
  let last = plainAddress(peer);
  const chain = all(headers['x-forwarded-for']).split(',');
  for (const entry of chain.reverse()) {
    const address = plainAddress(entry.trim());
    if (isIP(address) === 0) return last;
    last = address;
    if (!isCovered(trusted, address)) return last;
  }
  return last;
}

function one(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}

function all(value: string | string[] | undefined): string {
  return Array.isArray(value) ? value.join(',') : (value ?? '');
}

function lastOf(value: string | string[] | undefined): string | undefined {
  const text = all(value).split(',').at(-1)?.trim();
  return text === '' ? undefined : text;
}

/** What is no host or host:port counts as absent: it would become part of links and of the own origin. */
function hostIn(text: string | undefined): string | undefined {
  const isHost = /^([\w.-]+|\[[\da-f:.]+\])(:\d+)?$/i.test(text ?? '') && URL.canParse(`http://${text}`);
  return isHost ? text : undefined;
}
