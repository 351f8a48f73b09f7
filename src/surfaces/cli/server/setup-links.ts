import { ownAddresses, type Interfaces, type Listening } from '../../../kernel/own-addresses.ts';

interface Place extends Listening {
  /** The base URL, if there is one. */
  baseUrl: string | null;
  interfaces?: Interfaces;
}

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
  return baseUrl !== null ? [baseUrl] : ownAddresses({ host, port }, interfaces);
}
