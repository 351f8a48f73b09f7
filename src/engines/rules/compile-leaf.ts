import type { Catalog } from './catalog.ts';
import { compileMetadata } from './compile-metadata.ts';
import { compileDate, compileInteger, compileMoney } from './compile-number.ts';
import { compileTextTest, positiveOf, valuesOf } from './compile-text.ts';
import type { Operator, StoredLeaf } from './definition.ts';
import { findField, isTextual } from './fields.ts';
import type { Patterns } from './patterns.ts';
import type { Subject, TextEntry } from './subject.ts';
import { foldText } from './text-memory.ts';

export type Test = (subject: Subject) => boolean;

/** A test and roughly what it costs, so that the cheap ones come first. */
export interface CompiledTest {
  readonly test: Test;
  readonly cost: number;
}

export interface CompileContext {
  readonly catalog: Pick<Catalog, 'categories' | 'tags'>;
  readonly patterns: Patterns;
}

/** A leaf as a function of the row (contract 40.2.3). */
export function compileLeaf(leaf: StoredLeaf, context: CompileContext): CompiledTest {
  const field = findField(leaf.field);
  if (field === undefined) throw new Error('A stored condition names a field that does not exist.');
  if (field.kind === 'metadata') return compileMetadata(field.key, leaf, context.patterns);
  const op = positiveOf(leaf.op);
  const { test, cost } = compilePositive(op, leaf, field.kind, context);
  return op === leaf.op ? { test, cost } : { test: (subject) => !test(subject), cost };
}

type Kind = 'text' | 'money' | 'integer' | 'date' | 'boolean' | 'choice' | 'reference' | 'tags';

function compilePositive(op: Operator, leaf: StoredLeaf, kind: Kind, context: CompileContext): CompiledTest {
  switch (kind) {
    case 'text': {
      const read = textOf(leaf.field);
      const { test, cost } = compileTextTest(op, leaf, context.patterns);
      return { test: (subject) => test(read(subject)), cost };
    }
    case 'money':
      return compileMoney(op, leaf);
    case 'integer':
      return compileInteger(op, leaf);
    case 'date':
      return compileDate(op, leaf);
    case 'boolean': {
      const read = booleanOf(leaf.field);
      return { test: (subject) => read(subject) === leaf.value, cost: 1 };
    }
    case 'tags':
      return compileTags(op, leaf, context);
    case 'choice':
    case 'reference':
    default:
      if (leaf.field === 'category' && isTextual(op)) return compileCategoryText(op, leaf, context);
      return compileIdentity(op, leaf, identityOf(leaf.field, context));
  }
}

function compileIdentity(op: Operator, leaf: StoredLeaf, read: (subject: Subject) => string | null): CompiledTest {
  if (op === 'exists') return { test: (subject) => read(subject) !== null, cost: 1 };
  const values = valuesOf(leaf);
  if (values.length === 1) return { test: (subject) => read(subject) === values[0], cost: 1 };
  const all: ReadonlySet<unknown> = new Set(values);
  return { test: (subject) => all.has(read(subject)), cost: 1 };
}

/** Which categories' slugs pass is known before the first row. */
function compileCategoryText(op: Operator, leaf: StoredLeaf, { catalog, patterns }: CompileContext): CompiledTest {
  const { test } = compileTextTest(op, leaf, patterns);
  const passing = new Set<string | null>();
  for (const [id, { slug }] of catalog.categories) if (test({ text: slug, folded: foldText(slug) })) passing.add(id);
  return { test: (subject) => passing.has(subject.categoryId), cost: 1 };
}

function compileTags(op: Operator, leaf: StoredLeaf, { catalog }: CompileContext): CompiledTest {
  if (op === 'exists') return { test: ({ tags }) => tags.size > 0, cost: 1 };
  const slugs = valuesOf(leaf).map((id) => catalog.tags.get(String(id)) ?? '');
  return { test: ({ tags }) => slugs.some((slug) => tags.has(slug)), cost: 2 };
}

function identityOf(field: string, { catalog }: CompileContext): (subject: Subject) => string | null {
  switch (field) {
    case 'provider':
      return ({ row }) => row.provider;
    case 'payment_channel':
      return ({ row }) => row.paymentChannel;
    case 'category':
      return ({ categoryId }) => categoryId;
    case 'category_kind':
      return ({ categoryId }) => (categoryId === null ? null : (catalog.categories.get(categoryId)?.kind ?? null));
    case 'account_id':
      return ({ row }) => row.accountId;
    case 'user_id':
      return ({ row }) => row.userId;
    case 'series':
      return ({ seriesId }) => seriesId;
    default:
      return ({ counterpartyId }) => counterpartyId;
  }
}

function booleanOf(field: string): Test {
  if (field === 'pending') return ({ row }) => row.pending;
  return field === 'in_series' ? ({ seriesId }) => seriesId !== null : ({ counterpartyId }) => counterpartyId !== null;
}

function textOf(field: string): (subject: Subject) => TextEntry {
  switch (field) {
    case 'name':
      return (subject) => subject.name;
    case 'merchant_name':
      return (subject) => subject.merchant;
    case 'iso_currency_code':
      return (subject) => subject.entry(subject.row.isoCurrencyCode);
    case 'provider_category_primary':
      return (subject) => subject.entry(subject.row.providerCategoryPrimary);
    case 'provider_category_detailed':
      return (subject) => subject.entry(subject.row.providerCategoryDetailed);
    case 'account_name':
      return (subject) => subject.entry(subject.row.accountName);
    case 'account_type':
      return (subject) => subject.entry(subject.row.accountType);
    default:
      return (subject) => subject.entry(subject.row.userName);
  }
}
