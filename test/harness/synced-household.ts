import { PROVIDER_TRAITS } from '../../src/providers/kinds.ts';
import type { ProviderTraits } from '../../src/providers/provider.ts';
import { addBankConnection, configureProviders } from './bank-connection.ts';
import { addMember, type Made } from './ledger.ts';
import { scriptedProvider, type ScriptedProvider } from './made-up-provider.ts';
import type { TestApp, TestAppOptions, TestDatabase } from './test-app.ts';

/** A household with scripted providers in place of the built-in ones. */
export interface SyncedHousehold {
  app: TestApp;
  ana: Made;
  /** Delivers changes, as Plaid does. */
  plaid: ScriptedProvider;
  /** Delivers windows, as Teller does. */
  teller: ScriptedProvider;
  /** A connection of Ana to the scripted provider of this name, without accounts. */
  connect: (provider?: 'plaid' | 'teller') => Promise<Made>;
}

export async function openSyncedHousehold(
  database: TestDatabase,
  options: TestAppOptions = {},
): Promise<SyncedHousehold> {
  const [plaid, teller] = (PROVIDER_TRAITS as [ProviderTraits, ProviderTraits]).map(scriptedProvider) as [
    ScriptedProvider,
    ScriptedProvider,
  ];
  const app = await database.open({ ...options, extraProviders: [plaid, teller] });
  await configureProviders(app);
  const ana = await addMember(app, 'Ana');
  await silenceRules(app);
  return { app, ana, plaid, teller, connect: (provider = 'plaid') => addBankConnection(app, ana, { provider }) };
}

/** The transactions of the accounts of a connection, oldest first, deleted ones included. */
// oxlint-disable-next-line typescript/no-explicit-any
export async function storedTransactions(app: TestApp, connection: Made): Promise<any[]> {
  const accounts = await app.request('GET', '/api/v1/accounts', {
    query: { connection_id: connection.id, include_disconnected: true },
  });
  const ids = (accounts.json as { id: string }[]).map(({ id }) => id);
  return app.app.instance.database.read(async (tx) =>
    ids.length === 0
      ? []
      : tx.q.selectFrom('transactions').selectAll().where('account_id', 'in', ids).orderBy('id').execute(),
  );
}

/** The rules of a new household would mark every row. */
async function silenceRules(app: TestApp): Promise<void> {
  const rules = (await app.request('GET', '/api/v1/rules')).json as { rules: { id: string }[] };
  for (const { id } of rules.rules) {
    await app.request('PATCH', `/api/v1/rules/${id}`, { body: { enabled: false } });
  }
}
