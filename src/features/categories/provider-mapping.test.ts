import { beforeAll, expect, test } from 'vitest';

import { addAccount, addMember, type NewAccount } from '../../../test/harness/ledger.ts';
import { forEachDatabase, type TestApp } from '../../../test/harness/test-app.ts';
import { providerMapping } from './index.ts';

const CATEGORIES = '/api/v1/categories';

interface Said {
  provider: 'plaid' | 'teller' | 'csv';
  primary: string | null;
  detailed?: string | null;
  amountCents?: number;
  accountId?: string;
  name?: string;
  merchantName?: string;
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
  ['TRAVEL', 'TRAVEL_SPACE_FLIGHT', 'travel'],
  ['TRAVEL', null, 'travel'],
  ['LOAN_DISBURSEMENTS', null, 'transfer_in_cash_advances_and_loans'],
  ['LOAN_DISBURSEMENTS', 'LOAN_DISBURSEMENTS_YACHT', 'transfer_in_cash_advances_and_loans'],
  ['OTHER', 'OTHER_OTHER', null],
  ['OTHER', null, null],
  ['UNHEARD_OF', 'UNHEARD_OF_THING', null],
  [null, 'TRAVEL_FLIGHTS', 'travel_flights'],
  [null, null, null],
];

/** The detailed values of both taxonomies, by primary; where the tree has another slug, it follows after a colon. */
const TAXONOMIES = `
INCOME DIVIDENDS INTEREST_EARNED RETIREMENT_PENSION TAX_REFUND UNEMPLOYMENT WAGES OTHER OTHER_INCOME:income_other
  SALARY:income_wages CONTRACTOR:income_wages GIG_ECONOMY:income_wages CHILD_SUPPORT:income_other
  LONG_TERM_DISABILITY:income_other MILITARY:income_other RENTAL:income_other
LOAN_DISBURSEMENTS AUTO:transfer_in_cash_advances_and_loans BNPL:transfer_in_cash_advances_and_loans
  CASH_ADVANCES:transfer_in_cash_advances_and_loans EWA:transfer_in_cash_advances_and_loans
  MORTGAGE:transfer_in_cash_advances_and_loans PERSONAL:transfer_in_cash_advances_and_loans
  STUDENT:transfer_in_cash_advances_and_loans OTHER_DISBURSEMENT:transfer_in_cash_advances_and_loans
TRANSFER_IN CASH_ADVANCES_AND_LOANS DEPOSIT INVESTMENT_AND_RETIREMENT_FUNDS SAVINGS ACCOUNT_TRANSFER
  OTHER_TRANSFER_IN:transfer_in_other WIRE:transfer_in_other TRANSFER_IN_FROM_APPS:transfer_in_other
TRANSFER_OUT INVESTMENT_AND_RETIREMENT_FUNDS SAVINGS WITHDRAWAL ACCOUNT_TRANSFER OTHER_TRANSFER_OUT:transfer_out_other
  WIRE:transfer_out_other TRANSFER_OUT_FROM_APPS:transfer_out_other
  CRYPTO:transfer_out_investment_and_retirement_funds
LOAN_PAYMENTS CAR_PAYMENT CREDIT_CARD_PAYMENT PERSONAL_LOAN_PAYMENT MORTGAGE_PAYMENT STUDENT_LOAN_PAYMENT
  OTHER_PAYMENT:loan_payments_other BNPL:loan_payments_other CASH_ADVANCES:loan_payments_other EWA:loan_payments_other
BANK_FEES ATM_FEES FOREIGN_TRANSACTION_FEES INSUFFICIENT_FUNDS INTEREST_CHARGE OVERDRAFT_FEES
  OTHER_BANK_FEES:bank_fees_other LATE_FEES:bank_fees_other CASH_ADVANCE:bank_fees_other
ENTERTAINMENT CASINOS_AND_GAMBLING MUSIC_AND_AUDIO SPORTING_EVENTS_AMUSEMENT_PARKS_AND_MUSEUMS TV_AND_MOVIES VIDEO_GAMES
  OTHER_ENTERTAINMENT:entertainment_other
FOOD_AND_DRINK BEER_WINE_AND_LIQUOR COFFEE FAST_FOOD GROCERIES RESTAURANT VENDING_MACHINES
  OTHER_FOOD_AND_DRINK:food_and_drink_other
GENERAL_MERCHANDISE BOOKSTORES_AND_NEWSSTANDS CLOTHING_AND_ACCESSORIES CONVENIENCE_STORES DEPARTMENT_STORES
  DISCOUNT_STORES ELECTRONICS GIFTS_AND_NOVELTIES OFFICE_SUPPLIES ONLINE_MARKETPLACES PET_SUPPLIES SPORTING_GOODS
  SUPERSTORES TOBACCO_AND_VAPE OTHER_GENERAL_MERCHANDISE:general_merchandise_other
HOME_IMPROVEMENT FURNITURE HARDWARE REPAIR_AND_MAINTENANCE SECURITY OTHER_HOME_IMPROVEMENT:home_improvement_other
MEDICAL DENTAL_CARE EYE_CARE NURSING_CARE PHARMACIES_AND_SUPPLEMENTS PRIMARY_CARE VETERINARY_SERVICES
  OTHER_MEDICAL:medical_other
PERSONAL_CARE GYMS_AND_FITNESS_CENTERS HAIR_AND_BEAUTY LAUNDRY_AND_DRY_CLEANING
  OTHER_PERSONAL_CARE:personal_care_other
GENERAL_SERVICES ACCOUNTING_AND_FINANCIAL_PLANNING AUTOMOTIVE CHILDCARE CONSULTING_AND_LEGAL EDUCATION INSURANCE
  POSTAGE_AND_SHIPPING STORAGE OTHER_GENERAL_SERVICES:general_services_other
GOVERNMENT_AND_NON_PROFIT DONATIONS GOVERNMENT_DEPARTMENTS_AND_AGENCIES TAX_PAYMENT
  OTHER_GOVERNMENT_AND_NON_PROFIT:government_and_non_profit_other
TRANSPORTATION BIKES_AND_SCOOTERS GAS PARKING PUBLIC_TRANSIT TAXIS_AND_RIDE_SHARES TOLLS
  OTHER_TRANSPORTATION:transportation_other
TRAVEL FLIGHTS LODGING RENTAL_CARS OTHER_TRAVEL:travel_other
RENT_AND_UTILITIES GAS_AND_ELECTRICITY INTERNET_AND_CABLE RENT SEWAGE_AND_WASTE_MANAGEMENT TELEPHONE WATER
  OTHER_UTILITIES:rent_and_utilities_other
`;

/** `[primary, detailed, slug]` of each value. */
function bothTaxonomies(): [string, string, string][] {
  return TAXONOMIES.trim()
    .split(/\n(?! )/)
    .flatMap((line) => {
      const [primary = '', ...values] = line.split(/\s+/);
      return values.map((value): [string, string, string] => {
        const [name, slug] = value.split(':');
        const detailed = `${primary}_${name}`;
        return [primary, detailed, slug ?? detailed.toLowerCase()];
      });
    });
}

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

  test('plaid: every value of both taxonomies, else the primary one', async () => {
    for (const [primary, detailed, slug] of [...bothTaxonomies(), ...PLAID]) {
      expect([detailed, await meaning(app, { provider: 'plaid', primary, detailed })]).toEqual([detailed, slug]);
    }
    const salary: Said = { provider: 'plaid', primary: 'INCOME', detailed: 'INCOME_SALARY' };
    await app.request('POST', CATEGORIES, { body: { name: 'Salary', slug: 'income_salary', parent_id: 'income' } });
    expect(await meaning(app, salary)).toBe('income_salary');
    await app.request('DELETE', `${CATEGORIES}/income_salary`);
    expect(await meaning(app, salary)).toBe('income_wages');
  });

  test('teller: by a table, investments by their sign', async () => {
    for (const [primary, slug] of Object.entries(TELLER)) {
      expect([primary, await meaning(app, { provider: 'teller', primary })]).toEqual([primary, slug]);
      const detailed = 'card_payment';
      expect([primary, await meaning(app, { provider: 'teller', primary, detailed })]).toEqual([primary, slug]);
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

  test('teller: a type that says what it is comes before the category', async () => {
    const mine = await addMember(app, 'Ana');
    const accountOf = async (account: NewAccount): Promise<string> => (await addAccount(app, mine, account)).id;
    const checking = await accountOf({ name: 'Checking', type: 'depository', mask: '7857' });
    const card = await accountOf({ name: 'Platinum Card', type: 'credit', mask: '2416' });
    const [out, into] = [100, -100];
    const texts = {
      paid: 'ONLINE PAYMENT TO CARD ENDING IN 2416',
      label: 'PMT PLATINUM CARD',
      own: 'PAYMENT FROM 7857',
    };
    for (const [type, primary, amountCents, slug, more] of [
      ['transfer', 'general', out, 'transfer_out_account_transfer', {}],
      ['transfer', 'general', into, 'transfer_in_account_transfer', {}],
      ['wire', 'income', out, 'transfer_out_other', {}],
      ['wire', 'income', into, 'transfer_in_other', {}],
      ['atm', 'general', out, 'transfer_out_withdrawal', {}],
      ['withdrawal', null, into, 'transfer_in_deposit', {}],
      ['fee', 'service', out, 'bank_fees_other', {}],
      ['fee', 'service', into, 'bank_fees_other', {}],
      ['interest', 'income', out, 'bank_fees_interest_charge', {}],
      ['interest', 'general', into, 'income_interest_earned', {}],
      ['deposit', 'general', into, 'transfer_in_deposit', {}],
      ['deposit', null, into, 'transfer_in_deposit', {}],
      ['deposit', 'income', into, 'income_other', {}],
      ['payment', 'general', into, 'loan_payments_credit_card_payment', { accountId: card }],
      ['payment', 'general', into, null, { accountId: checking }],
      ['payment', 'general', out, 'loan_payments_credit_card_payment', { accountId: checking, name: texts.paid }],
      [
        'payment',
        'general',
        out,
        'loan_payments_credit_card_payment',
        { accountId: checking, merchantName: texts.label },
      ],
      ['payment', 'general', out, null, { accountId: checking, name: texts.own }],
      ['payment', 'general', out, null, { accountId: card, name: 'PAYMENT OF CHECKING FEES, INVOICE 12416' }],
      ['payment', 'utilities', out, 'rent_and_utilities_other', { accountId: checking, name: texts.paid }],
      ['ach', 'general', out, null, {}],
      ['card_payment', 'dining', out, 'food_and_drink_restaurant', {}],
      ['digital_payment', 'phone', out, 'rent_and_utilities_telephone', {}],
    ] as const) {
      const said = { provider: 'teller', primary, detailed: type, amountCents, ...more } as const;
      expect([said, await meaning(app, said)]).toEqual([said, slug]);
    }
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
