import type { z } from 'zod';

import type { ReadTx } from '../../db/unit-of-work.ts';
import { notFound } from '../../kernel/errors.ts';
import { PROVIDER_TRAITS } from '../../providers/kinds.ts';
import { handleBackground, handleRead, handleWrite, Reply, type Instance } from '../handler.ts';
import { providersInForce, removeCredentials } from '../provider-settings/index.ts';
import { resolveMember } from '../users/index.ts';
import { isAdmin, openLinkSession, requireProvider, tellingAdmin } from './ask-provider.ts';
import { builtInEnvironments, countLiveConnections } from './configured.ts';
import { CREDENTIALS } from './credentials-schema.ts';
import { openProvider } from './open-provider.ts';
import * as contract from './providers.contract.ts';

type Info = z.output<typeof contract.ProviderInfo>;
type Name = Info['name'];

const NAMES: readonly Name[] = ['plaid', 'teller', 'csv'];

export const listProviders = handleRead(contract.listProviders, async ({ tx, instance }) => describe(tx, instance));

export const getProvider = handleRead(contract.getProvider, async ({ tx, instance }, { params }) => {
  const name = getName(params.name);
  return (await describe(tx, instance)).find((one) => one.name === name) as Info;
});

/** @throws NOT_FOUND */
function getName(given: string): Name {
  const name = NAMES.find((one) => one === given.toLowerCase());
  if (name === undefined) throw notFound('provider');
  return name;
}

async function describe(tx: ReadTx, instance: Instance): Promise<Info[]> {
  const environments = await builtInEnvironments(tx, instance);
  return NAMES.map((name) => {
    const traits = PROVIDER_TRAITS.find((one) => one.name === name);
    return {
      name,
      display_name: traits?.displayName ?? 'CSV import',
      configured: name === 'csv' || environments.has(name),
      environment: environments.get(name) ?? null,
      needs_link_session: traits?.needsLinkSession ?? false,
      capabilities: traits ? [...traits.capabilities] : ['transactions'],
      credentials_schema: CREDENTIALS[name],
    };
  });
}

export const createLinkSession = handleBackground(
  contract.createLinkSession,
  async ({ instance, principal }, { params, body }) => {
    const name = getName(params.name);
    const member = await instance.database.read(async (tx) =>
      resolveMember(tx, { given: body.user_id, callerId: null }),
    );
    if (name === 'csv') return new Reply(null as never, { status: 204 });
    const provider = await requireProvider(instance, name);
    const link = { memberId: member.id, renewing: null };
    return tellingAdmin(principal, () => openLinkSession(provider, link));
  },
);

export const testProvider = handleBackground(contract.testProvider, async ({ instance, principal }, { params }) => {
  const name = getName(params.name);
  if (name === 'csv') return { provider: name, ok: true, message: 'Bank files need no credentials.' };
  const provider = await openProvider(instance, name);
  if (provider) {
    const { ok, message, said = null } = await provider.test();
    const quoted = said === null || !isAdmin(principal) ? '' : ` ${provider.traits.displayName} says: ${said}`;
    return { provider: name, ok, message: message + quoted };
  }
  const message = await instance.database.read(async (tx) => whyNotConfigured(tx, instance, name));
  return { provider: name, ok: false, message };
});

async function whyNotConfigured(tx: ReadTx, instance: Instance, name: 'plaid' | 'teller'): Promise<string> {
  const { plaid, teller } = await providersInForce(tx, instance);
  const secrets =
    name === 'plaid' ? [plaid.clientId, plaid.secret] : [teller.applicationId, teller.certificate, teller.privateKey];
  const shown = displayName(name);
  if (secrets.some(({ isSet, value }) => isSet && value === null)) {
    return `The stored credentials for ${shown} cannot be decrypted. Enter them again.`;
  }
  const isIncomplete = secrets.some(({ isSet }) => isSet);
  if (name === 'teller' && isIncomplete) return 'Outside the sandbox, Teller needs a certificate and its key.';
  return `No credentials for ${shown} are set.`;
}

function displayName(name: 'plaid' | 'teller'): string {
  return PROVIDER_TRAITS.find((traits) => traits.name === name)?.displayName ?? name;
}

export const disableProvider = handleWrite(
  contract.disableProvider,
  'setting.update',
  async ({ tx, instance }, { params }) => {
    const name = getName(params.name);
    const affected = await countLiveConnections(tx, name);
    const answer = { provider: name, ok: true, affected_connections: affected };
    if (name === 'csv') return { ...answer, message: 'Bank files need no credentials, so there is nothing to remove.' };
    const wereSet = await removeCredentials(tx, instance, name);
    const shown = displayName(name);
    const message = wereSet ? `The credentials for ${shown} were removed.` : `No credentials for ${shown} were set.`;
    return { ...answer, message };
  },
);
