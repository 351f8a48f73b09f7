import fc from 'fast-check';

import { bankIdKey, contentKey } from '../../../src/engines/matching/identity.ts';
import type { ImportedRow, LedgerCandidate, MatchOptions, Span } from '../../../src/engines/matching/identity.ts';
import { matchImportedRows, type MatchResult } from '../../../src/engines/matching/match-imported-rows.ts';
import type { RowMatch } from '../../../src/engines/matching/row-matches.ts';
import { dateOfDayNumber, dayNumber } from '../../../src/kernel/dates.ts';

/** Rows of files and of ledgers, and how they are matched, without a database. */

export type Ledger = LedgerCandidate[];
export type Result = Omit<MatchResult, 'matches'> & { matches: RowMatch[] };
export type Given = Partial<ImportedRow> & { date: string; amountCents: number; name: string };

let lastId = 0;

export function row(given: Given): ImportedRow {
  const { date, amountCents, name } = given;
  const key = contentKey(date, amountCents, name.toLowerCase());
  const base = { line: 1, authorizedDate: null, currency: 'EUR', merchantName: null, bankId: null, pending: false };
  return { ...base, contentKey: key, ...given };
}

export function inLedger(from: ImportedRow, change: Partial<LedgerCandidate> = {}): LedgerCandidate {
  lastId += 1;
  return {
    id: `t${String(lastId).padStart(8, '0')}`,
    date: from.date,
    authorizedDate: from.authorizedDate,
    amountCents: from.amountCents,
    currency: from.currency,
    name: from.name,
    merchantName: from.merchantName,
    pending: from.pending,
    state: 'live',
    changedAt: '2026-02-01T08:00:00.000Z',
    sourceKey: 'own',
    isProvider: false,
    isEntered: false,
    contentKey: from.contentKey,
    otherContentKeys: [],
    bankIds: from.bankId === null ? [] : [bankIdKey('csv:id', from.bankId)],
    isStale: false,
    otherSourceKeys: [],
    formerBankIds: [],
    balanceCents: null,
    otherBalances: [],
    ...change,
  };
}

export const provider = { sourceKey: null, isProvider: true, contentKey: null, bankIds: [] } as const;

export function spanOf(rows: readonly { date: string }[]): Span | null {
  const dates = rows.map(({ date }) => date).sort();
  return dates.length === 0 ? null : { first: dates[0] as string, last: dates.at(-1) as string };
}

export function match(rows: readonly ImportedRow[], ledger: Ledger, options: Partial<MatchOptions> = {}): Result {
  const numbered = rows.map((one, index) => ({ ...one, line: one.line === 1 ? index + 2 : one.line }));
  const { matches, ...found } = matchImportedRows(numbered, ledger, {
    sourceKey: 'own',
    namespace: 'csv:id',
    includeLines: new Set(),
    days: spanOf(rows.filter(({ pending }) => !pending)),
    covered: [spanOf(ledger)].filter((span) => span !== null),
    isProved: false,
    sums: null,
    goesOn: false,
    listedLater: new Set(),
    listedPending: [],
    ...options,
  });
  return { ...found, matches: rows.map((_row, index) => matches.at(index)) };
}

/** The ledger after an import of these rows. */
export function imported(rows: readonly ImportedRow[], ledger: Ledger): Ledger {
  const { matches, removed } = match(rows, ledger);
  const next = ledger.filter((one) => !removed.includes(one));
  for (const [index, { outcome, ledger: known }] of matches.entries()) {
    if (outcome === 'added' && known === null) next.push(inLedger(rows[index] as ImportedRow));
  }
  return next;
}

export function outcomes(result: Result): string[] {
  return result.matches.map(({ outcome, reason }) => (reason === null ? outcome : `${outcome} ${reason}`));
}

export function contents(ledger: Ledger): string[] {
  return ledger.map((one) => `${one.date} ${one.amountCents} ${one.name}`).sort();
}

export const coffee = row({ date: '2026-01-10', amountCents: 350, name: 'COFFEE' });
export const anyRow = fc
  .record({
    day: fc.integer({ min: 0, max: 12 }),
    cents: fc.constantFrom(350, 350, 1200, -5000),
    name: fc.constantFrom('COFFEE', 'RENT'),
  })
  .map(({ day, cents, name }) =>
    row({ date: dateOfDayNumber(dayNumber('2026-01-05') + day), amountCents: cents, name }),
  );
export const anyFile = fc
  .array(anyRow, { maxLength: 30 })
  .map((rows) => rows.toSorted((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0)));
