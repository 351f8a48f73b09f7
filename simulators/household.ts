import { addDays, isDateOnly } from '../src/kernel/dates.ts';
import { seededRandom } from '../src/kernel/random.ts';
import { bankText } from './household/bank-text.ts';
import { drawUpCalendar } from './household/calendar.ts';
import type { Day } from './household/calendar.ts';
import { HABITS, MERCHANTS } from './household/habits.ts';
import type { Habit, Merchant } from './household/habits/habit.ts';
import { ACCOUNTS, CARD, CHECKING, COMMENTS, CONNECTIONS, MEMBERS, POCKET, SAVINGS, TAGS } from './household/people.ts';
import type { AccountFacts } from './household/people.ts';
import type {
  Household,
  HouseholdAccount,
  HouseholdBalance,
  HouseholdCounterparty,
  HouseholdOptions,
  HouseholdSeries,
  HouseholdTransaction,
} from './household/records.ts';
import { fillPurse, spend } from './household/spending.ts';
import type { Purse, Step } from './household/spending.ts';
import { STANDING } from './household/standing-orders.ts';
import type { Leg, Standing } from './household/standing/standing.ts';

export type * from './household/records.ts';

/** A made-up household of three with years of bank rows: pure, and the same for the same options. */
export function generateHousehold(options: HouseholdOptions): Household {
  const { seed, transactions, until, years = 4 } = options;
  if (!Number.isSafeInteger(transactions) || transactions < 0)
    throw new RangeError('transactions must be a whole number, 0 or more');
  if (!isDateOnly(until)) throw new RangeError('until must be a date as YYYY-MM-DD');
  if (!(years > 0 && years <= 100)) throw new RangeError('years must be above 0 and at most 100');
  const days = drawUpCalendar(options);
  const purse = fillPurse(days);
  const { accounts, balances } = settle(seed, days, purse);
  return {
    since: (days[0] as Day).date,
    members: structuredClone([...MEMBERS]),
    connections: structuredClone([...CONNECTIONS]),
    accounts,
    counterparties: counterparties(),
    series: series(),
    tags: structuredClone([...TAGS]),
    balances,
    transactions: () => dressed(seed, days, purse),
  };
}

/** Runs through the amounts alone, so that balances are known before the first row is read. */
function settle(
  seed: number,
  days: readonly Day[],
  purse: Purse,
): { accounts: HouseholdAccount[]; balances: HouseholdBalance[] } {
  const posted = [...purse.opening];
  const pending = ACCOUNTS.map(() => 0);
  const balances: HouseholdBalance[] = [];
  const report = (date: string): void => {
    for (const [index, account] of ACCOUNTS.entries())
      balances.push({ account: account.key, date, balance_current_cents: posted[index] as number });
  };
  let reported = 0;
  const reportUpTo = (dayIndex: number): void => {
    for (; reported < dayIndex; reported++) {
      const day = days[reported] as Day;
      if (day.isMonthEnd || reported === days.length - 1) report(day.date);
    }
  };
  report(addDays((days[0] as Day).date, -1));
  for (const step of spend(seed, days, purse, [...purse.opening])) {
    reportUpTo(step.dayIndex);
    const counted = step.pending ? pending : posted;
    const { effect } = ACCOUNTS[step.account] as AccountFacts;
    counted[step.account] = (counted[step.account] as number) + step.cents * effect;
  }
  reportUpTo(days.length);
  return { accounts: accountsWith(posted, pending, purse.cardLimit), balances };
}

function accountsWith(posted: readonly number[], pending: readonly number[], cardLimit: number): HouseholdAccount[] {
  return ACCOUNTS.map(({ effect: _effect, provider: _provider, ...account }, index) => {
    const current = posted[index] as number;
    const underway = pending[index] as number;
    let available: number | null = null;
    if (index === CARD) available = cardLimit - current - underway;
    if (index === CHECKING || index === SAVINGS || index === POCKET) available = current + underway;
    return {
      ...account,
      balance_current_cents: current,
      balance_available_cents: available,
      balance_limit_cents: index === CARD ? cardLimit : null,
    };
  });
}

function counterparties(): HouseholdCounterparty[] {
  const found = new Map<string, HouseholdCounterparty>();
  const add = (name: string, site: string | null, mcc: string | null, slug: string): void => {
    if (!found.has(name)) found.set(name, { key: name, name, website_url: site, mcc, category_slug: slug });
  };
  for (const merchant of MERCHANTS) if (merchant.known) add(merchant.name, merchant.site, merchant.mcc, merchant.slug);
  for (const { counterparty, site, mcc, legs } of STANDING)
    if (counterparty) add(counterparty, site, mcc, legs[0].slug);
  return [...found.values()];
}

function series(): HouseholdSeries[] {
  const found = new Map<string, HouseholdSeries>();
  for (const { key, name, series } of STANDING)
    if (series) found.set(key, { key, name: seriesName(key, name), type: series });
  return [...found.values()];
}

function seriesName(key: string, name: string): string {
  if (key.startsWith('salary')) return `Salary ${name}`;
  return key === 'to-savings' || key === 'rent' ? `${name} (monthly)` : name;
}

const UNMAPPED_PRIMARY = 'GENERAL_MERCHANDISE';
const UNMAPPED_DETAILED = 'GENERAL_MERCHANDISE_OTHER_GENERAL_MERCHANDISE';
/** Categories that one of Teller's own words stands for (contract 10.10.5). */
const TELLER_WORDS: Readonly<Record<string, string>> = {
  food_and_drink_restaurant: 'dining',
  general_merchandise_clothing_and_accessories: 'clothing',
  general_merchandise_electronics: 'electronics',
  entertainment_other: 'entertainment',
};
const TOP_LEVEL =
  /^(income|transfer_in|transfer_out|loan_payments|bank_fees|entertainment|food_and_drink|general_merchandise|home_improvement|medical|personal_care|general_services|government_and_non_profit|transportation|travel|rent_and_utilities)/;

interface Reported {
  primary: string;
  detailed: string;
}

const plaidCategories = new Map<string, Reported>();

function plaidCategory(slug: string): Reported {
  let found = plaidCategories.get(slug);
  if (!found) {
    const primary = (TOP_LEVEL.exec(slug)?.[0] ?? slug).toUpperCase();
    const detailed = slug.endsWith('_other') ? `${primary}_OTHER_${primary}` : slug.toUpperCase();
    found = { primary, detailed };
    plaidCategories.set(slug, found);
  }
  return found;
}

function* dressed(seed: number, days: readonly Day[], purse: Purse): Generator<HouseholdTransaction, void> {
  const bank = new Bank(seed);
  let count = 0;
  let last: HouseholdTransaction | undefined;
  for (const step of spend(seed, days, purse, [...purse.opening])) {
    const external_id = `hh${seed}-${++count}`;
    if (step.isTwin && last) {
      yield { ...last, external_id, pending: step.pending, tags: [], comment: null, flagged: false };
      continue;
    }
    const row =
      step.habit && step.merchant
        ? bank.purchaseRow(step, step.habit, step.merchant)
        : bank.standingRow(step, step.standing as Standing, step.leg as Leg);
    row.external_id = external_id;
    last = row;
    yield row;
  }
}

/** What banks and people make of a payment. Chances are drawn from a stream of their own: a row's text never changes its amount. */
class Bank {
  readonly #seed: number;
  readonly #random: ReturnType<typeof seededRandom>;
  readonly #texts: string[][] = [];

  constructor(seed: number) {
    this.#seed = seed;
    this.#random = seededRandom(seed ^ 0x00d2_e55e);
  }

  purchaseRow(step: Step, habit: Habit, merchant: Merchant): HouseholdTransaction {
    const { day } = step;
    const account = ACCOUNTS[step.account] as AccountFacts;
    const row = blankRow(step, account);
    if (account.provider !== 'csv') {
      const lag = step.pending ? 0 : this.#random.next();
      const authorized = lag < 0.45 ? day.date : day.earlier[lag < 0.85 ? 0 : 1];
      Object.assign(row, howItWasPaid(account, merchant.channel, authorized));
    }
    const shown = row.authorized_date ?? day.date;
    const chance = this.#random.next();
    let variant = 0;
    if (merchant.variety === 0) variant = Number(shown.slice(5, 7)) * 32 + Number(shown.slice(8));
    else if (merchant.variety > 1)
      variant = Math.floor(merchant.variety * (merchant.varies === 'branch' ? chance ** 2.5 : chance));
    row.name = this.#text(merchant.id, merchant.id, merchant.text, variant, shown);

    const isUnknown = this.#random.next() < habit.unknown * 1.05;
    if (account.provider !== 'csv' && (!isUnknown || chance < 0.4) && merchant.known) row.merchant_name = merchant.name;
    if (merchant.known && (isUnknown ? chance < 0.25 : chance < 0.93)) row.counterparty = merchant.name;
    if (!isUnknown) categorise(row, account, merchant, habit, this.#random.next());
    this.#mark(row, habit, step);
    return row;
  }

  standingRow(step: Step, standing: Standing, leg: Leg): HouseholdTransaction {
    const account = ACCOUNTS[step.account] as AccountFacts;
    const row = blankRow(step, account);
    const month = step.day.year * 12 + step.day.month;
    const group = MERCHANTS.length + standing.id * 2;
    row.name = this.#text(leg === standing.legs[0] ? group : group + 1, group, leg.text, month, step.day.date);
    row.series = standing.series ? standing.key : null;
    row.counterparty = standing.counterparty;
    row.category_slug = leg.slug;
    row.category_source = 'rule';
    if (standing.sum === 'sweep' && step.cents * (step.account === CHECKING ? 1 : -1) < 0)
      row.category_slug = step.account === CHECKING ? 'transfer_in_savings' : 'transfer_out_savings';
    if (account.provider !== 'csv') {
      const isOrdered = standing.channel === 'online' && standing.counterparty !== null;
      Object.assign(row, howItWasPaid(account, standing.channel, isOrdered ? step.day.earlier[0] : null));
      row.merchant_name = account.provider === 'plaid' ? standing.counterparty : null;
    }
    if (account.provider === 'plaid' && standing.counterparty) {
      const reported = plaidCategory(leg.slug);
      row.provider_category_primary = reported.primary;
      row.provider_category_detailed = reported.detailed;
    }
    return row;
  }

  #mark(row: HouseholdTransaction, habit: Habit, step: Step): void {
    const draw = this.#random.next();
    if (habit.tag && draw < habit.tagged) row.tags.push(habit.tag);
    const attention = this.#random.next();
    if (attention < 0.017) row.tags.unshift('needs-review');
    else if (attention < 0.032) row.flagged = true;
    if (attention > 0.9985)
      row.comment = step.isRefund
        ? 'Sent it back and got the refund.'
        : (COMMENTS[Math.floor(draw * COMMENTS.length)] as string);
    row.tags.sort();
  }

  /** `id` names the template; templates with the same `group` and variant show the same reference. */
  #text(id: number, group: number, template: string, variant: number, date: string): string {
    const known = (this.#texts[id] ??= []);
    return (known[variant] ??= bankText(template, Math.imul(this.#seed + group * 40_009, 69_069) + variant, date));
  }
}

function blankRow(step: Step, account: AccountFacts): HouseholdTransaction {
  return {
    account: account.key,
    date: step.day.date,
    authorized_date: null,
    amount_cents: step.cents,
    iso_currency_code: account.iso_currency_code,
    name: '',
    merchant_name: null,
    counterparty: null,
    category_slug: null,
    category_source: null,
    provider_category_primary: null,
    provider_category_detailed: null,
    payment_channel: null,
    pending: step.pending,
    series: null,
    tags: [],
    comment: null,
    flagged: false,
    external_id: '',
  };
}

/** Teller says by a type whether a card was used, and gives one date (contract 35.6). */
function howItWasPaid(
  { provider }: AccountFacts,
  channel: Merchant['channel'],
  authorizedDate: string | null,
): Partial<HouseholdTransaction> {
  if (provider === 'plaid') return { payment_channel: channel, authorized_date: authorizedDate };
  const isByCard = channel === 'in_store';
  return {
    payment_channel: isByCard ? 'in_store' : 'other',
    authorized_date: null,
    provider_category_detailed: isByCard ? 'card_payment' : 'ach',
  };
}

/** Category, its source and what the bank said agree: `provider` only where the bank's word maps to the slug. */
function categorise(
  row: HouseholdTransaction,
  account: AccountFacts,
  merchant: Merchant,
  habit: Habit,
  chance: number,
): void {
  row.category_slug = merchant.slug;
  row.category_source = chance < 0.8 ? 'rule' : chance < 0.975 ? 'person' : 'agent';
  if (account.provider === 'plaid') {
    const isMapped = habit.reported === habit.slug && chance < 0.78;
    if (isMapped) row.category_source = 'provider';
    else row.category_source = chance < 0.94 ? 'rule' : chance < 0.98 ? 'person' : 'agent';
    const isVague = !isMapped && habit.reported === habit.slug;
    const reported = plaidCategory(habit.reported === habit.slug ? merchant.slug : habit.reported);
    row.provider_category_primary = isVague ? UNMAPPED_PRIMARY : reported.primary;
    row.provider_category_detailed = isVague ? UNMAPPED_DETAILED : reported.detailed;
  } else if (account.provider === 'teller') {
    const word = TELLER_WORDS[merchant.slug];
    row.provider_category_primary = word ?? 'general';
    if (word && chance < 0.9) row.category_source = 'provider';
  }
}

/** Every category the generator may give, for tests and for seeding a smaller tree. */
export function householdCategorySlugs(): string[] {
  const slugs = new Set<string>(['transfer_in_savings', 'transfer_out_savings']);
  for (const habit of HABITS) for (const { slug } of habit.merchants) slugs.add(slug);
  for (const { legs } of STANDING) for (const { slug } of legs) slugs.add(slug);
  return [...slugs].sort();
}
