import type { CategoriesTable } from '../../db/schema.ts';
import type { ReadTx } from '../../db/unit-of-work.ts';
import { fold } from '../../kernel/fold.ts';
import { selectCategories } from './categories.queries.ts';

/** What a provider or a file says about the category of a transaction. */
export interface ProviderCategory {
  provider: string;
  primary: string | null;
  detailed: string | null;
  /** Positive = money out. */
  amountCents: number;
}

/** UUID of the category that a provider's text stands for, or null (contract 10.10.5). */
export type ProviderMapping = (source: ProviderCategory) => string | null;

/** Reads the categories once, for any number of transactions. */
export async function providerMapping(tx: ReadTx): Promise<ProviderMapping> {
  const rows = await selectCategories(tx);
  const byId = new Map(rows.map((row) => [row.id, row]));
  const bySlug = new Map(rows.map((row) => [row.slug, row]));
  const named = fileCategories(rows, bySlug);
  return (source) => {
    const found = source.provider === 'csv' ? named(source.primary) : firstOf(slugsOf(source), bySlug);
    return found ? liveIdOf(found, byId) : null;
  };
}

/** Slugs to try for a provider's category, best first. */
function slugsOf({ provider, primary, detailed, amountCents }: ProviderCategory): string[] {
  const group = primary?.toLowerCase() ?? '';
  if (provider === 'plaid') return [plaidSlug(group, detailed?.toLowerCase() ?? ''), group];
  if (provider !== 'teller') return [];
  if (group === 'investment') {
    return [`transfer_${amountCents > 0 ? 'out' : 'in'}_investment_and_retirement_funds`];
  }
  const slug = TELLER.get(group);
  return slug === undefined ? [] : [slug];
}

/** `TRANSFER_IN_OTHER_TRANSFER_IN` is `transfer_in_other` in the tree. */
function plaidSlug(group: string, detailed: string): string {
  const other = `${group}_other`;
  return group !== '' && detailed.startsWith(`${other}_`) ? other : detailed;
}

const TELLER: ReadonlyMap<string, string> = new Map([
  ['accommodation', 'travel_lodging'],
  ['advertising', 'general_services_other'],
  ['bar', 'food_and_drink_beer_wine_and_liquor'],
  ['charity', 'government_and_non_profit_donations'],
  ['clothing', 'general_merchandise_clothing_and_accessories'],
  ['dining', 'food_and_drink_restaurant'],
  ['education', 'general_services_education'],
  ['electronics', 'general_merchandise_electronics'],
  ['entertainment', 'entertainment_other'],
  ['fuel', 'transportation_gas'],
  ['general', 'general_merchandise_other'],
  ['groceries', 'food_and_drink_groceries'],
  ['health', 'medical_other'],
  ['home', 'home_improvement_other'],
  ['income', 'income_other'],
  ['insurance', 'general_services_insurance'],
  ['loan', 'loan_payments_other'],
  ['office', 'general_services_other'],
  ['phone', 'rent_and_utilities_telephone'],
  ['service', 'general_services_other'],
  ['shopping', 'general_merchandise_other'],
  ['software', 'general_services_other'],
  ['sport', 'entertainment_sporting_events_amusement_parks_and_museums'],
  ['tax', 'government_and_non_profit_tax_payment'],
  ['transport', 'transportation_other'],
  ['transportation', 'transportation_other'],
  ['utilities', 'rent_and_utilities_other'],
]);

function firstOf(slugs: readonly string[], bySlug: ReadonlyMap<string, CategoriesTable>): CategoriesTable | undefined {
  for (const slug of slugs) {
    const found = bySlug.get(slug);
    if (found) return found;
  }
  return undefined;
}

/** The category that a text in a file stands for: a slug, or the name of exactly one live category. Cached by text. */
function fileCategories(
  rows: readonly CategoriesTable[],
  bySlug: ReadonlyMap<string, CategoriesTable>,
): (text: string | null) => CategoriesTable | undefined {
  const byName = Map.groupBy(
    rows.filter((row) => row.is_archived === 0),
    (row) => row.name_folded,
  );
  const known = new Map<string, CategoriesTable | undefined>();
  return (text) => {
    if (text === null) return undefined;
    if (known.has(text)) return known.get(text);
    const named = byName.get(fold(text)) ?? [];
    const found = bySlug.get(text) ?? (named.length === 1 ? named[0] : undefined);
    known.set(text, found);
    return found;
  };
}

/** The live category that replaces an archived one: the target of its merge, else its parent if that is live. */
function liveIdOf(found: CategoriesTable, byId: ReadonlyMap<string, CategoriesTable>): string | null {
  let at: CategoriesTable | undefined = found;
  for (let step = 0; at && step < byId.size; step++) {
    if (at.is_archived === 0) return at.id;
    if (at.merged_into_id === null) {
      const parent: CategoriesTable | undefined = at.parent_id === null ? undefined : byId.get(at.parent_id);
      return parent?.is_archived === 0 ? parent.id : null;
    }
    at = byId.get(at.merged_into_id);
  }
  return null;
}
