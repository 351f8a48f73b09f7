import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net';

/** Trusted proxies (`TRUST_PROXY`), the forms in which clients are counted, hosts of a home network, kinds of addresses. */

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
  const network = groupsOf(plain).slice(0, 4);
  return `${network.map((group) => group.toString(16)).join(':')}::/64`;
}

/** The eight groups of an IPv6 address. */
function groupsOf(address: string): number[] {
  const [head = '', tail = ''] = shortestForm(address).split('::');
  const read = (part: string): number[] => (part === '' ? [] : part.split(':').map((group) => parseInt(group, 16)));
  const [left, right] = [read(head), read(tail)];
  return [...left, ...Array<number>(8 - left.length - right.length).fill(0), ...right];
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

/**
 * Which networks an IP address belongs to, for requests to addresses that people typed in: `public` is the internet,
 * `private` what a household may reach at home, `never` what no request of ours may reach.
 */
export type AddressClass = 'public' | 'private' | 'never';

const RANKS: readonly AddressClass[] = ['public', 'private', 'never'];

/** Link-local addresses, and those at which clouds hand out credentials. */
const NEVER = blocksOf([
  '169.254.0.0/16',
  '100.100.100.200/32',
  '168.63.129.16/32',
  '192.0.0.192/32',
  'fe80::/10',
  'fd00:ec2::/32',
  'fd20:ce::254/128',
]);

/** What is not the internet: private, shared, documentation, benchmarks, multicast, reserved. */
const PRIVATE = blocksOf([
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
  '2001::/23',
  '2001:db8::/32',
  '3fff::/20',
]);

/** The internet in IPv6; everything outside is private, unless it stands for an IPv4 address. */
const GLOBAL = blocksOf(['2000::/3']);

/** IPv6 addresses that stand for an IPv4 address, and the group that it begins with. */
const EMBEDDED: readonly { blocks: BlockList; group: number; isInternet: boolean }[] = [
  { blocks: blocksOf(['::/96', '::ffff:0:0:0/96']), group: 6, isInternet: false },
  { blocks: blocksOf(['64:ff9b::/96']), group: 6, isInternet: true },
  { blocks: blocksOf(['64:ff9b:1::/48']), group: 6, isInternet: false },
  { blocks: blocksOf(['2002::/16']), group: 1, isInternet: true },
];

/** What is not an address is never reached. A zone index does not matter. */
export function classOfAddress(address: string): AddressClass {
  const plain = plainAddress(address.replace(/^\[|\]$/g, ''));
  if (isIPv4(plain)) return classOfV4(plain);
  if (!isIPv6(plain)) return 'never';
  const own = classOfV6(plain);
  const embedded = EMBEDDED.find(({ blocks }) => blocks.check(plain, 'ipv6'));
  if (!embedded) return own;
  const inner = classOfV4(v4In(groupsOf(plain), embedded.group));
  return embedded.isInternet ? inner : worseOf(own, inner);
}

/** Whether a host is an address that no request of ours may reach. Names are judged when they are resolved. */
export function isNeverReached(host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, '');
  return isIP(bare) !== 0 && classOfAddress(bare) === 'never';
}

function classOfV4(address: string): AddressClass {
  if (NEVER.check(address, 'ipv4')) return 'never';
  return PRIVATE.check(address, 'ipv4') ? 'private' : 'public';
}

function classOfV6(address: string): AddressClass {
  if (NEVER.check(address, 'ipv6')) return 'never';
  return GLOBAL.check(address, 'ipv6') && !PRIVATE.check(address, 'ipv6') ? 'public' : 'private';
}

function worseOf(one: AddressClass, other: AddressClass): AddressClass {
  return RANKS.indexOf(one) > RANKS.indexOf(other) ? one : other;
}

function v4In(groups: readonly number[], from: number): string {
  const [high = 0, low = 0] = groups.slice(from);
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

function blocksOf(blocks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const block of blocks) {
    const [address = '', bits] = block.split('/');
    list.addSubnet(address, Number(bits), isIPv4(address) ? 'ipv4' : 'ipv6');
  }
  return list;
}
