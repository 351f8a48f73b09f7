import { fold } from '../../kernel/fold.ts';

/** What a provider or a file says about the category of a transaction. */
export interface ProviderCategory {
  provider: string;
  primary: string | null;
  detailed: string | null;
  /** Positive = money out. */
  amountCents: number;
  /** UUID of its account, if it is in one. */
  accountId?: string | null;
  name?: string | null;
  merchantName?: string | null;
}

/** An account of the household, as a text may name it. */
export interface NamedAccount {
  id: string;
  type: string;
  mask: string | null;
  name: string;
  display_name: string | null;
}

/** Slugs to try for a provider's category, best first (contract 10.10.5). */
export function slugsOf(source: ProviderCategory, household: readonly NamedAccount[]): string[] {
  if (source.provider === 'plaid') return plaidSlugs(source);
  if (source.provider !== 'teller') return [];
  return tellerTypeSlug(source, household) ?? tellerCategorySlug(source);
}

/** Plaid has two taxonomies. A category that a person made under Plaid's own slug comes first. */
function plaidSlugs({ primary, detailed }: ProviderCategory): string[] {
  const [group, own] = [primary?.toLowerCase() ?? '', detailed?.toLowerCase() ?? ''];
  const isLoan = own.startsWith(LOANS_IN) || group === LOANS_IN;
  // `TRANSFER_IN_OTHER_TRANSFER_IN` is `transfer_in_other` in the tree.
  const rest = group !== '' && own.startsWith(`${group}_other_`) ? `${group}_other` : '';
  const known = isLoan ? 'transfer_in_cash_advances_and_loans' : (PLAID.get(own) ?? '');
  return [own, known, rest, group].filter((slug) => slug !== '');
}

const LOANS_IN = 'loan_disbursements';

const PLAID: ReadonlyMap<string, string> = new Map([
  ['income_salary', 'income_wages'],
  ['income_contractor', 'income_wages'],
  ['income_gig_economy', 'income_wages'],
  ['income_child_support', 'income_other'],
  ['income_long_term_disability', 'income_other'],
  ['income_military', 'income_other'],
  ['income_rental', 'income_other'],
  ['loan_payments_bnpl', 'loan_payments_other'],
  ['loan_payments_cash_advances', 'loan_payments_other'],
  ['loan_payments_ewa', 'loan_payments_other'],
  ['transfer_in_wire', 'transfer_in_other'],
  ['transfer_in_transfer_in_from_apps', 'transfer_in_other'],
  ['transfer_out_wire', 'transfer_out_other'],
  ['transfer_out_transfer_out_from_apps', 'transfer_out_other'],
  ['transfer_out_crypto', 'transfer_out_investment_and_retirement_funds'],
  ['bank_fees_late_fees', 'bank_fees_other'],
  ['bank_fees_cash_advance', 'bank_fees_other'],
]);

const CARD_PAYMENT = 'loan_payments_credit_card_payment';

/** What the type alone says, whatever the category is: undefined for types that say nothing. */
function tellerTypeSlug(source: ProviderCategory, household: readonly NamedAccount[]): string[] | undefined {
  const { detailed: type, amountCents } = source;
  const [isOut, isIn] = [amountCents > 0, amountCents < 0];
  if (type === 'fee') return ['bank_fees_other'];
  if (!isOut && !isIn) return undefined;
  const byWay = TELLER_TYPES.get(type ?? '');
  if (byWay) return [isOut ? byWay.out : byWay.in];
  const category = source.primary?.toLowerCase() ?? '';
  if (type === 'deposit' && isIn && (category === '' || category === 'general')) return ['transfer_in_deposit'];
  if (type !== 'payment') return undefined;
  const isOfCard = household.find(({ id }) => id === source.accountId)?.type === 'credit';
  if (isIn && isOfCard) return [CARD_PAYMENT];
  return isOut && category === 'general' && namesAnother(source, household) ? [CARD_PAYMENT] : undefined;
}

const TELLER_TYPES: ReadonlyMap<string, { out: string; in: string }> = new Map([
  ['transfer', { out: 'transfer_out_account_transfer', in: 'transfer_in_account_transfer' }],
  ['wire', { out: 'transfer_out_other', in: 'transfer_in_other' }],
  ['atm', { out: 'transfer_out_withdrawal', in: 'transfer_in_deposit' }],
  ['withdrawal', { out: 'transfer_out_withdrawal', in: 'transfer_in_deposit' }],
  ['interest', { out: 'bank_fees_interest_charge', in: 'income_interest_earned' }],
]);

/** Whether a text of the row names another account of the household, by its last four digits or its label. */
function namesAnother(
  { accountId, name, merchantName }: ProviderCategory,
  household: readonly NamedAccount[],
): boolean {
  const text = ` ${words(`${name ?? ''} ${merchantName ?? ''}`)} `;
  const digits = new Set(text.match(/(?<!\d)\d{4}(?!\d)/g));
  return household.some((one) => {
    if (one.id === accountId) return false;
    if (one.mask !== null && digits.has(one.mask)) return true;
    return [one.name, one.display_name].some((label) => {
      const wanted = words(label ?? '');
      return wanted !== '' && !GENERIC.has(wanted) && text.includes(` ${wanted} `);
    });
  });
}

function words(text: string): string {
  return fold(text)
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** Labels that texts of payments contain whoever is paid. */
const GENERIC: ReadonlySet<string> = new Set(
  'account bank card cash checking credit current debit deposit loan money payment primary savings visa mastercard'.split(
    ' ',
  ),
);

function tellerCategorySlug({ primary, detailed: type, amountCents }: ProviderCategory): string[] {
  const category = primary?.toLowerCase() ?? '';
  if (category === 'investment') {
    return [`transfer_${amountCents > 0 ? 'out' : 'in'}_investment_and_retirement_funds`];
  }
  // What Teller could not place is a purchase only if a card paid it.
  if (category === 'general' && type !== null && type !== 'card_payment') return [];
  const slug = TELLER_CATEGORIES.get(category);
  return slug === undefined ? [] : [slug];
}

const TELLER_CATEGORIES: ReadonlyMap<string, string> = new Map([
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
