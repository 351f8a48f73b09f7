import type { Catalog } from '../../engines/rules/catalog.ts';
import { renderNamed } from '../../engines/rules/actions.ts';
import { compareCodePoints } from '../../kernel/fold.ts';
import type { AnnotationRecord } from '../annotations/index.ts';
import type { Facets } from '../facets/index.ts';
import type { DecisionRecord } from './rule-insights.contract.ts';
import type { RuleRow } from './rules.queries.ts';

type Entry = AnnotationRecord;
type Source = DecisionRecord['source'];

/** A facet, its present value, and which entries of a timeline are about it. */
interface Field {
  field: string;
  lock: string;
  value: unknown;
  isEmpty: boolean;
  isAbout: (entry: Entry) => boolean;
}

/** Who decided each present value of a transaction (contract 40.8.8). */
export function decisionsOf(
  facets: Facets,
  timeline: readonly Entry[],
  catalog: Catalog,
  rules: ReadonlyMap<string, RuleRow>,
): DecisionRecord[] {
  // A reverted change no longer decides, and neither does the revert: what stood before decides again.
  const inForce = timeline.filter((entry) => !entry.is_reverted && entry.reverts_change_set_id === null);
  const created = timeline.find(({ kind }) => kind === 'imported' || kind === 'sync_started');
  const entered = timeline.find(({ kind }) => kind === 'transaction_created');
  return fieldsOf(facets, catalog).map((field) => {
    const said = !field.isEmpty || facets.locks.has(field.lock) ? entered : undefined;
    const entry = inForce.findLast(field.isAbout) ?? said;
    const source = field.field === 'category' ? facets.categorySource : sourceOf(field, entry);
    const decided = source === null ? undefined : (entry ?? (source === 'provider' ? created : undefined));
    const ruleId = source === 'rule' ? (entry?.rule_id ?? facets.categoryRuleId) : null;
    const rule = ruleId === null ? undefined : rules.get(ruleId);
    const at = decided?.created_at ?? null;
    return {
      field: field.field,
      value: field.value,
      source,
      locked: facets.locks.has(field.lock),
      by: decided ? { type: decided.actor_type, id: decided.actor_id, name: decided.actor_name } : null,
      rule_id: ruleId,
      rule_name: ruleId === null ? null : (entry?.rule_name ?? rule?.name ?? null),
      rule_exists: ruleId === null ? null : rule !== undefined,
      rule_changed_since: rule && at !== null ? rule.updated_at > at : null,
      change_set_id: decided?.change_set_id ?? null,
      at,
    };
  });
}

/** Values that came with the row, such as tags in a bank file, have no entry of their own. */
function sourceOf({ isEmpty }: Field, entry: Entry | undefined): Source {
  if (!entry) return isEmpty ? null : 'provider';
  if (entry.source === 'rule') return 'rule';
  if (entry.source === 'sync' || entry.source === 'import') return 'provider';
  return entry.actor_type === 'user' ? 'person' : 'agent';
}

function fieldsOf(facets: Facets, catalog: Catalog): Field[] {
  const { categoryId, seriesId, counterpartyId, flaggedAt, tags, metadata, locks } = facets;
  const named = (id: string | null, names: ReadonlyMap<string, string>): unknown =>
    id === null ? null : renderNamed(id, names);
  const kinds =
    (...list: Entry['kind'][]) =>
    ({ kind }: Entry): boolean =>
      list.includes(kind);
  const series = kinds('series_assigned', 'series_unlinked');
  const counterparty = kinds('counterparty_assigned', 'counterparty_unlinked');
  const field = (name: string, lock: string, value: unknown, isAbout: Field['isAbout']): Field => ({
    field: name,
    lock,
    value,
    isEmpty: value === null || value === false,
    isAbout,
  });
  return [
    field(
      'category',
      'category',
      categoryId === null ? null : (catalog.categories.get(categoryId)?.slug ?? null),
      // After a merge, the category still counts as chosen by whoever chose the merged one.
      ({ kind, payload }) => kind === 'category_set' && payload['action'] !== 'reassign',
    ),
    field('series', 'series', named(seriesId, catalog.series), series),
    field('counterparty', 'counterparty', named(counterpartyId, catalog.counterparties), counterparty),
    field('flagged', 'flag', flaggedAt !== null, kinds('flagged', 'unflagged')),
    ...keysOf('tag:', tags, locks).map((slug) =>
      field(`tag:${slug}`, `tag:${slug}`, tags.has(slug) || null, isAboutTag(slug)),
    ),
    ...keysOf('metadata.', metadata.keys(), locks).map((key) =>
      field(
        `metadata.${key}`,
        `metadata.${key}`,
        metadata.has(key) ? { value: metadata.get(key) } : null,
        isAboutMetadata(key),
      ),
    ),
  ];
}

/** The keys that the row has, and those that were removed deliberately. */
function keysOf(prefix: string, present: Iterable<string>, locks: ReadonlySet<string>): string[] {
  const locked = [...locks].filter((lock) => lock.startsWith(prefix)).map((lock) => lock.slice(prefix.length));
  return [...new Set([...present, ...locked])].sort(compareCodePoints);
}

function isAboutTag(slug: string): Field['isAbout'] {
  return ({ kind, payload }) => (kind === 'tag_added' || kind === 'tag_removed') && payload['slug'] === slug;
}

function isAboutMetadata(key: string): Field['isAbout'] {
  return ({ kind, payload }) => {
    if (kind !== 'metadata_changed') return false;
    const { set, removed } = payload as { set: object; removed: string[] };
    return Object.hasOwn(set, key) || removed.includes(key);
  };
}
