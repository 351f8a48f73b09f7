import { renderNamed, type FacetEffect } from './actions.ts';
import type { WrittenFacet } from './apply-actions.ts';
import type { Catalog } from './catalog.ts';
import { compareCodePoints } from '../../kernel/fold.ts';
import { isEqualJson } from '../../kernel/json.ts';
import type { Json } from './json.ts';
import type { FacetKey, RuleRow } from './row.ts';
import type { Subject } from './subject.ts';

interface Change<T> {
  /** The key of the facet's lock. */
  readonly facet: FacetKey;
  /** The rule that wrote it last. */
  readonly ruleId: string;
  readonly action: number;
  /** The facet was locked and no longer is. */
  readonly unlocks: boolean;
  readonly before: T;
  readonly after: T;
}

/** A facet whose value after the run differs from that before it. In a preview, ids may be placeholders. */
export type FacetChange =
  | ({ readonly kind: 'category' } & Change<CategoryValue>)
  | ({ readonly kind: 'tag'; readonly slug: string } & Change<boolean>)
  | ({ readonly kind: 'series' } & Change<string | null>)
  | ({ readonly kind: 'counterparty' } & Change<string | null>)
  /** Undefined if the key is absent. */
  | ({ readonly kind: 'metadata'; readonly key: string } & Change<unknown>)
  | ({ readonly kind: 'flag' } & Change<boolean>);

interface CategoryValue {
  readonly categoryId: string | null;
  readonly categorySource: string | null;
}

/** Step 3 of contract 40.5: a facet that was set and then set back did not change. */
export function differences(subject: Subject, writers: ReadonlyMap<FacetKey, WrittenFacet>): readonly FacetChange[] {
  const changes: FacetChange[] = [];
  for (const [facet, { ruleId, action, effect }] of writers) {
    // A locked facet differs only if a rule was allowed to overwrite it.
    const unlocks = subject.row.locks.has(facet);
    const change = differenceOf(effect, subject.row, subject, { facet, ruleId, action, unlocks });
    if (change !== undefined) changes.push(change);
  }
  return changes;
}

type Origin = Omit<Change<unknown>, 'before' | 'after'>;

function differenceOf(effect: FacetEffect, was: RuleRow, is: Subject, origin: Origin): FacetChange | undefined {
  switch (effect.kind) {
    case 'category': {
      if (was.categoryId === is.categoryId && was.categorySource === is.categorySource) return undefined;
      return { kind: effect.kind, ...origin, before: categoryOf(was), after: categoryOf(is) };
    }
    case 'tag': {
      const { kind, slug } = effect;
      const [before, after] = [was.tags.has(slug), is.tags.has(slug)];
      return before === after ? undefined : { kind, slug, ...origin, before, after };
    }
    case 'series':
      return was.seriesId === is.seriesId
        ? undefined
        : { kind: effect.kind, ...origin, before: was.seriesId, after: is.seriesId };
    case 'counterparty':
      return was.counterpartyId === is.counterpartyId
        ? undefined
        : { kind: effect.kind, ...origin, before: was.counterpartyId, after: is.counterpartyId };
    case 'metadata': {
      const { kind, key } = effect;
      const [before, after] = [was.metadata.get(key), is.metadata.get(key)];
      return isEqualJson(before, after) ? undefined : { kind, key, ...origin, before, after };
    }
    case 'flag':
      return was.flagged === is.flagged
        ? undefined
        : { kind: effect.kind, ...origin, before: was.flagged, after: is.flagged };
    default:
      return effect satisfies never;
  }
}

function categoryOf({ categoryId, categorySource }: CategoryValue): CategoryValue {
  return { categoryId, categorySource };
}

/** A change as preview and explain show it (40.8.3). */
interface RenderedChange {
  readonly field: string;
  readonly before: Json;
  readonly after: Json;
}

const ORDER: readonly FacetChange['kind'][] = ['category', 'series', 'counterparty', 'tag', 'metadata', 'flag'];

/** Changes as shown: facets in a fixed order, then comments. */
export function renderChanges(
  changes: readonly FacetChange[],
  comments: readonly { readonly content: string }[],
  catalog: Catalog,
): RenderedChange[] {
  const ordered = [...changes].sort(
    (a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind) || compareCodePoints(a.facet, b.facet),
  );
  const facets = ordered.flatMap((change) => renderChange(change, catalog));
  return [...facets, ...comments.map(({ content }) => ({ field: 'comment', before: null, after: content }))];
}

function renderChange(change: FacetChange, catalog: Catalog): RenderedChange[] {
  switch (change.kind) {
    case 'category': {
      const { before, after } = change;
      const slug = (id: string | null): string | null =>
        id === null ? null : (catalog.categories.get(id)?.slug ?? id);
      const isOther = before.categoryId !== after.categoryId;
      const isOtherSource = before.categorySource !== after.categorySource;
      return [
        ...(isOther ? [{ field: 'category', before: slug(before.categoryId), after: slug(after.categoryId) }] : []),
        ...(isOtherSource
          ? [{ field: 'category_source', before: before.categorySource, after: after.categorySource }]
          : []),
      ];
    }
    case 'tag':
      return [{ field: change.facet, before: change.before || null, after: change.after || null }];
    case 'series':
    case 'counterparty': {
      const names = change.kind === 'series' ? catalog.series : catalog.counterparties;
      const named = (id: string | null): Json => (id === null ? null : { ...renderNamed(id, names) });
      return [{ field: change.kind, before: named(change.before), after: named(change.after) }];
    }
    case 'metadata':
      return [{ field: change.facet, before: valueOf(change.before), after: valueOf(change.after) }];
    case 'flag':
      return [{ field: 'flagged', before: change.before, after: change.after }];
    default:
      return change satisfies never;
  }
}

function valueOf(value: unknown): Json {
  return value === undefined ? null : { value: value as Json };
}
