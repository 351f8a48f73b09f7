import { isEqualJson } from '../../kernel/json.ts';
import { effectOf, renderNamed, type Effect, type FacetEffect } from './actions.ts';
import type { Catalog } from './catalog.ts';
import { compareRules, type Rule } from './definition.ts';
import type { Json } from './json.ts';

/** A facet that two rules set to different values, shown like `after` of a change (contract 40.8.6). */
export interface Disagreement {
  /** `category`, `series`, `counterparty`, `flagged`, `tag:<slug>`, `metadata.<key>`. */
  readonly facet: string;
  readonly thisValue: Json;
  readonly otherValue: Json;
}

/** The facets on which two rules disagree, whatever their conditions. */
export function disagreements(
  one: Pick<Rule, 'actions'>,
  other: Pick<Rule, 'actions'>,
  catalog: Catalog,
): Disagreement[] {
  const others = new Map(facetEffectsOf(other, catalog).map((effect) => [effect.facet, effect]));
  return facetEffectsOf(one, catalog).flatMap((effect) => {
    const counterpart = others.get(effect.facet);
    if (counterpart === undefined || isEqualJson(effect, counterpart)) return [];
    const facet = effect.facet === 'flag' ? 'flagged' : effect.facet;
    return [{ facet, thisValue: outcomeOf(effect, catalog), otherValue: outcomeOf(counterpart, catalog) }];
  });
}

/** Which rule decides when both match: the later one, unless the earlier one has `stop`. */
export function winnerOf(one: Rule, other: Rule): 'this' | 'other' {
  const isEarlier = compareRules(one, other) < 0;
  const earlier = isEarlier ? one : other;
  return isEarlier === earlier.stop ? 'this' : 'other';
}

function facetEffectsOf({ actions }: Pick<Rule, 'actions'>, catalog: Catalog): FacetEffect[] {
  return actions.map((action) => effectOf(action, catalog)).filter(writesFacet);
}

function writesFacet(effect: Effect): effect is FacetEffect {
  return effect.facet !== null;
}

function outcomeOf(effect: FacetEffect, catalog: Catalog): Json {
  switch (effect.kind) {
    case 'category':
      return catalog.categories.get(effect.id)?.slug ?? effect.id;
    case 'tag':
      return effect.isAttached || null;
    case 'series':
      return { ...renderNamed(effect.id, catalog.series) };
    case 'counterparty':
      return { ...renderNamed(effect.id, catalog.counterparties) };
    case 'metadata':
      return effect.value === undefined ? null : { value: effect.value as Json };
    case 'flag':
      return effect.isFlagged;
    default:
      return effect satisfies never;
  }
}
