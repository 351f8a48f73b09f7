import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';

import { classOfAddress } from '../../kernel/network.ts';

/** The addresses of a name; throws or answers none if it has none. */
export type ResolveHost = (name: string) => Promise<readonly string[]>;

export const systemResolver: ResolveHost = async (name) =>
  (await lookup(name, { all: true, order: 'verbatim' })).map(({ address }) => address);

/** Where a request may go (contract 50.4.3). */
export type Reachable =
  | { readonly kind: 'addresses'; readonly addresses: readonly string[] }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'refused'; readonly reason: string };

const PRIVATE =
  'leads to this machine or to a private network. To allow that, turn on allow_private_networks in the notification settings.';
const NEVER =
  'leads to a link-local or cloud metadata address. These are refused even if allow_private_networks is on.';

/** Checks every address of the host. The URL parser has already normalized its spelling. */
export async function findReachable(
  url: URL,
  { resolve, allowsPrivate }: { resolve: ResolveHost; allowsPrivate: boolean },
): Promise<Reachable> {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const addresses = isIP(host) === 0 ? await resolve(host).catch(() => []) : [host];
  return judgeAddresses(addresses, allowsPrivate);
}

/**
 * For a name at home, link-local addresses next to others are left out. On the internet, one refused address is enough
 * to refuse the name: an honest name does not have both kinds.
 */
export function judgeAddresses(addresses: readonly string[], allowsPrivate: boolean): Reachable {
  if (addresses.length === 0) return { kind: 'unknown' };
  const allowed = addresses.filter((address) => {
    const network = classOfAddress(address);
    return network === 'public' || (allowsPrivate && network === 'private');
  });
  const isFine = allowsPrivate ? allowed.length > 0 : allowed.length === addresses.length;
  if (isFine) return { kind: 'addresses', addresses: allowed };
  const isNever = addresses.some((address) => classOfAddress(address) === 'never');
  return { kind: 'refused', reason: isNever ? NEVER : PRIVATE };
}
