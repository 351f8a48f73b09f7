import { isDeepStrictEqual } from 'node:util';

import type { PlaidFacts, PlaidItem, RowChange } from './records.ts';

/** One entry of the net difference between two versions of an item. */
type Entry =
  | { kind: 'added' | 'modified'; facts: PlaidFacts }
  | { kind: 'removed'; transaction_id: string; account_id: string };

export interface Page {
  added: PlaidFacts[];
  modified: PlaidFacts[];
  removed: { transaction_id: string; account_id: string }[];
  next_cursor: string;
  has_more: boolean;
}

/** Where a client has arrived, and between two pages where its loop is going. */
interface Cursor {
  item: string;
  from: number;
  target: number;
  offset: number;
  /** How many pages without rows have come before the next one with rows. */
  empty?: number;
}

/** Stores a change of transactions as one new version. */
export function applyChange(item: PlaidItem, { put, removed }: RowChange): void {
  if (put.length === 0 && removed.length === 0) return;
  const version = ++item.version;
  const note = (id: string, facts: PlaidFacts | null): void => {
    const states = item.rows.get(id);
    if (states) states.push({ version, facts });
    else item.rows.set(id, [{ version, facts }]);
    item.changes.push({ version, id });
  };
  for (const facts of put) note(facts.transaction_id, facts);
  for (const id of removed) note(id, null);
}

/** What the transaction is now; undefined if there is none. */
export function currentFacts(item: PlaidItem, id: string): PlaidFacts | undefined {
  return item.rows.get(id)?.at(-1)?.facts ?? undefined;
}

export function currentRows(item: PlaidItem): PlaidFacts[] {
  return [...item.rows.values()].flatMap((states) => states.at(-1)?.facts ?? []);
}

/** One page of a loop, or what is wrong with its cursor. `emptyPages` come before each page with rows. */
export function readPage(
  item: PlaidItem,
  cursorText: string | undefined,
  { count, emptyPages }: { count: number; emptyPages: number },
): Page | 'unreadable cursor' | 'mutation' {
  if (item.transactions_update_status === 'NOT_READY') {
    return { added: [], modified: [], removed: [], next_cursor: '', has_more: false };
  }
  const cursor = cursorText === undefined ? start(item) : parseCursor(item, cursorText);
  if (!cursor) return 'unreadable cursor';
  const { empty = 0 } = cursor;
  if (cursor.offset + empty > 0 && cursor.target !== item.version) return 'mutation';
  const entries = differenceSince(item, cursor.from);
  if (empty < emptyPages && cursor.offset < entries.length) {
    const again = { ...cursor, target: item.version, empty: empty + 1 };
    return { added: [], modified: [], removed: [], next_cursor: cursorTextOf(again), has_more: true };
  }
  const end = cursor.offset + count;
  const page = entries.slice(cursor.offset, end);
  const has_more = end < entries.length;
  const next = has_more
    ? { ...cursor, target: item.version, offset: end, empty: 0 }
    : { item: item.item_id, from: item.version, target: item.version, offset: 0 };
  if (!has_more) settleDeferred(item);
  return {
    added: page.flatMap((entry) => (entry.kind === 'added' ? entry.facts : [])),
    modified: page.flatMap((entry) => (entry.kind === 'modified' ? entry.facts : [])),
    removed: page.flatMap((entry) =>
      entry.kind === 'removed' ? { transaction_id: entry.transaction_id, account_id: entry.account_id } : [],
    ),
    next_cursor: cursorTextOf(next),
    has_more,
  };
}

function cursorTextOf(cursor: Cursor): string {
  return Buffer.from(JSON.stringify(cursor)).toString('base64url');
}

/** A client has read everything: what was held back for its next sync happens now. */
function settleDeferred(item: PlaidItem): void {
  const next = item.deferred.shift();
  if (next) applyChange(item, next);
}

function start(item: PlaidItem): Cursor {
  return { item: item.item_id, from: 0, target: item.version, offset: 0 };
}

function parseCursor(item: PlaidItem, text: string): Cursor | undefined {
  try {
    const read = JSON.parse(Buffer.from(text, 'base64url').toString()) as Cursor;
    const isWhole = [read.from, read.target, read.offset].every(
      (number) => Number.isSafeInteger(number) && number >= 0,
    );
    return isWhole && read.item === item.item_id && read.target <= item.version ? read : undefined;
  } catch {
    return undefined;
  }
}

/** The pages of one loop come from one difference, which is worked out once. */
const known = new WeakMap<PlaidItem, { from: number; version: number; entries: readonly Entry[] }>();

function differenceSince(item: PlaidItem, from: number): readonly Entry[] {
  const last = known.get(item);
  if (last?.from === from && last.version === item.version) return last.entries;
  const entries = workOutDifference(item, from);
  known.set(item, { from, version: item.version, entries });
  return entries;
}

function workOutDifference(item: PlaidItem, from: number): Entry[] {
  const changed = new Set<string>();
  for (const { version, id } of item.changes) {
    if (version <= from) continue;
    // A row stands where it changed last.
    changed.delete(id);
    changed.add(id);
  }
  return [...changed].flatMap((id): Entry[] => {
    const states = item.rows.get(id) ?? [];
    const before = states.findLast(({ version }) => version <= from)?.facts ?? null;
    const after = states.at(-1)?.facts ?? null;
    if (before && after) return isDeepStrictEqual(before, after) ? [] : [{ kind: 'modified', facts: after }];
    if (after) return [{ kind: 'added', facts: after }];
    return before ? [{ kind: 'removed', transaction_id: id, account_id: before.account_id }] : [];
  });
}
