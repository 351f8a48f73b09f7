import { journalOf } from '../../journal/journal-of.ts';
import type { WriteTx } from '../../journal/write.ts';
import { factsOf, type Facts } from './facet-facts.ts';
import type { Facets } from './facets.ts';
import { attachTags, detachTags, selectTagIdsOf, selectUserShortIds, updateFacets } from './facets.queries.ts';

const transactions = journalOf('transaction');

/** One transaction's facets as they stand in the ledger, and as they are to be. */
export interface FacetEdit {
  before: Facets;
  after: Facets;
  /** Which rule wrote a facet, by its key and in the order of the rules; the rest is the caller's own writing. */
  ruleOf?: ReadonlyMap<string, string>;
  /** `import`, `apply`, `apply_all`, `recategorize`: what kind of run made the rules write. */
  appliedBy?: string;
}

/**
 * Writes changed facets and records them: one change per transaction and writer (contract 10.13.1). Edits that change
 * nothing are passed over. Each transaction may occur once. Answers how many changed.
 */
export async function writeFacets(tx: WriteTx, edits: readonly FacetEdit[]): Promise<number> {
  const changed = edits.filter(({ before, after }) => before !== after && isDifferent(before, after));
  if (changed.length === 0) return 0;
  await updateFacets(tx, changed);
  await writeTags(tx, changed);
  const shortIds = await memberShortIds(tx, changed);
  for (const edit of changed) record(tx, edit, shortIds);
  await tx.journal.flushIfLarge();
  return changed.length;
}

function isDifferent(before: Facets, after: Facets): boolean {
  const facts = factsOf(before, after, NO_MEMBERS);
  return facts.some(({ fields }) => fields.length > 0) || !isSameSet(before.locks, after.locks);
}

const NO_MEMBERS: ReadonlyMap<string, string> = new Map();

function isSameSet(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return a === b || (a.size === b.size && [...a].every((key) => b.has(key)));
}

async function writeTags(tx: WriteTx, changed: readonly FacetEdit[]): Promise<void> {
  const added: (readonly [string, string])[] = [];
  const removed = new Map<string, string[]>();
  for (const { before, after } of changed) {
    if (before.tags === after.tags) continue;
    for (const slug of after.tags) if (!before.tags.has(slug)) added.push([after.id, slug]);
    for (const slug of before.tags) {
      if (!after.tags.has(slug)) removed.set(slug, [...(removed.get(slug) ?? []), after.id]);
    }
  }
  if (added.length === 0 && removed.size === 0) return;
  const ids = await selectTagIdsOf(tx, [...new Set([...added.map(([, slug]) => slug), ...removed.keys()])]);
  const idOf = (slug: string): string => {
    const id = ids.get(slug);
    if (id === undefined) throw new Error('A tag to attach does not exist. Make it first.');
    return id;
  };
  await attachTags(
    tx,
    added.map(([transactionId, slug]) => [transactionId, idOf(slug)]),
  );
  for (const [slug, transactionIds] of removed) await detachTags(tx, idOf(slug), transactionIds);
}

async function memberShortIds(tx: WriteTx, changed: readonly FacetEdit[]): Promise<ReadonlyMap<string, string>> {
  const ids = new Set<string>();
  for (const { before, after } of changed) {
    if (before.attributedUserId === after.attributedUserId) continue;
    for (const id of [before.attributedUserId, after.attributedUserId]) if (id !== null) ids.add(id);
  }
  return ids.size === 0 ? NO_MEMBERS : selectUserShortIds(tx, [...ids]);
}

function record(tx: WriteTx, edit: FacetEdit, members: ReadonlyMap<string, string>): void {
  const { after, appliedBy } = edit;
  for (const { ruleId, before: was, after: is, internal } of changesByWriter(edit, members)) {
    const byRule = ruleId === null ? {} : { ruleId, source: 'rule' as const };
    const run = ruleId === null || appliedBy === undefined ? {} : { appliedBy };
    const entity = { id: after.id, short_id: after.shortId };
    transactions.changed(tx, entity, { before: was, after: is }, { internal, ...byRule, ...run });
  }
}

/** What one writer did to a transaction, in the journal's terms; `ruleId` null stands for the caller. */
export interface WriterChange {
  ruleId: string | null;
  before: Record<string, unknown>;
  after: Record<string, unknown>;
  internal: Record<string, unknown>;
}

/** An edit taken apart by who wrote which facet: rules in their order, then the caller. */
export function changesByWriter(
  { before, after, ruleOf }: FacetEdit,
  members: ReadonlyMap<string, string> = NO_MEMBERS,
): WriterChange[] {
  const byRule = new Map<string | null, Facts[]>();
  for (const rule of ruleOf?.values() ?? []) byRule.set(rule, []);
  byRule.set(null, []);
  for (const facts of factsOf(before, after, members)) byRule.get(ruleOf?.get(facts.key) ?? null)?.push(facts);
  return [...byRule].flatMap(([ruleId, facts]) => {
    if (facts.length === 0) return [];
    const fields = facts.flatMap((one) => one.fields);
    return [
      {
        ruleId,
        before: Object.fromEntries(fields.flatMap(({ name, was }) => pair(name, was))),
        after: Object.fromEntries(fields.flatMap(({ name, is }) => pair(name, is))),
        internal: internalOf(before, after, facts),
      },
    ];
  });
}

/** A key that is absent on one side did not exist there. */
function pair(name: string, value: unknown): [string, unknown][] {
  return value === undefined ? [] : [[name, value]];
}

/** What only a revert needs: locks that came and went, and columns that no record shows. */
function internalOf(before: Facets, after: Facets, facts: readonly Facts[]): Record<string, unknown> {
  const keys = facts.map(({ key }) => key);
  const lockedNow = keys.filter((key) => after.locks.has(key) && !before.locks.has(key));
  const unlocked = keys.filter((key) => before.locks.has(key) && !after.locks.has(key));
  const hidden: Record<string, unknown> = {};
  if (before.categoryRuleId !== after.categoryRuleId && keys.includes('category')) {
    hidden['category_rule_id'] = before.categoryRuleId;
  }
  // The timeline names the category also where only its source changed.
  if (before.categoryId === after.categoryId && keys.includes('category')) hidden['category_id'] = after.categoryId;
  if (before.attributedByLinkId !== after.attributedByLinkId && keys.includes('attribution')) {
    hidden['attributed_by_link_id'] = before.attributedByLinkId;
  }
  if (before.deletedCause !== after.deletedCause && keys.includes('deletion')) {
    hidden['deleted_cause'] = before.deletedCause;
    if (after.deletedCause !== null) hidden['cause'] = after.deletedCause;
  }
  return {
    ...hidden,
    ...(lockedNow.length > 0 ? { locked: lockedNow } : {}),
    ...(unlocked.length > 0 ? { unlocked } : {}),
  };
}
