import type { HouseholdAccount, HouseholdConnection, HouseholdMember, HouseholdTag } from './records.ts';

export const MEMBERS: readonly HouseholdMember[] = [
  { key: 'ada', name: 'Ada Keller', kind: 'admin', email: 'ada@home.example' },
  { key: 'ben', name: 'Ben Okafor', kind: 'member', email: 'ben@home.example' },
  { key: 'mia', name: 'Mia Keller', kind: 'dependent', email: null },
];

export const CONNECTIONS: readonly HouseholdConnection[] = [
  { key: 'harbor', member: 'ada', provider: 'plaid', institution_name: 'First Harbor Bank', status: 'active' },
  { key: 'cascade', member: 'ben', provider: 'teller', institution_name: 'Cascade Credit Union', status: 'active' },
  { key: 'spree', member: 'ben', provider: 'csv', institution_name: 'Spree Sparkasse', status: 'active' },
];

/** Positions in ACCOUNTS: the hot path works with numbers and looks keys up last. */
export const CHECKING = 0;
export const SAVINGS = 1;
export const CARD = 2;
export const BERLIN = 3;
export const CAR_LOAN = 4;
export const POCKET = 5;

type Identity = Omit<
  HouseholdAccount,
  'balance_current_cents' | 'balance_available_cents' | 'balance_limit_cents' | 'is_excluded'
> & { is_excluded?: true };

const ACCOUNT_IDENTITIES: readonly Identity[] = [
  {
    key: 'joint-checking',
    connection: 'harbor',
    name: 'CHECKING ...4821',
    display_name: 'Joint checking',
    official_name: 'Harbor Everyday Checking',
    type: 'depository',
    subtype: 'checking',
    mask: '4821',
    iso_currency_code: 'USD',
    owner: null,
  },
  {
    key: 'savings',
    connection: 'cascade',
    name: 'SAVINGS ...6789',
    display_name: 'Rainy day',
    official_name: null,
    type: 'depository',
    subtype: 'savings',
    mask: '6789',
    iso_currency_code: 'USD',
    owner: null,
  },
  {
    key: 'credit-card',
    connection: 'harbor',
    name: 'HARBOR REWARDS VISA ...3310',
    display_name: null,
    official_name: 'Harbor Rewards Visa Signature',
    type: 'credit',
    subtype: 'credit card',
    mask: '3310',
    iso_currency_code: 'USD',
    owner: null,
  },
  {
    key: 'berlin-checking',
    connection: 'spree',
    name: 'Girokonto',
    display_name: 'Berlin account',
    official_name: null,
    type: 'depository',
    subtype: 'checking',
    mask: '0713',
    iso_currency_code: 'EUR',
    owner: 'ben',
  },
  {
    key: 'car-loan',
    connection: 'harbor',
    name: 'AUTO LOAN',
    display_name: 'Car loan',
    official_name: null,
    type: 'loan',
    subtype: 'auto',
    mask: '9044',
    iso_currency_code: 'USD',
    owner: null,
  },
  {
    key: 'pocket-money',
    connection: 'cascade',
    name: 'YOUTH CHECKING',
    display_name: 'Mia pocket money',
    official_name: null,
    type: 'depository',
    subtype: 'checking',
    mask: '1207',
    iso_currency_code: 'USD',
    owner: 'mia',
    is_excluded: true,
  },
];

export interface AccountFacts extends Omit<Identity, 'is_excluded'> {
  is_excluded: boolean;
  provider: HouseholdConnection['provider'];
  /** +1 when money out makes the balance grow (what is owed), else −1. */
  effect: 1 | -1;
}

export const ACCOUNTS: readonly AccountFacts[] = ACCOUNT_IDENTITIES.map((account) => ({
  ...account,
  is_excluded: account.is_excluded ?? false,
  provider: (CONNECTIONS.find((connection) => connection.key === account.connection) as HouseholdConnection).provider,
  effect: account.type === 'depository' ? -1 : 1,
}));

export const TAGS: readonly HouseholdTag[] = [
  { slug: 'needs-review', name: 'Needs review', color: '#f59e0b', description: 'Not looked at yet' },
  { slug: 'summer-trip', name: 'Summer trip', color: '#0891b2', description: 'Everything we spent while away' },
  { slug: 'tax-deductible', name: 'Tax deductible', color: '#16a34a', description: 'Keep the receipt' },
  { slug: 'reimbursable', name: 'Reimbursable', color: '#7c3aed', description: 'The employer pays it back' },
  { slug: 'kids', name: 'Kids', color: '#db2777', description: '' },
  { slug: 'work:berlin', name: 'Work: Berlin', color: '#475569', description: 'Weeks in the Berlin office' },
];

export const COMMENTS: readonly string[] = [
  'Split with the neighbours, they owe us half.',
  'Birthday present for grandma.',
  'Is this ours? I do not remember it.',
  'Charged twice? Asked the shop.',
  'Receipt is in the blue folder.',
  'Paid back by Jo in cash.',
  'School supplies for Mia.',
  'New winter tyres included.',
  'Half of this was for the office party.',
  'Price went up again, worth a look.',
  'Checked with Ben, it is fine.',
  'Deposit; we get it back in the autumn.',
];
