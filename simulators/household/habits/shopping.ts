import { branches, codes, fixed, free, habit, HOLIDAYS, retail, SEASONAL_CLOTHES, WARM } from './habit.ts';
import type { Habit } from './habit.ts';

/** Things bought, much of which can be returned. */
export const SHOPPING: readonly Habit[] = [
  habit(
    'general_merchandise_clothing_and_accessories',
    3,
    retail(5200, 0.6),
    [
      branches('Nordstrom Rack', 'NORDSTROM RACK #%%% {city}', 8),
      branches('Old Navy', 'OLD NAVY US %%%% {city}', 14),
      codes('Zappos', 'ZAPPOS.COM*@@@@@@ 888-492-7767 NV', 60, { channel: 'online', site: 'https://www.zappos.com' }),
      branches('H&M', 'H&M0%%%USA {city}', 10),
      fixed('Wool & Thread', 'SQ *WOOL AND THREAD'),
    ],
    { weekend: 1.6, season: SEASONAL_CLOTHES, mcc: '5651', refundable: true, tag: 'kids', tagged: 0.15 },
  ),
  habit(
    'general_merchandise_online_marketplaces',
    9,
    retail(2700, 0.8),
    [
      codes('Amazon', 'AMZN MKTP US*@@@@@@ AMZN.COM/BILL WA', 30_000, { site: 'https://www.amazon.com' }),
      fixed('Amazon', 'AMAZON.COM SEATTLE WA'),
      codes('Etsy', 'PAYPAL *ETSY INC %%%%%%', 9000, { site: 'https://www.etsy.com' }),
      codes('eBay', 'EBAY O*%%-%%%%%-%%%%%', 8000, { site: 'https://www.ebay.com' }),
      fixed('Temu', 'TEMU.COM BOSTON MA'),
    ],
    { season: HOLIDAYS, mcc: '5999', channel: 'online', refundable: true, card: 0.92 },
  ),
  habit(
    'general_merchandise_electronics',
    1,
    retail(9900, 0.9),
    [
      branches('Best Buy', 'BESTBUYCOM%%%%%% {city}', 12),
      codes('Newegg', 'NEWEGG INC. %%%%%%%', 12, { channel: 'online' }),
      branches('Apple Store', 'APPLE STORE #R%%% {city}', 4),
    ],
    { season: HOLIDAYS, mcc: '5732', refundable: true },
  ),
  habit(
    'general_merchandise_superstores',
    4,
    retail(6200, 0.6),
    [
      branches('Target', 'TARGET 0000%%%% {city}', 20, { site: 'https://www.target.com' }),
      branches('Costco', 'COSTCO WHSE #0%%% {city}', 8),
      branches('Walmart', 'WM SUPERCENTER #%%%% {city}', 16),
    ],
    { weekend: 1.7, mcc: '5310', refundable: true },
  ),
  habit(
    'home_improvement_hardware',
    1.6,
    retail(3400, 0.8),
    [
      branches('Home Depot', 'THE HOME DEPOT #%%%% {city}', 10),
      fixed('Pearl Hardware', 'PEARL ACE HARDWARE PORTLAND OR'),
    ],
    { weekend: 2, season: WARM, mcc: '5200', refundable: true },
  ),
  habit(
    'home_improvement_furniture',
    0.4,
    retail(12_900, 0.8),
    [
      fixed('IKEA', 'IKEA PORTLAND 028 PORTLAND OR'),
      codes('Wayfair', 'WAYFAIR*WAYFAIR %%%%%%', 400, { channel: 'online' }),
    ],
    { weekend: 1.5, mcc: '5712', refundable: true },
  ),
  habit(
    'general_merchandise_bookstores_and_newsstands',
    1.2,
    retail(1900, 0.4),
    [
      branches("Powell's Books", 'POWELLS BOOKS # %', 5, { site: 'https://www.powells.com' }),
      fixed('Page & Ink', 'SQ *PAGE AND INK'),
    ],
    { weekend: 1.4, season: HOLIDAYS, mcc: '5942' },
  ),
  habit(
    'general_merchandise_pet_supplies',
    1.5,
    free(3600, 0.5),
    [codes('Chewy', 'CHEWY.COM %%%-%%%%', 20, { channel: 'online' }), branches('Petco', 'PETCO %%%% {city}', 8)],
    { mcc: '5995' },
  ),
  habit('general_merchandise_sporting_goods', 0.8, retail(5600, 0.6), [branches('REI', 'REI #%% {city}', 6)], {
    weekend: 1.6,
    season: WARM,
    mcc: '5941',
    refundable: true,
  }),
  habit(
    'general_merchandise_gifts_and_novelties',
    0.8,
    retail(2800, 0.5),
    [fixed('Tender Loving Empire', 'SQ *TENDER LOVING')],
    {
      weekend: 1.5,
      season: HOLIDAYS,
      mcc: '5947',
    },
  ),
  habit(
    'general_merchandise_other',
    1.2,
    retail(2400, 0.7),
    [codes('Shop Pay', 'SP %%%% ONLINE SHOP @@@@', 8000, { known: false })],
    {
      channel: 'online',
      unknown: 0.35,
      refundable: true,
    },
  ),
];
