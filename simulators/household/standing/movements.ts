import { BERLIN, CARD, CHECKING, POCKET, SAVINGS } from '../people.ts';
import { standing } from './standing.ts';
import type { Standing } from './standing.ts';

const WAGES = { series: 'other', sum: 'salary', businessDays: true } as const;

/** The share of all pay, in percent, stands where others have a price. */
export const WAGES_PAID: readonly Standing[] = [15, 31].flatMap((day) => [
  standing(
    'salary-ada',
    'Meridian Robotics',
    day,
    58,
    [{ account: CHECKING, text: 'MERIDIAN ROBOTICS DES:PAYROLL ID:XXXXX4471', slug: 'income_wages' }],
    WAGES,
  ),
  standing(
    'salary-ben',
    'Lumen Health',
    day,
    42,
    [{ account: CHECKING, text: 'LUMEN HEALTH PAYROLL PPD ID: 9111038264', slug: 'income_wages' }],
    WAGES,
  ),
]);

/** Between own accounts, and what banks and the state pay. */
export const MOVEMENTS: readonly Standing[] = [
  standing(
    'card-payment',
    'Credit card payment',
    24,
    0,
    [
      { account: CHECKING, text: 'HARBOR VISA AUTOPAY ...3310', slug: 'loan_payments_credit_card_payment' },
      { account: CARD, text: 'AUTOPAY PAYMENT - THANK YOU', slug: 'loan_payments_credit_card_payment' },
    ],
    { series: null, counterparty: null, sum: 'statement' },
  ),
  standing(
    'to-savings',
    'Monthly saving',
    28,
    0,
    [
      {
        account: CHECKING,
        text: 'Online Transfer to SAV ...6789 transaction#: %%%%%%%%',
        slug: 'transfer_out_savings',
      },
      {
        account: SAVINGS,
        text: 'Online Transfer from CHK ...4821 transaction#: %%%%%%%%',
        slug: 'transfer_in_savings',
      },
    ],
    { series: 'other', counterparty: null, sum: 'sweep', channel: 'online' },
  ),
  standing(
    'pocket-money',
    'Pocket money',
    1,
    0,
    [
      { account: CHECKING, text: 'ZELLE TO MIA KELLER POCKET MONEY', slug: 'transfer_out_account_transfer' },
      { account: POCKET, text: 'ZELLE FROM ADA KELLER', slug: 'transfer_in_account_transfer' },
    ],
    { series: 'other', counterparty: null, sum: 'pocket', channel: 'online' },
  ),
  standing(
    'savings-interest',
    'Interest',
    31,
    0,
    [{ account: SAVINGS, text: 'INTEREST PAYMENT', slug: 'income_interest_earned' }],
    { series: null, counterparty: null, sum: 'savings-interest' },
  ),
  standing(
    'tax-refund',
    'Internal Revenue Service',
    10,
    -184_300,
    [{ account: CHECKING, text: 'IRS TREAS 310 TAX REF PPD ID: %%%%%%%%', slug: 'income_tax_refund' }],
    { series: null, everyMonths: 12, businessDays: true },
  ),
];

export const BERLIN_ORDERS: readonly Standing[] = [
  standing(
    'honorar',
    'Nordlicht Verlag',
    26,
    100,
    [{ account: BERLIN, text: 'GUTSCHRIFT NORDLICHT VERLAG GMBH HONORAR RG %%%%', slug: 'income_wages' }],
    { series: 'other', sum: 'fees', businessDays: true },
  ),
  standing(
    'transit-pass',
    'Deutschlandticket',
    2,
    [
      [Infinity, 4900],
      [16, 5800],
      [4, 6300],
    ],
    [{ account: BERLIN, text: 'LASTSCHRIFT BVG ABO DEUTSCHLANDTICKET', slug: 'transportation_public_transit' }],
    { series: 'subscription', businessDays: true },
  ),
  standing(
    'telekom',
    'Telekom',
    13,
    [
      [Infinity, 1995],
      [23, 2495],
    ],
    [{ account: BERLIN, text: 'LASTSCHRIFT TELEKOM DEUTSCHLAND FESTNETZ', slug: 'rent_and_utilities_telephone' }],
    { businessDays: true, site: 'https://www.telekom.de' },
  ),
  standing(
    'broadcasting',
    'Rundfunk ARD ZDF DRadio',
    15,
    5508,
    [{ account: BERLIN, text: 'LASTSCHRIFT RUNDFUNK ARD, ZDF, DRADIO', slug: 'government_and_non_profit_other' }],
    { everyMonths: 3, businessDays: true },
  ),
];

const ON_THE_ROAD = { series: null, channel: 'online', everyMonths: 0 } as const;
/** Paid around each summer trip: so many days before it starts. */
export const TRIP_BOOKINGS: readonly { daysBefore: number; key: string }[] = [
  { daysBefore: 76, key: 'flights' },
  { daysBefore: 41, key: 'lodging' },
  { daysBefore: -1, key: 'rental-car' },
];
export const BOOKINGS: readonly Standing[] = [
  standing(
    'flights',
    'Alaska Airlines',
    1,
    238_640,
    [{ account: CARD, text: 'ALASKA A 027%%%%%%%%%% SEATTLE WA', slug: 'travel_flights' }],
    { ...ON_THE_ROAD, mcc: '4511', site: 'https://www.alaskaair.com' },
  ),
  standing(
    'lodging',
    'Booking.com',
    1,
    164_290,
    [{ account: CARD, text: 'BKG*HOTEL AT BOOKING.COM %%%%%%', slug: 'travel_lodging' }],
    { ...ON_THE_ROAD, mcc: '7011', site: 'https://www.booking.com' },
  ),
  standing(
    'rental-car',
    'Sixt',
    1,
    41_750,
    [{ account: CARD, text: 'SIXT RENT A CAR %%%%%%', slug: 'travel_rental_cars' }],
    { ...ON_THE_ROAD, mcc: '7512' },
  ),
];
