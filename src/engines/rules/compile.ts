import { effectOf, type Effect } from './actions.ts';
import type { Catalog } from './catalog.ts';
import {
  compileInteger,
  compileMetadata,
  compileMoney,
  compileOrdered,
  compileText,
  type CompiledTest,
  type Test,
} from './compile-values.ts';
import type { Rule, StoredCondition, StoredLeaf, StoredNode } from './definition.ts';
import { isEmptyCondition } from './definition.ts';
import { getField, type Field } from './fields.ts';
import { isTextual, type Operator } from './language.ts';
import { positiveOf, valuesOf } from './operators.ts';
import type { CompiledPatterns } from './patterns.ts';
import { foldText, type Subject } from './subject.ts';

export interface CompileContext {
  readonly catalog: Pick<Catalog, 'categories' | 'tags'>;
  readonly patterns: CompiledPatterns;
}

export interface CompiledRule {
  readonly rule: Rule;
  readonly test: Test;
  /** One for each action, in their order. */
  readonly effects: readonly Effect[];
  readonly setsMetadata: boolean;
}

export function compileRule(rule: Rule, context: CompileContext): CompiledRule {
  return {
    rule,
    test: compileCondition(rule.condition, context),
    effects: rule.actions.map((action) => effectOf(action, context.catalog)),
    setsMetadata: rule.actions.some(({ type }) => type === 'set_metadata'),
  };
}

function compileCondition(condition: StoredCondition, context: CompileContext): Test {
  return isEmptyCondition(condition) ? () => true : compileNode(condition, context).test;
}

function compileNode(node: StoredNode, context: CompileContext): CompiledTest {
  if ('and' in node) return every(node.and.map((child) => compileNode(child, context)));
  if ('or' in node) return some(node.or.map((child) => compileNode(child, context)));
  return 'not' in node ? negated(compileNode(node.not, context)) : compileLeaf(node, context);
}

/** Tests have no side effects, so the cheap ones run first. */
function every(parts: readonly CompiledTest[]): CompiledTest {
  const { tests, cost } = cheapestFirst(parts);
  const [first, second] = tests;
  if (first === undefined || tests.length === 1) return { test: first ?? (() => true), cost };
  if (second !== undefined && tests.length === 2) return { test: (subject) => first(subject) && second(subject), cost };
  return {
    test: (subject) => {
      for (const test of tests) if (!test(subject)) return false;
      return true;
    },
    cost,
  };
}

function some(parts: readonly CompiledTest[]): CompiledTest {
  const { tests, cost } = cheapestFirst(parts);
  const [first, second] = tests;
  if (first === undefined || tests.length === 1) return { test: first ?? (() => false), cost };
  if (second !== undefined && tests.length === 2) return { test: (subject) => first(subject) || second(subject), cost };
  return {
    test: (subject) => {
      for (const test of tests) if (test(subject)) return true;
      return false;
    },
    cost,
  };
}

function negated({ test, cost }: CompiledTest): CompiledTest {
  return { test: (subject) => !test(subject), cost };
}

function cheapestFirst(parts: readonly CompiledTest[]): { tests: Test[]; cost: number } {
  const ordered = [...parts].sort((a, b) => a.cost - b.cost);
  return { tests: ordered.map(({ test }) => test), cost: ordered.reduce((sum, { cost }) => sum + cost, 0) };
}

/** A leaf as a function of the row (contract 40.2.3). */
export function compileLeaf(leaf: StoredLeaf, context: CompileContext): CompiledTest {
  const field = getField(leaf);
  if (field.kind === 'metadata') return compileMetadata(leaf, field.read, context.patterns);
  const op = positiveOf(leaf.op);
  const positive = compilePositive(op, leaf, field, context);
  return op === leaf.op ? positive : negated(positive);
}

function compilePositive(
  op: Operator,
  leaf: StoredLeaf,
  field: Exclude<Field, { kind: 'metadata' }>,
  { catalog, patterns }: CompileContext,
): CompiledTest {
  switch (field.kind) {
    case 'text': {
      const { read } = field;
      const { test, cost } = compileText(op, leaf, patterns);
      return { test: (subject) => test(read(subject)), cost };
    }
    case 'money':
      return compileMoney(op, leaf, field.read);
    case 'integer':
      return compileInteger(op, leaf, field);
    case 'date':
      return compileOrdered(op, leaf, field.read, String);
    case 'boolean': {
      const { read } = field;
      return { test: (subject) => read(subject) === leaf.value, cost: 1 };
    }
    case 'choice':
      return compileIdentity(op, leaf, (subject) => field.read(subject, catalog));
    case 'reference':
      return compileIdentity(op, leaf, field.read);
    case 'category':
      return isTextual(op)
        ? compileIdentity('in', slugsAsIds(op, leaf, catalog, patterns), field.read)
        : compileIdentity(op, leaf, field.read);
    case 'tags': {
      const { read } = field;
      if (op === 'exists') return { test: (subject) => read(subject).size > 0, cost: 1 };
      const slugs = valuesOf(leaf).map((id) => catalog.tags.get(String(id)) ?? '');
      return { test: (subject) => slugs.some((slug) => read(subject).has(slug)), cost: 2 };
    }
    default:
      return field satisfies never;
  }
}

function compileIdentity(op: Operator, leaf: StoredLeaf, read: (subject: Subject) => string | null): CompiledTest {
  if (op === 'exists') return { test: (subject) => read(subject) !== null, cost: 1 };
  const values = valuesOf(leaf);
  if (values.length === 1) return { test: (subject) => read(subject) === values[0], cost: 1 };
  const all: ReadonlySet<unknown> = new Set(values);
  return { test: (subject) => all.has(read(subject)), cost: 1 };
}

/** Turns a test of slugs into one of ids: which categories pass is known before the first row. */
function slugsAsIds(
  op: Operator,
  leaf: StoredLeaf,
  catalog: CompileContext['catalog'],
  patterns: CompiledPatterns,
): StoredLeaf {
  const { test } = compileText(op, leaf, patterns);
  const passing = [...catalog.categories].filter(([, { slug }]) => test({ text: slug, folded: foldText(slug) }));
  return { field: leaf.field, op: 'in', value: passing.map(([id]) => id) };
}
