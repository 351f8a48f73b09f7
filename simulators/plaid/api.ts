import { z } from 'zod';

import type { SimulatedAnswer, SimulatedRequest } from '../providers/simulator-server.ts';
import { describeError, PlaidError } from './errors.ts';
import { defaultAccounts, fillTransaction } from './defaults.ts';
import type { PlaidItem } from './records.ts';
import { publicKeyOf } from './signing-keys.ts';
import { readPage } from './transaction-pages.ts';
import {
  findItemByToken,
  LINK_TOKEN_SECONDS,
  makeItem,
  makePublicToken,
  UPDATE_TOKEN_SECONDS,
  usePublicToken,
  type PlaidWorld,
} from './world.ts';

interface Endpoint {
  schema: z.ZodType;
  run(world: PlaidWorld, body: never): object;
}

const text = z.string().min(1);
const webAddress = z.string().refine((value) => /^https?:$/.test(URL.parse(value)?.protocol ?? ''));
const CountryCodes = z.array(z.string().regex(/^[A-Z]{2}$/)).min(1);
const PRODUCTS = ['transactions', 'auth', 'identity', 'balance', 'investments', 'liabilities'];

const ofItem = z.strictObject({ access_token: text });
const LinkTokenRequest = z.strictObject({
  client_name: text.max(30),
  language: z.string().regex(/^[a-z]{2}$/),
  country_codes: CountryCodes,
  user: z.strictObject({ client_user_id: text }),
  products: z.array(z.enum(PRODUCTS)).min(1).optional(),
  transactions: z.strictObject({ days_requested: z.int().min(1).max(730) }).optional(),
  access_token: text.optional(),
  update: z.strictObject({ account_selection_enabled: z.boolean() }).optional(),
  webhook: webAddress.optional(),
  redirect_uri: z
    .string()
    .refine((value) => /^(https:\/\/|http:\/\/(localhost|127\.0\.0\.1)[:/])/.test(value))
    .optional(),
});
const SyncRequest = z.strictObject({
  access_token: text,
  cursor: z.string().optional(),
  count: z.int().min(1).max(500).default(100),
});
const SandboxRequest = z.strictObject({
  institution_id: text,
  initial_products: z.array(z.enum(PRODUCTS)).min(1),
  options: z.strictObject({ webhook: webAddress.optional() }).optional(),
});

const ENDPOINTS: Readonly<Record<string, Endpoint>> = {
  '/link/token/create': { schema: LinkTokenRequest, run: createLinkToken },
  '/item/public_token/exchange': { schema: z.strictObject({ public_token: text }), run: exchange },
  '/accounts/get': { schema: ofItem, run: getAccounts },
  '/transactions/sync': { schema: SyncRequest, run: syncTransactions },
  '/item/get': { schema: ofItem, run: getItem },
  '/item/webhook/update': {
    schema: z.strictObject({ access_token: text, webhook: webAddress.nullable() }),
    run: updateWebhook,
  },
  '/item/remove': { schema: ofItem, run: removeItem },
  '/institutions/get': {
    schema: z.strictObject({
      count: z.int().min(1).max(500),
      offset: z.int().min(0),
      country_codes: CountryCodes,
    }),
    run: listInstitutions,
  },
  '/webhook_verification_key/get': { schema: z.strictObject({ key_id: text }), run: getKey },
  '/sandbox/public_token/create': { schema: SandboxRequest, run: createSandboxToken },
};

/** Answers a request to Plaid's API, checked as strictly as Plaid would. */
export function answerPlaid(world: PlaidWorld, request: SimulatedRequest): SimulatedAnswer {
  try {
    const endpoint = ENDPOINTS[request.path];
    if (!endpoint || request.method !== 'POST') {
      throw new PlaidError('NOT_FOUND', 'the requested resource could not be found');
    }
    checkHeaders(world, request);
    const body = readBody(endpoint.schema, request);
    return { status: 200, body: { ...endpoint.run(world, body as never), request_id: world.numbering.requestId() } };
  } catch (error) {
    if (error instanceof PlaidError) return error.answer(world.numbering.requestId());
    throw error;
  }
}

function checkHeaders({ secret }: PlaidWorld, { headers }: SimulatedRequest): void {
  const given = headers['plaid-secret'] ?? '';
  if ((headers['plaid-client-id'] ?? '') === '' || given === '' || (secret !== null && given !== secret)) {
    throw new PlaidError('INVALID_API_KEYS', 'invalid client_id or secret provided');
  }
  if (!/^application\/json\b/.test(headers['content-type'] ?? '')) {
    throw new PlaidError('INVALID_HEADERS', 'Content-Type must be application/json');
  }
}

function readBody(schema: z.ZodType, { body }: SimulatedRequest): unknown {
  if (body === null || typeof body !== 'object' || Array.isArray(body)) {
    throw new PlaidError('INVALID_BODY', 'body could not be parsed as JSON');
  }
  const read = schema.safeParse(body);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  if (issue?.code === 'unrecognized_keys') {
    const message = `the following fields are not recognized by this endpoint: ${issue.keys.join(', ')}`;
    throw new PlaidError('UNKNOWN_FIELDS', message);
  }
  const path = issue?.path.join('.') ?? '';
  const value = issue?.path.reduce<unknown>((part, name) => (part as Record<PropertyKey, unknown>)[name], body);
  if (value === undefined) {
    throw new PlaidError('MISSING_FIELDS', `the following required fields are missing: ${path}`);
  }
  throw new PlaidError('INVALID_FIELD', `${path} is not valid`);
}

function createLinkToken(world: PlaidWorld, body: z.output<typeof LinkTokenRequest>): object {
  const { access_token: accessToken, products, transactions, webhook = '' } = body;
  if ((accessToken === undefined) === (products === undefined)) {
    throw new PlaidError('INVALID_FIELD', 'either products or access_token must be given, and not both');
  }
  if (accessToken !== undefined && transactions !== undefined) {
    throw new PlaidError('INVALID_FIELD', 'transactions can be given only for a new item');
  }
  if (accessToken === undefined && body.update !== undefined) {
    throw new PlaidError('INVALID_FIELD', 'update can be given only with access_token');
  }
  const itemId = accessToken === undefined ? null : itemOf(world, accessToken).item_id;
  const expiresAt = world.clock.now() + (itemId === null ? LINK_TOKEN_SECONDS : UPDATE_TOKEN_SECONDS) * 1000;
  const token = `link-sandbox-${world.numbering.next('link')}`;
  world.linkTokens.set(token, { token, expiresAt, isUsed: false, webhook, itemId });
  return { link_token: token, expiration: wholeSeconds(expiresAt) };
}

function exchange(world: PlaidWorld, { public_token: token }: { public_token: string }): object {
  const item = world.items.get(usePublicToken(world, token)?.itemId ?? '');
  if (!item) throw new PlaidError('INVALID_PUBLIC_TOKEN', 'provided public token is expired, used or unknown');
  return { access_token: item.access_token, item_id: item.item_id };
}

function getAccounts(world: PlaidWorld, { access_token: token }: z.output<typeof ofItem>): object {
  const item = workingItemOf(world, token);
  return { accounts: item.accounts, item: itemRecord(item) };
}

function syncTransactions(world: PlaidWorld, { access_token, cursor, count }: z.output<typeof SyncRequest>): object {
  const item = workingItemOf(world, access_token);
  const page = readPage(item, cursor, { count, emptyPages: world.emptyPages });
  if (page === 'unreadable cursor') {
    throw new PlaidError('INVALID_FIELD', 'cursor not associated with access_token');
  }
  if (page === 'mutation') {
    const message = 'Underlying transaction data changed since last page was fetched. Please restart pagination.';
    throw new PlaidError('TRANSACTIONS_SYNC_MUTATION_DURING_PAGINATION', message);
  }
  return {
    accounts: item.accounts,
    ...page,
    added: page.added.map(fillTransaction),
    modified: page.modified.map(fillTransaction),
    transactions_update_status: item.transactions_update_status,
  };
}

function getItem(world: PlaidWorld, { access_token: token }: z.output<typeof ofItem>): object {
  return { item: itemRecord(itemOf(world, token)), status: { transactions: {}, last_webhook: null } };
}

function updateWebhook(world: PlaidWorld, body: { access_token: string; webhook: string | null }): object {
  const item = itemOf(world, body.access_token);
  item.webhook = body.webhook ?? '';
  return { item: itemRecord(item) };
}

function removeItem(world: PlaidWorld, { access_token: token }: z.output<typeof ofItem>): object {
  itemOf(world, token).isRemoved = true;
  return {};
}

function listInstitutions(world: PlaidWorld, { count, offset }: { count: number; offset: number }): object {
  const names = new Map([['ins_109508', 'First Platypus Bank']]);
  for (const { institution_id, institution_name } of world.items.values()) names.set(institution_id, institution_name);
  const institutions = [...names].map(([institution_id, name]) => ({
    institution_id,
    name,
    country_codes: ['US'],
    products: ['transactions', 'balance'],
    routing_numbers: [],
    oauth: false,
  }));
  return { institutions: institutions.slice(offset, offset + count), total: institutions.length };
}

function getKey({ keys }: PlaidWorld, { key_id: kid }: { key_id: string }): object {
  const key = keys.all.get(kid);
  if (!key) throw new PlaidError('INVALID_WEBHOOK_VERIFICATION_KEY_ID', 'the webhook verification key is unknown');
  return { key: publicKeyOf(key) };
}

function createSandboxToken(world: PlaidWorld, body: z.output<typeof SandboxRequest>): object {
  const item = makeItem(world, {
    institution_id: body.institution_id,
    institution_name: `Bank ${body.institution_id}`,
    accounts: defaultAccounts(),
    transactions_update_status: 'HISTORICAL_UPDATE_COMPLETE',
    consent_expiration_time: null,
    webhook: body.options?.webhook ?? '',
  });
  return { public_token: makePublicToken(world, item).token };
}

function itemOf(world: PlaidWorld, accessToken: string): PlaidItem {
  const item = findItemByToken(world, accessToken);
  if (!item) throw new PlaidError('INVALID_ACCESS_TOKEN', 'could not find matching access token');
  if (item.isRemoved) throw new PlaidError('ITEM_NOT_FOUND', 'the item you requested cannot be found');
  return item;
}

function workingItemOf(world: PlaidWorld, accessToken: string): PlaidItem {
  const item = itemOf(world, accessToken);
  if (item.error !== null) throw new PlaidError(item.error, loginMessage(item.error));
  return item;
}

function loginMessage(code: string): string {
  return code === 'ITEM_LOGIN_REQUIRED'
    ? 'the login details of this item have changed (credentials, MFA, or required user action)'
    : `the item answers ${code}`;
}

/** The `item` of answers. */
function itemRecord(item: PlaidItem): object {
  const { item_id, institution_id, institution_name, webhook, error, consent_expiration_time } = item;
  return {
    item_id,
    institution_id,
    institution_name,
    webhook,
    error: error === null ? null : describeError(error, loginMessage(error)),
    consent_expiration_time,
    update_type: 'background',
    available_products: ['balance'],
    billed_products: ['transactions'],
    products: ['transactions'],
  };
}

function wholeSeconds(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}
