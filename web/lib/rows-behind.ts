/** The filters of a list of transactions, as an address has them. */
export type RowSearch = Readonly<Record<string, string>>;

/** What counts as spent and as come in: rows of these kinds, until there is a household view. */
const KINDS = { category_kind: 'expense,income,none' } as const;
export const SPENT = { amount_min: '0.01', ...KINDS } as const;
export const CAME_IN = { amount_max: '-0.01', ...KINDS } as const;
/** The kinds above, for rows that an answer tells apart by kind. */
export function isCounted({ category_kind: kind }: { category_kind?: string | null | undefined }): boolean {
  return kind !== 'transfer';
}

/**
 * The list of exactly the rows that an answer counted, from the filters that it says were in effect; `more` narrows it to
 * one figure. Pending rows and accounts that were left out are left out of the list, too.
 */
export function rowsBehind(filters: Readonly<Record<string, unknown>>, more: RowSearch = {}): RowSearch {
  const { include_pending: withPending, spending_only: isSpending, ...rest } = filters;
  const given = Object.entries(rest).flatMap(([name, value]) =>
    isEmpty(value) ? [] : [[name, inText(value)] as const],
  );
  return {
    ...Object.fromEntries(given),
    ...(withPending === false && filters['pending'] === undefined ? { pending: 'false' } : {}),
    ...(isSpending === true ? SPENT : {}),
    ...more,
  };
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || (Array.isArray(value) && value.length === 0);
}

function inText(value: unknown): string {
  return Array.isArray(value) ? value.join(',') : String(value);
}

/** Narrows a list to one currency; undefined where that cannot be said: rows without one beside those of others. */
export function inCurrency(currency: string | null, all: readonly (string | null)[]): RowSearch | undefined {
  if (currency !== null) return { iso_currency_code: currency };
  return all.every((other) => other === null) ? {} : undefined;
}
