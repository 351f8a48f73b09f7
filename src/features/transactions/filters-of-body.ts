import { z } from 'zod';

import { AppError, invalidParameter } from '../../kernel/errors.ts';
import { isEmptyFilter, type BodyFilter } from './body-filter.contract.ts';
import { sharedFilters, type TransactionFilters } from './filters.contract.ts';

const Filters = z.object(sharedFilters);

/**
 * A filter object of a body as the list's query would give it, so that both mean the same. Null, empty text and an
 * empty list are absent.
 * @throws INVALID_PARAMETER naming the filter
 */
export function filtersOfBody(filter: BodyFilter): TransactionFilters {
  const query: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(filter)) {
    if (isEmptyFilter(value)) continue;
    query[name] = Array.isArray(value) ? value.map((one) => asText(name, one)) : asText(name, value);
  }
  const result = Filters.safeParse(query, { error: message });
  if (result.success) return result.data;
  const details = result.error.issues.map((issue) => ({ path: String(issue.path[0]), message: issue.message }));
  const [first] = details;
  throw new AppError('INVALID_PARAMETER', first ? `${first.path}: ${first.message}` : 'The filter is not valid.', {
    details,
  });
}

function asText(name: string, value: unknown): string {
  const isPlain = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
  const text = isPlain ? String(value) : '\0';
  if (!text.includes('\0') && text.isWellFormed()) return text;
  throw invalidParameter(name, `${name}: takes text without U+0000, a number, true or false, or a list of these.`);
}

const message: z.core.$ZodErrorMap = (issue) => {
  if (issue.code === 'invalid_type' && Array.isArray(issue.input)) return 'takes one value, not a list';
  if (issue.code === 'invalid_value') return `one of ${issue.values.join(', ')}`;
  return undefined;
};

/** The errors of `fn` name fields; `rename` says what these are called in the body. */
export async function named<T>(rename: (path: string) => string, fn: () => T | Promise<T>): Promise<T> {
  try {
    return await fn();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const details = error.extra.details?.map((detail) => ({ ...detail, path: rename(detail.path) }));
    const [first] = error.extra.details ?? [];
    const text = first && error.message.startsWith(`${first.path}: `) ? error.message.slice(first.path.length) : null;
    const renamed = text === null || !first ? error.message : `${rename(first.path)}${text}`;
    throw new AppError(error.code, renamed, { ...error.extra, ...(details ? { details } : {}) });
  }
}
