import { BILLS, SUBSCRIPTIONS } from './standing/bills.ts';
import { BERLIN_ORDERS, BOOKINGS, MOVEMENTS, WAGES_PAID } from './standing/movements.ts';
import type { Standing } from './standing/standing.ts';

/** In the order in which they are booked when several fall on one day: pay first. */
export const STANDING: readonly Standing[] = [
  ...WAGES_PAID,
  ...BILLS,
  ...SUBSCRIPTIONS,
  ...MOVEMENTS,
  ...BERLIN_ORDERS,
  ...BOOKINGS,
].map((standing, id) => ({ ...standing, id }));
