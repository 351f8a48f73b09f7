import type { Sequence } from '../../kernel/sequence.ts';
import type { LedgerCandidate } from './identity.ts';

type MatchOutcome = 'added' | 'updated' | 'duplicate' | 'deleted';

export type MatchReason =
  | 'SAME_FILE'
  | 'SAME_BANK_ID'
  | 'SAME_CONTENT'
  | 'SAME_AS_PROVIDER'
  | 'SIMILAR'
  | 'CHANGED_BY_BANK'
  | 'CURRENCY_FILLED'
  | 'POSTED'
  | 'RESTORED'
  | 'BROUGHT_BACK'
  | 'DELETED_BY_PERSON';

/** What a match means for a row of the file. */
export interface Verdict {
  readonly outcome: MatchOutcome;
  readonly reason: MatchReason | null;
  readonly match: 'certain' | 'probable' | null;
}

/** The outcome for one row of the file, and the ledger row that it matches. */
export interface RowMatch<L extends LedgerCandidate = LedgerCandidate> extends Verdict {
  readonly ledger: L | null;
  /** For an added row that may be one of the ledger: that one. */
  readonly beside: L | null;
}

const UNMATCHED: Verdict = { outcome: 'added', reason: null, match: null };

/** What was decided for each row of a file, in five bytes: there are few different verdicts. */
export class RowMatches<L extends LedgerCandidate = LedgerCandidate> {
  readonly length: number;
  readonly #ledger: Sequence<L>;
  readonly #verdicts: Verdict[] = [UNMATCHED];
  readonly #verdictOf: Uint8Array;
  /** The place of the matched row in the ledger, counted from 1; 0 where there is none. */
  readonly #placeOf: Int32Array;
  readonly #besideOf = new Map<number, number>();

  constructor(length: number, ledger: Sequence<L>) {
    this.length = length;
    this.#ledger = ledger;
    this.#verdictOf = new Uint8Array(length);
    this.#placeOf = new Int32Array(length);
  }

  at(index: number): RowMatch<L> {
    const place = this.#placeOf[index] as number;
    const { outcome, reason, match } = this.#verdicts[this.#verdictOf[index] as number] as Verdict;
    const beside = this.#besideOf.get(index);
    return {
      outcome,
      reason,
      match,
      ledger: place === 0 ? null : (this.#ledger.at(place - 1) ?? null),
      beside: beside === undefined ? null : (this.#ledger.at(beside) ?? null),
    };
  }

  isMatched(index: number): boolean {
    return this.#placeOf[index] !== 0;
  }

  /** The place of the matched row in the ledger; -1 where there is none. */
  placeOf(index: number): number {
    return (this.#placeOf[index] as number) - 1;
  }

  match(index: number, place: number, verdict: Verdict): void {
    this.#placeOf[index] = place + 1;
    this.judge(index, verdict);
  }

  /** Changes what the match of a row means. */
  judge(index: number, { outcome, reason, match }: Verdict): void {
    const known = this.#verdicts.findIndex(
      (one) => one.outcome === outcome && one.reason === reason && one.match === match,
    );
    this.#verdictOf[index] = known < 0 ? this.#verdicts.push({ outcome, reason, match }) - 1 : known;
  }

  /** Says that an added row may be the one at a place of the ledger. */
  name(index: number, place: number): void {
    const { outcome, reason } = this.at(index);
    this.judge(index, { outcome, reason, match: 'probable' });
    this.#besideOf.set(index, place);
  }

  /** Makes every match certain. */
  settle(): void {
    for (const [at, one] of this.#verdicts.entries()) {
      if (one.match === 'probable') this.#verdicts[at] = { ...one, match: 'certain' };
    }
  }

  /** Gives the match of a row to another, if there is one, and leaves the row without. */
  handOver(from: number, to: number | undefined): void {
    if (to !== undefined) {
      this.#placeOf[to] = this.#placeOf[from] as number;
      this.#verdictOf[to] = this.#verdictOf[from] as number;
    }
    this.#placeOf[from] = 0;
    this.#verdictOf[from] = 0;
  }
}
