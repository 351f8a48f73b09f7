import { operations } from '../../src/contract/registry.ts';
import type { AnyOperation } from '../../src/contract/operation.ts';
import { addMember } from '../harness/ledger.ts';
import type { TestApp } from '../harness/test-app.ts';
import { prepared as logins } from './prepared/logins.ts';
import { prepared as accountLinks } from './prepared/account-links.ts';
import { prepared as accounts } from './prepared/accounts.ts';
import { prepared as transactions } from './prepared/transactions.ts';
import { prepared as transactionsBulk } from './prepared/transactions-bulk.ts';
import { prepared as categories } from './prepared/categories.ts';
import { prepared as suggestions } from './prepared/suggestions.ts';
import { prepared as tags } from './prepared/tags.ts';
import { prepared as series } from './prepared/series.ts';
import { prepared as config } from './prepared/config.ts';
import { prepared as counterparties } from './prepared/counterparties.ts';
import { prepared as connections } from './prepared/connections.ts';
import { prepared as comments } from './prepared/comments.ts';
import { prepared as annotations } from './prepared/annotations.ts';
import { prepared as agentCalls } from './prepared/agent-calls.ts';
import { prepared as notifications } from './prepared/notifications.ts';
import { prepared as reports } from './prepared/reports.ts';
import { prepared as proposals } from './prepared/proposals.ts';
import { prepared as rules } from './prepared/rules.ts';
import { prepared as importProfiles } from './prepared/import-profiles.ts';
import { prepared as changeSets } from './prepared/change-sets.ts';
import { prepared as deviceRequests } from './prepared/device-requests.ts';
import { prepared as hostedLinks } from './prepared/hosted-links.ts';
import { prepared as transactionMatches } from './prepared/transaction-matches.ts';
import { prepared as workflowSettings } from './prepared/workflow-settings.ts';
import { prepared as webhooks } from './prepared/webhooks.ts';
import { prepared as sync } from './prepared/sync.ts';
import { prepared as imports } from './prepared/imports.ts';
import { prepared as workflowRuns } from './prepared/workflow-runs.ts';
import { prepared as workflows } from './prepared/workflows.ts';

/** What a call that succeeds sends; what is left out comes from the operation's example. */
export interface LiveCall {
  params?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, string>>;
  body?: unknown;
}

export type Prepared = Readonly<Record<string, (app: TestApp) => Promise<LiveCall>>>;

const FILE = [
  'Date,Description,Amount,Currency',
  '2026-04-20,"Corner Bakery, Main St",-4.50,EUR',
  '2026-04-21,Salary April,2500.00,EUR',
  '2026-04-22,Grocer,-32.10,EUR',
].join('\n');

/** A member of the household whose bank file has been imported: something for every list to show. */
export async function furnish(app: TestApp): Promise<void> {
  await addMember(app, 'Ada');
  const done = await app.request('POST', '/api/v1/connections/csv/import', { body: fileBody('Checking') });
  if (done.status !== 201) throw new Error(`The household's file was not imported: ${done.text}`);
}

export function fileBody(account: string, extra: object = {}): object {
  return { csv_base64: Buffer.from(FILE).toString('base64'), account_name: account, sign: 'positive_is_in', ...extra };
}

/** Bodies of operations whose example has none because the file travels in it. */
const bodies: Readonly<Record<string, unknown>> = {
  previewCsv: fileBody('Savings'),
  importCsv: fileBody('Savings'),
  importFile: fileBody('Savings'),
};

/** A body that the operation takes. */
export function exampleBody(operation: AnyOperation): unknown {
  return operation.example.body ?? bodies[operation.name];
}

/** Only operations whose example needs something that a fresh installation does not have. */
const prepared: Prepared = {
  ...accountLinks,
  ...accounts,
  ...logins,
  ...transactions,
  ...transactionsBulk,
  ...categories,
  ...tags,
  ...transactionMatches,
  ...series,
  ...counterparties,
  ...config,
  ...comments,
  ...connections,
  ...annotations,
  ...changeSets,
  ...suggestions,
  ...imports,
  ...agentCalls,
  ...reports,
  ...notifications,
  ...workflowSettings,
  ...proposals,
  ...rules,
  ...importProfiles,
  ...deviceRequests,
  ...hostedLinks,
  ...webhooks,
  ...sync,
  ...workflows,
  ...workflowRuns,
  getApiKey: async (app) => ({ params: { id: (await app.newKey()).short_id } }),
  updateApiKey: async (app) => ({ params: { id: (await app.newKey()).id } }),
  revokeApiKey: async (app) => ({ params: { id: (await app.newKey()).id } }),
};

/**
 * A call of the operation that should succeed: prepared above, or its example on the first record that the list
 * above its path shows.
 */
export async function liveCall(app: TestApp, operation: AnyOperation): Promise<LiveCall> {
  const { params, query } = operation.example;
  const body = exampleBody(operation);
  const example = {
    ...(params === undefined ? {} : { params }),
    ...(query === undefined ? {} : { query }),
    ...(body === undefined ? {} : { body }),
  };
  const prepare = prepared[operation.name];
  if (prepare) return { ...example, ...(await prepare(app)) };
  const [list, rest = ''] = operation.path.split('/{');
  const parameter = /^(\w+)\}/.exec(rest)?.[1];
  if (parameter === undefined) return example;
  const hasList = operations.some(({ method, path }) => method === 'GET' && path === list);
  const record = hasList ? firstRecord((await app.request('GET', list as string)).json) : undefined;
  const id = record?.[parameter] ?? record?.['id'];
  if (typeof id !== 'string' || rest.split('{').length > 2) {
    throw new Error(`${operation.name} needs an entry in test/contract/live-calls.ts: nothing exists to call it on.`);
  }
  return { ...example, params: { [parameter]: id } };
}

function firstRecord(answer: unknown): Record<string, unknown> | undefined {
  const list = Array.isArray(answer) ? answer : Object.values(answer ?? {}).find((value) => Array.isArray(value));
  return (list as Record<string, unknown>[] | undefined)?.[0];
}

/** A path of the operation with its parameters filled in. */
export function urlOf(path: string, params: Readonly<Record<string, string>> = {}): string {
  return path.replace(/\{(\w+)\}/g, (_whole, name: string) => encodeURIComponent(params[name] ?? 'zzzzzzzz'));
}
