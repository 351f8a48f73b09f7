import { networkInterfaces } from 'node:os';

import { isLoopbackHost } from './network.ts';

export type Interfaces = ReturnType<typeof networkInterfaces>;

/** Listening addresses that stand for every address of the machine; the first only for those of IPv4. */
const ANY_IPV4 = '0.0.0.0';
const ANY = '::';

/** Where a service listens: HOST, and the port really taken. */
export interface Listening {
  readonly host: string;
  readonly port: string;
}

/** The addresses at which a browser on this machine and others at home reach a service, that of this machine first. */
export function ownAddresses({ host, port }: Listening, interfaces: Interfaces = networkInterfaces()): string[] {
  const isAny = host === ANY_IPV4 || host === ANY;
  const hosts = [isAny ? 'localhost' : host, ...(isAny ? addressesOf(interfaces, host) : [])];
  return hosts.map((name) => `http://${name.includes(':') ? `[${name}]` : name}:${port}`);
}

/** Those that other devices reach: none while the service listens on this machine alone. */
export function addressesForOthers(listening: Listening, interfaces?: Interfaces): string[] {
  return ownAddresses(listening, interfaces).filter((address) => !isLoopbackHost(new URL(address).hostname));
}

/** Link-local IPv6 addresses are left out: they need a zone, which browsers do not take. */
function addressesOf(interfaces: Interfaces, host: string): string[] {
  return Object.values(interfaces)
    .flatMap((found) => found ?? [])
    .filter(({ internal, family, scopeid = 0 }) => !internal && scopeid === 0 && (host === ANY || family === 'IPv4'))
    .map(({ address }) => address);
}
