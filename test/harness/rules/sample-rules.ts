import type { Catalog } from '../../../src/engines/rules/catalog.ts';
import type { Rule, StoredCondition } from '../../../src/engines/rules/definition.ts';
import { parseActions } from '../../../src/engines/rules/parse-actions.ts';
import { parseCondition } from '../../../src/engines/rules/parse-condition.ts';
import { Problems, type Problem } from '../../../src/engines/rules/problems.ts';
import { WantedRecords, type References } from '../../../src/engines/rules/references.ts';
import type { RuleRow } from '../../../src/engines/rules/row.ts';

export type Plain = Record<string, unknown>;

export const CATEGORIES = ['food', 'food_coffee', 'rent', 'salary'];
export const TAGS = ['a', 'b', 'needs-review'];
export const KINDS: Record<string, string> = {
  food: 'expense',
  food_coffee: 'expense',
  rent: 'expense',
  salary: 'income',
};
/** Every record has its slug or name with `id-` before it for an id. */
export const CATALOG: Catalog = {
  categories: new Map(
    CATEGORIES.map((slug) => [
      `id-${slug}`,
      { slug, name: slug, kind: KINDS[slug] ?? '', isArchived: slug === 'rent' },
    ]),
  ),
  tags: new Map(TAGS.map((slug) => [`id-${slug}`, slug])),
  series: new Map([
    ['id-s', 'S'],
    ['id-t', 'T'],
  ]),
  counterparties: new Map([
    ['id-c', 'C'],
    ['id-d', 'D'],
  ]),
  users: new Map([['id-u', 'u']]),
};

const find =
  (ids: readonly string[]) =>
  (text: string): string | undefined =>
    ids.find((id) => id === text || id === `id-${text}`);
const idsOf = (map: ReadonlyMap<string, unknown>): readonly string[] => [...map.keys()];

export const REFERENCES: References = {
  category: find(idsOf(CATALOG.categories)),
  tag: find(idsOf(CATALOG.tags)),
  series: find(idsOf(CATALOG.series)),
  seriesByName: (name) => find(idsOf(CATALOG.series))(name.toLowerCase()),
  counterparty: find(idsOf(CATALOG.counterparties)),
  counterpartyByName: (name) => find(idsOf(CATALOG.counterparties))(name.toLowerCase()),
  account: find(['id-acc', 'id-other']),
  user: find(idsOf(CATALOG.users)),
  isArchived: (id) => CATALOG.categories.get(id)?.isArchived ?? false,
};

/** A condition, and what was wrong with it. */
export function readCondition(
  input: unknown,
  previous?: StoredCondition,
): { condition: StoredCondition; problems: readonly Problem[] } {
  const problems = new Problems();
  const context = { references: REFERENCES, wanted: new WantedRecords(), problems, ...(previous && { previous }) };
  return { condition: parseCondition(input, 'condition', context), problems: problems.list };
}

const inputs = new WeakMap<Rule, Plain>();
let made = 0;

/** A rule as a client writes it; the later made, the later in order. */
export function ruleOf(condition: Plain, actions: unknown = [{ type: 'flag' }], more: Partial<Rule> = {}): Rule {
  const problems = new Problems();
  const references = { ...REFERENCES, isArchived: () => false };
  const context = { references, wanted: new WantedRecords(), problems };
  made += 1;
  const rule: Rule = {
    id: `rule-${String(made).padStart(9, '0')}`,
    name: 'Rule',
    priority: 100,
    createdAt: '2026-01-01T00:00:00.000Z',
    condition: parseCondition(condition, 'condition', context),
    actions: parseActions(actions, 'actions', context),
    triggers: ['retroactive'],
    overwriteManual: false,
    stop: false,
    ...more,
  };
  const [problem] = problems.list;
  if (problem) throw new Error(`${problem.path} ${problem.message}`);
  inputs.set(rule, condition);
  return rule;
}

/** The condition as it was written. */
export function inputOf(rule: Rule): Plain {
  return inputs.get(rule) ?? {};
}

export const ROW: RuleRow = {
  name: 'CORNER CAFE 0423',
  merchantName: null,
  amountCents: 1050,
  isoCurrencyCode: 'EUR',
  pending: false,
  provider: 'csv',
  paymentChannel: null,
  providerCategoryPrimary: null,
  providerCategoryDetailed: null,
  accountId: 'id-acc',
  accountName: 'Joint',
  accountType: 'depository',
  userId: null,
  userName: null,
  date: '2026-02-28',
  categoryId: null,
  categorySource: null,
  tags: new Set(),
  seriesId: null,
  counterpartyId: null,
  metadata: new Map(),
  flagged: false,
  locks: new Set(),
};
