import { branches, codes, fixed, free, habit, HOLIDAYS, retail, WARM } from './habit.ts';
import type { Habit } from './habit.ts';

/** Fun, care, people, cash and what the bank takes. */
export const SERVICES: readonly Habit[] = [
  habit(
    'medical_pharmacies_and_supplements',
    3,
    free(1800, 0.7),
    [
      branches('Walgreens', 'WALGREENS #%%%%% {city}', 25),
      branches('CVS Pharmacy', 'CVS/PHARMACY #%%%%% {city}', 22),
      fixed('Hilltop Apothecary', 'HILLTOP APOTHECARY PORTLAND OR'),
    ],
    { mcc: '5912', tag: 'tax-deductible', tagged: 0.1 },
  ),
  habit(
    'entertainment_sporting_events_amusement_parks_and_museums',
    1.2,
    free(6500, 0.6),
    [
      fixed('Oregon Zoo', 'OREGON ZOO PORTLAND OR'),
      codes('Ticketmaster', 'TM *TICKETS %%%%%% 800-653-8000', 200, { channel: 'online' }),
      fixed('OMSI', 'OMSI PORTLAND OR'),
    ],
    { weekend: 2.2, season: WARM, mcc: '7999' },
  ),
  habit(
    'entertainment_tv_and_movies',
    1,
    free(2900, 0.4),
    [fixed('Laurelhurst Theater', 'LAURELHURST THEATER PORTLAND')],
    {
      weekend: 2,
      mcc: '7832',
    },
  ),
  habit(
    'entertainment_video_games',
    0.8,
    retail(2300, 0.6),
    [codes('Steam', 'STEAMGAMES.COM %%%%%%', 20, { site: 'https://store.steampowered.com' })],
    {
      channel: 'online',
      mcc: '5816',
    },
  ),
  habit(
    'personal_care_hair_and_beauty',
    1,
    free(5500, 0.4),
    [fixed('Shear Delight', 'SQ *SHEAR DELIGHT'), fixed('Bishops Barbershop', 'BISHOPS CUTS/COLOR PORTLAND')],
    {
      weekend: 1.5,
      mcc: '7230',
    },
  ),
  habit(
    'personal_care_laundry_and_dry_cleaning',
    0.5,
    free(2100, 0.4),
    [fixed('Sunrise Cleaners', 'SUNRISE CLEANERS PORTLAND')],
    {
      mcc: '7216',
    },
  ),
  habit(
    'medical_primary_care',
    0.6,
    { menu: [2500, 3500, 4000, 12_000] },
    [codes('Northwest Family Medicine', 'NW FAMILY MED %%%%%', 8)],
    {
      weekend: 0.1,
      mcc: '8011',
      tag: 'tax-deductible',
      tagged: 0.5,
    },
  ),
  habit('medical_dental_care', 0.3, free(11_000, 0.7), [fixed('Bright Smile Dental', 'BRIGHT SMILE DENTAL PC')], {
    weekend: 0.1,
    mcc: '8021',
  }),
  habit('medical_veterinary_services', 0.3, free(12_500, 0.6), [fixed('Rose City Vet', 'ROSE CITY VETERINARY HOSP')], {
    mcc: '0742',
  }),
  habit(
    'general_services_automotive',
    0.4,
    free(9500, 0.9),
    [branches('Les Schwab', 'LES SCHWAB TIRES #%%% {city}', 6), fixed('Kaady Car Wash', 'KAADY CAR WASH PORTLAND OR')],
    {
      mcc: '7538',
    },
  ),
  habit(
    'general_services_postage_and_shipping',
    0.6,
    free(1400, 0.5),
    [branches('USPS', 'USPS PO 4067%%%%%% {city}', 9)],
    {
      weekend: 0.4,
      season: HOLIDAYS,
      mcc: '9402',
    },
  ),
  habit(
    'general_services_education',
    0.4,
    free(6500, 0.6),
    [codes('Portland Public Schools', 'PPS SCHOOLPAY %%%%%%', 80, { channel: 'online' })],
    {
      weekend: 0.3,
      tag: 'kids',
      tagged: 0.8,
      mcc: '8211',
    },
  ),
  habit(
    'government_and_non_profit_donations',
    0.4,
    { menu: [2500, 5000, 10_000] },
    [codes('Oregon Food Bank', 'OREGON FOOD BANK DON %%%%', 60), fixed('Wikimedia', 'WIKIMEDIA 877-600-9454')],
    {
      channel: 'online',
      season: HOLIDAYS,
      tag: 'tax-deductible',
      tagged: 0.9,
      mcc: '8398',
    },
  ),
  habit(
    'government_and_non_profit_government_departments_and_agencies',
    0.2,
    free(8600, 0.6),
    [fixed('Oregon DMV', 'OREGON DMV 503-945-5000')],
    {
      weekend: 0,
      mcc: '9399',
    },
  ),
  habit(
    'transfer_out_other',
    2.4,
    free(4500, 0.9),
    [
      codes('Venmo', 'VENMO PAYMENT %%%%%%%%', 8000, { known: false }),
      codes('Zelle', 'ZELLE TO JORDAN P CONF# @@@@@@', 5000, { known: false }),
      codes('Check', 'CHECK %%%%', 900, { known: false }),
    ],
    { card: 0, channel: 'other', unknown: 0.55, weekend: 1.1 },
  ),
  habit(
    'transfer_out_withdrawal',
    1.4,
    { median: 8000, spread: 0.5, ends: 'notes' },
    [branches('Cash', 'ATM WITHDRAWAL 00%%%% {city}', 40, { known: false })],
    {
      card: 0,
      mcc: '6011',
      leads: 'atm-fee',
      weekend: 1.4,
    },
  ),
  habit(
    'bank_fees_other',
    0.12,
    { menu: [300, 1200, 1500] },
    [fixed('First Harbor Bank', 'MONTHLY SERVICE FEE', { channel: 'other' })],
    {
      card: 0,
    },
  ),
  habit(
    'bank_fees_overdraft_fees',
    0.03,
    { menu: [3400] },
    [fixed('Overdraft', 'OVERDRAFT ITEM FEE', { channel: 'other', known: false })],
    {
      card: 0,
    },
  ),
  habit('bank_fees_foreign_transaction_fees', 0, free(100, 0), [
    fixed('Foreign transaction fee', 'FOREIGN TRANSACTION FEE', { channel: 'other', known: false }),
  ]),
  habit(
    'bank_fees_atm_fees',
    0,
    { menu: [300, 350] },
    [fixed('ATM fee', 'NON-HARBOR ATM FEE', { channel: 'other', known: false })],
    { card: 0 },
  ),
];
