import type { RuleStart } from '../../lib/new-rule.ts';

/** What a rule knows a transaction by, and what it would do with others like it. */
export interface Like {
  merchant_name?: string | null | undefined;
  name?: string | undefined;
  category_id?: string | null | undefined;
}

type Test = { field: 'merchant_name' | 'name'; op: 'eq' | 'starts_with'; value: string };

/** A word in which a text begins to be about one purchase: a number of a card, a receipt or a shop. */
const PARTICULAR = /\S*[\d#*]\S*/;
const SHORTEST = 4;

/** Finds rows like this one: by the merchant, else by how the text begins (as suggested rules do). */
export function testFor({ merchant_name: merchant, name = '' }: Like): Test {
  if (merchant !== null && merchant !== undefined) return { field: 'merchant_name', op: 'eq', value: merchant };
  const begins = (name.split(PARTICULAR)[0] ?? '').trim();
  if (begins.length < SHORTEST || begins === name) return { field: 'name', op: 'eq', value: name };
  return { field: 'name', op: 'starts_with', value: begins };
}

/** More would be no rule that a person can read. */
const MOST_TESTS = 20;

/** The rule that finds rows like these and files them as they are filed; undefined where they have too little in common. */
export function startFrom(rows: Iterable<Like>): RuleStart | undefined {
  const all = [...rows];
  const tests = [...new Map(all.map(testFor).map((test) => [JSON.stringify(test), test])).values()];
  if (tests.length === 0 || tests.length > MOST_TESTS) return undefined;
  const merchants = tests.filter(({ field }) => field === 'merchant_name');
  const names = tests.filter(({ field }) => field === 'name');
  const nodes = [
    ...(merchants.length > 1
      ? [{ field: 'merchant_name', op: 'in', value: merchants.map(({ value }) => value) }]
      : merchants),
    ...names,
  ];
  const categories = new Set(all.map(({ category_id: id }) => id ?? null));
  const [category] = categories;
  return {
    condition: (nodes.length === 1 ? nodes[0] : { or: nodes }) as Record<string, unknown>,
    ...(categories.size === 1 && category ? { actions: [{ type: 'set_category', category_id: category }] } : {}),
  };
}
