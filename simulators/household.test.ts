import { describe, expect, it } from 'vitest';
import { addDays, isDateOnly } from '../src/kernel/dates.ts';
import { fold } from '../src/kernel/fold.ts';
import { generateHousehold, householdCategorySlugs } from './household.ts';
import type { HouseholdTransaction } from './household.ts';

const UNTIL = '2026-04-30';
const household = generateHousehold({ seed: 1, transactions: 12_000, until: UNTIL });
const rows = [...household.transactions()];

// The slugs of contract 10.10.6 that the generator uses.
const SLUGS = new Set(
  `bank_fees_atm_fees bank_fees_foreign_transaction_fees bank_fees_interest_charge bank_fees_other
  bank_fees_overdraft_fees entertainment_music_and_audio
  entertainment_sporting_events_amusement_parks_and_museums entertainment_tv_and_movies entertainment_video_games
  food_and_drink_beer_wine_and_liquor food_and_drink_coffee food_and_drink_delivery food_and_drink_fast_food
  food_and_drink_groceries food_and_drink_restaurant food_and_drink_vending_machines
  general_merchandise_bookstores_and_newsstands general_merchandise_clothing_and_accessories
  general_merchandise_convenience_stores general_merchandise_electronics general_merchandise_gifts_and_novelties
  general_merchandise_online_marketplaces general_merchandise_other general_merchandise_pet_supplies
  general_merchandise_sporting_goods general_merchandise_superstores general_services_automotive
  general_services_education general_services_insurance general_services_other general_services_postage_and_shipping
  government_and_non_profit_donations government_and_non_profit_government_departments_and_agencies
  government_and_non_profit_other home_improvement_furniture home_improvement_hardware income_interest_earned
  income_tax_refund income_wages loan_payments_car_payment loan_payments_credit_card_payment medical_dental_care
  medical_pharmacies_and_supplements medical_primary_care medical_veterinary_services
  personal_care_gyms_and_fitness_centers personal_care_hair_and_beauty personal_care_laundry_and_dry_cleaning
  rent_and_utilities_gas_and_electricity rent_and_utilities_internet_and_cable rent_and_utilities_rent
  rent_and_utilities_telephone rent_and_utilities_water transfer_in_account_transfer transfer_in_savings
  transfer_out_account_transfer transfer_out_other transfer_out_savings transfer_out_withdrawal transportation_gas
  transportation_parking transportation_public_transit transportation_taxis_and_ride_shares transportation_tolls
  travel_flights travel_lodging travel_rental_cars`.split(/\s+/),
);

const share = (matches: (row: HouseholdTransaction) => boolean): number => rows.filter(matches).length / rows.length;

describe('size and order', () => {
  it.each([0, 1, 7, 40, 500, 12_000, 100_000])('gives exactly %i rows, date ascending, inside the history', (count) => {
    const made = generateHousehold({ seed: 3, transactions: count, until: UNTIL });
    const ids = new Set<string>();
    let before = made.since;
    let disordered = 0;
    for (const row of made.transactions()) {
      if (row.date < before || row.date > UNTIL) disordered++;
      before = row.date;
      ids.add(row.external_id);
    }
    expect({ distinct: ids.size, disordered }).toEqual({ distinct: count, disordered: 0 });
  });

  it('covers the asked years when there are rows enough, and fewer when not', () => {
    expect(household.since).toBe('2022-05-01');
    expect(rows.at(-1)?.date).toBe(UNTIL);
    expect(generateHousehold({ seed: 1, transactions: 12_000, until: UNTIL, years: 2 }).since).toBe('2024-05-01');
    expect(generateHousehold({ seed: 1, transactions: 500, until: UNTIL }).since > '2025-06-01').toBe(true);
    expect(generateHousehold({ seed: 1, transactions: 1500, until: '2024-02-29', years: 1 }).since).toBe('2023-03-01');
  });

  it('refuses nonsense', () => {
    expect(() => generateHousehold({ seed: 1, transactions: -1, until: UNTIL })).toThrow(RangeError);
    expect(() => generateHousehold({ seed: 1, transactions: 1, until: '2026-02-30' })).toThrow(RangeError);
    expect(() => generateHousehold({ seed: 1, transactions: 1, until: UNTIL, years: 0 })).toThrow(RangeError);
  });
});

describe('determinism', () => {
  it('gives the same household for the same options, also when read twice or side by side', () => {
    const again = generateHousehold({ seed: 1, transactions: 12_000, until: UNTIL });
    expect({ ...again, transactions: null }).toEqual({ ...household, transactions: null });
    const left = again.transactions();
    const right = again.transactions();
    const differing = rows.filter((row) => {
      const text = JSON.stringify(row);
      return JSON.stringify(left.next().value) !== text || JSON.stringify(right.next().value) !== text;
    });
    expect(differing).toEqual([]);
    expect([left.next().done, right.next().done]).toEqual([true, true]);
  });

  it('gives another one for another seed', () => {
    const other = [...generateHousehold({ seed: 2, transactions: 12_000, until: UNTIL }).transactions()];
    expect(other.filter((row, index) => row.name === rows[index]?.name).length).toBeLessThan(rows.length / 5);
  });
});

describe('money', () => {
  it('adds up: every snapshot is the one before plus the posted rows between', () => {
    for (const account of household.accounts) {
      const sign = account.type === 'depository' ? -1 : 1;
      const snapshots = household.balances.filter((balance) => balance.account === account.key);
      const posted = rows.filter((row) => row.account === account.key && !row.pending);
      expect(snapshots[0]?.date).toBe(addDays(household.since, -1));
      expect(snapshots.at(-1)).toEqual({
        account: account.key,
        date: UNTIL,
        balance_current_cents: account.balance_current_cents,
      });
      expect(snapshots.length).toBe(49);
      for (const [index, snapshot] of snapshots.entries()) {
        const last = snapshots[index - 1];
        if (!last) continue;
        const moved = posted.filter((row) => row.date > last.date && row.date <= snapshot.date);
        const sum = moved.reduce((total, row) => total + row.amount_cents, 0);
        expect(snapshot.balance_current_cents).toBe(last.balance_current_cents + sign * sum);
      }
    }
  });

  it('counts pending rows in what is available', () => {
    for (const account of household.accounts) {
      const underway = rows
        .filter((row) => row.pending && row.account === account.key)
        .reduce((total, row) => total + row.amount_cents, 0);
      const own =
        (account.balance_limit_cents ?? 0) + (account.type === 'credit' ? -1 : 1) * account.balance_current_cents;
      if (account.balance_available_cents !== null) expect(account.balance_available_cents).toBe(own - underway);
    }
  });

  it('keeps the household solvent at every size', () => {
    for (const transactions of [500, 12_000, 100_000]) {
      const made = generateHousehold({ seed: 5, transactions, until: UNTIL });
      expect(made.balances.filter((balance) => balance.balance_current_cents < 0)).toEqual([]);
    }
    expect(rows.every((row) => Number.isSafeInteger(row.amount_cents) && row.amount_cents !== 0)).toBe(true);
  });

  it('moves money between own accounts in pairs', () => {
    for (const [from, to] of [
      ['joint-checking', 'savings'],
      ['joint-checking', 'credit-card'],
      ['joint-checking', 'pocket-money'],
      ['joint-checking', 'car-loan'],
    ]) {
      const arrivals = rows.filter(
        (row) => row.account === to && row.amount_cents < 0 && /^(transfer|loan_pay)/.test(row.category_slug ?? ''),
      );
      expect(arrivals.length).toBeGreaterThanOrEqual(30);
      const unmatched = arrivals.filter(
        (row) =>
          !rows.some(
            (other) => other.account === from && other.date === row.date && other.amount_cents === -row.amount_cents,
          ),
      );
      expect(unmatched).toEqual([]);
    }
  });

  it('has two currencies, each row in that of its account', () => {
    const currencies = new Map(household.accounts.map((account) => [account.key, account.iso_currency_code]));
    expect(rows.filter((row) => row.iso_currency_code !== currencies.get(row.account))).toEqual([]);
    expect(share((row) => row.iso_currency_code === 'EUR')).toBeGreaterThan(0.04);
  });
});

describe('the life in it', () => {
  it('has twins: the same coffee twice on one day', () => {
    const isTwin = (row: HouseholdTransaction, before: HouseholdTransaction | undefined): boolean =>
      before !== undefined &&
      (['account', 'date', 'amount_cents', 'name', 'pending', 'authorized_date'] as const).every(
        (key) => row[key] === before[key],
      );
    const twins = rows.filter((row, index) => isTwin(row, rows[index - 1]));
    expect(twins.length / rows.length).toBeGreaterThan(0.003);
    expect(twins.length / rows.length).toBeLessThan(0.007);
  });

  it('gives refunds of an earlier purchase at the same place', () => {
    const refunds = rows.filter(
      (row) => row.amount_cents < 0 && /^(general_merchandise|home_improvement)/.test(row.category_slug ?? ''),
    );
    expect(refunds.length).toBeGreaterThan(50);
    const baseless = refunds.filter(
      (refund) =>
        !rows.some(
          (row) =>
            row.account === refund.account && row.date < refund.date && row.amount_cents === -refund.amount_cents,
        ),
    );
    expect(baseless).toEqual([]);
  });

  it('has some ten pending rows, all in the last four days and none from a file', () => {
    const pending = rows.filter((row) => row.pending);
    expect(pending.length).toBeGreaterThanOrEqual(7);
    expect(pending.length).toBeLessThanOrEqual(10);
    expect(pending.every((row) => row.date >= '2026-04-27' && row.account !== 'berlin-checking')).toBe(true);
  });

  it('leaves about 8 % without category and marks about 3 %', () => {
    expect(share((row) => row.category_slug === null)).toBeCloseTo(0.08, 1.5);
    expect(share((row) => row.flagged || row.tags.includes('needs-review'))).toBeCloseTo(0.03, 2);
    const comments = rows.filter((row) => row.comment !== null).length;
    expect(comments).toBeGreaterThan(3);
    expect(comments).toBeLessThan(60);
    expect(rows.filter((row) => (row.category_slug === null) !== (row.category_source === null))).toEqual([]);
  });

  it('raises the prices of subscriptions', () => {
    const netflix = rows.filter((row) => row.series === 'netflix').map((row) => row.amount_cents);
    expect(netflix.length).toBe(48);
    expect([...new Set(netflix)]).toEqual([1549, 1799, 1999]);
    expect(household.series.filter((series) => series.type === 'subscription').length).toBeGreaterThanOrEqual(10);
  });

  it('travels in summer, to places with names beyond ASCII', () => {
    const trips = rows.filter((row) => row.tags.includes('summer-trip'));
    expect(trips.length).toBeGreaterThan(100);
    expect(trips.every((row) => row.date.slice(5) >= '07-01' && row.date.slice(5) <= '08-31')).toBe(true);
    for (const name of ['Café Zoë', 'Bäckerei Müller', 'Łódź Market', '東京ラーメン'])
      expect(rows.some((row) => row.name.includes(name) && row.counterparty === name)).toBe(true);
  });

  it('varies the banks’ texts, with distinct names growing slower than rows', () => {
    const distinct = new Set(rows.map((row) => row.name)).size / rows.length;
    expect(distinct).toBeGreaterThan(0.15);
    expect(distinct).toBeLessThan(0.25);
    const many = new Set<string>();
    for (const row of generateHousehold({ seed: 1, transactions: 100_000, until: UNTIL }).transactions())
      many.add(row.name);
    expect(many.size).toBeGreaterThan(6000);
    expect(many.size).toBeLessThan(18_000);
  });
});

describe('references', () => {
  it('uses only categories of the default tree', () => {
    expect(householdCategorySlugs().filter((slug) => !SLUGS.has(slug))).toEqual([]);
    expect(rows.filter((row) => row.category_slug !== null && !SLUGS.has(row.category_slug))).toEqual([]);
  });

  it('says `provider` only where the contract’s mapping gives the category', () => {
    const words: Record<string, string> = {
      dining: 'food_and_drink_restaurant',
      clothing: 'general_merchandise_clothing_and_accessories',
      electronics: 'general_merchandise_electronics',
    };
    const mapped = (row: HouseholdTransaction): string | undefined => {
      const detailed = row.provider_category_detailed?.toLowerCase();
      if (detailed === undefined || ['card_payment', 'ach'].includes(detailed))
        return words[row.provider_category_primary ?? ''];
      return detailed.replace(/^(\w+)_other_\1$/, '$1_other');
    };
    const byProvider = rows.filter((row) => row.category_source === 'provider');
    expect(byProvider.length).toBeGreaterThan(rows.length / 3);
    expect(byProvider.filter((row) => mapped(row) !== row.category_slug)).toEqual([]);
    expect(rows.filter((row) => row.category_source === null && row.provider_category_primary !== null)).toEqual([]);
  });

  it('points only at members, connections, accounts, counterparties, series and tags that it lists', () => {
    const keys = (list: readonly { key: string }[]): Set<string | null> =>
      new Set([null, ...list.map((one) => one.key)]);
    const [members, connections, accounts] = [household.members, household.connections, household.accounts].map(keys);
    const counterparties = keys(household.counterparties);
    const series = keys(household.series);
    const tags = new Set(household.tags.map((tag) => tag.slug));
    expect(household.connections.every((connection) => members?.has(connection.member))).toBe(true);
    expect(
      household.accounts.every((account) => connections?.has(account.connection) && members?.has(account.owner)),
    ).toBe(true);
    const lost = rows.filter(
      (row) =>
        !accounts?.has(row.account) ||
        !counterparties.has(row.counterparty) ||
        !series.has(row.series) ||
        row.tags.some((tag) => !tags.has(tag)),
    );
    expect(lost).toEqual([]);
    expect(household.accounts.length).toBe(6);
    expect(household.members.map((member) => member.kind)).toEqual(['admin', 'member', 'dependent']);
  });

  it('keeps what the service will check: unique names, web addresses, codes, dates, colours', () => {
    for (const list of [household.counterparties, household.series, household.tags])
      expect(new Set(list.map((one) => fold(one.name))).size).toBe(list.length);
    for (const { website_url, mcc } of household.counterparties) {
      expect(website_url === null || website_url.startsWith('https://')).toBe(true);
      expect(mcc ?? '0000').toMatch(/^\d{4}$/);
    }
    for (const tag of household.tags) expect(tag.slug).toMatch(/^[a-z0-9]([a-z0-9:-]*[a-z0-9])?$/);
    expect(rows.every((row) => row.name.trim() === row.name && row.name.length > 0 && !/[%@{}]/.test(row.name))).toBe(
      true,
    );
    expect(rows.every((row) => isDateOnly(row.date) && (row.authorized_date ?? row.date) <= row.date)).toBe(true);
  });
});
