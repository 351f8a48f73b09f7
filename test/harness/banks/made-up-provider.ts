import type {
  DeliveredAccount,
  DeliveredTransaction,
  FetchedPart,
  FetchOutcome,
  FetchRequest,
  ItemState,
  Provider,
  ProviderTraits,
} from '../../../src/providers/provider.ts';

/** A provider like none that is built in: windows without row ids, two banks in one item, renewal under new ids. */
export const MADE_UP: ProviderTraits = {
  name: 'moneta',
  displayName: 'Moneta',
  delivery: 'window',
  position: 'account',
  rowIds: 'none',
  minIntervalSeconds: 21_600,
  callsPerDay: 4,
  needsLinkSession: false,
  capabilities: ['transactions', 'balances'],
  renewsUnderNewIds: true,
};

/** What a provider answers to the next fetches. */
export interface Answer {
  parts?: readonly FetchedPart[];
  outcome?: Partial<FetchOutcome>;
  /** Thrown after the parts. */
  failure?: Error;
  /** Awaited before the first part. */
  before?: () => Promise<void> | void;
}

export interface ScriptedProvider extends Provider {
  /** The answers to come; the last one is repeated. */
  answers: Answer[];
  readonly requests: FetchRequest[];
  readonly webhookUpdates: ItemState[];
  /** Thrown when the address for webhooks is updated. */
  webhookFailure: Error | null;
}

/** A provider that answers what a test tells it to. */
export function scriptedProvider(traits: ProviderTraits): ScriptedProvider {
  const refuse = async (): Promise<never> => {
    throw new Error('The scripted provider only fetches.');
  };
  const provider: ScriptedProvider = {
    traits,
    answers: [{}],
    requests: [],
    webhookUpdates: [],
    webhookFailure: null,
    createLinkSession: refuse,
    exchange: refuse,
    readItem: refuse,
    proveLogin: refuse,
    async *fetch(_access, request) {
      provider.requests.push(request);
      const [answer = {}] = provider.answers;
      if (provider.answers.length > 1) provider.answers.shift();
      await answer.before?.();
      request.signal.throwIfAborted();
      yield* answer.parts ?? [];
      if (answer.failure) throw answer.failure;
      return outcomeOf(answer.outcome);
    },
    revoke: async () => undefined,
    async updateWebhook(_access, state) {
      if (provider.webhookFailure) throw provider.webhookFailure;
      provider.webhookUpdates.push(state);
    },
    test: async () => ({ ok: true, message: 'It answers.' }),
  };
  return provider;
}

function outcomeOf(outcome: Partial<FetchOutcome> = {}): FetchOutcome {
  return {
    state: null,
    position: null,
    isPositionReset: false,
    isCompleteRead: false,
    history: 'complete',
    reads: [],
    problems: [],
    withoutBalance: [],
    ...outcome,
  };
}

/** The item with these accounts. */
export function itemOf(accounts: readonly DeliveredAccount[], item: Partial<ItemState['item']> = {}): ItemState {
  const known = { id: 'item-1', institutionId: null, institutionName: 'Bank One', consentExpiresAt: undefined };
  return { item: { ...known, ...item }, accounts, problems: [] };
}

export function accountOf(externalId: string, account: Partial<DeliveredAccount> = {}): DeliveredAccount {
  return {
    externalId,
    persistentId: null,
    name: 'Checking',
    officialName: null,
    type: 'depository',
    subtype: 'checking',
    mask: '0000',
    currency: 'USD',
    isClosed: false,
    institution: null,
    balance: null,
    ...account,
  };
}

/** A delivered row. Its raw form is made from its values. */
export function rowOf(externalId: string | null, row: Partial<DeliveredTransaction> = {}): DeliveredTransaction {
  const values = {
    externalId,
    externalAccountId: 'account-1',
    pendingExternalId: null,
    pending: false,
    date: '2026-04-20',
    authorizedDate: null,
    datetime: null,
    authorizedDatetime: null,
    amountCents: 1_000,
    currency: 'USD',
    name: 'COFFEE SHOP',
    merchantName: null,
    categoryPrimary: null,
    categoryDetailed: null,
    categoryConfidence: null,
    paymentChannel: null,
    isRounded: false,
    ...row,
  };
  return { ...values, raw: JSON.stringify(values) };
}

/** A page of rows. */
export function pageOf(
  rows: readonly DeliveredTransaction[],
  { removed = [], unreadable = [] }: { removed?: readonly string[]; unreadable?: readonly string[] } = {},
): FetchedPart {
  return {
    kind: 'rows',
    rows,
    removed: removed.map((externalId) => ({ externalId, externalAccountId: null })),
    unreadable: unreadable.map((externalId) => ({
      externalId,
      externalAccountId: 'account-1',
      problem: 'its amount is not a number',
    })),
  };
}
