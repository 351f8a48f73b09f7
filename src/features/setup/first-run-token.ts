import { bookkeep } from '../../journal/write.ts';
import { instantNow } from '../../kernel/clock.ts';
import { sha256Hex } from '../../kernel/crypto.ts';
import { instantAfter } from '../../kernel/dates.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { isLoopbackHost } from '../../kernel/network.ts';
import { isFirstRun } from '../bootstrap/index.ts';
import type { Instance, RequestInfo } from '../handler.ts';
import { insertFirstRunToken, isFirstRunToken } from './setup.queries.ts';

/** The token of each running service; the database has only its hash. */
const tokens = new WeakMap<Instance, string>();

/** In first run, a token with which somebody can set up the household (contract 20.7); otherwise null. */
export async function openFirstRun(instance: Instance): Promise<string | null> {
  const { database, random } = instance;
  if (!(await database.read(isFirstRun))) return null;
  const token = Buffer.from(random.bytes(LIMITS.tokenBytes)).toString('base64url');
  await bookkeep(database, (tx) =>
    insertFirstRunToken(tx, sha256Hex(token), instantAfter(tx.now, LIMITS.firstRunTokenMs)),
  );
  tokens.set(instance, token);
  return token;
}

/** This service's token for a browser on the same machine; null if someone elsewhere could be asking. */
export async function tokenForLoopback(instance: Instance, request: RequestInfo): Promise<string | null> {
  const token = tokens.get(instance);
  if (token === undefined || !isFromHere(instance, request)) return null;
  const now = instantNow(instance.clock);
  return (await instance.database.read((tx) => isFirstRunToken(tx, sha256Hex(token), now))) ? token : null;
}

/** The hosts by which only a browser on this machine asks: other names and addresses may be an attack. */
const OWN_HOSTS: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);
/** The same as a browser sends them. A parser of URLs would find them in other texts too, such as `evil@localhost`. */
const OWN_HOST = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i;

/** The loopback rule of contract 20.7. */
export function isFromHere(
  { config }: Instance,
  { client, baseUrl }: Pick<RequestInfo, 'client' | 'baseUrl'>,
): boolean {
  return (
    client !== null &&
    config.trustedProxies === null &&
    isLoopbackHost(config.host) &&
    isLoopbackHost(client.address) &&
    !client.isForwarded &&
    OWN_HOST.test(client.host ?? '') &&
    isOwnAddress(baseUrl)
  );
}

/** Whether a page at this address can be one that the loopback rule trusts. */
export function isOwnAddress(url: string): boolean {
  return URL.canParse(url) && OWN_HOSTS.has(new URL(url).hostname);
}
