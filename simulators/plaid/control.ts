import { z } from 'zod';

import { ClockSchema, ControlError, InstantSchema, type ControlRoute } from '../providers/control-routes.ts';
import { FaultSchema, type FaultToAdd } from '../providers/faults.ts';
import { householdWorld, type BankFile } from '../providers/household-banks.ts';
import type { LoggedRequest } from '../providers/request-log.ts';
import type { SimulatorServer } from '../providers/simulator-server.ts';
import { deliverWebhook, type WebhookDelivery } from '../providers/webhook-delivery.ts';
import { AccountSchema, defaultAccounts, factsOf } from './defaults.ts';
import { handOver, type LinkMetadata } from './link-window.ts';
import { livePlaidDay } from './next-day.ts';
import type { PlaidAccount, PlaidFacts, PlaidItem } from './records.ts';
import { TAXONOMIES } from './taxonomy.ts';
import { applyChange, currentFacts, currentRows } from './transaction-pages.ts';
import { PLAID_TAMPERS, signPlaidWebhook, type SignedWebhook } from './webhooks.ts';
import {
  emptyPlaidWorld,
  makeItem,
  newAccountId,
  newTransactionId,
  renumbered,
  usePublicToken,
  withId,
  type PlaidWorld,
} from './world.ts';
import { fillPlaidWorld, PLAID_WORLDS } from './ready-made.ts';

const ORDERS = ['same_page', 'removed_first', 'removed_later'] as const;
const STATUSES = [
  'NOT_READY',
  'INITIAL_UPDATE_COMPLETE',
  'HISTORICAL_UPDATE_COMPLETE',
  'TRANSACTIONS_UPDATE_STATUS_UNKNOWN',
] as const;

const nullableText = z.string().nullable();
/** Any field of a transaction may be given, also one of a kind that Plaid would never send. */
const Transaction = z.looseObject({ transaction_id: z.string().optional(), account_id: z.string().optional() });
const EMPTY_PAGES_MAX = 20;
const Schemas = {
  reset: z.strictObject({
    seed: z.int().min(0).default(1),
    now: InstantSchema.optional(),
    webhook_url: z.string().nullable().default(null),
    empty_pages: z.int().min(0).max(EMPTY_PAGES_MAX).default(0),
    taxonomy: z.enum(TAXONOMIES).default('v2'),
    world: z.enum(PLAID_WORLDS).default('empty'),
  }),
  item: z.strictObject({
    institution_id: z.string().default('ins_109508'),
    institution_name: z.string().default('First Platypus Bank'),
    accounts: z.array(AccountSchema).optional(),
    transactions_update_status: z.enum(STATUSES).default('HISTORICAL_UPDATE_COMPLETE'),
    consent_expiration_time: nullableText.default(null),
    webhook: z.string().default(''),
    item_id: z.string().optional(),
    access_token: z.string().optional(),
    /** Somebody has linked it already: the window makes a new item of its bank. */
    linked: z.boolean().default(false),
  }),
  itemChanges: z.strictObject({
    error: nullableText.optional(),
    accounts: z.array(AccountSchema).optional(),
    transactions_update_status: z.enum(STATUSES).optional(),
    consent_expiration_time: nullableText.optional(),
    removed: z.boolean().optional(),
  }),
  transactions: z.strictObject({
    added: z.array(Transaction).default([]),
    modified: z.array(z.looseObject({ transaction_id: z.string() })).default([]),
    removed: z.array(z.string()).default([]),
  }),
  restate: z.strictObject({ accounts: z.boolean().default(false), order: z.enum(ORDERS).default('same_page') }),
  postPending: z.strictObject({
    transaction_id: z.string(),
    changes: Transaction.default({}),
    order: z.enum(ORDERS).default('same_page'),
  }),
  webhook: z.strictObject({
    item_id: z.string(),
    webhook_type: z.string().default('TRANSACTIONS'),
    webhook_code: z.string().default('SYNC_UPDATES_AVAILABLE'),
    extra: z.record(z.string(), z.unknown()).default({}),
    at: InstantSchema.optional(),
    tamper: z.enum(PLAID_TAMPERS).default('none'),
    url: z.string().optional(),
    times: z.int().min(1).max(100).default(1),
  }),
  rotation: z.strictObject({ expire_old_after_seconds: z.number().nullable().default(null) }),
};
type Input<Name extends keyof typeof Schemas> = z.input<(typeof Schemas)[Name]>;

export interface MadePlaidItem {
  item_id: string;
  public_token: string;
  access_token: string;
  accounts: PlaidAccount[];
  link_metadata: LinkMetadata;
}

/** The functions behind `/_control` (contract 35.9.3), for tests in the same process. */
export interface PlaidControl {
  reset(options?: Input<'reset'>): void;
  setClock(change: z.input<typeof ClockSchema>): { now: string };
  state(): object;
  /** What the household of the ready-made world downloaded from two of its accounts. */
  files(): readonly BankFile[];
  requests(): readonly LoggedRequest[];
  clearRequests(): void;
  addFault(fault: FaultToAdd): { id: number };
  clearFaults(): void;
  addItem(item?: Input<'item'>): MadePlaidItem;
  changeItem(itemId: string, changes: Input<'itemChanges'>): object;
  changeTransactions(itemId: string, changes: Input<'transactions'>): { version: number; transaction_ids: string[] };
  restate(itemId: string, how?: Input<'restate'>): { transaction_ids: string[] };
  postPending(itemId: string, how: Input<'postPending'>): { version: number; transaction_id: string };
  /** What is pending is posted, some purchases like those before are made, and the balances move. */
  nextDay(itemId: string): { posted: string[]; pending: string[] };
  sendWebhook(webhook: Input<'webhook'>): Promise<{ deliveries: WebhookDelivery[] }>;
  /** What `sendWebhook` would send. */
  signWebhook(webhook: Input<'webhook'>): SignedWebhook;
  rotateKeys(how?: Input<'rotation'>): { kid: string };
}

export function createPlaidControl(
  world: PlaidWorld,
  { faults, requests }: Pick<SimulatorServer, 'faults' | 'requests'>,
): PlaidControl {
  return {
    reset(options = {}) {
      const { seed, now, webhook_url, empty_pages: emptyPages, taxonomy, world: name } = Schemas.reset.parse(options);
      emptyPlaidWorld(world, seed);
      Object.assign(world, { emptyPages, taxonomy });
      faults.clear();
      requests.clear();
      world.clock.run();
      if (now !== undefined) world.clock.standAt(now);
      world.webhookUrl = webhook_url;
      fillPlaidWorld(world, name);
    },
    setClock(change) {
      const read = ClockSchema.parse(change);
      if ('now' in read) world.clock.standAt(read.now);
      else world.clock.advance(read.advance_seconds);
      return { now: world.clock.instant() };
    },
    state: () => stateOf(world, faults.pending()),
    files: () => householdWorld(world.seed, world.clock.today()).files,
    requests: () => requests.list(),
    clearRequests: () => requests.clear(),
    addFault: (fault) => ({ id: faults.add(fault) }),
    clearFaults: () => faults.clear(),
    addItem: (item = {}) => addItem(world, item),
    changeItem: (itemId, changes) => changeItem(world, itemId, changes),
    changeTransactions: (itemId, changes) => changeTransactions(world, itemId, changes),
    restate: (itemId, how = {}) => restate(world, itemId, how),
    postPending: (itemId, how) => postPending(world, itemId, how),
    nextDay: (itemId) => livePlaidDay(world, getItem(world, itemId)),
    signWebhook: (webhook) => signedWebhook(world, webhook),
    async sendWebhook(webhook) {
      const { times, item_id, url } = Schemas.webhook.parse(webhook);
      const signed = signedWebhook(world, webhook);
      return { deliveries: await deliverWebhook(addressFor(world, getItem(world, item_id), url), signed, times) };
    },
    rotateKeys(how = {}) {
      const { expire_old_after_seconds: seconds } = Schemas.rotation.parse(how);
      return { kid: world.keys.rotate(Math.floor(world.clock.now() / 1000), seconds).kid };
    },
  };
}

/** The same functions below `/_control`; bodies are checked by the functions themselves. */
export function plaidControlRoutes(control: PlaidControl): ControlRoute[] {
  return [
    { method: 'POST', path: 'reset', status: 204, run: (body) => control.reset(body as never) },
    { method: 'PATCH', path: 'clock', status: 200, run: (body) => control.setClock(body as never) },
    { method: 'GET', path: 'state', status: 200, run: () => control.state() },
    { method: 'GET', path: 'files', status: 200, run: () => ({ files: control.files() }) },
    { method: 'GET', path: 'requests', status: 200, run: () => ({ requests: control.requests() }) },
    { method: 'DELETE', path: 'requests', status: 204, run: () => control.clearRequests() },
    { method: 'POST', path: 'faults', status: 201, run: (body) => control.addFault(FaultSchema.parse(body)) },
    { method: 'DELETE', path: 'faults', status: 204, run: () => control.clearFaults() },
    { method: 'POST', path: 'items', status: 201, run: (body) => control.addItem(body as never) },
    { method: 'PATCH', path: 'items/{id}', status: 200, run: (body, id) => control.changeItem(id, body as never) },
    {
      method: 'POST',
      path: 'items/{id}/transactions',
      status: 200,
      run: (body, id) => control.changeTransactions(id, body as never),
    },
    { method: 'POST', path: 'items/{id}/restate', status: 200, run: (body, id) => control.restate(id, body as never) },
    {
      method: 'POST',
      path: 'items/{id}/post-pending',
      status: 200,
      run: (body, id) => control.postPending(id, body as never),
    },
    { method: 'POST', path: 'items/{id}/next-day', status: 200, run: (_body, id) => control.nextDay(id) },
    { method: 'POST', path: 'webhooks', status: 200, run: (body) => control.sendWebhook(body as never) },
    { method: 'POST', path: 'keys/rotate', status: 200, run: (body) => control.rotateKeys(body as never) },
  ];
}

function addItem(world: PlaidWorld, wanted: Input<'item'>): MadePlaidItem {
  const { accounts, linked, ...item } = Schemas.item.parse(wanted);
  const made = makeItem(world, { ...item, accounts: accounts ?? defaultAccounts() });
  const { public_token, metadata } = handOver(world, made);
  if (linked) usePublicToken(world, public_token);
  return {
    item_id: made.item_id,
    public_token,
    access_token: made.access_token,
    accounts: made.accounts,
    link_metadata: metadata,
  };
}

function changeItem(world: PlaidWorld, itemId: string, wanted: Input<'itemChanges'>): object {
  const item = getItem(world, itemId);
  const { error, accounts, transactions_update_status, consent_expiration_time, removed } =
    Schemas.itemChanges.parse(wanted);
  if (error !== undefined) item.error = error;
  if (accounts) item.accounts = accounts.map((account) => withId(world, account));
  if (transactions_update_status) item.transactions_update_status = transactions_update_status;
  if (consent_expiration_time !== undefined) item.consent_expiration_time = consent_expiration_time;
  if (removed !== undefined) item.isRemoved = removed;
  return describeItem(item);
}

function changeTransactions(
  world: PlaidWorld,
  itemId: string,
  wanted: Input<'transactions'>,
): { version: number; transaction_ids: string[] } {
  const item = getItem(world, itemId);
  const { added, modified, removed } = Schemas.transactions.parse(wanted);
  const put = added.map((told) => newFacts(world, item, told));
  for (const changes of modified) {
    const facts = currentFacts(item, changes.transaction_id);
    if (!facts) throw new ControlError(`${itemId} has no transaction ${changes.transaction_id}.`);
    put.push({ ...facts, ...changes });
  }
  for (const id of removed) if (!currentFacts(item, id)) throw new ControlError(`${itemId} has no transaction ${id}.`);
  applyChange(item, { put, removed });
  return { version: item.version, transaction_ids: put.map(({ transaction_id }) => transaction_id) };
}

function newFacts(world: PlaidWorld, item: PlaidItem, told: z.output<typeof Transaction>): PlaidFacts {
  const account_id = told.account_id ?? item.accounts[0]?.account_id ?? '';
  const account = item.accounts.find((one) => one.account_id === account_id);
  const transaction_id = told.transaction_id ?? newTransactionId(world);
  const iso_currency_code = account?.balances.iso_currency_code ?? 'USD';
  return factsOf(told, { transaction_id, account_id, date: world.clock.today(), iso_currency_code });
}

function restate(world: PlaidWorld, itemId: string, wanted: Input<'restate'>): { transaction_ids: string[] } {
  const item = getItem(world, itemId);
  const { accounts, order } = Schemas.restate.parse(wanted);
  const newIds = new Map<string, string>();
  if (accounts) for (const { account_id } of item.accounts) newIds.set(account_id, newAccountId(world));
  item.accounts = item.accounts.map((account) => ({
    ...account,
    account_id: newIds.get(account.account_id) ?? account.account_id,
  }));
  const old = currentRows(item);
  const put = renumbered(world, old, newIds);
  replace(item, { put, removed: old.map(({ transaction_id }) => transaction_id) }, order);
  return { transaction_ids: put.map(({ transaction_id }) => transaction_id) };
}

function postPending(
  world: PlaidWorld,
  itemId: string,
  wanted: Input<'postPending'>,
): { version: number; transaction_id: string } {
  const item = getItem(world, itemId);
  const { transaction_id: pendingId, changes, order } = Schemas.postPending.parse(wanted);
  const pending = currentFacts(item, pendingId);
  if (!pending?.pending) throw new ControlError(`${itemId} has no pending transaction ${pendingId}.`);
  const posted: PlaidFacts = {
    ...pending,
    pending: false,
    pending_transaction_id: pendingId,
    ...changes,
    account_id: changes.account_id ?? pending.account_id,
    transaction_id: changes.transaction_id ?? newTransactionId(world),
  };
  replace(item, { put: [posted], removed: [pendingId] }, order);
  return { version: item.version, transaction_id: posted.transaction_id };
}

/** Puts and removes at once, or the second of the two only after a client has read the first to its end. */
function replace(
  item: PlaidItem,
  { put, removed }: { put: readonly PlaidFacts[]; removed: readonly string[] },
  order: (typeof ORDERS)[number],
): void {
  const [putting, removing] = [
    { put, removed: [] },
    { put: [], removed },
  ];
  const parts = {
    same_page: [{ put, removed }],
    removed_first: [removing, putting],
    removed_later: [putting, removing],
  };
  const [first, second] = parts[order];
  if (first) applyChange(item, first);
  if (second) item.deferred.push(second);
}

function signedWebhook(world: PlaidWorld, wanted: Input<'webhook'>): SignedWebhook {
  const { item_id, webhook_type, webhook_code, extra, at, tamper } = Schemas.webhook.parse(wanted);
  const usual =
    webhook_code === 'SYNC_UPDATES_AVAILABLE'
      ? { initial_update_complete: true, historical_update_complete: true }
      : {};
  const payload = { webhook_type, webhook_code, item_id, environment: 'sandbox', ...usual, ...extra };
  return signPlaidWebhook(world, payload, at ?? world.clock.now(), tamper);
}

function addressFor({ webhookUrl }: PlaidWorld, item: PlaidItem, url: string | undefined): string {
  const address = url ?? webhookUrl ?? item.webhook;
  if (address === '')
    throw new ControlError(`${item.item_id} has no address for webhooks. Give url, or reset with webhook_url.`);
  return address;
}

function getItem(world: PlaidWorld, itemId: string): PlaidItem {
  const item = world.items.get(itemId);
  if (!item) throw new ControlError(`There is no item ${itemId}.`, 404);
  return item;
}

function describeItem({ rows: _rows, changes: _changes, deferred, isRemoved, ...item }: PlaidItem): object {
  return { ...item, removed: isRemoved, deferred_changes: deferred.length };
}

function stateOf(world: PlaidWorld, faults: readonly object[]): object {
  return {
    now: world.clock.instant(),
    seed: world.seed,
    webhook_url: world.webhookUrl,
    items: [...world.items.values()].map((item) => ({ ...describeItem(item), transactions: currentRows(item) })),
    public_tokens: [...world.publicTokens.values()],
    link_tokens: [...world.linkTokens.values()],
    keys: [...world.keys.all.values()].map(({ kid, created_at, expired_at }) => ({ kid, created_at, expired_at })),
    faults,
  };
}
