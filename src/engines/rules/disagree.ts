import { isEqualJson } from '../../kernel/json.ts';
import type { Catalog } from './catalog.ts';
import { facetOf } from './compile.ts';
import { compareRules, type Rule, type StoredAction } from './definition.ts';
import type { Json } from './json.ts';
import { renderNamed } from './render.ts';

/** Two rules that write one facet with different outcomes; values as `after` of a change (contract 40.8.6). */
export interface Disagreement {
  /** `category`, `series`, `counterparty`, `flagged`, `tag:<slug>`, `metadata.<key>`. */
  readonly facet: string;
  readonly thisValue: Json;
  readonly otherValue: Json;
}

/** Where two rules want something else, whatever their conditions; empty when they cannot disagree. */
export function disagreements(
  one: Pick<Rule, 'actions'>,
  other: Pick<Rule, 'actions'>,
  catalog: Catalog,
): Disagreement[] {
  const others = new Map(other.actions.map((action) => [facetOf(action, catalog), action]));
  const found: Disagreement[] = [];
  for (const action of one.actions) {
    const facet = facetOf(action, catalog);
    const counterpart = facet === null ? undefined : others.get(facet);
    if (facet === null || counterpart === undefined || isEqualJson(action, counterpart)) continue;
    found.push({
      facet: facet === 'flag' ? 'flagged' : facet,
      thisValue: outcomeOf(action, catalog),
      otherValue: outcomeOf(counterpart, catalog),
    });
  }
  return found;
}

/** Whose word stands where both match: the later in order, unless the earlier stops the pass. */
export function winnerOf(one: Rule, other: Rule): 'this' | 'other' {
  const isEarlier = compareRules(one, other) < 0;
  const earlier = isEarlier ? one : other;
  return isEarlier === earlier.stop ? 'this' : 'other';
}

function outcomeOf(action: StoredAction, catalog: Catalog): Json {
  switch (action.type) {
    case 'set_category':
      return catalog.categories.get(action.category_id)?.slug ?? action.category_id;
    case 'add_tag':
      return true;
    case 'remove_tag':
    case 'remove_metadata':
    case 'add_comment':
      return null;
    case 'assign_series':
      return { ...renderNamed(action.series_id, catalog.series) };
    case 'assign_counterparty':
      return { ...renderNamed(action.counterparty_id, catalog.counterparties) };
    case 'set_metadata':
      return { value: action.metadata_value };
    case 'flag':
    case 'unflag':
    default:
      return action.type === 'flag';
  }
}
