import { IN_BERLIN, ON_TRIPS, POCKET_MONEY } from './habits/elsewhere.ts';
import { EVERYDAY } from './habits/everyday.ts';
import type { Habit, Merchant } from './habits/habit.ts';
import { SERVICES } from './habits/services.ts';
import { SHOPPING } from './habits/shopping.ts';

let merchantCount = 0;

export const HABITS: readonly Habit[] = [
  ...EVERYDAY,
  ...SHOPPING,
  ...SERVICES,
  ...IN_BERLIN,
  ...POCKET_MONEY,
  ...ON_TRIPS,
].map((habit) => ({ ...habit, merchants: habit.merchants.map((merchant) => ({ ...merchant, id: merchantCount++ })) }));

export const MERCHANTS: readonly Merchant[] = HABITS.flatMap((habit) => habit.merchants);
export const FOREIGN_FEE = habitFor('bank_fees_foreign_transaction_fees');
export const ATM_FEE = habitFor('bank_fees_atm_fees');

function habitFor(slug: string): Habit {
  return HABITS.find((habit) => habit.slug === slug) as Habit;
}
