import type { RuleRow } from '../../../src/engines/rules/row.ts';
import { fold } from '../../../src/kernel/fold.ts';
import { parseCents } from '../../../src/kernel/money.ts';
import { KINDS, type Plain } from './sample-rules.ts';

function reads(row: RuleRow, field: string): unknown {
  const slug = row.categoryId === null ? null : row.categoryId.slice(3);
  const at = new Date(`${row.date}T00:00:00Z`);
  const start = Date.UTC(at.getUTCFullYear(), 0, 1);
  const named: Plain = {
    name: row.name,
    merchant_name: row.merchantName,
    iso_currency_code: row.isoCurrencyCode,
    account_name: row.accountName,
    user_name: row.userName,
    provider: row.provider,
    payment_channel: row.paymentChannel,
    category: slug,
    category_kind: slug === null ? null : KINDS[slug],
    account_id: row.accountId.slice(3),
    user_id: row.userId === null ? null : row.userId.slice(3),
    series: row.seriesId === null ? null : row.seriesId.slice(3),
    counterparty: row.counterpartyId === null ? null : row.counterpartyId.slice(3),
    in_series: row.seriesId !== null,
    has_counterparty: row.counterpartyId !== null,
    pending: row.pending,
    amount: row.amountCents,
    amount_abs: Math.abs(row.amountCents),
    date: row.date,
    day_of_month: at.getUTCDate(),
    month: at.getUTCMonth() + 1,
    day_of_week: at.getUTCDay(),
    day_of_year: Math.round((at.getTime() - start) / 86_400_000) + 1,
  };
  return named[field];
}

export const TEXT_FIELDS = ['name', 'merchant_name', 'iso_currency_code', 'account_name', 'user_name'];
const MONEY = ['amount', 'amount_abs'];
const LENGTHS: Record<string, (row: RuleRow) => number[]> = {
  day_of_month: ({ date }) => range(1, new Date(Date.UTC(+date.slice(0, 4), +date.slice(5, 7), 0)).getUTCDate()),
  month: () => range(1, 12),
  day_of_week: () => range(0, 6),
  day_of_year: ({ date }) => range(1, +date.slice(0, 4) % 4 === 0 ? 366 : 365),
};

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}

/** Reads a condition as a client writes it, slowly and without the engine (contract 40.2). */
export function holds(node: Plain, row: RuleRow): boolean {
  if (Object.keys(node).length === 0) return true;
  if (node['and']) return (node['and'] as Plain[]).map((child) => holds(child, row)).every(Boolean);
  if (node['or']) return (node['or'] as Plain[]).map((child) => holds(child, row)).some(Boolean);
  if (node['not']) return !holds(node['not'] as Plain, row);
  const op = String(node['op']);
  const field = String(node['field']);
  if (field.startsWith('metadata.')) return holdsMetadata(op, node, row.metadata, field.slice(9));
  if (op.startsWith('not_')) return !holds({ ...node, op: op.slice(4) }, row);
  if (op === 'neq') return !holds({ ...node, op: 'eq' }, row);
  if (op === 'in') return (node['value'] as unknown[]).some((value) => holds({ ...node, op: 'eq', value }, row));
  if (field === 'tags') return op === 'exists' ? row.tags.size > 0 : row.tags.has(String(node['value']));
  const actual = reads(row, field);
  if (TEXT_FIELDS.includes(field) || field === 'category') return holdsText(op, node['value'], actual as string | null);
  if (op === 'exists') return actual !== null;
  if (op === 'approx' && !MONEY.includes(field)) {
    const circle = LENGTHS[field]?.(row) ?? [];
    const value = Math.min(Number(node['value']), circle.at(-1) ?? 0);
    const steps = range(-Number(node['tolerance']), Number(node['tolerance']));
    return steps.some((step) => circle.at((circle.indexOf(value) + step) % circle.length) === actual);
  }
  const number = (key: string): unknown => (MONEY.includes(field) ? parseCents(node[key] as string) : node[key]);
  if (op === 'approx') return Math.abs(Number(number('value')) - Number(actual)) <= Number(number('tolerance'));
  return compares(op, actual as number, number('value') as number, number('min') as number, number('max') as number);
}

function compares(op: string, actual: number, value: number, min: number, max: number): boolean {
  if (op === 'eq') return actual === value;
  if (op === 'gt') return actual > value;
  if (op === 'gte') return actual >= value;
  if (op === 'lt') return actual < value;
  return op === 'lte' ? actual <= value : min <= actual && actual <= max;
}

function holdsText(op: string, value: unknown, actual: string | null): boolean {
  const text = actual === null || fold(actual) === '' ? null : actual;
  if (op === 'exists') return text !== null;
  const literal = fold(String(value));
  if (op === 'eq') return literal === '' ? text === null : text !== null && fold(text) === literal;
  if (text === null) return false;
  if (op === 'contains') return fold(text).includes(literal);
  if (op === 'starts_with') return fold(text).startsWith(literal);
  if (op === 'ends_with') return fold(text).endsWith(literal);
  const insensitive = String(value).startsWith('(?i)');
  return new RegExp(String(value).replace('(?i)', ''), insensitive ? 'iu' : 'u').test(text);
}

function holdsMetadata(op: string, node: Plain, map: ReadonlyMap<string, unknown>, key: string): boolean {
  if (op === 'exists' || op === 'not_exists') return map.has(key) === (op === 'exists');
  if (!map.has(key)) return false;
  const actual = map.get(key);
  const equals = (value: unknown): boolean =>
    typeof actual === 'string' && typeof value === 'string' ? fold(actual) === fold(value) : actual === value;
  if (op === 'eq' || op === 'neq') return equals(node['value']) === (op === 'eq');
  if (op === 'in' || op === 'not_in') return (node['value'] as unknown[]).some(equals) === (op === 'in');
  const text = typeof actual === 'string' ? actual : JSON.stringify(actual);
  if (op === 'not_contains') return !fold(text).includes(fold(String(node['value'])));
  if (['contains', 'starts_with', 'ends_with'].includes(op)) return holdsText(op, node['value'], text);
  if (op === 'matches') return new RegExp(String(node['value']), 'u').test(text);
  const number = typeof actual === 'string' && /^-?\d+(\.\d+)?$/.test(actual) ? Number(actual) : actual;
  const { value, min, max } = node as Record<string, number>;
  return typeof number === 'number' && compares(op, number, value ?? 0, min ?? 0, max ?? 0);
}
