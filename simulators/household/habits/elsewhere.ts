import { branches, codes, dated, fixed, free, habit, retail } from './habit.ts';
import type { Habit, Sketch } from './habit.ts';
import { BERLIN, POCKET } from '../people.ts';

const berlin = { account: BERLIN, card: 0, when: 'berlin', unknown: 0.12, tag: 'work:berlin', tagged: 0.25 } as const;
const pocket = { account: POCKET, card: 0, tag: 'kids', tagged: 0.05 } as const;

/** Ben's weeks in Berlin, paid in euro. */
export const IN_BERLIN: readonly Habit[] = [
  habit(
    'food_and_drink_groceries',
    4,
    free(2300, 0.6),
    [
      codes('REWE', 'POS %%%% REWE SAGT DANKE 44', 40, { site: 'https://www.rewe.de' }),
      codes('EDEKA', 'EDEKA BERLIN//BERLIN/DE TERMINAL %%%%', 45),
      branches('LIDL', 'LIDL DIENSTLEISTUNG %%%% BERLIN', 12),
    ],
    { ...berlin, mcc: '5411' },
  ),
  habit(
    'food_and_drink_coffee',
    3,
    { menu: [290, 320, 350, 480, 560, 790] },
    [dated('Bäckerei Müller', 'Bäckerei Müller {dm} Berlin'), fixed('Café Morgenrot', 'CAFÉ MORGENROT BERLIN')],
    { ...berlin, mcc: '5462', leads: 'twin' },
  ),
  habit(
    'food_and_drink_restaurant',
    1.6,
    free(2600, 0.5),
    [fixed('Zur Letzten Instanz', 'ZUR LETZTEN INSTANZ BERLIN'), fixed('Döner Königin', 'SumUp *Döner Königin Berlin')],
    { ...berlin, mcc: '5812' },
  ),
  habit(
    'transportation_public_transit',
    1.6,
    { menu: [350, 350, 990, 1990, 4590] },
    [
      codes('Deutsche Bahn', 'DB VERTRIEB GMBH @@@@@@', 30, { channel: 'online', site: 'https://www.bahn.de' }),
      fixed('BVG', 'BVG TICKET APP BERLIN'),
    ],
    { ...berlin, mcc: '4112' },
  ),
  habit(
    'general_merchandise_other',
    0.9,
    free(1700, 0.7),
    [
      branches('dm-drogerie markt', 'DM-DROGERIE MARKT %%%% BERLIN', 9),
      fixed('Großmarkt Übersee', 'GROSSMARKT UEBERSEE GMBH'),
    ],
    {
      ...berlin,
      mcc: '5977',
    },
  ),
];

/** What Mia buys. */
export const POCKET_MONEY: readonly Habit[] = [
  habit(
    'food_and_drink_restaurant',
    1.4,
    free(900, 0.4),
    [branches('Bubble Bee Tea', 'BUBBLE BEE TEA %% PORTLAND', 4), fixed('Pizzicato', 'PIZZICATO PORTLAND OR')],
    {
      ...pocket,
      weekend: 2,
    },
  ),
  habit('general_merchandise_electronics', 0.3, retail(1900, 0.4), [codes('GameStop', 'GAMESTOP #%%%%', 25)], {
    ...pocket,
    refundable: true,
  }),
  habit(
    'general_merchandise_clothing_and_accessories',
    0.5,
    retail(1700, 0.4),
    [branches('Hot Topic', 'HOT TOPIC %%%% PORTLAND', 3)],
    { ...pocket, weekend: 2 },
  ),
  habit(
    'entertainment_video_games',
    0.8,
    { menu: [499, 999, 1999] },
    [codes('Roblox', 'ROBLOX.COM @@@@', 12, { channel: 'online' })],
    { ...pocket, weekend: 1.6 },
  ),
];

const away = { card: 0.9, when: 'trip', tag: 'summer-trip', tagged: 0.75, leads: 'foreign-fee' } as const;
const meal = { slug: 'food_and_drink_restaurant', mcc: '5812' };
const coffee = { slug: 'food_and_drink_coffee', mcc: '5814' };
const groceries = { slug: 'food_and_drink_groceries', mcc: '5411' };
const transit = { slug: 'transportation_public_transit', mcc: '4111' };
const sight = { slug: 'entertainment_sporting_events_amusement_parks_and_museums', mcc: '7991' };
const shop = { slug: 'general_merchandise_gifts_and_novelties', mcc: '5947' };
const TRIPS: Sketch[][] = [
  [
    dated('Café Zoë', 'Café Zoë {dm} Amsterdam NL', coffee),
    fixed('De Pijp Bistro', 'CCV*BISTRO DE PIJP AMSTERDAM', meal),
    codes('NS Reizigers', 'NS GROEP IZ NS REIZIGERS %%%', 60, transit),
    branches('Albert Heijn', 'ALBERT HEIJN %%%% AMSTERDAM', 9, groceries),
    fixed('Rijksmuseum', 'RIJKSMUSEUM AMSTERDAM NL', sight),
    fixed('Crème Glacée', 'Crème Glacée Utrecht NL', shop),
  ],
  [
    dated('Łódź Market', 'Łódź Market {dm} Łódź PL', groceries),
    fixed('Pierogarnia Stary Młyn', 'PIEROGARNIA STARY MŁYN KRAKÓW', meal),
    branches('Żabka', 'ŻABKA Z%%%% WARSZAWA PL', 15, groceries),
    fixed('Kawiarnia Różana', 'KAWIARNIA RÓŻANA GDAŃSK', coffee),
    codes('PKP Intercity', 'PKP INTERCITY %%%%', 60, transit),
    fixed('Wieliczka Salt Mine', 'KOPALNIA SOLI WIELICZKA', sight),
  ],
  [
    codes('東京ラーメン', '東京ラーメン 新宿 %%', 12, meal),
    branches('ファミリーマート', 'ファミリーマート %%% TOKYO JP', 20, groceries),
    fixed('喫茶さくら', '喫茶さくら KYOTO JP', coffee),
    codes('JR East', 'MOBILE SUICA JR EAST %%%', 80, transit),
    fixed('teamLab Planets', 'TEAMLAB PLANETS TOKYO', sight),
    fixed('伊東屋', '伊東屋 銀座 TOKYO JP', shop),
  ],
  [
    dated('Pâtisserie Éclair', 'PÂTISSERIE ÉCLAIR {dm} PARIS', coffee),
    fixed('Chez François', 'CHEZ FRANCOIS 75011 PARIS FR', meal),
    branches('Monoprix', 'MONOPRIX %%%% PARIS FR', 8, groceries),
    codes('RATP', 'RATP PARIS %%%%', 60, transit),
    fixed('Musée d’Orsay', 'MUSEE D ORSAY PARIS FR', sight),
    fixed('Fnac', 'FNAC PARIS FORUM', shop),
  ],
];
/** One per destination; the summers take turns. */
export const ON_TRIPS: readonly Habit[] = TRIPS.map((merchants, trip) =>
  habit('travel_other', 1, free(2900, 0.8), merchants, { ...away, trip }),
);
