import { dayNumber } from '../../kernel/dates.ts';
import { normalisedText } from '../imports/text/cell-text.ts';
import { bankIdKey, hasOtherBankId, isOutdated, isSameCurrency } from './identity.ts';
import type { ImportedRow, LedgerCandidate, MatchOptions, MatchReason, MatchResult, RowMatch } from './identity.ts';
import { pairSimilar } from './pair-similar.ts';

const BANK_ID_DAYS = 31;
const PENDING_DAYS = 10;
/** Names are stored up to this length (36.5.8). */
const STORED_NAME_CHARS = 500;
const STATE_RANK = { live: 0, kept_deleted: 1, withdrawn: 2 } as const;

type Pass = 'bank_id' | 'content' | 'continued' | 'similar' | 'probable';

/** The state of a matching in progress. */
interface Matching<L> {
  readonly rows: readonly ImportedRow[];
  readonly ledger: readonly L[];
  readonly options: MatchOptions;
  /** Ledger rows that are taken; each stands for one row of the file at most. */
  readonly used: ReadonlySet<L>;
  /** Indexes of the rows that nothing has matched yet. */
  left: number[];
  readonly reusedBankIdLines: number[];
  readonly take: (index: number, found: L, pass: Pass) => void;
}

/**
 * Decides for every row of a file whether the ledger has it already (36.7.2). Per content key the ledger ends with
 * max(rows in the file, rows in the ledger). Rows come in chronological order, ledger rows in order of their ids.
 */
export function matchImportedRows<L extends LedgerCandidate>(
  rows: readonly ImportedRow[],
  ledger: readonly L[],
  options: MatchOptions,
): MatchResult<L> {
  const none: RowMatch<L> = { outcome: 'added', reason: null, match: null, ledger: null };
  const matches = Array.from<unknown, RowMatch<L>>({ length: rows.length }, () => none);
  if (ledger.length === 0) return { matches, removed: [], reusedBankIdLines: [] };
  const used = new Set<L>();
  const matching: Matching<L> = {
    rows,
    ledger,
    options,
    used,
    left: [...rows.keys()],
    reusedBankIdLines: [],
    take: (index, found, pass) => {
      used.add(found);
      matches[index] = decide(rows[index] as ImportedRow, found, pass, options.namespace);
    },
  };
  takeByBankId(matching);
  takeByContent(matching);
  takeSameTexts(matching);
  takeContinued(matching);
  takeSimilar(matching);
  if (options.includeLines.size > 0) include(rows, matches, none, options.includeLines);
  return { matches, removed: stale(ledger, used, options), reusedBankIdLines: matching.reusedBankIdLines };
}

/** Takes what a pass finds for the rows that are left, and leaves the others to the next pass. */
function takeEach<L>(matching: Matching<L>, pass: Pass, find: (row: ImportedRow) => L | undefined): void {
  matching.left = matching.left.filter((index) => {
    const found = find(matching.rows[index] as ImportedRow);
    if (found) matching.take(index, found, pass);
    return !found;
  });
}

function takeByBankId<L extends LedgerCandidate>(matching: Matching<L>): void {
  const { ledger, used, reusedBankIdLines } = matching;
  const { namespace } = matching.options;
  const byBankId = namespace === null ? new Map<string, L[]>() : indexByBankId(ledger);
  takeEach(matching, 'bank_id', (row) => {
    const candidates = row.bankId === null ? undefined : byBankId.get(bankIdKey(namespace as string, row.bankId));
    const found =
      (candidates && nearestWithBankId(row, candidates, used, namespace)) ??
      namedBefore(row, byBankId, used, namespace);
    if (!found && candidates?.some((one) => isReused(row, one)) === true) reusedBankIdLines.push(row.line);
    return found;
  });
}

/** A twin in the row's own currency comes before one whose currency is unknown. */
function takeByContent<L extends LedgerCandidate>(matching: Matching<L>): void {
  const { ledger, used, options } = matching;
  const byContent = indexByContent(ledger);
  for (const hasCurrency of [isEqual, isSameCurrency]) {
    takeEach(matching, 'content', (row) =>
      firstWithContent(row, byContent.get(row.contentKey), hasCurrency, used, options),
    );
  }
}

/**
 * Content keys stored by earlier versions contain the currency too. Their rows are recognised by what the ledger shows
 * instead; texts that may have been cut do not count.
 */
function takeSameTexts<L extends LedgerCandidate>(matching: Matching<L>): void {
  const { rows, ledger, left, used, options } = matching;
  if (left.length === 0) return;
  const wanted = new Set(left.map((index) => moneyAndDay(rows[index] as ImportedRow)));
  const byMoneyAndDay = new Map<string, L[]>();
  for (const one of ledger) {
    if (one.sourceKey === null || used.has(one) || one.name.length >= STORED_NAME_CHARS) continue;
    const key = moneyAndDay(one);
    if (wanted.has(key)) append(byMoneyAndDay, key, one);
  }
  if (byMoneyAndDay.size === 0) return;
  takeEach(matching, 'content', (row) => {
    const candidates = (byMoneyAndDay.get(moneyAndDay(row)) ?? [])
      .filter((one) => isSameText(row, one))
      .toSorted((a, b) => STATE_RANK[a.state] - STATE_RANK[b.state]);
    return firstWithContent(row, candidates, isSameCurrency, used, options);
  });
}

function takeContinued<L extends LedgerCandidate>(matching: Matching<L>): void {
  const { ledger, used } = matching;
  const continuable = ledger.filter((one) => isImportedPending(one) && !used.has(one));
  if (continuable.length > 0) takeEach(matching, 'continued', (row) => continuedBy(row, continuable, used));
}

function takeSimilar<L extends LedgerCandidate>({ rows, ledger, left, used, options, take }: Matching<L>): void {
  const others = ledger.filter(
    (one) => !used.has(one) && one.state !== 'withdrawn' && (one.isProvider || one.sourceKey !== options.sourceKey),
  );
  if (others.length === 0 || left.length === 0) return;
  const open = left.map((index) => rows[index] as ImportedRow);
  for (const { row, ledger: found, isCertain } of pairSimilar(open, others, options.namespace))
    take(left[row] as number, found, isCertain ? 'similar' : 'probable');
}

function decide<L extends LedgerCandidate>(
  row: ImportedRow,
  ledger: L,
  pass: Pass,
  namespace: string | null,
): RowMatch<L> {
  const match = pass === 'probable' ? 'probable' : 'certain';
  if (ledger.state === 'withdrawn') return { outcome: 'added', reason: 'BROUGHT_BACK', match, ledger };
  if (ledger.state === 'kept_deleted') return { outcome: 'deleted', reason: 'DELETED_BY_PERSON', match, ledger };
  if (isImportedPending(ledger) && !row.pending) return { outcome: 'updated', reason: 'POSTED', match, ledger };
  const isOurs = ledger.sourceKey !== null && !ledger.isProvider;
  const isNews = (pass === 'bank_id' && !isOutdated(ledger, namespace, row.bankId)) || pass === 'continued';
  if (isOurs && isNews && differs(row, ledger) && !isAsTakenOver(row, ledger)) {
    return { outcome: 'updated', reason: 'CHANGED_BY_BANK', match, ledger };
  }
  if (ledger.currency === null && row.currency !== null) {
    return { outcome: 'updated', reason: 'CURRENCY_FILLED', match, ledger };
  }
  return { outcome: 'duplicate', reason: reasonOf(pass, ledger), match, ledger };
}

function reasonOf(pass: Pass, ledger: LedgerCandidate): MatchReason {
  if (pass === 'bank_id') return 'SAME_BANK_ID';
  if (pass === 'content' || pass === 'continued') return 'SAME_CONTENT';
  return ledger.isProvider ? 'SAME_AS_PROVIDER' : 'SIMILAR';
}

function differs(row: ImportedRow, ledger: LedgerCandidate): boolean {
  return row.date !== ledger.date || row.amountCents !== ledger.amountCents || row.name !== ledger.name;
}

/** A row entered by hand keeps its own words as long as the file says what it said before. */
function isAsTakenOver(row: ImportedRow, ledger: LedgerCandidate): boolean {
  return ledger.isEntered && row.contentKey === ledger.contentKey;
}

function isImportedPending(ledger: LedgerCandidate): boolean {
  return ledger.pending && ledger.state === 'live' && ledger.sourceKey !== null && !ledger.isProvider;
}

function indexByBankId<L extends LedgerCandidate>(ledger: readonly L[]): Map<string, L[]> {
  const index = new Map<string, L[]>();
  for (const one of ledger) for (const key of one.bankIds) append(index, key, one);
  return index;
}

/** Most keys have one row, so only keys with more get a list. */
type ContentIndex<L> = Map<string, L | L[]>;

function indexByContent<L extends LedgerCandidate>(ledger: readonly L[]): ContentIndex<L> {
  const index: ContentIndex<L> = new Map();
  const add = (key: string, one: L): void => {
    const known = index.get(key);
    if (known === undefined) index.set(key, one);
    else if (Array.isArray(known)) known.push(one);
    else index.set(key, [known, one]);
  };
  for (const one of ledger) {
    if (one.contentKey !== null) add(one.contentKey, one);
    for (const key of one.otherContentKeys) add(key, one);
  }
  for (const list of index.values()) {
    if (Array.isArray(list)) list.sort((a, b) => STATE_RANK[a.state] - STATE_RANK[b.state]);
  }
  return index;
}

function append<L>(index: Map<string, L[]>, key: string, one: L): void {
  const known = index.get(key);
  if (known) known.push(one);
  else index.set(key, [one]);
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
  row: ImportedRow,
  candidates: readonly L[],
  used: ReadonlySet<L>,
  namespace: string | null,
): L | undefined {
  let best: L | undefined;
  let bestScore = Number.POSITIVE_INFINITY;
  for (const one of candidates) {
    if (used.has(one)) continue;
    const days = daysBetween(row.date, one.date);
    const sameMoney = isSameMoney(row, one);
    const sameText = isSameText(row, one);
    const isSame = days <= BANK_ID_DAYS && (sameMoney || sameText);
    if (!isSame && !isOutdated(one, namespace, row.bankId)) continue;
    const score = STATE_RANK[one.state] * 1_000 + (sameMoney && sameText ? 0 : 100) + days;
    if (score < bestScore) {
      best = one;
      bestScore = score;
    }
  }
  return best;
}

/** The ledger row that this one replaces, whatever it says (36.14.1). */
function namedBefore<L extends LedgerCandidate>(
  row: ImportedRow,
  byBankId: ReadonlyMap<string, readonly L[]>,
  used: ReadonlySet<L>,
  namespace: string | null,
): L | undefined {
  for (const id of row.formerBankIds ?? []) {
    const candidates = (byBankId.get(bankIdKey(namespace as string, id)) ?? []).filter((one) => !used.has(one));
    const [best] = candidates.toSorted((a, b) => STATE_RANK[a.state] - STATE_RANK[b.state]);
    if (best) return best;
  }
  return undefined;
}

function isReused(row: ImportedRow, ledger: LedgerCandidate): boolean {
  return !isSameMoney(row, ledger) && !isSameText(row, ledger);
}

/** Live rows come first in the list; among them one with the row's own pending flag is preferred. */
function firstWithContent<L extends LedgerCandidate>(
  row: ImportedRow,
  candidates: L | readonly L[] | undefined,
  hasCurrency: typeof isSameCurrency,
  used: ReadonlySet<L>,
  options: MatchOptions,
): L | undefined {
  const isFree = (one: L): boolean =>
    !used.has(one) && hasCurrency(row.currency, one.currency) && !hasOtherBankId(one, options.namespace, row.bankId);
  if (candidates === undefined) return undefined;
  if (!isList(candidates)) return isFree(candidates) ? candidates : undefined;
  let first: L | undefined;
  for (const one of candidates) {
    if (!isFree(one)) continue;
    if (first && one.state !== first.state) break;
    if (one.pending === row.pending) return one;
    first ??= one;
  }
  return first;
}

function isEqual(one: string | null, other: string | null): boolean {
  return one === other;
}

function moneyAndDay({ date, amountCents }: { readonly date: string; readonly amountCents: number }): string {
  return `${date}|${amountCents}`;
}

function isList<L>(value: L | readonly L[]): value is readonly L[] {
  return Array.isArray(value);
}

/** The pending row that this one continues: the nearest with its text and amount (36.7.6). */
function continuedBy<L extends LedgerCandidate>(
  row: ImportedRow,
  pending: readonly L[],
  used: ReadonlySet<L>,
): L | undefined {
  let best: L | undefined;
  let bestDays = PENDING_DAYS + 1;
  for (const one of pending) {
    if (used.has(one) || !isSameMoney(row, one) || !isSameText(row, one)) continue;
    const days = daysBetween(row.date, one.date);
    if (days < bestDays) {
      best = one;
      bestDays = days;
    }
  }
  return best;
}

/** The caller wants these lines: a deleted match is restored, a live match goes to a twin without one. */
function include<L extends LedgerCandidate>(
  rows: readonly ImportedRow[],
  matches: RowMatch<L>[],
  none: RowMatch<L>,
  lines: ReadonlySet<number>,
): void {
  for (const [index, row] of rows.entries()) {
    const own = matches[index] as RowMatch<L>;
    if (!lines.has(row.line) || own.ledger === null || own.reason === 'BROUGHT_BACK') continue;
    if (own.outcome === 'deleted') {
      matches[index] = { ...own, outcome: 'updated', reason: 'RESTORED' };
      continue;
    }
    const twin = rows.findIndex(
      (other, place) =>
        other.contentKey === row.contentKey &&
        !lines.has(other.line) &&
        (matches[place] as RowMatch<L>).ledger === null,
    );
    if (twin >= 0) matches[twin] = own;
    matches[index] = none;
  }
}

/** Pending rows of earlier imports that the file covers and no longer lists. */
function stale<L extends LedgerCandidate>(ledger: readonly L[], used: ReadonlySet<L>, options: MatchOptions): L[] {
  const { firstDate, lastDate } = options;
  if (firstDate === null || lastDate === null) return [];
  return ledger.filter((one) => {
    if (used.has(one) || !isImportedPending(one) || one.date < firstDate || one.date > lastDate) return false;
    const text = normalisedText(one.name);
    return !options.listedPending.some(
      (listed) =>
        (listed.amountCents === null || listed.amountCents === one.amountCents) && normalisedText(listed.name) === text,
    );
  });
}
