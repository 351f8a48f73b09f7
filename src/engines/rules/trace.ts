import { formatCents } from '../../kernel/money.ts';
import type { Catalog } from './catalog.ts';
import { compileLeaf, type CompileContext } from './compile-leaf.ts';
import type { StoredCondition, StoredLeaf, StoredNode } from './definition.ts';
import { isEmptyCondition } from './definition.ts';
import { findField } from './fields.ts';
import type { Json } from './json.ts';
import { renderValue } from './render.ts';
import type { Subject } from './subject.ts';

/** How a condition came out, node by node (contract 40.8.8). Every node is evaluated, none is skipped. */
export type Trace =
  | { readonly path: string; readonly kind: 'all'; readonly result: boolean; readonly children: readonly Trace[] }
  | {
      readonly path: string;
      readonly kind: 'and' | 'or' | 'not';
      readonly result: boolean;
      readonly children: readonly Trace[];
    }
  | {
      readonly path: string;
      readonly kind: 'leaf';
      readonly field: string;
      readonly op: string;
      readonly expected: Json;
      readonly actual: Json;
      readonly result: boolean;
    };

export function traceCondition(
  condition: StoredCondition,
  subject: Subject,
  catalog: Catalog,
  context: CompileContext,
): Trace {
  const path = 'condition';
  if (isEmptyCondition(condition)) return { path, kind: 'all', result: true, children: [] };
  return traceNode(condition, path, subject, catalog, context);
}

function traceNode(node: StoredNode, path: string, subject: Subject, catalog: Catalog, context: CompileContext): Trace {
  const trace = (child: StoredNode, at: string): Trace => traceNode(child, at, subject, catalog, context);
  if ('and' in node) {
    const children = node.and.map((child, index) => trace(child, `${path}.and[${index}]`));
    return { path, kind: 'and', result: children.every(({ result }) => result), children };
  }
  if ('or' in node) {
    const children = node.or.map((child, index) => trace(child, `${path}.or[${index}]`));
    return { path, kind: 'or', result: children.some(({ result }) => result), children };
  }
  if ('not' in node) {
    const child = trace(node.not, `${path}.not`);
    return { path, kind: 'not', result: !child.result, children: [child] };
  }
  return {
    path,
    kind: 'leaf',
    field: node.field,
    op: node.op,
    expected: expectedOf(node, catalog),
    actual: actualOf(node.field, subject, catalog),
    result: compileLeaf(node, context).test(subject),
  };
}

function expectedOf(leaf: StoredLeaf, catalog: Catalog): Json {
  const { min, max, tolerance } = leaf;
  if (min !== undefined && max !== undefined) return { min, max };
  const value = renderValue(leaf, catalog);
  return tolerance === undefined ? value : { value, tolerance };
}

/** What the row has, in the form in which a leaf of the field is returned; null when it has nothing. */
function actualOf(field: string, subject: Subject, catalog: Catalog): Json {
  const { row, categoryId, day } = subject;
  const category = categoryId === null ? undefined : catalog.categories.get(categoryId);
  switch (field) {
    case 'name':
      return row.name;
    case 'merchant_name':
      return row.merchantName;
    case 'amount':
      return formatCents(row.amountCents);
    case 'amount_abs':
      return formatCents(Math.abs(row.amountCents));
    case 'iso_currency_code':
      return row.isoCurrencyCode;
    case 'pending':
      return row.pending;
    case 'provider':
      return row.provider;
    case 'payment_channel':
      return row.paymentChannel;
    case 'provider_category_primary':
      return row.providerCategoryPrimary;
    case 'provider_category_detailed':
      return row.providerCategoryDetailed;
    case 'category':
      return category?.slug ?? categoryId;
    case 'category_kind':
      return category?.kind ?? null;
    case 'account_id':
      return row.accountId;
    case 'account_name':
      return row.accountName;
    case 'account_type':
      return row.accountType;
    case 'user_id':
      return row.userId === null ? null : (catalog.users.get(row.userId) ?? row.userId);
    case 'user_name':
      return row.userName;
    case 'tags':
      return [...subject.tags].sort();
    case 'series':
      return subject.seriesId;
    case 'in_series':
      return subject.seriesId !== null;
    case 'counterparty':
      return subject.counterpartyId;
    case 'has_counterparty':
      return subject.counterpartyId !== null;
    case 'day_of_month':
      return day.dayOfMonth;
    case 'month':
      return day.month;
    case 'day_of_week':
      return day.dayOfWeek;
    case 'day_of_year':
      return day.dayOfYear;
    case 'date':
      return row.date;
    default: {
      const known = findField(field);
      return known?.kind === 'metadata' ? ((subject.metadata.get(known.key) ?? null) as Json) : null;
    }
  }
}
