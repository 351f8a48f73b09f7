/** Where this server can be reached, and where the links that it makes lead. */
export interface Reach {
  /** Directly, by other devices at home. */
  atHome: readonly string[];
  /** The address that links begin with. */
  links: string;
}

/** Who cannot open an address, as far as this server knows where it listens. A proxy may answer at any name. */
export function troubleWith(address: string, { atHome }: Reach): 'only here' | 'not here' | undefined {
  const url = URL.parse(address);
  if (url === null) return undefined;
  if (isLocal(url)) return 'only here';
  if (url.protocol !== 'http:') return undefined;
  const own = atHome.map((one) => new URL(one));
  const isNumber = /^[\d.]+$|^\[/.test(url.hostname);
  const isListening = own.some(({ port, hostname }) => port === url.port && (!isNumber || hostname === url.hostname));
  return isListening ? undefined : 'not here';
}

function isLocal({ hostname }: URL): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.');
}
