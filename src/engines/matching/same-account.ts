import { compareByRows, type HistoryRow, type RowsCompared } from './proof-by-rows.ts';

/** What a new account of a bank is compared with, or that account itself. */
export interface AccountHistory {
  readonly accountId: string;
  readonly currency: string | null;
  readonly mask: string | null;
  /** Posted rows, in any order. */
  readonly rows: readonly HistoryRow[];
}

export interface OtherHistory extends AccountHistory {
  /** Another live bank connection feeds it: it is never joined, only linked if a person says so. */
  readonly isLiveBank: boolean;
}

export interface Comparison {
  readonly accountId: string;
  readonly pairCount: number;
  readonly sharedCount: number;
}

/** What the rows say of one new account. */
export interface SameAccountVerdict {
  readonly accountId: string;
  /** The account that it is, by proof. */
  readonly joins: string | null;
  /** Without proof, the accounts to ask about, best first. */
  readonly askAbout: readonly Comparison[];
}

const ENOUGH_SHARED = 10;
const ONE_IN_TEN = 10;

interface Compared {
  readonly newer: string;
  readonly other: OtherHistory;
  readonly rows: RowsCompared;
}

/**
 * Proof by rows (contract 30.8.1): which accounts the new ones of a bank are. An account is proved if its rows are alike
 * and no other comparison of either account has half as many pairs. `isApart` says which pairs somebody keeps apart.
 */
export function recogniseAccounts(
  newer: readonly AccountHistory[],
  others: readonly OtherHistory[],
  isApart: (one: string, other: string) => boolean,
): SameAccountVerdict[] {
  const compared = newer.flatMap((one) =>
    others
      .filter((other) => mayBeSame(one, other) && !isApart(one.accountId, other.accountId))
      .map((other): Compared => ({ newer: one.accountId, other, rows: compareByRows(one.rows, other.rows) })),
  );
  return newer.map(({ accountId }) => {
    const own = compared.filter((one) => one.newer === accountId);
    const proved = own.find((one) => !one.other.isLiveBank && one.rows.isAlike && isAlone(one, compared));
    return { accountId, joins: proved?.other.accountId ?? null, askAbout: proved ? [] : worthAsking(own) };
  });
}

function mayBeSame(one: AccountHistory, other: AccountHistory): boolean {
  const differs = (a: string | null, b: string | null): boolean => a !== null && b !== null && a !== b;
  return one.accountId !== other.accountId && !differs(one.currency, other.currency) && !differs(one.mask, other.mask);
}

function isAlone(proof: Compared, all: readonly Compared[]): boolean {
  const rivals = all.filter(
    (one) => one !== proof && (one.newer === proof.newer || one.other.accountId === proof.other.accountId),
  );
  return rivals.every((one) => one.rows.pairCount * 2 < proof.rows.pairCount);
}

/** Without accounts whose rows disagree, and without those of other live banks unless the rows are alike. */
function worthAsking(compared: readonly Compared[]): Comparison[] {
  return compared
    .filter(({ other, rows }) => (other.isLiveBank ? rows.isAlike : !isContradicted(rows)))
    .map(({ other, rows }) => ({
      accountId: other.accountId,
      pairCount: rows.pairCount,
      sharedCount: rows.sharedCount,
    }))
    .sort((a, b) => b.pairCount - a.pairCount || b.sharedCount - a.sharedCount || (a.accountId < b.accountId ? -1 : 1));
}

function isContradicted({ sharedCount, sharedPairCount }: RowsCompared): boolean {
  return sharedCount >= ENOUGH_SHARED && sharedPairCount * ONE_IN_TEN < sharedCount;
}
