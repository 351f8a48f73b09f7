import { isDateOnly } from '../../../src/kernel/dates.ts';
import { inWords, monthOf } from '../../lib/days.ts';
import { LANGUAGE } from '../../lib/language.ts';
import { inDigits } from '../../lib/numbers.ts';
import { amountInWords } from './amount-words.ts';
import type { RuleNames } from './rule-names.ts';
import { inText, joined, typed, type Part, type Parts } from './sentence-parts.ts';

export type Node =
  | { kind: 'all' }
  | { kind: 'and' | 'or'; of: readonly Node[] }
  | { kind: 'not'; of: Node }
  | { kind: 'leaf'; leaf: Leaf };

export interface Leaf {
  field: string;
  op: string;
  value?: unknown;
  min?: unknown;
  max?: unknown;
  tolerance?: unknown;
}

/** A condition as the API has it. */
export function readCondition(node: unknown): Node {
  if (typeof node !== 'object' || node === null) return { kind: 'all' };
  const { and, or, not, field, op } = node as Readonly<Record<string, unknown>>;
  if (Array.isArray(and)) return groupOf('and', and);
  if (Array.isArray(or)) return groupOf('or', or);
  if (not !== undefined) return { kind: 'not', of: readCondition(not) };
  if (typeof field === 'string' && typeof op === 'string') return { kind: 'leaf', leaf: { ...node, field, op } };
  return { kind: 'all' };
}

function groupOf(kind: 'and' | 'or', nodes: readonly unknown[]): Node {
  const of = nodes.map(readCondition);
  return of.length === 1 && of[0] ? of[0] : { kind, of };
}

/** "the text contains *rewe* and (the amount is … or it is pending)". Groups within groups are in brackets. */
export function conditionInWords(node: Node, names: RuleNames, currency: string | null = null): Parts {
  switch (node.kind) {
    case 'all':
      return ['it is any transaction'];
    case 'leaf':
      return leafInWords(node.leaf, names, currency);
    case 'not':
      return notInWords(node.of, names, currency);
    case 'and':
    case 'or':
      break;
  }
  const { nodes, currency: own } = withoutCurrency(node, currency);
  const tests = oneTestPerField(node.kind, nodes);
  return joined(
    tests.map((one) => nested(one, names, own)),
    node.kind,
  );
}

function nested(node: Node, names: RuleNames, currency: string | null): Parts {
  const words = conditionInWords(node, names, currency);
  return node.kind === 'and' || node.kind === 'or' ? ['(', ...words, ')'] : words;
}

/** What is true exactly where the other is false. */
const OPPOSITES: Readonly<Record<string, string>> = {
  eq: 'neq',
  in: 'not_in',
  contains: 'not_contains',
  exists: 'not_exists',
  neq: 'eq',
  not_in: 'in',
  not_contains: 'contains',
  not_exists: 'exists',
};

function notInWords(node: Node, names: RuleNames, currency: string | null): Parts {
  if (node.kind === 'not') return conditionInWords(node.of, names, currency);
  if (node.kind === 'leaf') {
    const { leaf } = node;
    const op = OPPOSITES[leaf.op];
    // Of metadata that is absent, both a test and its opposite are false.
    const isExact = op !== undefined && (!leaf.field.startsWith(METADATA) || op.endsWith('exists'));
    if (isExact) return leafInWords({ ...leaf, op }, names, currency);
  }
  return ['it is not so that ', ...nested(node, names, currency)];
}

/** `and` with one currency: the amounts beside it are said in it. */
function withoutCurrency(
  { kind, of }: { kind: 'and' | 'or'; of: readonly Node[] },
  currency: string | null,
): { nodes: readonly Node[]; currency: string | null } {
  const isCurrency = (one: Node): one is Node & { kind: 'leaf' } =>
    one.kind === 'leaf' && one.leaf.field === 'iso_currency_code' && one.leaf.op === 'eq';
  const found = of.filter(isCurrency);
  const code = found[0]?.leaf.value;
  const isSaid = of.some((one) => one.kind === 'leaf' && one.leaf.field.startsWith('amount'));
  if (kind === 'or' || found.length !== 1 || !isSaid || typeof code !== 'string' || !/^[A-Z]{3}$/.test(code)) {
    return { nodes: of, currency };
  }
  return { nodes: of.filter((one) => !isCurrency(one)), currency: code };
}

/** Where several are tested the same way, they are said once: "the text contains *rewe* or *lidl*". */
const MERGED: Readonly<Record<'and' | 'or', readonly string[]>> = {
  or: ['contains', 'starts_with', 'ends_with', 'matches', 'eq'],
  and: ['not_contains', 'neq'],
};

function oneTestPerField(kind: 'and' | 'or', nodes: readonly Node[]): readonly Node[] {
  const merged = new Map<string, Leaf>();
  const kept: Node[] = [];
  for (const node of nodes) {
    const canMerge = node.kind === 'leaf' && MERGED[kind].includes(node.leaf.op) && typeof node.leaf.value === 'string';
    if (!canMerge || node.leaf.value === '' || node.leaf.field.startsWith('amount')) {
      kept.push(node);
      continue;
    }
    const { leaf } = node;
    const key = `${leaf.field} ${leaf.op}`;
    const known = merged.get(key);
    if (known) {
      known.value = [...listOf(known.value), leaf.value];
    } else {
      const own = { ...leaf };
      merged.set(key, own);
      kept.push({ kind: 'leaf', leaf: own });
    }
  }
  return kept;
}

const METADATA = 'metadata.';

function leafInWords(leaf: Leaf, names: RuleNames, currency: string | null): Parts {
  const { field, op } = leaf;
  if (field === 'amount' || field === 'amount_abs') return amountInWords(leaf, currency);
  if (field === 'tags') return tagsInWords(leaf, names);
  const said = wholeInWords(leaf);
  if (said !== undefined) return [said];
  const subject = subjectOf(leaf);
  const isEmpty = op === 'not_exists' || (op === 'eq' && leaf.value === '');
  if (isEmpty || op === 'exists' || (op === 'neq' && leaf.value === '')) {
    return [isEmpty ? 'it has no ' : 'it has ', ...withArticle(subject, isEmpty)];
  }
  const gone = leaf.value === null && op !== 'between';
  if (gone) return ['the ', ...subject, ' is one that is gone'];
  return ['the ', ...subject, ' ', ...comparison(leaf, valueWriter(leaf, names))];
}

/** Tests that have a sentence of their own: "it is pending", "it is from a file". */
function wholeInWords({ field, op, value }: Leaf): string | undefined {
  const verb = { eq: 'it is', in: 'it is', neq: 'it is not', not_in: 'it is not' }[op];
  if (verb === undefined) return undefined;
  const isTrue = (value === true) === (op === 'eq');
  if (field === 'pending') return isTrue ? 'it is pending' : 'it is no longer pending';
  if (field === 'in_series') return isTrue ? 'it belongs to a series' : 'it belongs to no series';
  if (field === 'has_counterparty') return isTrue ? 'it has a counterparty' : 'it has no counterparty';
  const phrases = field === 'day_of_week' ? DAYS : PHRASES[field];
  const said = listOf(value).map((one) => phrases?.[String(one)]);
  if (said.length === 0 || said.includes(undefined)) return undefined;
  const words = joined(
    said.map((one) => [one ?? '']),
    'or',
  );
  return `${verb} ${inText(words, String)}`;
}

const PHRASES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  provider: { plaid: 'from a bank through Plaid', teller: 'from a bank through Teller', csv: 'from a file' },
  payment_channel: { online: 'paid online', in_store: 'paid in a shop', other: 'paid neither online nor in a shop' },
  category_kind: { income: 'income', expense: 'an expense', transfer: 'a transfer' },
};

function tagsInWords({ op, value }: Leaf, names: RuleNames): Parts {
  if (op === 'exists') return ['it has a tag'];
  if (op === 'not_exists') return ['it has no tag'];
  const tags = listOf(value).map((slug): Parts => [{ kind: 'name', text: names.tag(String(slug)) }]);
  if (tags.length === 0) return ['it has a tag that is gone'];
  const isNone = op.startsWith('not_');
  const noun = tags.length === 1 ? 'the tag ' : 'a tag of ';
  if (isNone) return ['it does not have ', tags.length === 1 ? noun : 'any tag of ', ...joined(tags, 'or')];
  return ['it has ', noun, ...joined(tags, 'or')];
}

const SUBJECTS: Readonly<Record<string, string>> = {
  name: 'text',
  merchant_name: 'merchant',
  iso_currency_code: 'currency',
  provider: 'source',
  payment_channel: 'way of paying',
  provider_category_primary: 'category of the bank',
  provider_category_detailed: 'detailed category of the bank',
  category: 'category',
  category_kind: 'kind of category',
  account_id: 'account',
  account_name: 'account’s name',
  account_type: 'type of account',
  user_id: 'member',
  user_name: 'member’s name',
  series: 'series',
  counterparty: 'counterparty',
  day_of_month: 'day of the month',
  month: 'month',
  day_of_week: 'day of the week',
  day_of_year: 'day of the year',
  date: 'date',
};

function subjectOf({ field, op }: Leaf): Parts {
  if (field === 'category' && TEXTUAL.has(op)) return ['short form of the category'];
  if (field.startsWith(METADATA)) return ['metadata ', typed(field.slice(METADATA.length))];
  return [SUBJECTS[field] ?? field.replaceAll('_', ' ')];
}

function withArticle(subject: Parts, isEmpty: boolean): Parts {
  const [first] = subject;
  if (isEmpty || typeof first !== 'string' || first.startsWith('metadata') || first === 'series') return subject;
  return [/^[aeiou]/.test(first) ? 'an ' : 'a ', ...subject];
}

const VERBS: Readonly<Record<string, string>> = {
  eq: 'is',
  neq: 'is not',
  in: 'is',
  not_in: 'is not',
  contains: 'contains',
  not_contains: 'does not contain',
  starts_with: 'begins with',
  ends_with: 'ends with',
  matches: 'matches the pattern',
  gt: 'is more than',
  gte: 'is at least',
  lt: 'is less than',
  lte: 'is at most',
};

const VERBS_OF_DAYS: Readonly<Record<string, string>> = {
  gt: 'is after',
  gte: 'is on or after',
  lt: 'is before',
  lte: 'is on or before',
};

type Write = (value: unknown) => Part;

function comparison(leaf: Leaf, write: Write): Parts {
  const { field, op, value, min, max, tolerance } = leaf;
  if (op === 'between') return ['is from ', write(min), ' to ', write(max)];
  if (op === 'approx') return ['is ', write(value), `, give or take ${inDigits(Number(tolerance))}`];
  const verb = (field === 'date' ? VERBS_OF_DAYS[op] : undefined) ?? VERBS[op] ?? op.replaceAll('_', ' ');
  return [
    `${verb} `,
    ...joined(
      listOf(value).map((one) => [write(one)]),
      'or',
    ),
  ];
}

const TEXTUAL: ReadonlySet<string> = new Set(['contains', 'not_contains', 'starts_with', 'ends_with', 'matches']);
const REFERENCES: Readonly<Record<string, keyof RuleNames>> = {
  account_id: 'account',
  user_id: 'member',
  series: 'series',
  counterparty: 'counterparty',
};

/** How the values of a test are said. */
function valueWriter({ field, op }: Leaf, names: RuleNames): Write {
  if (field === 'category' && !TEXTUAL.has(op)) return (slug) => names.category(String(slug));
  const known = REFERENCES[field];
  if (known !== undefined && known !== 'category') {
    const nameOf = names[known];
    return (id) => ({ kind: 'name', text: nameOf(String(id)) });
  }
  // A rule that is being written may have any value.
  if (field === 'date') return (day) => (isDateOnly(String(day)) ? inWords(String(day)) : String(day));
  if (field === 'month') {
    return (month) => {
      const first = `2024-${String(month).padStart(2, '0')}-01`;
      return isDateOnly(first) ? inWords(monthOf(first), 'monthName') : String(month);
    };
  }
  if (field === 'day_of_week') return (day) => (Number.isInteger(day) ? weekday(Number(day)) : String(day));
  return (value) => (typeof value === 'string' ? typed(value) : inPlain(value));
}

function inPlain(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return typeof value === 'number' ? inDigits(value) : JSON.stringify(value);
}

export function listOf(value: unknown): readonly unknown[] {
  return value === null || value === undefined ? [] : Array.isArray(value) ? (value as readonly unknown[]) : [value];
}

const long = new Intl.DateTimeFormat(LANGUAGE, { weekday: 'long', timeZone: 'UTC' });
const A_SUNDAY = Date.UTC(2024, 0, 7);

const DAYS: Readonly<Record<string, string>> = Object.fromEntries(
  Array.from({ length: 7 }, (_, day) => [day, `a ${weekday(day)}`]),
);

function weekday(day: number): string {
  return long.format(A_SUNDAY + day * 86_400_000);
}
