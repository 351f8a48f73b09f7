import type { Catalog } from '../../engines/rules/catalog.ts';
import { compareRules, type Rule } from '../../engines/rules/definition.ts';
import { disagreements, winnerOf, type Disagreement } from '../../engines/rules/disagree.ts';
import { matchingRules } from '../../engines/rules/evaluate.ts';
import type { RowPart } from '../../engines/rules/row.ts';
import { compileRules, partsRead } from '../../engines/rules/rule-set.ts';
import { compareCodePoints } from '../../kernel/fold.ts';
import { LIMITS } from '../../kernel/limits.ts';
import type { ConflictRecord } from './rule-insights.contract.ts';
import type { ContextRow } from './rule-rows.queries.ts';
import type { StoredRule } from './rules.table.ts';

/** Counts the rows on which a rule and another active rule set different values (contract 40.8.6). */
interface ConflictCount {
  /** Rows must come newest first. */
  look: (rows: readonly ContextRow[]) => void;
  found: () => ConflictRecord[];
  /** The parts of a row that it reads. */
  parts: ReadonlySet<RowPart>;
  /** False if no other rule can disagree, so that no row needs to be read. */
  isPossible: boolean;
}

interface Opponent {
  rule: StoredRule;
  disagreements: readonly Disagreement[];
  count: number;
  samples: string[];
}

export function countConflicts(rule: Rule, active: readonly StoredRule[], catalog: Catalog): ConflictCount {
  const opponents = new Map<string, Opponent>();
  for (const other of active) {
    if (other.id === rule.id) continue;
    const found = disagreements(rule, other, catalog);
    if (found.length > 0) opponents.set(other.id, { rule: other, disagreements: found, count: 0, samples: [] });
  }
  const others = Array.from(opponents.values(), (one) => one.rule);
  const set = compileRules([rule, ...others], catalog);
  const own = set.rules.findIndex((compiled) => compiled.rule.id === rule.id);
  return {
    parts: partsRead([rule, ...others].map(({ condition }) => ({ condition, actions: [] }))),
    isPossible: opponents.size > 0,
    look(rows) {
      if (opponents.size === 0) return;
      for (const { id, row } of rows) {
        for (const index of matchingRules(set, row, own)) {
          const opponent = opponents.get(set.rules[index]?.rule.id ?? '');
          if (!opponent) continue;
          opponent.count += 1;
          if (opponent.samples.length < LIMITS.ruleConflictSamples) opponent.samples.push(id);
        }
      }
    },
    found: () =>
      [...opponents.values()]
        .filter(({ count }) => count > 0)
        .sort((a, b) => b.count - a.count || compareRules(a.rule, b.rule))
        .flatMap((opponent) => recordsOf(rule, opponent)),
  };
}

function recordsOf(rule: Rule, { rule: other, disagreements: found, count, samples }: Opponent): ConflictRecord[] {
  return [...found]
    .sort((a, b) => compareCodePoints(a.facet, b.facet))
    .map(({ facet, thisValue, otherValue }) => ({
      rule_id: other.id,
      short_id: other.shortId,
      name: other.name,
      priority: other.priority,
      facet,
      this_value: thisValue,
      other_value: otherValue,
      winner: winnerOf(rule, other),
      overlap_count: count,
      sample_transaction_ids: [...samples],
    }));
}
