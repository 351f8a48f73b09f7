import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net';

/** Trusted proxies (`TRUST_PROXY`), the forms in which clients are counted, and hosts of a home network. */

const GROUPS: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.0/8', '::1/128'],
  private: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7', 'fe80::/10', '169.254.0.0/16'],
};

/** A list of addresses and CIDR blocks, or the first entry that is neither. Blocks of everything are refused. */
export function parseTrustedProxies(text: string): BlockList | { invalid: string } {
  const list = new BlockList();
  for (const entry of text.split(',').map((part) => part.trim())) {
    for (const block of GROUPS[entry] ?? [entry]) {
      const [address = '', bits, ...rest] = block.split('/');
      const family = isIPv4(address) ? 'ipv4' : isIPv6(address) ? 'ipv6' : undefined;
      const widest = family === 'ipv4' ? 32 : 128;
      const prefix = bits === undefined ? widest : /^\d{1,3}$/.test(bits) ? Number(bits) : -1;
      if (family === undefined || prefix < 1 || prefix > widest || rest.length > 0) return { invalid: entry };
      list.addSubnet(address, prefix, family);
    }
  }
  return list;
}

export function isCovered(list: BlockList, address: string): boolean {
  const plain = plainAddress(address);
  const family = isIP(plain);
  return family !== 0 && list.check(plain, family === 4 ? 'ipv4' : 'ipv6');
}

/** IPv4-mapped IPv6 addresses as IPv4; zone indexes dropped. */
export function plainAddress(address: string): string {
  const bare = address.split('%')[0] ?? '';
  if (!isIPv6(bare)) return bare;
  const mapped = /^::ffff:([0-9a-f]+):([0-9a-f]+)$/.exec(shortestForm(bare));
  if (!mapped) return bare;
  const [high, low] = [parseInt(mapped[1] as string, 16), parseInt(mapped[2] as string, 16)];
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

/** The unit of rate limits: an IPv4 address, or the /64 of an IPv6 one. */
export function countedAddress(address: string): string {
  const plain = plainAddress(address);
  if (isIP(plain) !== 6) return plain;
  const [head = '', tail] = shortestForm(plain).split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const groups = [...left, ...Array<string>(8 - left.length - right.length).fill('0'), ...right];
  return `${groups.slice(0, 4).join(':')}::/64`;
}

/** One spelling for the many of an IPv6 address (RFC 5952), made by the platform's URL parser. */
function shortestForm(address: string): string {
  return new URL(`http://[${address}]`).hostname.slice(1, -1);
}

/** This machine, by name or address. */
export function isLoopbackHost(host: string): boolean {
  const plain = plainAddress(host.replace(/^\[|\]$/g, ''));
  return plain === 'localhost' || plain === '::1' || (isIPv4(plain) && plain.startsWith('127.'));
}

const HOME_NAMES = ['.local', '.lan', '.home.arpa', '.internal', '.localhost', '.ts.net'];
/** Addresses behind carrier-grade NAT, which private overlay networks use as well. */
const SHARED = '100.64.0.0/10';

/** Hosts for which plain http is accepted: this machine, private addresses, names of a home network. */
export function isHomeHost(host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, '');
  if (isIP(bare) === 0 && !isLoopbackHost(bare)) {
    return !bare.includes('.') || HOME_NAMES.some((suffix) => bare.endsWith(suffix));
  }
  return isPrivateHost(bare) || isIn(SHARED, bare);
}

/** This machine, and addresses that are reached without the internet. */
export function isPrivateHost(host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, '');
  return isLoopbackHost(bare) || isIn('private', bare);
}

/** What to put in TRUST_PROXY so that it covers this peer; undefined unless it is on this machine or in a private network. */
export function trustedProxyFor(peer: string): string | undefined {
  const plain = plainAddress(peer);
  if (isIn('loopback', plain)) return 'loopback';
  return isIn('private', plain) || isIn(SHARED, plain) ? plain : undefined;
}

function isIn(blocks: string, address: string): boolean {
  const list = parseTrustedProxies(blocks);
  return list instanceof BlockList && isCovered(list, address);
}

const BASE_URL = /^https?:\/\/[^/?#@\\\s]+\/?$/i;

/** The origin that people reach the service at (20.16), or what is wrong with it, to be said after its name. */
export function readBaseUrl(text: string): { origin: string } | { problem: string } {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !['https:', 'http:'].includes(url.protocol)) {
    return { problem: 'must be an address that starts with https:// or http://' };
  }
  if (!BASE_URL.test(text)) {
    return { problem: 'must have only a scheme, a host and a port, such as https://home.example' };
  }
  if (url.protocol === 'https:' || isHomeHost(url.hostname)) return { origin: url.origin };
  return {
    problem: 'must be https; http is allowed only for loopback and private addresses and for names on the home network',
  };
}
