import {
  addAccount,
  addCounterparty,
  addMember,
  addTag,
  addTransactions,
  categoryBySlug,
  type Made,
  type NewTransaction,
} from '../ledger.ts';
import type { TestApp } from '../test-app.ts';

/** Fifteen rows that between them meet every filter, search mode and rule of totals. */
export interface World {
  app: TestApp;
  ana: Made;
  ben: Made;
  usd: Made & { connection: Made };
  eur: Made & { connection: Made };
  hidden: Made;
  copies: Made;
  coffee: Made;
  food: Made;
  wages: Made;
  transfer: Made;
  review: Made;
  trip: Made;
  cafe: Made;
  merged: Made;
  ids: Made[];
}

export async function sampleLedger(app: TestApp): Promise<World> {
  const ana = await addMember(app, 'Ana');
  const ben = await addMember(app, 'Ben');
  const usd = await addAccount(app, ana, { name: 'Joint' });
  const eur = await addAccount(app, ben, { name: 'Euro', currency: 'EUR', override: ana });
  const hidden = await addAccount(app, ben, { name: 'Hidden', excluded: true });
  const copies = await addAccount(app, ben, { name: 'Copies', dependent: true });
  const coffee = await categoryBySlug(app, 'food_and_drink_coffee');
  const food = await categoryBySlug(app, 'food_and_drink');
  const wages = await categoryBySlug(app, 'income_wages');
  const transfer = await categoryBySlug(app, 'transfer_out_savings');
  const review = await addTag(app, 'review');
  const trip = await addTag(app, 'shopping');
  const cafe = await addCounterparty(app, 'Corner Cafe');
  const merged = await addCounterparty(app, 'Corner Café Ltd', cafe);
  const world = { app, ana, ben, usd, eur, hidden, copies, coffee, food, wages, transfer, review, trip, cafe, merged };
  return { ...world, ids: await addTransactions(app, rowsOf(world)) };
}

const LATER = '2025-02-08T00:00:00.000Z';
const GONE = { deleted_at: LATER, deleted_cause: 'person' } as const;

function rowsOf(world: Omit<World, 'ids'>): NewTransaction[] {
  const { ben, usd, eur, hidden, copies, coffee, food, wages, transfer, review, trip, cafe } = world;
  return [
    {
      account: usd,
      date: '2025-01-13',
      amount_cents: 450,
      name: 'SQ *CAFÉ ZOË 0423',
      category: coffee,
      tags: [review, trip],
    },
    {
      account: usd,
      date: '2025-01-14',
      amount_cents: 1200,
      name: 'STARBUCKS COFFEE',
      merchant_name: 'Starbucks',
      category: coffee,
      tags: [review],
    },
    { account: usd, date: '2025-01-20', amount_cents: -1200, name: 'CENTURYLINK', category: food },
    { account: usd, date: '2025-01-20', amount_cents: 999, name: 'CENTURY LINK PAYMENT', comment: 'which month?' },
    { account: usd, date: '2025-02-01', amount_cents: -250_000, name: 'PAYROLL ACME', category: wages },
    { account: usd, date: '2025-02-02', amount_cents: 50_000, name: 'TO SAVINGS', category: transfer },
    {
      account: usd,
      date: '2025-02-03',
      amount_cents: 1000,
      name: 'sale 100% off a_b',
      counterparty: cafe,
      attributed: ben,
    },
    { account: usd, date: '2025-02-03', amount_cents: 1000, name: 'sale 100 off axb' },
    {
      account: eur,
      date: '2025-02-03',
      amount_cents: 1000,
      name: 'Bäckerei Straße',
      iso_currency_code: 'EUR',
      category: food,
    },
    { account: eur, date: '2025-02-04', amount_cents: 700, name: 'no currency', iso_currency_code: null },
    { account: hidden, date: '2025-02-05', amount_cents: 100, name: 'HIDDEN ROW' },
    { account: copies, date: '2025-02-05', amount_cents: 200, name: 'COPY ROW' },
    { account: usd, date: '2025-02-06', amount_cents: 300, name: 'PENDING HOLD', columns: { pending: 1 } },
    { account: usd, date: '2025-02-07', amount_cents: 400, name: 'GONE', columns: GONE },
    {
      account: usd,
      date: '2025-02-08',
      amount_cents: 500,
      name: 'FLAGGED "QUOTED" *STAR\\',
      columns: { flagged_at: LATER },
    },
  ];
}
