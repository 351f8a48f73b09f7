import { dayNumber } from '../../kernel/dates.ts';
import { numbered, type Sequence } from '../../kernel/sequence.ts';
import { ByAmount, everyPlace, type Listed } from './by-amount.ts';
import { FileDays } from './file-days.ts';
import { isSameCurrency, type ImportedRow, type LedgerCandidate, type MatchOptions } from './identity.ts';
import { similarityOf, type Similarity } from './name-key.ts';

/** A date that is not there. */
export const NO_DAY = -1_000_000;
export const STATE_RANK = { live: 0, kept_deleted: 1, withdrawn: 2 } as const;

/** By what a row of the file was found to be one of the ledger (36.7.2). */
export type Pass = 'known' | 'named' | 'content' | 'continued' | 'day' | 'id' | 'former' | 'near' | 'only';
const PASSES: readonly Pass[] = ['known', 'named', 'content', 'continued', 'day', 'id', 'former', 'near', 'only'];

/** Dates and amounts as numbers. */
interface Figures extends Listed {
  readonly days: Int32Array;
  readonly authorized: Int32Array;
  readonly cents: Float64Array;
}

/**
 * The state of a matching in progress. A row of the file goes by its index, one of the ledger by its place: maps and sets
 * of half a million rows would take more memory than the rows.
 */
export interface Matching<L extends LedgerCandidate = LedgerCandidate> {
  readonly rows: Sequence<ImportedRow>;
  readonly ledger: Sequence<L>;
  readonly options: MatchOptions;
  readonly file: Figures;
  readonly known: Figures;
  /** How many days later the ledger has the rows of the file. */
  readonly moved: number;
  readonly days: FileDays;
  /** The rows that nothing has matched yet, in chronological order. */
  left: number[];
  /** Ledger rows that are taken, or that are no candidates now. */
  readonly used: Uint8Array;
  /** The place of the ledger row that a row is, or -1. */
  readonly placeOf: Int32Array;
  readonly isProbable: Uint8Array;
  readonly take: (index: number, place: number, pass: Pass, isCertain: boolean) => void;
  readonly passOf: (index: number) => Pass;
  readonly rowAt: (index: number) => ImportedRow;
  readonly ledgerAt: (place: number) => L;
  readonly similarity: (row: ImportedRow, one: LedgerCandidate) => Similarity;
}

export function openMatching<L extends LedgerCandidate>(
  rows: Sequence<ImportedRow>,
  ledger: Sequence<L>,
  options: MatchOptions,
): Matching<L> {
  const used = new Uint8Array(ledger.length);
  const placeOf = new Int32Array(rows.length).fill(-1);
  const isProbable = new Uint8Array(rows.length);
  const passes = new Uint8Array(rows.length);
  return {
    rows,
    ledger,
    options,
    file: figuresOf(rows),
    known: figuresOf(ledger),
    moved: 0,
    days: new FileDays(options.days, options.covered),
    left: Array.from({ length: rows.length }, (_, index) => index),
    used,
    placeOf,
    isProbable,
    take: (index, place, pass, isCertain) => {
      used[place] = 1;
      placeOf[index] = place;
      passes[index] = PASSES.indexOf(pass);
      isProbable[index] = isCertain ? 0 : 1;
    },
    passOf: (index) => PASSES[passes[index] as number] as Pass,
    rowAt: (index) => rows.at(index) as ImportedRow,
    ledgerAt: (place) => ledger.at(place) as L,
    similarity: similarityOf(),
  };
}

/** The same matching of a file whose dates lie so many days before those of the ledger. */
export function movedBy<L extends LedgerCandidate>(matching: Matching<L>, days: number): Matching<L> {
  if (days === 0) return matching;
  const { options, file } = matching;
  return {
    ...matching,
    moved: days,
    file: { ...file, days: file.days.map((day) => day + days) },
    days: new FileDays(options.days, options.covered, days),
  };
}

function figuresOf(list: Sequence<ImportedRow | LedgerCandidate>): Figures {
  const { length } = list;
  const days = new Int32Array(length);
  const authorized = new Int32Array(length).fill(NO_DAY);
  const cents = new Float64Array(length);
  const dayOf = rememberedDays();
  for (const [at, { date, authorizedDate, amountCents }] of numbered(list)) {
    days[at] = dayOf(date);
    if (authorizedDate !== null && authorizedDate !== date) authorized[at] = dayOf(authorizedDate);
    cents[at] = amountCents;
  }
  return { length, days, authorized, cents };
}

/** Dates repeat, and reading one costs more than a lookup. */
function rememberedDays(): (date: string) => number {
  const known = new Map<string, number>();
  return (date) => {
    let day = known.get(date);
    if (day === undefined) known.set(date, (day = dayNumber(date)));
    return day;
  };
}

/** Takes what a pass finds for the rows that are left, and leaves the others to the next one. */
export function takeEach<L extends LedgerCandidate>(
  matching: Matching<L>,
  pass: Pass,
  find: (index: number) => number | undefined,
  isCertain: (index: number, place: number) => boolean = () => true,
): void {
  matching.left = matching.left.filter((index) => {
    const place = find(index);
    if (place === undefined) return true;
    matching.take(index, place, pass, isCertain(index, place));
    return false;
  });
}

/** The places of the ledger rows that are still free and fit. */
export function freePlaces<L extends LedgerCandidate>(
  { ledger, used }: Matching<L>,
  fits: (one: L) => boolean = () => true,
): number[] {
  const places: number[] = [];
  for (const [place, one] of numbered(ledger)) if (used[place] === 0 && fits(one)) places.push(place);
  return places;
}

export function leftByAmount({ file, left }: Matching): ByAmount {
  return new ByAmount(file, left);
}

export function freeByAmount(matching: Matching): ByAmount {
  const { known, used } = matching;
  return new ByAmount(
    known,
    everyPlace(known).filter((place) => used[place] === 0),
  );
}

/** Whether a row of another source is compared: a bank connection and a hand are sources too. */
export function isOtherSource({ isProvider, sourceKey, otherSourceKeys }: LedgerCandidate, own: string): boolean {
  return isProvider || (sourceKey !== own && !otherSourceKeys.includes(own));
}

/** Somebody entered it, and no file has delivered it. */
export function isByHand({ isEntered, sourceKey }: LedgerCandidate): boolean {
  return isEntered && sourceKey === null;
}

export function isSameMoney(row: ImportedRow, one: LedgerCandidate): boolean {
  return row.amountCents === one.amountCents && isSameCurrency(row.currency, one.currency);
}

/** Pending rows become posted or stale only where an import added them (36.7.6). */
export function isImportedPending(one: LedgerCandidate): boolean {
  return one.pending && one.state === 'live' && one.sourceKey !== null && !one.isProvider;
}
