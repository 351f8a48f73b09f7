import { PROVIDER_TRAITS } from '../../../src/providers/kinds.ts';
import { addBankConnection, configureProviders } from '../banks/bank-connection.ts';
import { MADE_UP, scriptedProvider, type ScriptedProvider } from '../banks/made-up-provider.ts';
import { addMember, type Made } from '../ledger.ts';
import type { TestApp, TestAppOptions, TestDatabase } from '../test-app.ts';

/** A household with scripted providers in place of the built-in ones. */
export interface SyncedHousehold {
  app: TestApp;
  ana: Made;
  /** Delivers changes, as Plaid does. */
  plaid: ScriptedProvider;
  /** Delivers windows, as Teller does. */
  teller: ScriptedProvider;
  /** Delivers windows of rows without ids. */
  moneta: ScriptedProvider;
  /** A connection of Ana to the scripted provider of this name, without accounts. */
  connect: (provider?: 'plaid' | 'teller' | 'moneta', bankName?: string) => Promise<Made>;
}

export async function openSyncedHousehold(
  database: TestDatabase,
  options: TestAppOptions = {},
): Promise<SyncedHousehold> {
  const providers = [...PROVIDER_TRAITS, MADE_UP].map(scriptedProvider);
  const [plaid, teller, moneta] = providers as [ScriptedProvider, ScriptedProvider, ScriptedProvider];
  const app = await database.open({ ...options, extraProviders: providers });
  await configureProviders(app);
  const ana = await addMember(app, 'Ana');
  await silenceRules(app);
  return {
    app,
    ana,
    plaid,
    teller,
    moneta,
    connect: (provider = 'plaid', bankName = 'First Platypus Bank') =>
      addBankConnection(app, ana, { provider, institution_name: bankName }),
  };
}

/** The transactions of the accounts of a connection, oldest first, deleted ones included. */
// oxlint-disable-next-line typescript/no-explicit-any
export async function storedTransactions(app: TestApp, connection: Made): Promise<any[]> {
  return app.app.instance.database.read((tx) =>
    tx.q
      .selectFrom('transactions')
      .selectAll()
      .where('account_id', 'in', tx.q.selectFrom('accounts').select('id').where('connection_id', '=', connection.id))
      .orderBy('id')
      .execute(),
  );
}

/** The rules of a new household would mark every row. */
async function silenceRules(app: TestApp): Promise<void> {
  const rules = (await app.request('GET', '/api/v1/rules')).json as { rules: { id: string }[] };
  for (const { id } of rules.rules) {
    await app.request('PATCH', `/api/v1/rules/${id}`, { body: { enabled: false } });
  }
}
