import { openProvider } from '../../../../features/providers/index.ts';
import { providersInForce } from '../../../../features/provider-settings/index.ts';
import { connectionsAttention } from '../../../../features/sync/index.ts';
import { ask, fail, ofApp, pass, skip, warn, type DoctorCheck } from './check.ts';

const PROVIDERS = { plaid: 'Plaid', teller: 'Teller' } as const;

const providers = ofApp('providers', async ({ instance }, { isOffline }) => {
  const inForce = await instance.database.read((tx) => providersInForce(tx, instance));
  const tried: string[] = [];
  for (const [name, title] of Object.entries(PROVIDERS) as [keyof typeof PROVIDERS, string][]) {
    const { isConfigured, ...rest } = inForce[name];
    const isBegun = Object.values(rest).some((value) => typeof value === 'object' && value !== null && value.isSet);
    if (isBegun && !isConfigured) {
      return fail(`${title} is set up in part only.`, 'Complete its settings on the page Bank providers.');
    }
    if (!isConfigured) continue;
    tried.push(title);
    if (isOffline) continue;
    const provider = await openProvider(instance, name);
    const { ok, message } = (await provider?.test()) ?? { ok: false, message: 'It could not be asked.' };
    if (!ok) return fail(`${title}: ${message}`, 'Correct its settings on the page Bank providers.');
  }
  if (tried.length === 0) return pass('No bank provider is set up.');
  return pass(
    `${tried.join(' and ')} ${isOffline ? 'set up; not asked without the network.' : 'accepted the credentials.'}`,
  );
});

/** What a connection can need that a person has to do. */
const BAD: Readonly<Record<string, string>> = {
  reauth_required: 'need a new sign-in',
  connection_error: 'have an error',
  consent_expiring: 'have a consent that ends soon',
};

const connections = ofApp('connections', async ({ instance }) => {
  const concerned = await instance.database.read((tx) => connectionsAttention(tx, instance));
  const found = Object.entries(BAD).flatMap(([code, words]) => {
    const ids = concerned.filter(({ entries }) => entries.some((entry) => entry.code === code));
    return ids.length === 0
      ? []
      : [`${ids.length} ${words} (${ids.map(({ connection }) => connection.short_id).join(', ')})`];
  });
  if (found.length === 0) return pass('No connection needs a person.');
  return warn(`Connections: ${found.join('; ')}.`, 'Open the page Connections.');
});

const CLOCK_MS = 60_000;

const clock = ofApp('clock', async ({ instance }, { isOffline, now }) => {
  if (isOffline) return skip('Not asked without the network.');
  const inForce = await instance.database.read((tx) => providersInForce(tx, instance));
  const { plaid, teller } = instance.config.providers;
  const own = inForce.plaid.environment === 'production' ? 'https://production.plaid.com' : 'https://sandbox.plaid.com';
  const address = inForce.plaid.isConfigured
    ? (plaid.baseUrl ?? own)
    : inForce.teller.isConfigured
      ? (teller.baseUrl ?? 'https://api.teller.io')
      : null;
  if (address === null) return skip('No bank provider is set up, so there is no clock to compare with.');
  const said = await ask(address, { method: 'HEAD' }).then(
    ({ headers }) => Date.parse(headers.get('date') ?? ''),
    () => Number.NaN,
  );
  if (Number.isNaN(said)) return skip('The bank provider did not tell the time.');
  const seconds = Math.round(Math.abs(said - now) / 1_000);
  if (seconds * 1_000 <= CLOCK_MS) return pass('The clock agrees with that of the bank provider.');
  return warn(
    `The clock differs from that of the bank provider by ${seconds} seconds.`,
    'Set the clock of this machine.',
  );
});

const publicUrl = ofApp('public-url', async ({ instance }, { isOffline }) => {
  const [baseUrl, inForce] = [
    await instance.settings.baseUrl(),
    await instance.database.read((tx) => providersInForce(tx, instance)),
  ];
  const wantsWebhooks = inForce.plaid.webhookUrl !== null || inForce.teller.webhookSecret.isSet;
  if (baseUrl === null) {
    if (!wantsWebhooks) return pass('No public address is set, and nothing needs one.');
    return warn(
      'Webhooks are set up, but no public address is.',
      'Set HOMELEDGER_BASE_URL, or the address on the page General.',
    );
  }
  if (isOffline) return pass('A public address is set; not asked without the network.');
  const isThere = await ask(`${baseUrl}/health`).then(
    ({ status }) => status === 200,
    () => false,
  );
  if (isThere) return pass('The service answers at its public address.');
  return warn(
    'The service does not answer at its public address.',
    'Start the server, and check the proxy in front of it.',
  );
});

export const bankChecks: readonly DoctorCheck[] = [providers, connections];
export const networkChecks: readonly DoctorCheck[] = [publicUrl, clock];
