import type { ToolResult } from './conversation.ts';

/** A reference that leads nowhere. */
export class PathError extends Error {}

/**
 * Replaces `{"$from": "<tool>.<path>"}` by what the newest result of that tool holds there. A path is made of `.name`,
 * `[0]`, `[-1]` and `[*]`, which stands for all: `query_transactions.transactions[*].id`. `<tool>#1` is its first result.
 */
export function fillIn(value: unknown, results: readonly ToolResult[]): unknown {
  if (Array.isArray(value)) return value.map((one) => fillIn(one, results));
  if (typeof value !== 'object' || value === null) return value;
  const { $from: path, $each: each } = value as { $from?: unknown; $each?: unknown };
  if (typeof path === 'string') {
    const found = follow(path, results);
    // With `$each`, an object for every one of them; `"$it"` in it is that one.
    return each === undefined || !Array.isArray(found) ? found : found.map((one) => withIt(each, one));
  }
  return Object.fromEntries(Object.entries(value).map(([key, held]) => [key, fillIn(held, results)]));
}

/** Replaces `${<tool>.<path>}` in a text. */
export function filledText(text: string, results: readonly ToolResult[]): string {
  return text.replaceAll(/\$\{([^}]+)\}/g, (_all, path: string) => {
    const found = follow(path, results);
    return typeof found === 'string' ? found : JSON.stringify(found);
  });
}

function withIt(value: unknown, it: unknown): unknown {
  if (value === '$it') return it;
  if (Array.isArray(value)) return value.map((one) => withIt(one, it));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, held]) => [key, withIt(held, it)]));
}

function follow(path: string, results: readonly ToolResult[]): unknown {
  const [, tool = '', which, rest = ''] = /^(\w+)(?:#(\d+))?((?:\.\w+|\[(?:-?\d+|\*)\])*)$/.exec(path) ?? [];
  if (tool === '') throw new PathError(`"${path}" is not a path such as query_transactions.transactions[0].id.`);
  const own = results.filter(({ name }) => name === tool);
  const result = which === undefined ? own.at(-1) : own[Number(which) - 1];
  if (!result) throw new PathError(`"${path}": the tool ${tool} has not answered${which ? ` ${which} times` : ''}.`);
  return [...rest.matchAll(/\.(\w+)|\[(-?\d+|\*)\]/g)].reduce<unknown>(
    (held, [, name, index]) => step(held, { path, name, index }),
    readResult(result.text, path),
  );
}

/** The JSON of a result, which may follow a remark. */
function readResult(text: string, path: string): unknown {
  try {
    return JSON.parse(text.slice(Math.max(0, text.search(/[[{]/))));
  } catch {
    throw new PathError(`"${path}": the result is not JSON.`);
  }
}

interface Step {
  path: string;
  name: string | undefined;
  index: string | undefined;
}

/** After `[*]` a step is taken in each of many. */
const many = new WeakSet();

function step(held: unknown, { path, name, index }: Step): unknown {
  if (Array.isArray(held) && many.has(held)) return each(held.map((one) => step(one, { path, name, index })));
  if (index === '*') return each(Array.isArray(held) ? [...(held as unknown[])] : nothing(path, '[*]'));
  if (index !== undefined)
    return Array.isArray(held) ? (held.at(Number(index)) ?? nothing(path, `[${index}]`)) : nothing(path, `[${index}]`);
  const found = typeof held === 'object' && held !== null ? (held as Record<string, unknown>)[name ?? ''] : undefined;
  return found === undefined ? nothing(path, `.${name}`) : found;
}

function each(items: unknown[]): unknown[] {
  many.add(items);
  return items;
}

function nothing(path: string, at: string): never {
  throw new PathError(`"${path}": there is nothing at ${at}.`);
}
