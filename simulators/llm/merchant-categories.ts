/** What a bank calls a merchant, and the category that leaves no doubt. Checked in this order: the particular first. */
const MERCHANTS: readonly (readonly [RegExp, string])[] = [
  [/uber\s+eats|doordash|grubhub|instacart delivery/i, 'food_and_drink_delivery'],
  [/costco gas|shell oil|chevron|space age fuel|\barco\b/i, 'transportation_gas'],
  [/uber\s+trip|\blyft\b|radio cab|taxi/i, 'transportation_taxis_and_ride_shares'],
  [
    /fred.?meyer|trader joe|safeway|wholefds|whole foods|winco|coop\b|saturday m|instacart|rewe|edeka|lidl|aldi/i,
    'food_and_drink_groceries',
  ],
  [/starbucks|dutch bros|stump road|bluebird|corner cafe|b.ckerei|caf. (zo|morgenrot)/i, 'food_and_drink_coffee'],
  [
    /pho saigon|trattoria|taqueria|red robin|cafe ole|noodle house|smoke & barrel|thai basil|letzten instanz|pizzicato/i,
    'food_and_drink_restaurant',
  ],
  [/mcdonald|chipotle|burgerville|\bsubway\b|d.ner/i, 'food_and_drink_fast_food'],
  [/cork and cask|hopworks|wine shop/i, 'food_and_drink_beer_wine_and_liquor'],
  [/trimet|streetcar|\bbvg\b|db vertrieb|pkp intercity/i, 'transportation_public_transit'],
  [/parking|smartpark/i, 'transportation_parking'],
  [/home depot|ace hardware/i, 'home_improvement_hardware'],
  [/ikea|wayfair/i, 'home_improvement_furniture'],
  [/wm supercenter|walmart|\btarget\b|costco/i, 'general_merchandise_superstores'],
  [/7-eleven|plaid pantry/i, 'general_merchandise_convenience_stores'],
  [/\brei\b/i, 'general_merchandise_sporting_goods'],
  [/h&m|old navy|nordstrom|hot topic|zappos|wool and/i, 'general_merchandise_clothing_and_accessories'],
  [/best ?buy|newegg|apple store/i, 'general_merchandise_electronics'],
  [/powells|page and/i, 'general_merchandise_bookstores_and_newsstands'],
  [/petco|chewy|barkbox/i, 'general_merchandise_pet_supplies'],
  [/tender loving/i, 'general_merchandise_gifts_and_novelties'],
  [/walgreens|cvs|apothecary|dm-drogerie/i, 'medical_pharmacies_and_supplements'],
  [/family med/i, 'medical_primary_care'],
  [/cleaners/i, 'personal_care_laundry_and_dry_cleaning'],
  [/theater|cinema/i, 'entertainment_tv_and_movies'],
  [/steamgames|roblox/i, 'entertainment_video_games'],
  [/\bzoo\b|omsi|tm \*tickets/i, 'entertainment_sporting_events_amusement_parks_and_museums'],
  [/food bank|wikimedia/i, 'government_and_non_profit_donations'],
  [/usps/i, 'general_services_postage_and_shipping'],
];

/** The category of a merchant, among those that there are; undefined if it takes a person to tell. */
export function categoryOfMerchant(name: string, slugs: ReadonlySet<string>): string | undefined {
  const slug = MERCHANTS.find(([pattern]) => pattern.test(name))?.[1];
  return slug !== undefined && slugs.has(slug) ? slug : undefined;
}
