import type { Evaluation } from '../../../engines/rules/evaluate.ts';

/** The counts of one rule in a run. */
interface RuleCount {
  /** Transactions whose condition was true. */
  matched: number;
  /** Transactions with a change or comment that this rule was the last to write. */
  affected: number;
}

/** The counts of a run, added up row by row (contract 40.8.4). */
export interface RunTally {
  totalScanned: number;
  matchedCount: number;
  affectedCount: number;
  skippedCount: number;
  readonly byRule: Map<string, RuleCount>;
  scanned(rows: number): void;
  row(evaluation: Evaluation, commentingRules: ReadonlySet<string> | undefined): void;
  /** Adds the counts of another part of the same run. */
  add(other: RunTally): void;
}

/** The counts of two parts of a run together. */
export function sumOf(one: RunTally, other: RunTally): RunTally {
  const sum = newTally();
  sum.add(one);
  sum.add(other);
  return sum;
}

export function newTally(): RunTally {
  const byRule = new Map<string, RuleCount>();
  const countOf = (ruleId: string): RuleCount => {
    const known = byRule.get(ruleId);
    if (known) return known;
    const fresh = { matched: 0, affected: 0 };
    byRule.set(ruleId, fresh);
    return fresh;
  };
  const tally: RunTally = {
    totalScanned: 0,
    matchedCount: 0,
    affectedCount: 0,
    skippedCount: 0,
    byRule,
    scanned(rows) {
      tally.totalScanned += rows;
    },
    row({ hits, changes }, commentingRules) {
      if (hits.length > 0) tally.matchedCount += 1;
      if (hits.some(({ skipped }) => skipped.length > 0)) tally.skippedCount += 1;
      for (const { ruleId } of hits) countOf(ruleId).matched += 1;
      const writers = new Set([...changes.map(({ ruleId }) => ruleId), ...(commentingRules ?? [])]);
      if (writers.size > 0) tally.affectedCount += 1;
      for (const ruleId of writers) countOf(ruleId).affected += 1;
    },
    add(other) {
      tally.totalScanned += other.totalScanned;
      tally.matchedCount += other.matchedCount;
      tally.affectedCount += other.affectedCount;
      tally.skippedCount += other.skippedCount;
      for (const [ruleId, { matched, affected }] of other.byRule) {
        const count = countOf(ruleId);
        count.matched += matched;
        count.affected += affected;
      }
    },
  };
  return tally;
}
