import { isIPv6 } from 'node:net';
import type { networkInterfaces } from 'node:os';

interface Place {
  /** The base URL, if there is one. */
  baseUrl: string | null;
  /** HOST, and the port really taken. */
  host: string;
  port: string;
  interfaces: ReturnType<typeof networkInterfaces>;
}

/** Listening addresses that stand for every address of the machine; the first only for those of IPv4. */
const ANY_IPV4 = '0.0.0.0';
const ANY = '::';

/** What is printed in first run: a link for every address at which a browser may reach the service (contract 20.7). */
export function setupInvitation(place: Place, token: string): string {
  const links = basesOf(place).map((base) => `  ${base}/setup?token=${token}`);
  return [
    `Set up your household in a browser within 24 hours${links.length > 1 ? '. Open one of these' : ''}:`,
    ...links,
    'At any other address of this machine, open /setup and enter the token: the part after "token=".',
    '',
  ].join('\n');
}

/** Where a browser may reach the service; first where `<base>` of the contract points. */
export function basesOf({ baseUrl, host, port, interfaces }: Place): string[] {
  if (baseUrl !== null) return [baseUrl];
  const isAny = host === ANY_IPV4 || host === ANY;
  const hosts = [isAny ? 'localhost' : host, ...(isAny ? addressesOf(interfaces, host) : [])];
  return hosts.map((name) => `http://${isIPv6(name) ? `[${name}]` : name}:${port}`);
}

/** Link-local IPv6 addresses are left out: they need a zone, which browsers do not take. */
function addressesOf(interfaces: Place['interfaces'], host: string): string[] {
  return Object.values(interfaces)
    .flatMap((found) => found ?? [])
    .filter(({ internal, family, scopeid = 0 }) => !internal && scopeid === 0 && (host === ANY || family === 'IPv4'))
    .map(({ address }) => address);
}
