import type { InstitutionsGetRequest, LinkTokenCreateRequest } from 'plaid';

import { parseInstant } from '../../kernel/dates.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { toAccess, tokenOf } from '../access.ts';
import { createHttpClient, type HttpOptions } from '../http/http-client.ts';
import { badResponse } from '../http/transport-failure.ts';
import { traitsNamed } from '../kinds.ts';
import { ProviderFailure } from '../provider-failure.ts';
import type { Access, CredentialTest, LinkFor, LinkSession, Outside, Provider } from '../provider.ts';
import { membersOf, readId } from '../read-values.ts';
import { fetchChanges } from './fetch-changes.ts';
import { linkTokenRequest, type LinkSettings } from './link-token.ts';
import { createPlaidClient, type CallOptions, type CallPlaid } from './plaid-client.ts';
import { readState, type PlaidState } from './read-item.ts';
import { createKeyRing } from './webhook-keys.ts';
import { receivePlaidWebhook } from './webhook-signature.ts';

export interface PlaidSettings extends LinkSettings {
  clientId: string;
  secret: string;
  environment: 'sandbox' | 'development' | 'production';
  /** In place of Plaid's own address. */
  baseUrl: string | null;
}

/** Plaid has retired its development host, so that environment is its sandbox. */
const HOSTS = {
  sandbox: 'https://sandbox.plaid.com',
  development: 'https://sandbox.plaid.com',
  production: 'https://production.plaid.com',
} as const;

export function createPlaid(settings: PlaidSettings, outside: Outside, options: HttpOptions = {}): Provider {
  const http = createHttpClient(outside, options);
  const baseUrl = (settings.baseUrl ?? HOSTS[settings.environment]).replace(/\/+$/, '');
  const call = createPlaidClient({ ...settings, baseUrl }, http, outside);
  const keys = createKeyRing(call, outside);
  const provider: Provider = {
    traits: traitsNamed('plaid'),
    createLinkSession: (link) => createLinkSession(call, settings, link),
    exchange: (credentials) => exchange(call, credentials),
    readItem: async (access, signal) => readAccounts(call, access, signal),
    proveLogin: async (access) => ((await isLoginWorking(call, access)) ? access : null),
    fetch(access, request) {
      const { token, options: how } = authorised(access);
      const source = {
        readPage: (cursor: string | null, signal: AbortSignal) => readPage(call, token, cursor, { ...how, signal }),
        readState: (signal: AbortSignal) => readAccounts(call, access, signal),
      };
      return fetchChanges(source, request, outside);
    },
    revoke: (access, signal) => revoke(call, access, signal),
    async updateWebhook(access, { item: { webhookUrl } }) {
      const wanted = settings.webhookUrl;
      if (wanted === null || webhookUrl === undefined || webhookUrl === wanted) return;
      const { token, options: how } = authorised(access);
      await call((api, sent) => api.itemWebhookUpdate({ access_token: token, webhook: wanted }, sent), how);
    },
    receiveWebhook: (request) => receivePlaidWebhook(request, keys, outside),
    test: () => testCredentials(call, settings),
    close: () => http.close(),
  };
  return provider;
}

function authorised(access: Access, signal?: AbortSignal): { token: string; options: CallOptions } {
  const token = tokenOf(access);
  return { token, options: { secrets: [token], signal } };
}

async function createLinkSession(call: CallPlaid, settings: PlaidSettings, link: LinkFor): Promise<LinkSession> {
  const token = link.renewing ? tokenOf(link.renewing) : null;
  // Plaid's types list the countries known at the time; the setting may have more.
  const request = linkTokenRequest(settings, link, token) as LinkTokenCreateRequest;
  const answer = await call((api, options) => api.linkTokenCreate(request, options), { secrets: token ? [token] : [] });
  const { link_token: linkToken, expiration } = answer;
  if (typeof linkToken !== 'string' || linkToken === '') throw badResponse();
  return {
    provider: 'plaid',
    link_token: linkToken,
    expiration: typeof expiration === 'string' ? (parseInstant(expiration) ?? null) : null,
    application_id: null,
    environment: settings.environment,
    enrollment_id: null,
  };
}

async function exchange(call: CallPlaid, credentials: Readonly<Record<string, unknown>>): Promise<Access> {
  const publicToken = String(credentials['public_token']);
  const request = { public_token: publicToken };
  const answer = await call((api, options) => api.itemPublicTokenExchange(request, options), {
    isOnce: true,
    secrets: [publicToken],
  });
  const [token, itemId] = [readId(answer['access_token']), readId(answer['item_id'])];
  if (token === null || itemId === null) throw badResponse();
  return toAccess(itemId, token);
}

async function readAccounts(call: CallPlaid, access: Access, signal?: AbortSignal): Promise<PlaidState> {
  const { token, options: how } = authorised(access, signal);
  const answer = await call((api, options) => api.accountsGet({ access_token: token }, options), how);
  return readState(answer, access.itemId, [token]);
}

function readPage(call: CallPlaid, token: string, cursor: string | null, how: CallOptions): ReturnType<CallPlaid> {
  const position = cursor === null ? {} : { cursor };
  const request = { access_token: token, ...position, count: LIMITS.plaidPageRows };
  return call((api, options) => api.transactionsSync(request, options), how);
}

/** The proof of 30.5.5: it is the stored item, and nothing is wrong with it. */
async function isLoginWorking(call: CallPlaid, access: Access): Promise<boolean> {
  const { token, options: how } = authorised(access);
  try {
    const answer = await call((api, options) => api.itemGet({ access_token: token }, options), how);
    const item = membersOf(answer['item']);
    return item['item_id'] === access.itemId && item['error'] === null;
  } catch (error) {
    if (isLost(error) || (error instanceof ProviderFailure && error.failureClass === 'login')) return false;
    throw error;
  }
}

async function revoke(call: CallPlaid, access: Access, signal?: AbortSignal): Promise<void> {
  const { token, options: how } = authorised(access, signal);
  try {
    await call((api, options) => api.itemRemove({ access_token: token }, options), how);
  } catch (error) {
    if (!isLost(error)) throw error;
  }
}

/** The item no longer exists. */
function isLost(error: unknown): boolean {
  return error instanceof ProviderFailure && error.failureClass === 'item';
}

/** Refused products, use cases and addresses are found before a person stands at the bank's window. */
async function testCredentials(call: CallPlaid, settings: PlaidSettings): Promise<CredentialTest> {
  const { countryCodes, environment } = settings;
  const sent: object = { count: 1, offset: 0, country_codes: [...countryCodes] };
  const once = { withinMs: LIMITS.providerRequestMs };
  try {
    await call((api, options) => api.institutionsGet(sent as InstitutionsGetRequest, options), once);
    const link = linkTokenRequest(settings, { memberId: PROBE, renewing: null }, null) as LinkTokenCreateRequest;
    await call((api, options) => api.linkTokenCreate(link, options), once);
    return { ok: true, message: `Plaid accepts the client id and the secret, and would open a link (${environment}).` };
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error;
    return { ok: false, message: explain(error, environment), said: error.providerError?.message ?? null };
  }
}

/** A user that no household has. */
const PROBE = 'homeledger_probe';

const OF_KEYS: ReadonlySet<string> = new Set(['INVALID_API_KEYS', 'UNAUTHORIZED_ENVIRONMENT']);

function explain({ failureClass, code }: ProviderFailure, environment: string): string {
  if (OF_KEYS.has(code)) {
    return (
      `Plaid refuses the client id or the secret (${environment}): ${code}. ` +
      'Each environment of Plaid has a secret of its own; copy the one of this environment from its dashboard.'
    );
  }
  if (failureClass === 'rate_limited') return 'Plaid asks for a pause. Test the credentials again in a few minutes.';
  if (failureClass === 'transient') {
    return `Plaid cannot be reached, or has a fault of its own: ${code}. Test the credentials again later.`;
  }
  return `Plaid refuses what a link would ask (${environment}): ${code}. Change that in Plaid’s dashboard or in the settings here.`;
}
