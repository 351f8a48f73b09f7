import { dayNumber } from '../../kernel/dates.ts';
import { numbered, type Sequence } from '../../kernel/sequence.ts';
import { normalisedText } from '../imports/text/cell-text.ts';
import { bankIdKey, hasOtherBankId, isOutdated, isSameCurrency } from './identity.ts';
import type { ImportedRow, LedgerCandidate, MatchOptions } from './identity.ts';
import { indexBy } from './key-index.ts';
import { mayBeTheSame, pairSimilar } from './pair-similar.ts';
import { RowMatches, type MatchReason, type Verdict } from './row-matches.ts';

const BANK_ID_DAYS = 31;
const PENDING_DAYS = 10;
/** Names are stored up to this length (36.5.8). */
const STORED_NAME_CHARS = 500;
const STATE_RANK = { live: 0, kept_deleted: 1, withdrawn: 2 } as const;

export interface MatchResult<L extends LedgerCandidate = LedgerCandidate> {
  /** One per imported row, in its order. */
  readonly matches: RowMatches<L>;
  /** Stale pending rows (36.7.6). */
  readonly removed: readonly L[];
  readonly reusedBankIdLines: readonly number[];
}

type Pass = 'bank_id' | 'content' | 'continued' | 'similar' | 'probable';

/**
 * The state of a matching in progress. A row of the file goes by its index, one of the ledger by its place: maps and sets
 * of half a million rows would take more memory than the rows.
 */
interface Matching<L> {
  readonly rows: Sequence<ImportedRow>;
  readonly ledger: Sequence<L>;
  readonly options: MatchOptions;
  /** Whether a ledger row is taken; each stands for one row of the file at most. */
  readonly isUsed: (place: number) => boolean;
  /** The rows that nothing has matched yet. */
  left: number[];
  readonly reusedBankIdLines: Set<number>;
  readonly take: (index: number, place: number, pass: Pass) => void;
}

/**
 * Decides for every row of a file whether the ledger has it already (36.7.2). Per content key the ledger ends with
 * max(rows in the file, rows in the ledger). Rows come in chronological order, ledger rows in order of their ids.
 * Withdrawn rows come back only for what is not there otherwise: another file may have delivered it meanwhile.
 */
export function matchImportedRows<L extends LedgerCandidate>(
  rows: Sequence<ImportedRow>,
  ledger: Sequence<L>,
  options: MatchOptions,
): MatchResult<L> {
  const matches = new RowMatches(rows.length, ledger);
  if (ledger.length === 0) return { matches, removed: [], reusedBankIdLines: [] };
  const used = new Uint8Array(ledger.length);
  const matching: Matching<L> = {
    rows,
    ledger,
    options,
    isUsed: (place) => used[place] === 1,
    left: Array.from({ length: rows.length }, (_, index) => index),
    reusedBankIdLines: new Set(),
    take: (index, place, pass) => {
      used[place] = 1;
      matches.match(index, place, decide(rows.at(index) as ImportedRow, ledger.at(place) as L, pass, options));
    },
  };
  const withdrawn = freePlaces(matching, ({ state }) => state === 'withdrawn');
  for (const place of withdrawn) used[place] = 1;
  takeSame(matching);
  takeContinued(matching);
  takeSimilar(matching, withdrawn);
  if (options.includeLines.size > 0) include(rows, matches, options.includeLines);
  const removed = stale(matching);
  if (withdrawn.length > 0) {
    used.fill(1);
    for (const place of withdrawn) used[place] = 0;
    matching.left = [];
    for (let index = 0; index < rows.length; index++) if (!matches.isMatched(index)) matching.left.push(index);
    takeSame(matching);
  }
  return { matches, removed, reusedBankIdLines: [...matching.reusedBankIdLines] };
}

/** Passes 1 and 2: the bank's id or the content says that it is the same row. */
function takeSame<L extends LedgerCandidate>(matching: Matching<L>): void {
  takeByBankId(matching);
  takeByContent(matching);
  takeSameTexts(matching);
}

/** Takes what a pass finds for the rows that are left, and leaves the others to the next pass. */
function takeEach<L>(matching: Matching<L>, pass: Pass, find: (row: ImportedRow) => number | undefined): void {
  matching.left = matching.left.filter((index) => {
    const place = find(matching.rows.at(index) as ImportedRow);
    if (place !== undefined) matching.take(index, place, pass);
    return place === undefined;
  });
}

/** The places of the ledger rows that are still free and fit. */
function freePlaces<L>({ ledger, isUsed }: Matching<L>, fits: (one: L) => boolean = () => true): number[] {
  const places: number[] = [];
  for (const [place, one] of numbered(ledger)) if (!isUsed(place) && fits(one)) places.push(place);
  return places;
}

function takeByBankId<L extends LedgerCandidate>(matching: Matching<L>): void {
  const { ledger, reusedBankIdLines } = matching;
  const { namespace } = matching.options;
  if (namespace === null) return;
  const placesOf = indexBy(ledger, freePlaces(matching), ({ bankIds }) => bankIds);
  const placesNamed = (id: string): number[] => placesOf(bankIdKey(namespace, id));
  takeEach(matching, 'bank_id', (row) => {
    const candidates = row.bankId === null ? [] : placesNamed(row.bankId);
    const found = nearestWithBankId(matching, row, candidates) ?? namedBefore(matching, row, placesNamed);
    const isReusedBy = (place: number): boolean => isReused(row, ledger.at(place) as L);
    if (found === undefined && candidates.some(isReusedBy)) reusedBankIdLines.add(row.line);
    return found;
  });
}

/** A twin in the row's own currency comes before one whose currency is unknown. */
function takeByContent<L extends LedgerCandidate>(matching: Matching<L>): void {
  const { ledger } = matching;
  const placesOf = indexBy(ledger, freePlaces(matching), contentKeysOf);
  for (const hasCurrency of [isEqual, isSameCurrency]) {
    takeEach(matching, 'content', (row) =>
      firstWithContent(matching, row, liveFirst(ledger, placesOf(row.contentKey)), hasCurrency),
    );
  }
}

/**
 * Content keys stored by earlier versions contain the currency too. Their rows are recognised by what the ledger shows
 * instead; texts that may have been cut do not count.
 */
function takeSameTexts<L extends LedgerCandidate>(matching: Matching<L>): void {
  const { rows, ledger, left } = matching;
  if (left.length === 0) return;
  const wanted = new Set(left.map((index) => moneyAndDay(rows.at(index) as ImportedRow)));
  const byMoneyAndDay = new Map<string, number[]>();
  const isKnownText = (one: L): boolean => one.sourceKey !== null && one.name.length < STORED_NAME_CHARS;
  for (const place of freePlaces(matching, isKnownText)) {
    const key = moneyAndDay(ledger.at(place) as L);
    if (wanted.has(key)) append(byMoneyAndDay, key, place);
  }
  if (byMoneyAndDay.size === 0) return;
  takeEach(matching, 'content', (row) => {
    const hasText = (place: number): boolean => isSameText(row, ledger.at(place) as L);
    const candidates = (byMoneyAndDay.get(moneyAndDay(row)) ?? []).filter(hasText);
    return firstWithContent(matching, row, liveFirst(ledger, candidates), isSameCurrency);
  });
}

function takeContinued<L extends LedgerCandidate>(matching: Matching<L>): void {
  const continuable = freePlaces(matching, isImportedPending);
  if (continuable.length > 0) takeEach(matching, 'continued', (row) => continuedBy(matching, row, continuable));
}

function takeSimilar<L extends LedgerCandidate>(matching: Matching<L>, withdrawn: readonly number[]): void {
  const { rows, ledger, left, options, take } = matching;
  if (left.length === 0) return;
  const others = freePlaces(matching, (one) => one.isProvider || one.sourceKey !== options.sourceKey);
  if (others.length === 0) return;
  const open = left.map((index) => rows.at(index) as ImportedRow);
  const theirs = others.map((place) => ledger.at(place) as L);
  const withdrawnAt = withdrawals(matching, withdrawn);
  const mayBe = (row: ImportedRow, one: L): boolean =>
    !hasOtherBankId(one, options.namespace, row.bankId) && one.changedAt >= withdrawnAt(row);
  for (const { row, place, isCertain } of pairSimilar(open, theirs, mayBe))
    take(left[row] as number, others[place] as number, isCertain ? 'similar' : 'probable');
}

/**
 * When the row was withdrawn that a row of the file would bring back; '' where there is none. What the ledger had beside
 * it is another movement; what came later may be the same one.
 */
function withdrawals<L extends LedgerCandidate>(
  { ledger, options: { namespace } }: Matching<L>,
  withdrawn: readonly number[],
): (row: ImportedRow) => string {
  const placesOf = indexBy(ledger, withdrawn, (one) => [...contentKeysOf(one), ...one.bankIds]);
  return ({ contentKey, bankId }) => {
    let last = '';
    const ids = namespace === null || bankId === null ? [] : [bankIdKey(namespace, bankId)];
    for (const place of [contentKey, ...ids].flatMap(placesOf)) {
      const { changedAt } = ledger.at(place) as L;
      if (changedAt > last) last = changedAt;
    }
    return last;
  };
}

function decide(row: ImportedRow, ledger: LedgerCandidate, pass: Pass, options: MatchOptions): Verdict {
  const match = pass === 'probable' ? 'probable' : 'certain';
  if (ledger.state === 'withdrawn') return { outcome: 'added', reason: 'BROUGHT_BACK', match };
  if (ledger.state === 'kept_deleted') return { outcome: 'deleted', reason: 'DELETED_BY_PERSON', match };
  if (isImportedPending(ledger) && !row.pending) return { outcome: 'updated', reason: 'POSTED', match };
  const isOurs = ledger.sourceKey !== null && !ledger.isProvider;
  const isNews = (pass === 'bank_id' && !isOutdated(ledger, options.namespace, row.bankId)) || pass === 'continued';
  if (isOurs && isNews && differs(row, ledger) && !isKnownToDiffer(row, ledger, options)) {
    return { outcome: 'updated', reason: 'CHANGED_BY_BANK', match };
  }
  if (ledger.currency === null && row.currency !== null) {
    return { outcome: 'updated', reason: 'CURRENCY_FILLED', match };
  }
  return { outcome: 'duplicate', reason: reasonOf(pass, ledger), match };
}

function reasonOf(pass: Pass, ledger: LedgerCandidate): MatchReason {
  if (pass === 'bank_id') return 'SAME_BANK_ID';
  if (pass === 'content' || pass === 'continued') return 'SAME_CONTENT';
  return ledger.isProvider ? 'SAME_AS_PROVIDER' : 'SIMILAR';
}

function differs(row: ImportedRow, ledger: LedgerCandidate): boolean {
  return row.date !== ledger.date || row.amountCents !== ledger.amountCents || row.name !== ledger.name;
}

/** Whether the row differs as it did when it was first matched, so that the bank has changed nothing since. */
function isKnownToDiffer(row: ImportedRow, ledger: LedgerCandidate, options: MatchOptions): boolean {
  return isAsTakenOver(row, ledger) || isInOtherWords(row, ledger, options);
}

/** The same movement as another source writes it: its texts, and a day or two, were never those of the ledger. */
function isInOtherWords(row: ImportedRow, ledger: LedgerCandidate, { sourceKey, namespace }: MatchOptions): boolean {
  if (ledger.sourceKey === sourceKey || namespace === null || row.bankId === null) return false;
  if (!ledger.laterBankIds.includes(bankIdKey(namespace, row.bankId))) return false;
  return mayBeTheSame(row, ledger);
}

/** A row entered by hand keeps its own words as long as the file says what it said before. */
function isAsTakenOver(row: ImportedRow, ledger: LedgerCandidate): boolean {
  return ledger.isEntered && row.contentKey === ledger.contentKey;
}

function isImportedPending(ledger: LedgerCandidate): boolean {
  return ledger.pending && ledger.state === 'live' && ledger.sourceKey !== null && !ledger.isProvider;
}

function contentKeysOf({ contentKey, otherContentKeys }: LedgerCandidate): readonly string[] {
  return contentKey === null ? otherContentKeys : [contentKey, ...otherContentKeys];
}

/** Live rows first, and the oldest of each state first. */
function liveFirst(ledger: Sequence<LedgerCandidate>, places: number[]): number[] {
  if (places.length < 2) return places;
  return places.sort((a, b) => rankOf(ledger, a) - rankOf(ledger, b) || a - b);
}

function rankOf(ledger: Sequence<LedgerCandidate>, place: number): number {
  return STATE_RANK[(ledger.at(place) as LedgerCandidate).state];
}

function append(index: Map<string, number[]>, key: string, place: number): void {
  const known = index.get(key);
  if (known) known.push(place);
  else index.set(key, [place]);
}

function isSameMoney(row: ImportedRow, ledger: LedgerCandidate): boolean {
  return row.amountCents === ledger.amountCents && isSameCurrency(row.currency, ledger.currency);
}

function isSameText(row: ImportedRow, ledger: LedgerCandidate): boolean {
  return row.name === ledger.name || normalisedText(row.name) === normalisedText(ledger.name);
}

function daysBetween(a: string, b: string): number {
  return a === b ? 0 : Math.abs(dayNumber(a) - dayNumber(b));
}

function nearestWithBankId<L extends LedgerCandidate>(
  { ledger, isUsed, options: { namespace } }: Matching<L>,
  row: ImportedRow,
  candidates: readonly number[],
): number | undefined {
  let best: number | undefined;
  let bestScore = Number.POSITIVE_INFINITY;
  for (const place of candidates) {
    if (isUsed(place)) continue;
    const one = ledger.at(place) as L;
    const days = daysBetween(row.date, one.date);
    const sameMoney = isSameMoney(row, one);
    const sameText = isSameText(row, one);
    const isSame = days <= BANK_ID_DAYS && (sameMoney || sameText);
    if (!isSame && !isOutdated(one, namespace, row.bankId)) continue;
    const score = STATE_RANK[one.state] * 1_000 + (sameMoney && sameText ? 0 : 100) + days;
    if (score < bestScore) {
      best = place;
      bestScore = score;
    }
  }
  return best;
}

/** The ledger row that this one replaces, whatever it says (36.14.1). */
function namedBefore<L extends LedgerCandidate>(
  { ledger, isUsed }: Matching<L>,
  row: ImportedRow,
  placesNamed: (id: string) => readonly number[],
): number | undefined {
  for (const id of row.formerBankIds ?? []) {
    const free = placesNamed(id).filter((place) => !isUsed(place));
    const [best] = liveFirst(ledger, free);
    if (best !== undefined) return best;
  }
  return undefined;
}

function isReused(row: ImportedRow, ledger: LedgerCandidate): boolean {
  return !isSameMoney(row, ledger) && !isSameText(row, ledger);
}

/** Live rows come first in the list; among them one with the row's own pending flag is preferred. */
function firstWithContent<L extends LedgerCandidate>(
  { ledger, isUsed, options: { namespace } }: Matching<L>,
  row: ImportedRow,
  candidates: readonly number[],
  hasCurrency: typeof isSameCurrency,
): number | undefined {
  let first: number | undefined;
  for (const place of candidates) {
    const one = ledger.at(place) as L;
    if (isUsed(place) || !hasCurrency(row.currency, one.currency)) continue;
    if (hasOtherBankId(one, namespace, row.bankId)) continue;
    if (first !== undefined && one.state !== ledger.at(first)?.state) break;
    if (one.pending === row.pending) return place;
    first ??= place;
  }
  return first;
}

function isEqual(one: string | null, other: string | null): boolean {
  return one === other;
}

function moneyAndDay({ date, amountCents }: { readonly date: string; readonly amountCents: number }): string {
  return `${date}|${amountCents}`;
}

/** The pending row that this one continues: the nearest with its text and amount (36.7.6). */
function continuedBy<L extends LedgerCandidate>(
  { ledger, isUsed }: Matching<L>,
  row: ImportedRow,
  pending: readonly number[],
): number | undefined {
  let best: number | undefined;
  let bestDays = PENDING_DAYS + 1;
  for (const place of pending) {
    const one = ledger.at(place) as L;
    if (isUsed(place) || !isSameMoney(row, one) || !isSameText(row, one)) continue;
    const days = daysBetween(row.date, one.date);
    if (days < bestDays) {
      best = place;
      bestDays = days;
    }
  }
  return best;
}

/** The caller wants these lines: a deleted match is restored, a live match goes to a twin without one. */
function include(rows: Sequence<ImportedRow>, matches: RowMatches, lines: ReadonlySet<number>): void {
  for (const [index, row] of numbered(rows)) {
    if (!lines.has(row.line) || !matches.isMatched(index)) continue;
    const own = matches.at(index);
    if (own.outcome === 'deleted') {
      matches.judge(index, { ...own, outcome: 'updated', reason: 'RESTORED' });
      continue;
    }
    matches.handOver(index, twinWithoutMatch(rows, row, matches, lines));
  }
}

function twinWithoutMatch(
  rows: Sequence<ImportedRow>,
  { contentKey }: ImportedRow,
  matches: RowMatches,
  lines: ReadonlySet<number>,
): number | undefined {
  for (const [index, other] of numbered(rows)) {
    if (other.contentKey === contentKey && !lines.has(other.line) && !matches.isMatched(index)) return index;
  }
  return undefined;
}

/** Pending rows of earlier imports that the file covers and no longer lists. */
function stale<L extends LedgerCandidate>(matching: Matching<L>): L[] {
  const { firstDate, lastDate, listedPending } = matching.options;
  if (firstDate === null || lastDate === null) return [];
  const isStale = (one: L): boolean => {
    if (!isImportedPending(one) || one.date < firstDate || one.date > lastDate) return false;
    const text = normalisedText(one.name);
    return !listedPending.some(
      (listed) =>
        (listed.amountCents === null || listed.amountCents === one.amountCents) && normalisedText(listed.name) === text,
    );
  };
  return freePlaces(matching, isStale).map((place) => matching.ledger.at(place) as L);
}
