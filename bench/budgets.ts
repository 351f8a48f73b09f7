/** What a figure must be. */
export interface Budget {
  text: string;
  /** `transactions` is the size of the ledger. */
  isMet(figure: number, transactions: number): boolean;
}

export type EngineName = 'sqlite' | 'postgres';

export function below(limit: number, unit: string): Budget {
  return { text: `< ${limit} ${unit}`, isMet: (figure) => figure < limit };
}

export function atMost(limit: number, unit: string): Budget {
  return { text: `≤ ${limit} ${unit}`.trim(), isMet: (figure) => figure <= limit };
}

export function atLeast(limit: number, unit: string): Budget {
  return { text: `≥ ${limit} ${unit}`.trim(), isMet: (figure) => figure >= limit };
}

const LARGE = 1_000_000;

/** One limit for ledgers below a million transactions, and one from there on. */
function bySize(small: Budget, large: Budget): Budget {
  return {
    text: `${small.text}; 1M: ${large.text}`,
    isMet: (figure, transactions) => (transactions < LARGE ? small : large).isMet(figure, transactions),
  };
}

const upTo = (small: number, large = small): Budget =>
  small === large ? atMost(small, 'ms') : bySize(atMost(small, 'ms'), atMost(large, 'ms'));

/** How many times its median the slowest hundredth of a common search may take. */
export const SLOWEST_SEARCH = 5;

/** The time that each job of the comparison may take: the p50 of many, or the whole of one. */
export const AIMS = {
  firstPage: { sqlite: null, postgres: upTo(4) },
  accountAndMonth: { sqlite: null, postgres: upTo(3) },
  searchCommon: { sqlite: upTo(3, 8), postgres: upTo(6, 16) },
  searchFuzzy: { sqlite: upTo(6, 15), postgres: upTo(12, 30) },
  filterTag: { sqlite: upTo(3), postgres: upTo(6) },
  monthByCategory: { sqlite: upTo(15, 100), postgres: upTo(20, 120) },
  merchants: { sqlite: upTo(15, 120), postgres: upTo(25, 150) },
  categoryOfOne: { sqlite: upTo(1.5), postgres: upTo(4) },
  bulkRecategorize: { sqlite: upTo(200, 2_000), postgres: upTo(200, 2_000) },
  firstRequest: { sqlite: null, postgres: null },
  firstStart: { sqlite: null, postgres: null },
  start: { sqlite: upTo(350), postgres: upTo(350) },
  twoImports: { sqlite: below(4_000, 'ms'), postgres: below(8_000, 'ms') },
} as const satisfies Record<string, Record<EngineName, Budget | null>>;

/** Memory with nothing to do, and at the peak of the comparison's reads and edits. */
export const IDLE_MEMORY = atMost(90, 'MiB');
export const PEAK_MEMORY = atMost(160, 'MiB');
