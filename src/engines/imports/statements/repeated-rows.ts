import { normalisedText } from '../text/cell-text.ts';
import { accountValueOf, rowOf, type RowRules } from './statement-rows.ts';
import type { Statement, StatementEntry, StatementFile } from './statement.ts';

/** Entries that another statement of the same account in the file lists too, each named by `entryKey`. */
export interface SharedEntries {
  /** What the entry is: the same number wherever a statement lists it. */
  readonly identities: ReadonlyMap<string, number>;
  /** Those that an earlier statement of the file lists. */
  readonly repeated: ReadonlySet<string>;
}

const NONE: SharedEntries = { identities: new Map(), repeated: new Set() };

export function entryKey({ line, part }: Pick<StatementEntry, 'line' | 'part'>): string {
  return `${line}.${part}`;
}

/** Statements overlap: a row with the same id and the same content in two of them is one row (36.7.1). */
export function sharedEntries(file: StatementFile, rules: RowRules): SharedEntries {
  const found: SharedEntries[] = [];
  for (const statements of Map.groupBy(file.statements, accountValueOf).values()) {
    if (statements.length > 1) found.push(sharedOf(statements, rules));
  }
  if (found.length < 2) return found[0] ?? NONE;
  return {
    identities: new Map(found.flatMap(({ identities }) => [...identities])),
    repeated: new Set(found.flatMap(({ repeated }) => [...repeated])),
  };
}

function sharedOf(statements: readonly Statement[], rules: RowRules): SharedEntries {
  const days = sharedDays(statements);
  if (days.size === 0) return NONE;
  /** Of each entry, its keys by the statement that lists it. */
  const listed = new Map<string, string[][]>();
  for (const [index, statement] of statements.entries()) {
    for (const entry of statement.entries) {
      const content = days.has(entry.date ?? '') ? contentOf(entry, statement, rules) : null;
      if (content === null) continue;
      const places = listed.get(content) ?? [];
      (places[index] ??= []).push(entryKey(entry));
      listed.set(content, places);
    }
  }
  const identities = new Map<string, number>();
  const repeated = new Set<string>();
  for (const places of listed.values()) {
    const lists = places.filter((keys) => keys !== undefined);
    if (lists.length < 2) continue;
    const identity = statements.length + identities.size;
    let most = 0;
    for (const keys of lists) {
      for (const key of keys) identities.set(key, identity);
      for (const key of keys.slice(0, most)) repeated.add(key);
      most = Math.max(most, keys.length);
    }
  }
  return { identities, repeated };
}

/** Days of which more than one statement has entries with an id. */
function sharedDays(statements: readonly Statement[]): ReadonlySet<string> {
  const seen = new Map<string, number>();
  const shared = new Set<string>();
  for (const [index, statement] of statements.entries()) {
    for (const { date, bank_id: id } of statement.entries) {
      if (date === null || id === null) continue;
      if ((seen.get(date) ?? index) === index) seen.set(date, index);
      else shared.add(date);
    }
  }
  return shared;
}

/** What a row with an id says; null for any other entry. */
function contentOf(entry: StatementEntry, statement: Statement, rules: RowRules): string | null {
  const row = rowOf(entry, statement, null, rules);
  if (row.outcome !== 'row' || row.bank_id === null || row.correction !== null) return null;
  const { bank_id: id, date, amount_cents: cents, iso_currency_code: currency, pending, description } = row;
  return JSON.stringify([id, date, cents, currency, pending, normalisedText(description)]);
}
