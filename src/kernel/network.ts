import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net';

/** Addresses whose forwarding headers are trusted (`TRUST_PROXY`), and the forms in which clients are counted. */

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

function isLoopbackHost(host: string): boolean {
  const plain = plainAddress(host.replace(/^\[|\]$/g, ''));
  return plain === 'localhost' || plain === '::1' || (isIPv4(plain) && plain.startsWith('127.'));
}

const HOME_NAMES = ['.local', '.lan', '.home.arpa', '.internal', '.localhost'];

/** Hosts for which plain http is accepted: this machine, private addresses, names of a home network. */
export function isHomeHost(host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, '');
  if (isLoopbackHost(bare)) return true;
  if (isIP(bare) === 0) return !bare.includes('.') || HOME_NAMES.some((suffix) => bare.endsWith(suffix));
  const home = parseTrustedProxies('private');
  return home instanceof BlockList && isCovered(home, bare);
}
