import { beforeAll, expect, test } from 'vitest';

import { forEachDatabase, type TestApp } from '../../../test/harness/test-app.ts';
import { providerMapping } from './index.ts';

const CATEGORIES = '/api/v1/categories';

interface Said {
  provider: 'plaid' | 'teller' | 'csv';
  primary: string | null;
  detailed?: string | null;
  amountCents?: number;
}

/** The slug of the category that a provider's text stands for now. */
async function meaning(app: TestApp, said: Said): Promise<string | null> {
  const { json } = await app.request('GET', CATEGORIES);
  const mapping = await app.app.instance.database.read(providerMapping);
  const id = mapping({ detailed: null, amountCents: 100, ...said });
  return id === null
    ? null
    : ((json as { id: string; slug: string }[]).find((one) => one.id === id)?.slug ?? 'unknown');
}

const PLAID: readonly (readonly [string | null, string | null, string | null])[] = [
  ['FOOD_AND_DRINK', 'FOOD_AND_DRINK_COFFEE', 'food_and_drink_coffee'],
  ['INCOME', 'INCOME_WAGES', 'income_wages'],
  ['INCOME', 'INCOME_OTHER_INCOME', 'income_other'],
  ['TRANSFER_IN', 'TRANSFER_IN_OTHER_TRANSFER_IN', 'transfer_in_other'],
  ['LOAN_PAYMENTS', 'LOAN_PAYMENTS_OTHER_PAYMENT', 'loan_payments_other'],
  ['BANK_FEES', 'BANK_FEES_OTHER_BANK_FEES', 'bank_fees_other'],
  ['GENERAL_MERCHANDISE', 'GENERAL_MERCHANDISE_OTHER_GENERAL_MERCHANDISE', 'general_merchandise_other'],
  ['TRAVEL', 'TRAVEL_SPACE_FLIGHT', 'travel'],
  ['TRAVEL', null, 'travel'],
  ['UNHEARD_OF', 'UNHEARD_OF_THING', null],
  [null, 'TRAVEL_FLIGHTS', 'travel_flights'],
  [null, null, null],
];

const TELLER: Readonly<Record<string, string | null>> = {
  accommodation: 'travel_lodging',
  advertising: 'general_services_other',
  bar: 'food_and_drink_beer_wine_and_liquor',
  charity: 'government_and_non_profit_donations',
  clothing: 'general_merchandise_clothing_and_accessories',
  dining: 'food_and_drink_restaurant',
  education: 'general_services_education',
  electronics: 'general_merchandise_electronics',
  entertainment: 'entertainment_other',
  fuel: 'transportation_gas',
  general: 'general_merchandise_other',
  groceries: 'food_and_drink_groceries',
  health: 'medical_other',
  home: 'home_improvement_other',
  income: 'income_other',
  insurance: 'general_services_insurance',
  loan: 'loan_payments_other',
  office: 'general_services_other',
  phone: 'rent_and_utilities_telephone',
  service: 'general_services_other',
  shopping: 'general_merchandise_other',
  software: 'general_services_other',
  sport: 'entertainment_sporting_events_amusement_parks_and_museums',
  tax: 'government_and_non_profit_tax_payment',
  transport: 'transportation_other',
  transportation: 'transportation_other',
  utilities: 'rent_and_utilities_other',
  unheard: null,
};

forEachDatabase((database) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await database.open();
  });

  test('plaid: the detailed category, else the primary one', async () => {
    for (const [primary, detailed, slug] of PLAID) {
      expect([detailed, await meaning(app, { provider: 'plaid', primary, detailed })]).toEqual([detailed, slug]);
    }
  });

  test('teller: by a table, investments by their sign', async () => {
    for (const [primary, slug] of Object.entries(TELLER)) {
      expect([primary, await meaning(app, { provider: 'teller', primary })]).toEqual([primary, slug]);
    }
    for (const [amountCents, slug] of [
      [1, 'transfer_out_investment_and_retirement_funds'],
      [0, 'transfer_in_investment_and_retirement_funds'],
      [-1, 'transfer_in_investment_and_retirement_funds'],
    ] as const) {
      expect(await meaning(app, { provider: 'teller', primary: 'investment', amountCents })).toBe(slug);
    }
    expect(await meaning(app, { provider: 'teller', primary: null })).toBeNull();
  });

  test('csv: a slug, else the name of exactly one category in use', async () => {
    await app.request('POST', CATEGORIES, { body: { name: 'Café' } });
    await app.request('POST', CATEGORIES, { body: { name: 'Twice' } });
    await app.request('POST', CATEGORIES, { body: { name: 'TWICE' } });
    const ofText = (primary: string | null) => meaning(app, { provider: 'csv', primary });
    expect(await ofText('travel_flights')).toBe('travel_flights');
    expect(await ofText(' COFFEE   shops')).toBe('food_and_drink_coffee');
    expect(await ofText('cafe')).toBe('cafe');
    expect([await ofText('Twice'), await ofText('Nothing'), await ofText(null)]).toEqual([null, null, null]);
    await app.request('PATCH', `${CATEGORIES}/twice_2`, { body: { archived: true } });
    expect(await ofText('Twice')).toBe('twice');
  });

  test('archived categories: the target of the merge, otherwise the parent if it is live', async () => {
    const coffee: Said = { provider: 'plaid', primary: 'FOOD_AND_DRINK', detailed: 'FOOD_AND_DRINK_COFFEE' };
    const change = (id: string, body: unknown) => app.request('PATCH', `${CATEGORIES}/${id}`, { body });
    const merge = (into: string, from: string) =>
      app.request('POST', `${CATEGORIES}/${into}/merge`, { body: { from_category_id: from } });
    await change('food_and_drink_coffee', { archived: true });
    expect(await meaning(app, coffee)).toBe('food_and_drink');
    await change('food_and_drink', { archived: true });
    expect(await meaning(app, coffee)).toBeNull();
    await change('food_and_drink', { archived: false });

    await app.request('POST', CATEGORIES, { body: { name: 'Treats' } });
    await app.request('POST', CATEGORIES, { body: { name: 'Sweets' } });
    expect((await merge('treats', 'food_and_drink_coffee')).status).toBe(200);
    expect(await meaning(app, coffee)).toBe('treats');
    expect((await merge('sweets', 'treats')).status).toBe(200);
    expect(await meaning(app, coffee)).toBe('sweets');
    await change('sweets', { archived: true });
    expect(await meaning(app, coffee)).toBeNull();
    await change('sweets', { archived: false });
    expect((await app.request('DELETE', `${CATEGORIES}/sweets`)).status).toBe(204);
    expect(await meaning(app, coffee)).toBe('food_and_drink');

    await merge('travel_other', 'food_and_drink_coffee');
    await change('food_and_drink_coffee', { archived: false });
    expect(await meaning(app, coffee)).toBe('food_and_drink_coffee');
    await change('food_and_drink_coffee', { archived: true });
    expect(await meaning(app, coffee)).toBe('food_and_drink');
  });
});
