import type { FacetChange } from '../../../engines/rules/changes.ts';
import type { Evaluation } from '../../../engines/rules/evaluate.ts';
import type { FacetEdit, Facets } from '../../facets/index.ts';

/** A row's facets after rules ran over it, with the rule that wrote each; null if none changed. */
export function editOf(
  before: Facets,
  { changes, hits }: Pick<Evaluation, 'changes' | 'hits'>,
  now: string,
  appliedBy: string,
): FacetEdit | null {
  if (changes.length === 0) return null;
  let after = before;
  for (const change of changes) after = withChange(after, change, now);
  return { before, after, ruleOf: writersInOrder(changes, hits), appliedBy };
}

/** Facet → rule, in the order in which the rules ran. */
function writersInOrder(changes: readonly FacetChange[], hits: Evaluation['hits']): ReadonlyMap<string, string> {
  const place = new Map(hits.map(({ ruleId, index }) => [ruleId, index]));
  const ordered = [...changes].sort((a, b) => (place.get(a.ruleId) ?? 0) - (place.get(b.ruleId) ?? 0));
  return new Map(ordered.map(({ facet, ruleId }) => [facet, ruleId]));
}

/** The facets with one change applied. An overwritten lock is removed. */
function withChange(facets: Facets, change: FacetChange, now: string): Facets {
  const changed = { ...facets, ...changedFacets(facets, change, now) };
  if (!change.unlocks) return changed;
  const locks = new Set(changed.locks);
  locks.delete(change.facet);
  return { ...changed, locks };
}

function changedFacets(facets: Facets, change: FacetChange, now: string): Partial<Facets> {
  switch (change.kind) {
    case 'category': {
      const { categoryId } = change.after;
      return { categoryId, categorySource: 'rule', categoryRuleId: change.ruleId };
    }
    case 'tag': {
      const tags = new Set(facets.tags);
      if (change.after) tags.add(change.slug);
      else tags.delete(change.slug);
      return { tags };
    }
    case 'series':
      return { seriesId: change.after };
    case 'counterparty':
      return { counterpartyId: change.after };
    case 'metadata': {
      const metadata = new Map(facets.metadata);
      if (change.after === undefined) metadata.delete(change.key);
      else metadata.set(change.key, change.after);
      return { metadata };
    }
    case 'flag':
      return { flaggedAt: change.after ? now : null };
    default:
      return change satisfies never;
  }
}
