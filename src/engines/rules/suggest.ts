import { compareCodePoints, fold } from '../../kernel/fold.ts';
import { LIMITS } from '../../kernel/limits.ts';
import type { Catalog } from './catalog.ts';
import type { Rule, StoredAction, StoredCondition } from './definition.ts';
import { matchingRules } from './evaluate.ts';
import { isWithin } from './json.ts';
import type { RowPart, RuleRow } from './row.ts';
import { RULE_LIMITS } from './rule-limits.ts';
import { compileRules, partsRead, type RuleSet } from './rule-set.ts';

export interface SuggestOptions {
  readonly minCount: number;
  readonly since: string | null;
  readonly limit: number;
}

/** A rule suggested by the household's own choices (contract 40.8.7). */
export interface Suggestion {
  readonly text: string;
  readonly basis: 'merchant_name' | 'name';
  readonly categoryId: string;
  readonly transactionCount: number;
  readonly lastDate: string;
  readonly wouldChangeCount: number;
  readonly rule: {
    readonly name: string;
    readonly condition: StoredCondition;
    readonly actions: readonly StoredAction[];
  };
}

interface Group {
  readonly basis: 'merchant_name' | 'name';
  readonly folded: string;
  readonly categoryId: string;
  isConsistent: boolean;
  count: number;
  newest: NewestRow;
}

/** The newest row of a group. */
interface NewestRow {
  readonly id: string;
  readonly date: string;
  readonly text: string;
}

/**
 * Counts what people chose. Call `learn` with each live row whose category a person chose, then `judge` with each live
 * row. The order of rows does not matter.
 */
export class Suggester {
  /** The parts of a row that it reads. */
  readonly parts: ReadonlySet<RowPart>;
  readonly #catalog: Catalog;
  readonly #options: SuggestOptions;
  readonly #active: RuleSet;
  readonly #groups = new Map<string, Group>();
  #judged: Judged | undefined;

  /** Of the active rules, only those with `set_category` matter. */
  constructor(active: readonly Rule[], catalog: Catalog, options: SuggestOptions) {
    this.#catalog = catalog;
    this.#options = options;
    const categorising = active.filter(({ actions }) => actions.some(({ type }) => type === 'set_category'));
    this.#active = compileRules(categorising, catalog);
    this.parts = new Set([...partsRead(categorising), ...OWN_PARTS]);
  }

  learn(id: string, row: RuleRow): void {
    const { categoryId, date } = row;
    const key = this.#groupKeyOf(row);
    if (key === undefined || categoryId === null) return;
    const group = this.#groups.get(key);
    const [basis, folded] = splitKey(key);
    const text = (basis === 'name' ? leadingWords(row.name) : (row.merchantName ?? '')).trim();
    const seen = { id, date, text };
    if (group === undefined) {
      this.#groups.set(key, { basis, folded, categoryId, isConsistent: true, count: 1, newest: seen });
      return;
    }
    group.count += 1;
    if (group.categoryId !== categoryId) group.isConsistent = false;
    if (isNewer(seen, group.newest)) group.newest = seen;
  }

  /** Whether the learned rows suggest any rule that is yet to be judged. */
  hasCandidates(): boolean {
    this.#judged ??= this.#candidates();
    return this.#judged.groups.size > 0;
  }

  judge(row: RuleRow): void {
    this.#judged ??= this.#candidates();
    const { set, groups } = this.#judged;
    const own = groups.get(this.#groupKeyOf(row) ?? '');
    if (own !== undefined && !own.isDropped && matchingRules(this.#active, row).length > 0) own.isDropped = true;
    for (const index of matchingRules(set, row)) {
      const candidate = groups.get(set.rules[index]?.rule.id ?? '');
      if (candidate === undefined) continue;
      const isSame = row.categoryId === candidate.group.categoryId;
      if (row.categorySource === 'person' && !isSame) candidate.isDropped = true;
      if (!row.locks.has('category') && !(isSame && row.categorySource === 'rule')) candidate.wouldChangeCount += 1;
    }
  }

  suggestions(): Suggestion[] {
    this.#judged ??= this.#candidates();
    return [...this.#judged.groups.values()]
      .filter(({ isDropped }) => !isDropped)
      .sort((a, b) => b.group.count - a.group.count || compareCodePoints(a.group.folded, b.group.folded))
      .slice(0, this.#options.limit)
      .map(({ group, text, rule, wouldChangeCount }) => ({
        text,
        basis: group.basis,
        categoryId: group.categoryId,
        transactionCount: group.count,
        lastDate: group.newest.date,
        wouldChangeCount,
        rule: { name: rule.name, condition: rule.condition, actions: rule.actions },
      }));
  }

  /** The group of a person's choice; undefined for rows that do not count. */
  #groupKeyOf(row: RuleRow): string | undefined {
    const { categoryId, categorySource, date } = row;
    const { since } = this.#options;
    if (categorySource !== 'person' || categoryId === null || (since !== null && date < since)) return undefined;
    if (this.#catalog.categories.get(categoryId)?.isArchived !== false) return undefined;
    const merchant = fold(row.merchantName ?? '');
    if (merchant !== '') return `merchant_name ${merchant}`;
    const folded = fold(leadingWords(row.name));
    return isWithin(folded, NAME_CHARS_MIN - 1) ? undefined : `name ${folded}`;
  }

  #candidates(): Judged {
    const groups = new Map<string, Candidate>();
    for (const [key, group] of this.#groups) {
      const { text } = group.newest;
      const isUsable = isWithin(text, RULE_LIMITS.textChars) && text.isWellFormed() && !text.includes('\0');
      if (!group.isConsistent || group.count < this.#options.minCount || !isUsable) continue;
      const rule = ruleOf(key, group, text, this.#catalog.categories.get(group.categoryId)?.name ?? '');
      groups.set(key, { group, text, rule, isDropped: false, wouldChangeCount: 0 });
    }
    const rules = Array.from(groups.values(), ({ rule }) => rule);
    return { set: compileRules(rules, this.#catalog), groups };
  }
}

const OWN_PARTS: readonly RowPart[] = ['name', 'merchantName', 'date', 'categoryId', 'categorySource', 'locks'];

interface Judged {
  readonly set: RuleSet;
  /** By key, which is also the id of the suggested rule. */
  readonly groups: ReadonlyMap<string, Candidate>;
}

interface Candidate {
  readonly group: Group;
  readonly text: string;
  readonly rule: Rule;
  isDropped: boolean;
  wouldChangeCount: number;
}

const NAME_CHARS_MIN = 4;

/** The part of a name before the first word with a digit, `#` or `*`. */
function leadingWords(name: string): string {
  const found = /(?:^|\s)\S*[\p{Nd}#*]/u.exec(name);
  return found === null ? name : name.slice(0, found.index);
}

function splitKey(key: string): ['merchant_name' | 'name', string] {
  const space = key.indexOf(' ');
  return [key.startsWith('name') ? 'name' : 'merchant_name', key.slice(space + 1)];
}

function isNewer(a: NewestRow, b: NewestRow): boolean {
  return a.date > b.date || (a.date === b.date && a.id > b.id);
}

function ruleOf(id: string, { basis, categoryId }: Group, text: string, categoryName: string): Rule {
  const op = basis === 'name' ? 'starts_with' : 'eq';
  return {
    id,
    name: ruleName(text, categoryName),
    priority: 0,
    createdAt: '',
    condition: { field: basis, op, value: text },
    actions: [{ type: 'set_category', category_id: categoryId }],
    triggers: [],
    overwriteManual: false,
    stop: false,
  };
}

/** `<text>: <category name>`, with the text cut if the name gets too long. */
function ruleName(text: string, categoryName: string): string {
  const full = `${text}: ${categoryName}`;
  if (isWithin(full, LIMITS.nameChars)) return full;
  const room = LIMITS.nameChars - [...categoryName].length - 3;
  return [...(room > 0 ? `${[...text].slice(0, room).join('')}…: ${categoryName}` : text)]
    .slice(0, LIMITS.nameChars)
    .join('');
}
