import { seededRandom } from '../../src/kernel/random.ts';
import { dateOfDayNumber, dayNumber, daysInMonth, toDateOnly } from '../../src/kernel/dates.ts';
import type { DateOnly } from '../../src/kernel/dates.ts';
import type { HouseholdOptions } from './records.ts';
import { STANDING } from './standing-orders.ts';
import { TRIP_BOOKINGS } from './standing/movements.ts';
import type { Standing } from './standing/standing.ts';

export interface Day {
  date: DateOnly;
  /** The two days before, for purchases that the bank books late. */
  earlier: readonly [DateOnly, DateOnly];
  year: number;
  month: number;
  dayOfMonth: number;
  isMonthEnd: boolean;
  /** 0 = Monday. */
  weekday: number;
  /** Years since the first day, for prices that rise. */
  age: number;
  due: Standing[];
  purchases: number;
  pending: number;
  inBerlin: boolean;
  /** Index of the summer's destination, −1 at home. */
  trip: number;
}

const WEEK = [0.85, 0.83, 0.88, 0.96, 1.2, 1.42, 0.98];
const YEAR = [0.9, 0.9, 0.96, 0.98, 1, 1.02, 1.07, 1.04, 0.97, 1, 1.09, 1.28];
const DESTINATIONS = 4;
const PENDING_TAIL = [1, 2, 3, 4];
/** Fewer than this share of purchases would be a household that pays bills and never eats. */
const MOST_STANDING = 0.45;

/** Every day of the history with what falls due and how many purchases happen; totals exactly `transactions`. */
export function drawUpCalendar(options: HouseholdOptions): Day[] {
  const { transactions, until } = options;
  const random = seededRandom(options.seed ^ 0x5eed_ca1e);
  const next = (): number => random.next();
  const end = dayNumber(until);
  const untilYear = Number(until.slice(0, 4));
  const untilMonth = Number(until.slice(5, 7));
  const firstMonth = untilYear * 12 + untilMonth - 1 - Math.round((options.years ?? 4) * 12);
  const firstYear = Math.floor(firstMonth / 12);
  const sameDay = Math.min(Number(until.slice(8)), daysInMonth(firstYear, (firstMonth % 12) + 1));
  let start = dayNumber(toDateOnly(firstYear, (firstMonth % 12) + 1, sameDay)) + 1;

  const trips = planTrips(firstYear, untilYear, next);
  let due = fallingDue(start, end, trips);
  let allowed = Math.floor(transactions * MOST_STANDING);
  let kept = due.length;
  while (kept > 0 && allowed >= legsOf(due[kept - 1])) allowed -= legsOf(due[--kept]);
  const cut = due[kept - 1];
  if (cut) {
    start = Math.min(end, cut.day + 1);
    due = due.filter((entry) => entry.day > cut.day);
  }

  const days: Day[] = [];
  const weights: number[] = [];
  for (let number = start; number <= end; number++) {
    const day = makeDay(number, start, trips);
    days.push(day);
    const weight = (WEEK[day.weekday] as number) * (YEAR[day.month - 1] as number) * (0.75 + next() * 0.5);
    weights.push(day.trip >= 0 ? weight * 1.3 : weight);
  }
  for (const entry of due) (days[entry.day - start] as Day).due.push(entry.standing);
  spread(days, weights, transactions - due.reduce((sum, entry) => sum + legsOf(entry), 0));
  for (const [index, pending] of PENDING_TAIL.entries()) {
    const day = days[days.length - PENDING_TAIL.length + index];
    if (day) day.pending = pending;
  }
  return days;
}

interface Trip {
  from: number;
  to: number;
  destination: number;
}

function planTrips(firstYear: number, lastYear: number, next: () => number): Trip[] {
  const trips: Trip[] = [];
  for (let year = firstYear; year <= lastYear; year++) {
    const from = dayNumber(toDateOnly(year, 7, 4)) + Math.floor(next() * 24);
    trips.push({ from, to: from + 11 + Math.floor(next() * 5), destination: year % DESTINATIONS });
  }
  return trips;
}

function makeDay(number: number, start: number, trips: readonly Trip[]): Day {
  const date = dateOfDayNumber(number);
  const year = Number(date.slice(0, 4));
  const month = Number(date.slice(5, 7));
  const dayOfMonth = Number(date.slice(8));
  const trip = trips.find((trip) => number >= trip.from && number <= trip.to);
  return {
    date,
    earlier: [dateOfDayNumber(number - 1), dateOfDayNumber(number - 2)],
    year,
    month,
    dayOfMonth,
    isMonthEnd: dayOfMonth === daysInMonth(year, month),
    weekday: weekdayOf(number),
    age: (number - start) / 365.25,
    due: [],
    purchases: 0,
    pending: 0,
    inBerlin: !trip && dayOfMonth >= 9 && dayOfMonth <= 16,
    trip: trip ? trip.destination : -1,
  };
}

interface Due {
  day: number;
  standing: Standing;
}

function fallingDue(start: number, end: number, trips: readonly Trip[]): Due[] {
  const due: Due[] = [];
  const add = (day: number, standing: Standing): void => {
    if (day >= start && day <= end) due.push({ day, standing });
  };
  const first = dateOfDayNumber(start);
  const last = dateOfDayNumber(end);
  const lastMonth = monthOf(last);
  for (let month = monthOf(first); month <= lastMonth; month++) {
    for (const standing of STANDING) {
      const beforeEnd = lastMonth - month;
      const running = beforeEnd <= standing.runs[0] && beforeEnd >= standing.runs[1];
      // Month 3 of the year, so that the yearly ones fall in spring when tax refunds arrive.
      if (!running || standing.everyMonths === 0 || (month - 3) % standing.everyMonths !== 0) continue;
      const year = Math.floor(month / 12);
      let day = dayNumber(
        toDateOnly(year, (month % 12) + 1, Math.min(standing.day, daysInMonth(year, (month % 12) + 1))),
      );
      if (standing.businessDays) day -= Math.max(0, weekdayOf(day) - 4);
      add(day, standing);
    }
  }
  for (const trip of trips)
    for (const { daysBefore, key } of TRIP_BOOKINGS)
      add(trip.from - daysBefore, STANDING.find((standing) => standing.key === key) as Standing);
  return due.sort((a, b) => a.day - b.day || a.standing.id - b.standing.id);
}

/** Shares out `count` purchases by weight, without losing one to rounding. */
function spread(days: Day[], weights: readonly number[], count: number): void {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  let passed = 0;
  let given = 0;
  for (const [index, day] of days.entries()) {
    passed += weights[index] as number;
    const upToHere = index === days.length - 1 ? count : Math.round((count * passed) / total);
    day.purchases = upToHere - given;
    given = upToHere;
  }
}

function legsOf(entry: Due | undefined): number {
  return entry ? entry.standing.legs.length : 0;
}

function monthOf(date: DateOnly): number {
  return Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7)) - 1;
}

function weekdayOf(day: number): number {
  return (((day + 3) % 7) + 7) % 7;
}
