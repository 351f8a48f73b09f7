import type { ReadTx } from '../../db/unit-of-work.ts';
import { validationError } from '../../kernel/errors.ts';
import { isLoopbackHost } from '../../kernel/network.ts';
import { configValue } from '../config/index.ts';

/**
 * Refuses an address that the page may not go to when it ends (contract 30.5.1).
 * @throws VALIDATION_ERROR
 */
export async function checkRedirect(tx: ReadTx, baseUrl: string, redirectUrl: string): Promise<void> {
  const origins = ((await configValue(tx, 'link_redirect_origins')) ?? '').split(',').filter((one) => one !== '');
  const problem = problemOf(redirectUrl, { base: new URL(baseUrl).origin, origins });
  if (problem !== undefined) throw validationError('redirect_url', `redirect_url: ${problem}`);
}

interface Allowed {
  base: string;
  /** From the setting. */
  origins: readonly string[];
}

/** What is wrong with an address; undefined if it is allowed. */
function problemOf(text: string, { base, origins }: Allowed): string | undefined {
  if (!/^https?:\/\/[!-~]+$/i.test(text) || !URL.canParse(text)) return 'must be an absolute http or https address.';
  const { origin, protocol, hostname, username, password } = new URL(text);
  if (username !== '' || password !== '') return 'must not contain a user name or password.';
  if (origins.includes(origin)) return undefined;
  if (origin !== base) {
    return `must begin with ${base}, or with one of the origins in the setting link_redirect_origins.`;
  }
  if (protocol === 'http:' && !isLoopbackHost(hostname)) {
    return `must be https. To allow http, add ${origin} to the setting link_redirect_origins.`;
  }
  return undefined;
}
