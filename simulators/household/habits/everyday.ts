import { branches, codes, dated, fixed, free, habit, WARM } from './habit.ts';
import type { Habit } from './habit.ts';

/** Food and getting around, at home. */
export const EVERYDAY: readonly Habit[] = [
  habit(
    'food_and_drink_groceries',
    17,
    free(4200, 0.65),
    [
      branches('Fred Meyer', 'FRED-MEYER #%%%% {city}', 24, { site: 'https://www.fredmeyer.com' }),
      branches("Trader Joe's", 'TRADER JOE S #%%% {city}', 18, { site: 'https://www.traderjoes.com' }),
      branches('Safeway', 'SAFEWAY #%%%% {city}', 30, { site: 'https://www.safeway.com' }),
      branches('Whole Foods Market', 'WHOLEFDS PDX %%%%% {city}', 14),
      fixed('Green Leaf Co-op', 'SQ *GREEN LEAF COOP'),
      branches('WinCo Foods', 'WINCO FOODS #%% {city}', 9),
      fixed('Saturday Farmers Market', 'TST* SATURDAY MKT PORTLAND OR', { mcc: '5499' }),
      codes('Instacart', 'IC* INSTACART @@@@@@ HTTPSINSTACAR CA', 40, { channel: 'online' }),
    ],
    { weekend: 1.6, mcc: '5411' },
  ),
  habit(
    'food_and_drink_coffee',
    12,
    { menu: [425, 475, 495, 525, 550, 595, 650, 725, 895, 1150] },
    [
      dated('Corner Cafe', 'SQ *CORNER CAFE {md}', { site: 'https://cornercafe.example' }),
      branches('Starbucks', 'STARBUCKS STORE %%%%% {city}', 60, { site: 'https://www.starbucks.com' }),
      fixed('Stump Road Roasters', 'SQ *STUMP ROAD ROASTERS'),
      branches('Dutch Bros', 'DUTCH BROS OR%%%% {city}', 25),
      fixed('Bluebird Espresso', 'TST* BLUEBIRD ESPRESSO'),
    ],
    { weekend: 0.7, mcc: '5814', leads: 'twin', unknown: 0.04 },
  ),
  habit(
    'food_and_drink_restaurant',
    8,
    free(3800, 0.55),
    [
      fixed('Pho Saigon', 'TST* PHO SAIGON'),
      fixed('Luigi’s Trattoria', 'LUIGIS TRATTORIA PORTLAND OR'),
      fixed('Taqueria El Sol', 'SQ *TAQUERIA EL SOL'),
      branches('Red Robin', 'RED ROBIN NO %%% {city}', 12),
      fixed('Café Olé', 'CAFE OLE PORTLAND OR'),
      fixed('Noodle House', 'TST* NOODLE HOUSE PORTLAND OR'),
      fixed('Smoke & Barrel BBQ', 'SMOKE & BARREL BBQ PORTLAND'),
      branches('Thai Basil', 'THAI BASIL %% {city}', 6),
      codes('Toast pickup', 'TOAST PICKUP ORDER %%%%%', 3000, { known: false, channel: 'online' }),
    ],
    { weekend: 1.8, mcc: '5812' },
  ),
  habit(
    'food_and_drink_fast_food',
    5,
    free(1250, 0.4),
    [
      branches("McDonald's", "MCDONALD'S F%%%%% {city}", 40),
      branches('Chipotle', 'CHIPOTLE %%%% {city}', 22),
      branches('Burgerville', 'BURGERVILLE #%% {city}', 14),
      branches('Subway', 'SUBWAY %%%%% {city}', 30),
    ],
    { mcc: '5814' },
  ),
  habit(
    'food_and_drink_delivery',
    4,
    free(3100, 0.4),
    [
      codes('DoorDash', 'DD *DOORDASH @@@@@@ 855-973-1040 CA', 45, { site: 'https://www.doordash.com' }),
      fixed('Uber Eats', 'UBER   EATS HELP.UBER.COM CA'),
      codes('Grubhub', 'GRUBHUB*%%%%%% NEW YORK NY', 20),
    ],
    { weekend: 1.5, mcc: '5812', channel: 'online', reported: 'food_and_drink_restaurant', card: 0.9 },
  ),
  habit(
    'transportation_gas',
    5,
    free(4300, 0.28),
    [
      branches('Shell', 'SHELL OIL 5744%%%%%%% {city}', 45),
      branches('Chevron', 'CHEVRON 0%%%%%% {city}', 40),
      branches('Costco Gas', 'COSTCO GAS #0%%% {city}', 6),
      branches('Space Age Fuel', 'SPACE AGE FUEL %% {city}', 10),
    ],
    { season: WARM, mcc: '5541' },
  ),
  habit(
    'transportation_public_transit',
    5,
    { menu: [140, 280, 280, 280, 560, 1000] },
    [
      codes('TriMet', 'TRIMET HOP FASTPASS %%%%', 12, { site: 'https://trimet.org' }),
      fixed('Portland Streetcar', 'PDX STREETCAR TVM PORTLAND OR'),
    ],
    { weekend: 0.3, mcc: '4111' },
  ),
  habit(
    'transportation_taxis_and_ride_shares',
    3,
    free(1700, 0.5),
    [
      codes('Lyft', 'LYFT *RIDE @@@@@', 60, { channel: 'online' }),
      fixed('Uber', 'UBER   TRIP HELP.UBER.COM CA', { channel: 'online' }),
      codes('Radio Cab', 'RADIO CAB %%%%', 12),
    ],
    { weekend: 1.5, mcc: '4121', tag: 'reimbursable', tagged: 0.12 },
  ),
  habit(
    'transportation_parking',
    2,
    free(750, 0.6),
    [
      codes('Parking Kitty', 'PARKING KITTY %%%%% 503-823-2500', 35),
      branches('SmartPark', 'SMARTPARK GARAGE %% PORTLAND', 7),
    ],
    { mcc: '7523' },
  ),
  habit(
    'transportation_tolls',
    0.6,
    { menu: [200, 300, 325] },
    [codes('BreezeBy', 'BREEZEBY HOOD RIVER BR %%%%', 12)],
    {
      season: WARM,
      mcc: '4784',
    },
  ),
  habit(
    'general_merchandise_convenience_stores',
    2.5,
    free(900, 0.5),
    [branches('7-Eleven', '7-ELEVEN %%%%% {city}', 35), branches('Plaid Pantry', 'PLAID PANTRY %%% {city}', 30)],
    { mcc: '5499' },
  ),
  habit(
    'food_and_drink_beer_wine_and_liquor',
    1.6,
    free(2800, 0.5),
    [fixed('Cork & Cask', 'CORK AND CASK WINE SHOP'), fixed('Hopworks Taproom', 'TST* HOPWORKS PORTLAND')],
    { weekend: 2, mcc: '5921' },
  ),
  habit(
    'food_and_drink_vending_machines',
    0.8,
    { menu: [175, 200, 225, 250] },
    [codes('Canteen', 'CTLP*CANTEEN VEND %%%%', 10)],
    {
      weekend: 0.3,
      mcc: '5814',
    },
  ),
];
