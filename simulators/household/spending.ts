import { seededRandom } from '../../src/kernel/random.ts';
import type { Day } from './calendar.ts';
import { ATM_FEE, FOREIGN_FEE, HABITS } from './habits.ts';
import type { Habit, Merchant, Price } from './habits/habit.ts';
import { ACCOUNTS, BERLIN, CARD, CAR_LOAN, CHECKING, POCKET, SAVINGS } from './people.ts';
import type { Leg, Standing, Sum } from './standing/standing.ts';

/** One row before it is dressed in text: all that decides a balance. The generator reuses one object. */
export interface Step {
  day: Day;
  dayIndex: number;
  account: number;
  cents: number;
  habit: Habit | null;
  merchant: Merchant | null;
  standing: Standing | null;
  leg: Leg | null;
  /** The same purchase as the row before it. */
  isTwin: boolean;
  isRefund: boolean;
  pending: boolean;
}

export interface Purse {
  /** In cents, per account, as its bank counts them before the first day. */
  opening: readonly number[];
  cardLimit: number;
  /** Per month. */
  salary: number;
  fees: number;
  cushion: number;
}

const TWIN_SHARE = 0.005;
const REFUND_SHARE = 0.011;
const REFUND_CANDIDATES = 64;
const INFLATION = 1.03;
const FIXED_MONTHLY_CENTS = 470_000;
/** Measured means of one purchase: how much has to be earned for it. */
const MEAN_PURCHASE_CENTS = 3600;
const BERLIN_PURCHASE_CENTS = 165;

/** Income and opening balances that carry this much spending. */
export function fillPurse(days: readonly Day[]): Purse {
  const months = Math.max(1, days.length / 30.44);
  const purchases = days.reduce((sum, day) => sum + day.purchases, 0) / months;
  const monthly = FIXED_MONTHLY_CENTS + purchases * MEAN_PURCHASE_CENTS;
  const round = (cents: number, to: number): number => Math.ceil(cents / to) * to;
  const cushion = round(monthly * 0.7, 10_000);
  const opening: number[] = [];
  opening[CHECKING] = round(cushion * 1.25, 10_000) + 1733;
  opening[SAVINGS] = round(monthly * 2.5, 10_000) + 4512;
  opening[CARD] = Math.round(purchases * MEAN_PURCHASE_CENTS * 0.6) + 31_209;
  opening[BERLIN] = round(40_000 + purchases * BERLIN_PURCHASE_CENTS * 2, 1000) + 377;
  opening[CAR_LOAN] = 642_350 + Math.round(days.length / 30.44) * 35_500;
  opening[POCKET] = round(cushion * 0.03, 1000);
  return {
    opening,
    cardLimit: Math.max(1_200_000, round(monthly * 2, 100_000)),
    salary: monthly * 1.01,
    fees: 10_500 + purchases * BERLIN_PURCHASE_CENTS,
    cushion,
  };
}

interface Purchase {
  habit: Habit;
  merchant: Merchant;
  account: number;
  cents: number;
  dayIndex: number;
}

/** Every row of the history in order. `balances` is kept up to date and starts as a copy of the opening ones. */
export function* spend(seed: number, days: readonly Day[], purse: Purse, balances: number[]): Generator<Step, void> {
  const random = seededRandom(seed ^ 0x00c0_ffee);
  const next = (): number => random.next();
  const shopping = new Shopping(next);
  let statement = balances[CARD] as number;
  let pendingDue = 0;
  const step = emptyStep(days[0] as Day);
  const book = (account: number, cents: number): Step => {
    step.account = account;
    step.cents = cents;
    balances[account] = (balances[account] as number) + cents * (ACCOUNTS[account] as { effect: number }).effect;
    return step;
  };

  for (const [dayIndex, day] of days.entries()) {
    Object.assign(step, emptyStep(day), { dayIndex });
    if (day.dayOfMonth === 2) statement = balances[CARD] as number;
    for (const standing of day.due) {
      const cents = sumOf(standing, { day, days, purse, balances, statement, next });
      step.standing = standing;
      for (const [side, leg] of standing.legs.entries()) {
        step.leg = leg;
        yield book(leg.account, side === 0 ? cents : -cents);
      }
    }
    step.standing = null;
    step.leg = null;

    shopping.begin(day, dayIndex);
    pendingDue += day.pending;
    for (let left = day.purchases; left > 0; left--) {
      const { purchase, kind } = shopping.next();
      step.habit = purchase.habit;
      step.merchant = purchase.merchant;
      step.isTwin = kind === 'twin';
      step.isRefund = kind === 'refund';
      if (!step.isTwin) step.pending = pendingDue > 0 && purchase.account !== BERLIN && next() < pendingDue / left;
      if (step.pending) pendingDue--;
      yield book(purchase.account, purchase.cents);
    }
  }
}

function emptyStep(day: Day): Step {
  return {
    day,
    dayIndex: 0,
    account: 0,
    cents: 0,
    habit: null,
    merchant: null,
    standing: null,
    leg: null,
    isTwin: false,
    isRefund: false,
    pending: false,
  };
}

/** One purchase after the other: a new one, the last one booked twice, a fee on it, or one from before given back. */
class Shopping {
  readonly #chance: () => number;
  readonly #odds = new Float64Array(HABITS.length);
  readonly #refundable: Purchase[] = [];
  #twinsDue = 0.5;
  #refundsDue = 0.5;
  #total = 0;
  #inflation = 1;
  #dayIndex = 0;
  #follow: Habit | null = null;
  #last: Purchase | null = null;

  constructor(chance: () => number) {
    this.#chance = chance;
  }

  begin(day: Day, dayIndex: number): void {
    this.#total = weigh(day, this.#odds);
    this.#inflation = INFLATION ** day.age;
    this.#dayIndex = dayIndex;
    this.#follow = null;
    this.#last = null;
  }

  next(): { purchase: Purchase; kind: 'new' | 'twin' | 'refund' } {
    const chosen = this.#choose();
    const { purchase, kind } = chosen;
    this.#follow = kind === 'new' ? feeAfter(purchase.habit, this.#chance) : null;
    this.#last = kind === 'new' ? purchase : null;
    return chosen;
  }

  #choose(): { purchase: Purchase; kind: 'new' | 'twin' | 'refund' } {
    this.#twinsDue += TWIN_SHARE;
    this.#refundsDue += REFUND_SHARE;
    const returned =
      this.#refundsDue >= 1 && !this.#follow ? takeBack(this.#refundable, this.#dayIndex, this.#chance) : undefined;
    if (this.#last && this.#twinsDue >= 1 && this.#last.habit.leads === 'twin') {
      this.#twinsDue--;
      return { purchase: this.#last, kind: 'twin' };
    }
    if (this.#follow && this.#last) return { purchase: feeOn(this.#last, this.#follow, this.#chance), kind: 'new' };
    if (returned) {
      this.#refundsDue--;
      return { purchase: { ...returned, cents: -returned.cents, dayIndex: this.#dayIndex }, kind: 'refund' };
    }
    const habit = pickHabit(this.#odds, this.#total, this.#chance());
    const purchase = buy(habit, this.#dayIndex, this.#inflation, this.#chance);
    if (purchase.habit.refundable) remember(this.#refundable, purchase);
    return { purchase, kind: 'new' };
  }
}

function weigh(day: Day, odds: Float64Array): number {
  const isWeekend = day.weekday >= 5;
  let total = 0;
  for (const [index, habit] of HABITS.entries()) {
    let weight = habit.share * (habit.season[day.month - 1] as number) * (isWeekend ? habit.weekend : 1);
    if (habit.when === 'trip') weight = day.trip === habit.trip ? 190 : 0;
    else if (habit.when === 'berlin') weight *= day.inBerlin ? 3 : 0.08;
    else if (day.inBerlin) weight *= 0.8;
    total += weight;
    odds[index] = total;
  }
  return total;
}

function pickHabit(odds: Float64Array, total: number, chance: number): Habit {
  const aim = chance * total;
  let index = 0;
  while (index < odds.length - 1 && (odds[index] as number) <= aim) index++;
  return HABITS[index] as Habit;
}

function buy(habit: Habit, dayIndex: number, inflation: number, next: () => number): Purchase {
  const { merchants } = habit;
  const merchant = merchants[Math.floor(merchants.length * next() ** 1.6)] as Merchant;
  const account = next() < habit.card ? (habit.account === CHECKING ? CARD : habit.account) : habit.account;
  return { habit, merchant, account, cents: priceOf(habit.price, inflation, next), dayIndex };
}

function priceOf(price: Price, inflation: number, next: () => number): number {
  if ('menu' in price) {
    const listed = price.menu[Math.floor(price.menu.length * next())] as number;
    return listed > 250 && listed % 100 !== 0 ? Math.round((listed * inflation) / 5) * 5 : listed;
  }
  const bell = (next() + next() + next() - 1.5) * 2;
  const cents = price.median * inflation * Math.exp(price.spread * bell);
  if (price.ends === 'notes') return Math.max(1, Math.round(cents / 2000)) * 2000;
  if (price.ends === 'retail') return Math.max(1, Math.round(cents / 100)) * 100 - (next() < 0.7 ? 1 : 5);
  return Math.max(50, Math.round(cents));
}

function feeAfter(habit: Habit, next: () => number): Habit | null {
  if (habit.leads === 'foreign-fee') return next() < 0.06 ? FOREIGN_FEE : null;
  if (habit.leads === 'atm-fee') return next() < 0.22 ? ATM_FEE : null;
  return null;
}

function feeOn(purchase: Purchase, fee: Habit, next: () => number): Purchase {
  const cents = fee === FOREIGN_FEE ? Math.max(1, Math.round(purchase.cents * 0.03)) : priceOf(fee.price, 1, next);
  return { ...purchase, habit: fee, merchant: fee.merchants[0] as Merchant, cents };
}

function remember(refundable: Purchase[], purchase: Purchase): void {
  if (refundable.length < REFUND_CANDIDATES) refundable.push(purchase);
  else if (purchase.dayIndex - (refundable[0] as Purchase).dayIndex > 20) {
    refundable.shift();
    refundable.push(purchase);
  }
}

/** A purchase of at least two days ago, which can then not be returned again. */
function takeBack(refundable: Purchase[], dayIndex: number, next: () => number): Purchase | undefined {
  const index = Math.floor(refundable.length * next());
  const found = refundable[index];
  if (!found || found.dayIndex > dayIndex - 2) return undefined;
  refundable.splice(index, 1);
  return found;
}

interface Circumstances {
  day: Day;
  days: readonly Day[];
  purse: Purse;
  balances: readonly number[];
  statement: number;
  next: () => number;
}

function sumOf(standing: Standing, now: Circumstances): number {
  return SUMS[standing.sum](priceBefore(standing, now.day, now.days), now);
}

const SUMS: Readonly<Record<Sum, (listed: number, now: Circumstances) => number>> = {
  fixed: (listed) => listed,
  salary: (share, { day, days, purse }) => {
    const raises = 1.035 ** (day.year - (days[0] as Day).year);
    return -Math.round((purse.salary * share * raises) / 200);
  },
  fees: (_, { purse, next }) => -Math.round((purse.fees * (0.9 + next() * 0.25)) / 500) * 500,
  metered: (listed, { day, next }) => {
    const winter = 1 + 0.45 * Math.cos(((day.month - 1) / 6) * Math.PI);
    return Math.round(listed * winter * INFLATION ** day.age * (0.9 + next() * 0.2));
  },
  statement: (_, { statement }) => Math.max(2500, statement),
  sweep: (_, { balances, purse, next }) => {
    const surplus = (balances[CHECKING] as number) - purse.cushion;
    const cents = Math.max(5000, Math.round(Math.abs(surplus) / 5000) * 5000);
    return surplus >= 0 ? Math.max(5000, Math.round((cents * (0.7 + next() * 0.3)) / 5000) * 5000) : -cents;
  },
  pocket: (_, { balances, purse }) =>
    Math.max(4000, Math.ceil((purse.cushion * 0.045 + 6000 - (balances[POCKET] as number)) / 500) * 500),
  'savings-interest': (_, { balances }) => -Math.max(1, Math.round(((balances[SAVINGS] as number) * 0.038) / 12)),
  'loan-interest': (_, { balances }) => Math.max(1, Math.round(((balances[CAR_LOAN] as number) * 0.049) / 12)),
};

function priceBefore(standing: Standing, day: Day, days: readonly Day[]): number {
  const end = days[days.length - 1] as Day;
  const monthsBeforeEnd = (end.year - day.year) * 12 + end.month - day.month;
  let cents = 0;
  for (const [from, price] of standing.prices) if (from >= monthsBeforeEnd) cents = price;
  return cents;
}
