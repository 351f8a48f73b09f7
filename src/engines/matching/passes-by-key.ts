import { dateOfDayNumber, dayNumber } from '../../kernel/dates.ts';
import type { Sequence } from '../../kernel/sequence.ts';
import { normalisedText } from '../imports/text/cell-text.ts';
import { ByAmount, everyPlace } from './by-amount.ts';
import {
  bankIdKey,
  bankIdsIn,
  compareBankIds,
  contentKey,
  isSameCurrency,
  type ImportedRow,
  type LedgerCandidate,
} from './identity.ts';
import { indexBy } from './key-index.ts';
import {
  freeByAmount,
  freePlaces,
  isImportedPending,
  isSameMoney,
  leftByAmount,
  STATE_RANK,
  takeEach,
  type Matching,
} from './matching.ts';
import type { WorthOfIds } from './worth-of-ids.ts';

const ALONE_DAYS = 3;
const PENDING_DAYS = 10;

type Places = readonly number[];

/** The lines of a file that was imported before are what they were then (36.7.4). */
export function takeKnown<L extends LedgerCandidate>(matching: Matching<L>): void {
  const { rowAt, used } = matching;
  takeEach(matching, 'known', (index) => {
    const place = (rowAt(index).knownPlace ?? 0) - 1;
    return place >= 0 && used[place] === 0 ? place : undefined;
  });
}

/** Pass 0: the ledger row that the bank says this one replaces (36.14.1), the nearest if several have the id. */
export function takeNamed<L extends LedgerCandidate>(matching: Matching<L>): void {
  const { options, rowAt, left, file, known } = matching;
  const { namespace } = options;
  if (namespace === null || !left.some((index) => (rowAt(index).formerBankIds ?? []).length > 0)) return;
  const placesOf = indexBy(matching.ledger, freePlaces(matching), ({ bankIds }) => bankIds);
  takeEach(matching, 'named', (index) => {
    const daysApart = (place: number): number => Math.abs((known.days[place] as number) - (file.days[index] as number));
    for (const id of rowAt(index).formerBankIds ?? []) {
      const free = placesOf(bankIdKey(namespace, id)).filter((place) => matching.used[place] === 0);
      const [best] = free.sort((a, b) => rankOf(matching, a) - rankOf(matching, b) || daysApart(a) - daysApart(b));
      if (best !== undefined) return best;
    }
    return undefined;
  });
}

/**
 * Pass 1. Among equals first the one with the id of the row, then the one with its balance, then the first; and a twin in
 * the row's own currency before one whose currency is unknown.
 */
export function takeByContent<L extends LedgerCandidate>(matching: Matching<L>): void {
  takeByKey(matching, (row) => movedKey(matching, row));
  if (matching.moved !== 0) takeByKey(matching, (row) => row.contentKey);
}

function takeByKey<L extends LedgerCandidate>(matching: Matching<L>, keyOf: (row: ImportedRow) => string): void {
  const { rowAt, ledgerAt, used, options } = matching;
  const placesOf = indexBy(matching.ledger, freePlaces(matching), contentKeysOf);
  const take = (fits: (row: ImportedRow, one: L) => boolean, prefers?: (row: ImportedRow, one: L) => boolean): void =>
    takeEach(matching, 'content', (index) => {
      const row = rowAt(index);
      const free = placesOf(keyOf(row)).filter((place) => used[place] === 0 && fits(row, ledgerAt(place)));
      if (free.length < 2) return free[0];
      const [first] = free.sort((a, b) => rankOf(matching, a) - rankOf(matching, b) || a - b) as [number];
      const rank = rankOf(matching, first);
      const preferred = free.find((place) => rankOf(matching, place) === rank && prefers?.(row, ledgerAt(place)));
      return preferred ?? first;
    });
  const { namespace } = options;
  const hasBalance = ({ balanceCents: stated }: ImportedRow, { balanceCents, otherBalances }: L): boolean =>
    typeof stated === 'number' && (stated === balanceCents || otherBalances.includes(stated));
  for (const hasCurrency of [isEqual, isSameCurrency]) {
    const isOf = (row: ImportedRow, one: L): boolean => hasCurrency(row.currency, one.currency);
    if (namespace !== null) take((row, one) => isOf(row, one) && compareBankIds(row, one, namespace) === 'own');
    take((row, one) => isOf(row, one) && hasBalance(row, one));
    take(isOf, (row, one) => row.pending === one.pending);
  }
}

/** The content key of a row with the date that the ledger has for it. */
function movedKey<L extends LedgerCandidate>({ moved }: Matching<L>, row: ImportedRow): string {
  if (moved === 0) return row.contentKey;
  return contentKey(dateOfDayNumber(dayNumber(row.date) + moved), row.amountCents, normalisedText(row.name));
}

/** Pending rows of earlier imports that are posted now: by id, else the nearest with the text and amount (36.7.6). */
export function takeContinued<L extends LedgerCandidate>(matching: Matching<L>): void {
  const { rowAt, ledgerAt, used, options, file, known } = matching;
  const pending = freePlaces(matching, isImportedPending);
  if (pending.length === 0) return;
  for (const byId of [true, false]) {
    takeEach(matching, 'continued', (index) => {
      const row = rowAt(index);
      const daysApart = (place: number): number =>
        Math.abs((known.days[place] as number) - (file.days[index] as number));
      const isContinued = (place: number): boolean => {
        const one = ledgerAt(place);
        if (used[place] === 1 || daysApart(place) > PENDING_DAYS) return false;
        if (!byId) return isSameMoney(row, one) && normalisedText(row.name) === normalisedText(one.name);
        if (compareBankIds(row, one, options.namespace) !== 'own') return false;
        return isSameMoney(row, one) || matching.similarity(row, one) !== null;
      };
      return pending.filter(isContinued).sort((a, b) => daysApart(a) - daysApart(b) || a - b)[0];
    });
  }
}

/** Pass 3: the id of the bank, as far as the ids are worth anything, for rows within the days of the file. */
export function takeById<L extends LedgerCandidate>(matching: Matching<L>, worth: WorthOfIds): void {
  const { rowAt, ledgerAt, options, days, known, file, used } = matching;
  const { namespace } = options;
  if (namespace === null || worth.are === 'changed' || matching.left.length === 0) return;
  const placesOf = indexBy(matching.ledger, freePlaces(matching), ({ bankIds }) => bankIds);
  const isAlone = aloneIn(matching);
  const isTorn = havePartners(matching);
  const named = (index: number, fits: (place: number, one: L) => boolean): number | undefined => {
    const { bankId } = rowAt(index);
    if (bankId === null) return undefined;
    const free = placesOf(bankIdKey(namespace, bankId)).filter(
      (place) => used[place] === 0 && fits(place, ledgerAt(place)),
    );
    return free.sort((a, b) => rankOf(matching, a) - rankOf(matching, b) || a - b)[0];
  };
  takeEach(matching, 'former', (index) =>
    named(index, (_, one) => one.formerBankIds.includes(bankIdKey(namespace, rowAt(index).bankId as string))),
  );
  const isListedLater = (place: number): boolean => options.listedLater.has(ledgerAt(place).id);
  takeEach(
    matching,
    'id',
    (index) =>
      named(index, (place, one) => {
        if (!days.has(known.days[place] as number) || bankIdsIn(one, namespace).length !== 1) return false;
        if (
          !isSameMoney(rowAt(index), one) &&
          (matching.similarity(rowAt(index), one) === null || isTorn(index, place))
        )
          return false;
        if (!isSameCurrency(rowAt(index).currency, one.currency)) return false;
        return known.days[place] === file.days[index] || (worth.are === 'proved' && isAlone(index, place));
      }),
    (_, place) => !isListedLater(place),
  );
}

/**
 * Whether the row has a ledger row of its own amount and text some days away, or the ledger row such a row of the file: then
 * an id that says otherwise is none.
 */
function havePartners<L extends LedgerCandidate>(matching: Matching<L>): (index: number, place: number) => boolean {
  const { file, known, rowAt, ledgerAt, similarity } = matching;
  let lists: { rows: ByAmount; ledger: ByAmount } | undefined;
  return (index, place) => {
    lists ??= { rows: leftByAmount(matching), ledger: freeByAmount(matching) };
    const [row, one] = [rowAt(index), ledgerAt(place)];
    const around = (list: ByAmount, cents: number, day: number): number[] => [
      ...list.within(cents, day - ALONE_DAYS, day + ALONE_DAYS),
    ];
    const ofRow = around(lists.ledger, file.cents[index] as number, file.days[index] as number);
    if (ofRow.some((at) => similarity(row, ledgerAt(at)) !== null)) return true;
    const ofLedger = around(lists.rows, known.cents[place] as number, known.days[place] as number);
    return ofLedger.some((at) => similarity(rowAt(at), one) !== null);
  };
}

/** Whether neither the file nor the account has another row of its amount within some days (36.1). */
export function aloneIn<L extends LedgerCandidate>(matching: Matching<L>): (index: number, place: number) => boolean {
  let lists: { rows: ByAmount; ledger: ByAmount } | undefined;
  return (index, place) => {
    const { file, known, ledgerAt } = matching;
    const states = (at: number): boolean => ledgerAt(at).state !== 'withdrawn';
    lists ??= {
      rows: new ByAmount(file, everyPlace(file)),
      ledger: new ByAmount(known, everyPlace(known).filter(states)),
    };
    return (
      isOnly(lists.rows, file.cents[index] as number, file.days[index] as number) &&
      isOnly(lists.ledger, known.cents[place] as number, known.days[place] as number)
    );
  };
}

function isOnly(list: ByAmount, cents: number, day: number): boolean {
  let count = 0;
  for (const _ of list.within(cents, day - ALONE_DAYS, day + ALONE_DAYS)) if ((count += 1) > 1) return false;
  return true;
}

export function contentKeysOf({ contentKey: own, otherContentKeys }: LedgerCandidate): readonly string[] {
  return own === null ? otherContentKeys : [own, ...otherContentKeys];
}

export function rankOf({ ledger }: { readonly ledger: Sequence<LedgerCandidate> }, place: number): number {
  return STATE_RANK[(ledger.at(place) as LedgerCandidate).state];
}

export function leastRank(
  matching: { readonly ledger: Sequence<LedgerCandidate> },
  places: Places,
): number | undefined {
  return [...places].sort((a, b) => rankOf(matching, a) - rankOf(matching, b) || a - b)[0];
}

function isEqual(one: string | null, other: string | null): boolean {
  return one === other;
}
