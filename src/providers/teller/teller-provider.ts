import { findFlaw, type KeyPair } from '../../kernel/certificate.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { storedToken, toAccess, tokenOf } from '../access.ts';
import { createHttpClient, type HttpOptions } from '../http/http-client.ts';
import { traitsNamed } from '../kinds.ts';
import { ProviderFailure } from '../provider-failure.ts';
import type { Access, Outside, Provider } from '../provider.ts';
import { readId } from '../read-values.ts';
import { fetchWindow, type Window, type WindowSource } from './fetch-window.ts';
import { readAccounts, stateOf, type TellerAccount } from './read-account.ts';
import { createTellerClient, type CallTeller } from './teller-client.ts';
import { TellerFailure } from './teller-failure.ts';
import { receiveTellerWebhook } from './webhook-signature.ts';

export interface TellerSettings {
  applicationId: string;
  environment: 'sandbox' | 'development' | 'production';
  /** null: none, which Teller accepts in the sandbox. */
  keyPair: KeyPair | null;
  /** One secret, or two separated by a comma; null: no webhook can be checked. */
  webhookSecret: string | null;
  /** In place of Teller's own address. */
  baseUrl: string | null;
}

const HOST = 'https://api.teller.io';

export function createTeller(settings: TellerSettings, outside: Outside, options: HttpOptions = {}): Provider {
  const { applicationId, environment } = settings;
  const baseUrl = (settings.baseUrl ?? HOST).replace(/\/+$/, '');
  const http = createHttpClient(outside, { ...options, keyPair: settings.keyPair });
  const call = createTellerClient(baseUrl, http, outside);
  const accountsOf = async (token: string, signal?: AbortSignal): Promise<TellerAccount[]> =>
    readAccounts(await call.get(token, '/accounts', signal));
  const provider: Provider = {
    traits: traitsNamed('teller'),
    createLinkSession: async ({ renewing }) => ({
      provider: 'teller',
      link_token: renewing?.itemId ?? applicationId,
      expiration: null,
      application_id: applicationId,
      environment,
      enrollment_id: renewing?.itemId ?? null,
    }),
    exchange: async ({ enrollment_id: itemId, access_token: token }) => toAccess(String(itemId), String(token)),
    readItem: async (access, signal) => stateOf(await accountsOf(tokenOf(access), signal), access.itemId),
    proveLogin: (access, sent) => proveLogin(accountsOf, access, sent),
    fetch: (access, request) => fetchWindow(sourceOf(call, accountsOf, access), access.itemId, request, outside),
    revoke: (access, signal) => revoke(call, access, signal),
    updateWebhook: async () => undefined,
    receiveWebhook: async (request) => receiveTellerWebhook(request, settings.webhookSecret, outside),
    test: () => testCredentials(call, settings, outside),
    close: () => http.close(),
  };
  return provider;
}

type AccountsOf = (token: string, signal?: AbortSignal) => Promise<TellerAccount[]>;

function sourceOf(call: CallTeller, accountsOf: AccountsOf, access: Access): WindowSource {
  const token = tokenOf(access);
  return {
    readAccounts: (signal) => accountsOf(token, signal),
    readPage: (accountId, window, fromId, signal) => call.get(token, pagePath(accountId, window, fromId), signal),
    readBalance: (accountId, signal) => call.get(token, `/accounts/${encodeURIComponent(accountId)}/balances`, signal),
  };
}

function pagePath(accountId: string, { from, to }: Window, fromId: string | null): string {
  const query = new URLSearchParams({ start_date: from, end_date: to, count: String(LIMITS.tellerPageRows) });
  if (fromId !== null) query.set('from_id', fromId);
  return `/accounts/${encodeURIComponent(accountId)}/transactions?${query.toString()}`;
}

/** The proof of 30.5.5: the token, which may be new, opens accounts of this very enrollment and of no other. */
async function proveLogin(
  accountsOf: AccountsOf,
  access: Access,
  { enrollment_id: enrollmentId, access_token: sent }: Readonly<Record<string, unknown>>,
): Promise<Access | null> {
  if (enrollmentId !== undefined && enrollmentId !== access.itemId) return null;
  const stored = storedToken(access);
  const token = readId(sent) ?? tokenOf(access);
  try {
    const accounts = await accountsOf(token);
    if (accounts.some((account) => account.enrollmentId !== access.itemId)) return null;
    // A token that shows no account at all shows nothing of the enrollment either.
    if (accounts.length === 0 && token !== stored) return null;
    return toAccess(access.itemId, token);
  } catch (error) {
    if (error instanceof ProviderFailure && error.failureClass === 'login') return null;
    throw error;
  }
}

async function revoke(call: CallTeller, access: Access, signal?: AbortSignal): Promise<void> {
  try {
    await call.remove(tokenOf(access), '/accounts', signal);
  } catch (error) {
    const isGone = error instanceof TellerFailure && [403, 404].includes(error.providerError?.httpStatus ?? 0);
    if (!isGone) throw error;
  }
}

/** A user that does not exist. Teller refuses it only after it has accepted the certificate. */
const PROBE = 'homeledger_probe';

async function testCredentials(
  call: CallTeller,
  { keyPair, environment }: TellerSettings,
  outside: Outside,
): Promise<{ ok: boolean; message: string }> {
  const flaw = keyPair ? findFlaw(keyPair, outside.now()) : null;
  if (flaw) {
    const part = flaw.part === 'certificate' ? 'certificate' : 'private key';
    return {
      ok: false,
      message: `The ${part} of Teller ${flaw.message}. Download both again from Teller’s dashboard.`,
    };
  }
  try {
    return judge(await call.status(PROBE, '/accounts'), environment, keyPair !== null);
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error;
    if (error.failureClass === 'config') return judge(400, environment, keyPair !== null);
    return { ok: false, message: `Teller cannot be reached: ${error.code}. Test the credentials again later.` };
  }
}

function judge(status: number, environment: string, hasCertificate: boolean): { ok: boolean; message: string } {
  const accepted = hasCertificate ? 'accepts the certificate' : 'answers, and asks for no certificate';
  if (status === 401 || status === 403) return { ok: true, message: `Teller ${accepted} (${environment}).` };
  if (status === 400) {
    return {
      ok: false,
      message: `Teller refuses the certificate (${environment}). Download it with its key again from Teller’s dashboard.`,
    };
  }
  return { ok: false, message: `Teller answered the test with status ${status}. Test the credentials again later.` };
}
