/** Plaid's categories: of 2023, and those that every customer since December 2025 gets. */
export const TAXONOMIES = ['v1', 'v2'] as const;
export type Taxonomy = (typeof TAXONOMIES)[number];

interface Category {
  primary: string;
  detailed: string | null;
}

/** What the second taxonomy calls what the first calls otherwise, of what a household has. */
const NEW_NAMES: Readonly<Record<string, Category>> = {
  INCOME_WAGES: { primary: 'INCOME', detailed: 'INCOME_SALARY' },
  TRANSFER_IN_CASH_ADVANCES_AND_LOANS: {
    primary: 'LOAN_DISBURSEMENTS',
    detailed: 'LOAN_DISBURSEMENTS_OTHER_DISBURSEMENT',
  },
};

/** A category of the first taxonomy under the names of this one. */
export function inTaxonomy(category: Category, taxonomy: Taxonomy): Category {
  const renamed = category.detailed === null ? undefined : NEW_NAMES[category.detailed];
  return taxonomy === 'v2' && renamed ? renamed : category;
}
