import { numbered, type Sequence } from '../../kernel/sequence.ts';
import { normalisedText } from '../imports/text/cell-text.ts';
import { besideAdded } from './beside.ts';
import { bankIdKey, compareBankIds } from './identity.ts';
import type { ImportedRow, LedgerCandidate, MatchOptions } from './identity.ts';
import { indexBy } from './key-index.ts';
import { freePlaces, isImportedPending, movedBy, openMatching, type Matching, type Pass } from './matching.ts';
import { movedDates } from './moved-dates.ts';
import { notBesideWithdrawn, takeByDay, takeNear, takeOnlyPartners } from './passes-by-day.ts';
import { takeByContent, takeById, takeContinued, takeKnown, takeNamed } from './passes-by-key.ts';
import { RowMatches, type MatchReason, type Verdict } from './row-matches.ts';
import { balancesClose } from './stated-sums.ts';
import { worthOfIds, type WorthOfIds } from './worth-of-ids.ts';

const COVERED_DAYS = 15;
const QUIET_DAYS = 3;

export interface MatchResult<L extends LedgerCandidate = LedgerCandidate> {
  /** One per imported row, in its order. */
  readonly matches: RowMatches<L>;
  /** Stale pending rows (36.7.6). */
  readonly removed: readonly L[];
  readonly reusedBankIdLines: readonly number[];
  /** The ids of the file change or collide, so they are not kept. */
  readonly areIdsIgnored: boolean;
  /** How many days later the ledger has the rows of the file. */
  readonly movedDays: number;
}

/**
 * Decides for every row of a file whether the ledger has it already (36.7.2). Rows come in chronological order, ledger
 * rows in order of their days. Withdrawn rows come back only for what is not there otherwise: another file may have
 * delivered it meanwhile.
 */
export function matchImportedRows<L extends LedgerCandidate>(
  rows: Sequence<ImportedRow>,
  ledger: Sequence<L>,
  options: MatchOptions,
): MatchResult<L> {
  const matches = new RowMatches(rows.length, ledger);
  const nothing = { removed: [], reusedBankIdLines: [], areIdsIgnored: false, movedDays: 0 };
  if (ledger.length === 0) return { matches, ...nothing };
  const opened = openMatching(rows, ledger, options);
  takeKnown(opened);
  const blocked = leaveOut(opened);
  const withdrawn = freePlaces(opened, ({ state }) => state === 'withdrawn');
  for (const place of withdrawn) opened.used[place] = 1;
  const { days: movedDays, isWeak } = movedDates(opened);
  const matching = movedBy(opened, movedDays);
  const worth = takeLive(matching, notBesideWithdrawn(matching, withdrawn));
  for (const index of matching.placeOf.keys()) judge(matching, matches, index, isWeak);
  if (options.includeLines.size > 0) include(rows, matches, options.includeLines);
  const removed = stale(matching);
  bringBack(matching, matches, withdrawn, worth);
  if (balancesClose(matching, matches, { blocked, removed })) matches.settle();
  else nameBeside(matching, matches, removed);
  const reused = worth.are === 'changed' ? [] : reusedIds(matching, matches);
  return { matches, removed, reusedBankIdLines: reused, areIdsIgnored: worth.are === 'changed', movedDays };
}

/** Where the file goes on in the middle of a day, the rows of that day that are there are none of its own. */
function leaveOut<L extends LedgerCandidate>({ options, days, known, used }: Matching<L>): readonly number[] {
  if (!options.goesOn) return [];
  const blocked = [...known.days.keys()].filter((place) => known.days[place] === days.first && used[place] === 0);
  for (const place of blocked) used[place] = 1;
  return blocked;
}

/** All passes over the rows that are not withdrawn. */
function takeLive<L extends LedgerCandidate>(
  matching: Matching<L>,
  mayBe: (index: number, place: number) => boolean,
): WorthOfIds {
  const { days, file, isProbable, placeOf } = matching;
  takeNamed(matching);
  takeByContent(matching);
  for (const [index, place] of placeOf.entries()) {
    if (place >= 0 && matching.passOf(index) === 'content') days.meet(file.days[index] as number);
  }
  takeContinued(matching);
  takeByDay(matching, mayBe);
  const worth = worthOfIds(matching);
  for (const index of doubtful(matching, worth)) isProbable[index] = 1;
  takeById(matching, worth);
  takeNear(matching, mayBe);
  takeOnlyPartners(matching, mayBe);
  return worth;
}

/** Rows of equal content whose ids differ, unless it is known that the bank changes its ids. */
function doubtful<L extends LedgerCandidate>(matching: Matching<L>, worth: WorthOfIds): number[] {
  const { placeOf, passOf, days, file, rowAt, ledgerAt, options } = matching;
  const found: number[] = [];
  for (const [index, place] of placeOf.entries()) {
    if (place < 0 || passOf(index) !== 'content') continue;
    if (compareBankIds(rowAt(index), ledgerAt(place), options.namespace) === 'other') found.push(index);
  }
  const isTold = (index: number): boolean => {
    const day = file.days[index] as number;
    return days.isBetweenEnds(day) && days.isInnerCovered(day);
  };
  return worth.isKnown || found.some(isTold) ? [] : found;
}

function judge<L extends LedgerCandidate>(
  matching: Matching<L>,
  matches: RowMatches<L>,
  index: number,
  isWeak: boolean,
): void {
  const place = matching.placeOf[index] as number;
  if (place < 0) return;
  const pass = matching.passOf(index);
  const isProbable = matching.isProbable[index] === 1 || (isWeak && pass !== 'known');
  const verdict = decide(matching, index, place, pass, isProbable ? 'probable' : 'certain');
  matches.match(index, place, verdict);
}

function decide<L extends LedgerCandidate>(
  { rowAt, ledgerAt }: Matching<L>,
  index: number,
  place: number,
  pass: Pass,
  match: 'certain' | 'probable',
): Verdict {
  const [row, one] = [rowAt(index), ledgerAt(place)];
  if (one.state === 'kept_deleted') return { outcome: 'deleted', reason: 'DELETED_BY_PERSON', match };
  if (one.state === 'withdrawn') {
    // An old file has no news: a pending row that is gone stays so.
    if (pass === 'known' && one.isStale) return { outcome: 'duplicate', reason: 'SAME_FILE', match };
    return { outcome: 'added', reason: 'BROUGHT_BACK', match };
  }
  if (isImportedPending(one) && !row.pending && pass !== 'known')
    return { outcome: 'updated', reason: 'POSTED', match };
  const isOurs = one.sourceKey !== null && !one.isProvider;
  const isNews = pass === 'named' || (pass === 'id' && match === 'certain') || pass === 'continued';
  if (isOurs && isNews && differs(row, one)) return { outcome: 'updated', reason: 'CHANGED_BY_BANK', match };
  if (one.currency === null && row.currency !== null) return { outcome: 'updated', reason: 'CURRENCY_FILLED', match };
  return { outcome: 'duplicate', reason: reasonOf(pass, one), match };
}

function reasonOf(pass: Pass, one: LedgerCandidate): MatchReason {
  if (pass === 'known') return 'SAME_FILE';
  if (pass === 'named' || pass === 'id' || pass === 'former') return 'SAME_BANK_ID';
  if (pass === 'content' || pass === 'continued') return 'SAME_CONTENT';
  return one.isProvider ? 'SAME_AS_PROVIDER' : 'SIMILAR';
}

/** A text alone changes no row: banks rewrite them. */
function differs(row: ImportedRow, one: LedgerCandidate): boolean {
  return row.date !== one.date || row.amountCents !== one.amountCents;
}

/** What nothing live met brings back the withdrawn row of its content or id. */
function bringBack<L extends LedgerCandidate>(
  matching: Matching<L>,
  matches: RowMatches<L>,
  withdrawn: readonly number[],
  worth: WorthOfIds,
): void {
  if (withdrawn.length === 0) return;
  matching.used.fill(1);
  for (const place of withdrawn) matching.used[place] = 0;
  matching.left = [...matching.placeOf.keys()].filter((index) => !matches.isMatched(index));
  const open = matching.left;
  takeByContent(matching);
  takeById(matching, worth);
  const rest = new Set(matching.left);
  for (const index of open) if (!rest.has(index)) judge(matching, matches, index, false);
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

/** Pending rows of earlier imports that no file lists any more although it covers them, or the days after them (36.7.6). */
function stale<L extends LedgerCandidate>(matching: Matching<L>): L[] {
  const { days, known, options, ledgerAt } = matching;
  const places = freePlaces(matching, isImportedPending).filter((place) => {
    const day = known.days[place] as number;
    if (!days.has(day) && !days.coverAfter(day, COVERED_DAYS, QUIET_DAYS)) return false;
    const one = ledgerAt(place);
    const text = normalisedText(one.name);
    return !options.listedPending.some(
      (listed) =>
        (listed.amountCents === null || listed.amountCents === one.amountCents) && normalisedText(listed.name) === text,
    );
  });
  return places.map(ledgerAt);
}

/** Names the added rows that have a row beside them which may be the same. */
function nameBeside<L extends LedgerCandidate>(
  matching: Matching<L>,
  matches: RowMatches<L>,
  removed: readonly L[],
): void {
  const { options, rowAt, rows } = matching;
  const beside = besideAdded(matching, matches, new Set(removed.map(({ id }) => id)));
  for (let index = 0; index < rows.length; index++) {
    const { outcome } = matches.at(index);
    if (outcome !== 'added' || options.includeLines.has(rowAt(index).line)) continue;
    const place = beside(index);
    if (place !== undefined) matches.name(index, place);
  }
}

/** Lines whose id the ledger has for another row. */
function reusedIds<L extends LedgerCandidate>(matching: Matching<L>, matches: RowMatches<L>): number[] {
  const { options, ledger, rowAt, known } = matching;
  const { namespace } = options;
  if (namespace === null) return [];
  const placesOf = indexBy(ledger, [...known.days.keys()], ({ bankIds }) => bankIds);
  const lines: number[] = [];
  for (let index = 0; index < matching.rows.length; index++) {
    const { bankId, line } = rowAt(index);
    if (bankId === null || matches.isMatched(index)) continue;
    if (placesOf(bankIdKey(namespace, bankId)).some((place) => ledger.at(place)?.state !== 'withdrawn'))
      lines.push(line);
  }
  return lines;
}
