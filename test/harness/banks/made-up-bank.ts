import { PROVIDER_TRAITS } from '../../../src/providers/kinds.ts';
import { ProviderFailure, type FailureClass } from '../../../src/providers/provider-failure.ts';
import type { Access, DeliveredAccount, ItemState, Provider, ProviderTraits } from '../../../src/providers/provider.ts';
import { addMember, type Made } from '../ledger.ts';
import type { TestApp, TestAppOptions, TestDatabase } from '../test-app.ts';
import { configureProviders } from './bank-connection.ts';

/** An installation with one member, Ana, where both banks are configured. */
export async function openWithBanks(database: TestDatabase, options: TestAppOptions = {}): Promise<BankedHousehold> {
  const [plaid, teller] = [madeUpBank('plaid'), madeUpBank('teller')];
  const app = await database.open({ ...options, extraProviders: [plaid.provider, teller.provider] });
  await configureProviders(app);
  return { app, plaid, teller, ana: await addMember(app, 'Ana') };
}

export interface BankedHousehold {
  app: TestApp;
  plaid: MadeUpBank;
  teller: MadeUpBank;
  ana: Made;
}

type Step = 'exchange' | 'readItem' | 'revoke' | 'createLinkSession';

/** A bank behind a provider that stands in for Plaid or Teller, without any network: what it was asked for, in order. */
export interface MadeUpBank {
  provider: Provider;
  calls: string[];
  /** What the next calls of a step do instead of succeeding; `hang` never answers. */
  faults: Partial<Record<Step, ProviderFailure | 'hang'>>;
  accounts: DeliveredAccount[];
  institution: { id: string | null; name: string | null };
  /** Called before a step goes on, to hold it up or to look. */
  before: (step: Step) => Promise<void>;
}

export const CHECKING: DeliveredAccount = {
  externalId: 'acc-1',
  persistentId: null,
  name: 'Everyday Checking',
  officialName: 'Platypus Everyday Checking',
  type: 'depository',
  subtype: 'checking',
  mask: '0000',
  currency: 'USD',
  isClosed: false,
  institution: null,
  balance: { currentCents: 11_094, availableCents: 10_000, limitCents: null, currency: 'USD', asOf: null },
};

const CARD: DeliveredAccount = {
  ...CHECKING,
  externalId: 'acc-2',
  name: 'Travel Card',
  officialName: null,
  type: 'credit',
  subtype: 'credit card',
  mask: '3333',
  balance: { currentCents: 41_000, availableCents: null, limitCents: 200_000, currency: 'USD', asOf: null },
};

/** A provider's failure, of class `transient` unless given. */
export function failureOf(code: string, failureClass: FailureClass = 'transient'): ProviderFailure {
  return new ProviderFailure({ failureClass, code });
}

/** Tokens of the bank's window and of the item; no answer, log or journal entry may contain them. */
export function tokenFor(itemId: string): string {
  return `access-${itemId}-secret`;
}

export function madeUpBank(name: 'plaid' | 'teller'): MadeUpBank {
  const used = new Set<string>();
  const bank: MadeUpBank = {
    provider: undefined as unknown as Provider,
    calls: [],
    faults: {},
    accounts: [CHECKING, CARD],
    institution: { id: 'ins_1', name: 'First Platypus Bank' },
    before: async () => undefined,
  };

  async function step(which: Step, what: string, signal?: AbortSignal): Promise<void> {
    bank.calls.push(`${which} ${what}`);
    await bank.before(which);
    const fault = bank.faults[which];
    if (fault === 'hang') await hang(signal);
    if (fault instanceof ProviderFailure) throw fault;
  }

  async function exchange(sent: Readonly<Record<string, unknown>>): Promise<Access> {
    if (name === 'teller') return accessTo(String(sent['enrollment_id']), String(sent['access_token']));
    const token = String(sent['public_token']);
    await step('exchange', token);
    if (used.has(token)) throw failureOf('INVALID_PUBLIC_TOKEN', 'config');
    used.add(token);
    return accessTo(token.replace('public', 'item'), tokenFor(token.replace('public', 'item')));
  }

  async function readItem({ itemId, credentials }: Access, signal?: AbortSignal): Promise<ItemState> {
    await step('readItem', itemId, signal);
    // A token of Teller opens the accounts of its own enrollment.
    const of = name === 'teller' ? credentials.replace(/^.*access-(.*)-secret.*$/, '$1') : itemId;
    const { id: institutionId, name: institutionName } = bank.institution;
    const accounts = bank.accounts.map((one) => ({ ...one, externalId: `${of}/${one.externalId}` }));
    return { item: { id: of, institutionId, institutionName, consentExpiresAt: null }, accounts, problems: [] };
  }

  bank.provider = {
    traits: PROVIDER_TRAITS.find((one) => one.name === name) as ProviderTraits,
    async createLinkSession({ renewing }) {
      await step('createLinkSession', renewing?.itemId ?? 'new');
      if (name === 'plaid' && renewing?.credentials === '') throw failureOf('CREDENTIALS_UNREADABLE', 'login');
      const session = { provider: name, expiration: null, application_id: null, environment: 'sandbox' };
      return { ...session, link_token: 'link-token', enrollment_id: renewing?.itemId ?? null };
    },
    exchange,
    readItem,
    proveLogin: async (access) => access,
    fetch: () => {
      throw new Error('Nothing is fetched in this test.');
    },
    async revoke({ itemId }, signal) {
      await step('revoke', itemId, signal);
    },
    updateWebhook: async () => undefined,
    test: async () => ({ ok: true, message: 'The made-up bank is there.' }),
  };
  return bank;
}

function accessTo(itemId: string, token: string): Access {
  return { itemId, credentials: JSON.stringify({ access_token: token }) };
}

async function hang(signal: AbortSignal | undefined): Promise<void> {
  await new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason as Error)));
}
