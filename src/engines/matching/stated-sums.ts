import type { LedgerCandidate } from './identity.ts';
import type { Matching } from './matching.ts';
import type { RowMatches } from './row-matches.ts';

interface Aside<L> {
  /** Places of rows of the first day that are none of the file's. */
  readonly blocked: readonly number[];
  readonly removed: readonly L[];
}

interface Counted {
  readonly amountCents: number;
  readonly currency: string | null;
  readonly pending: boolean;
}

/**
 * Whether the rows of the account in the days of the file, this import included, lead from its opening to its closing
 * balance, so that nothing is doubled or missing (36.7.2).
 */
export function balancesClose<L extends LedgerCandidate>(
  matching: Matching<L>,
  matches: RowMatches<L>,
  { blocked, removed }: Aside<L>,
): boolean {
  const { options, days, known, ledger, file, rowAt } = matching;
  const { sums } = options;
  if (sums === null || sums.length === 0) return false;
  const found = new Map<string | null, bigint>();
  const add = ({ amountCents, currency, pending }: Counted, day: number, factor: bigint): void => {
    if (!pending && days.has(day)) found.set(currency, (found.get(currency) ?? 0n) + factor * BigInt(amountCents));
  };
  const isAside = new Uint8Array(ledger.length);
  for (const place of blocked) isAside[place] = 1;
  const gone = new Set(removed.map(({ id }) => id));
  for (let place = 0; place < ledger.length; place++) {
    const one = ledger.at(place) as L;
    if (one.state === 'live' && isAside[place] === 0 && !gone.has(one.id)) add(one, known.days[place] as number, 1n);
  }
  for (let index = 0; index < matching.rows.length; index++) {
    const { outcome, reason, ledger: one } = matches.at(index);
    if (outcome !== 'added' && outcome !== 'updated') continue;
    if (one?.state === 'live') add(one, known.days[matches.placeOf(index)] as number, -1n);
    add(reason === 'RESTORED' && one ? one : rowAt(index), file.days[index] as number, 1n);
  }
  return sums.every(({ currency, cents }) => (found.get(currency) ?? 0n) === cents);
}
