import { journalOf } from '../../journal/journal-of.ts';
import type { WriteTx } from '../../journal/write.ts';
import { diffFacets, type FacetDiff } from './facet-diffs.ts';
import {
  attachTags,
  detachTags,
  loadFacets,
  selectReferring,
  selectTagged,
  selectTagIdsOf,
  selectUserShortIds,
  updateFacets,
} from './facets.queries.ts';
import type { Facets } from './facets.ts';

const transactions = journalOf('transaction');

/** The facets of one transaction as they are in the ledger, and as they will be. */
export interface FacetEdit {
  before: Facets;
  after: Facets;
  /** Which rule wrote a facet, by its key and in the order of the rules; the caller wrote the rest. */
  ruleOf?: ReadonlyMap<string, string>;
  /** The kind of run in which the rules wrote: `import`, `apply`, `apply_all`, `recategorize`. */
  appliedBy?: string;
  /** What else the caller wrote to the row, to be recorded with it. */
  more?: More;
}

interface More {
  before: Readonly<Record<string, unknown>>;
  after: Readonly<Record<string, unknown>>;
  /** Values that only a revert needs. */
  internal: Readonly<Record<string, unknown>>;
}

/**
 * Writes changed facets and records them: one change per transaction and writer (contract 10.13.1). Edits that change
 * nothing are skipped. Each transaction may occur once. Answers how many changed.
 */
export async function writeFacets(tx: WriteTx, edits: readonly FacetEdit[]): Promise<number> {
  const members = await memberNames(tx, edits);
  const changed: Changed[] = [];
  for (const edit of edits) {
    const { before, after, more } = edit;
    const diffs = before === after ? [] : diffFacets(before, after, members);
    if (more !== undefined || diffs.some(({ fields }) => fields.length > 0) || !isSameSet(before.locks, after.locks))
      changed.push({ ...edit, diffs });
  }
  if (changed.length === 0) return 0;
  await updateFacets(tx, changed);
  await writeTags(tx, changed);
  for (const edit of changed) record(tx, edit);
  await tx.journal.flushIfLarge();
  return changed.length;
}

/** An edit that changes something, and what. */
interface Changed extends FacetEdit {
  diffs: readonly FacetDiff[];
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
    if (id === undefined) throw new Error('A tag to add does not exist. Create it first.');
    return id;
  };
  await attachTags(
    tx,
    added.map(([transactionId, slug]) => [transactionId, idOf(slug)]),
  );
  for (const [slug, transactionIds] of removed) await detachTags(tx, idOf(slug), transactionIds);
}

/** The short_ids by which the journal names the members of these edits. */
export async function memberNames(tx: WriteTx, changed: readonly FacetEdit[]): Promise<ReadonlyMap<string, string>> {
  const ids = new Set<string>();
  for (const { before, after } of changed) {
    if (before.attributedUserId === after.attributedUserId) continue;
    for (const id of [before.attributedUserId, after.attributedUserId]) if (id !== null) ids.add(id);
  }
  return ids.size === 0 ? NO_MEMBERS : selectUserShortIds(tx, [...ids]);
}

function record(tx: WriteTx, edit: Changed): void {
  const { after, appliedBy } = edit;
  for (const { ruleId, before: was, after: is, internal } of changesOf(edit, edit.diffs)) {
    const byRule = ruleId === null ? {} : { ruleId, source: 'rule' as const };
    const run = ruleId === null || appliedBy === undefined ? {} : { appliedBy };
    const entity = { id: after.id, short_id: after.shortId };
    transactions.changed(tx, entity, { before: was, after: is }, { internal, ...byRule, ...run });
  }
}

type Fields = Record<string, unknown>;

/** What one writer did to a transaction, as the journal shows it; `ruleId` is null for the caller. */
interface WriterChange {
  ruleId: string | null;
  before: Fields;
  after: Fields;
  internal: Fields;
}

/** An edit split by who wrote which facet: the rules in their order, then the caller. */
export function changesByWriter(
  edit: FacetEdit,
  members: ReadonlyMap<string, string> = NO_MEMBERS,
): readonly WriterChange[] {
  return changesOf(edit, diffFacets(edit.before, edit.after, members));
}

function changesOf(edit: FacetEdit, diffs: readonly FacetDiff[]): readonly WriterChange[] {
  const { ruleOf, more } = edit;
  const byCaller = ruleOf ? diffs.filter(({ key }) => !ruleOf.has(key)) : diffs;
  const changes: WriterChange[] = [];
  for (const rule of new Set(ruleOf?.values())) {
    const byRule = diffs.filter(({ key }) => ruleOf?.get(key) === rule);
    if (byRule.length > 0) changes.push(changeBy(rule, edit, byRule));
  }
  if (byCaller.length === 0 && !more) return changes;
  const { before, after, internal } = changeBy(null, edit, byCaller);
  changes.push({
    ruleId: null,
    before: Object.assign(before, more?.before),
    after: Object.assign(after, more?.after),
    internal: Object.assign(internal, more?.internal),
  });
  return changes;
}

/** A field that did not exist on one side is absent there. */
function changeBy(ruleId: string | null, edit: FacetEdit, diffs: readonly FacetDiff[]): WriterChange {
  const [before, after]: [Fields, Fields] = [{}, {}];
  for (const { fields } of diffs) {
    for (const { name, was, is } of fields) {
      if (was !== undefined) before[name] = was;
      if (is !== undefined) after[name] = is;
    }
  }
  return { ruleId, before, after, internal: internalOf(edit.before, edit.after, diffs) };
}

/** What only a revert needs: locks that were set and released, and columns that are not in the record. */
function internalOf(before: Facets, after: Facets, diffs: readonly FacetDiff[]): Record<string, unknown> {
  const keys = diffs.map(({ key }) => key);
  const lockedNow = keys.filter((key) => after.locks.has(key) && !before.locks.has(key));
  const unlocked = keys.filter((key) => before.locks.has(key) && !after.locks.has(key));
  const hidden: Record<string, unknown> = {};
  if (before.categoryRuleId !== after.categoryRuleId && keys.includes('category')) {
    hidden['category_rule_id'] = before.categoryRuleId;
  }
  // The timeline names the category even if only its source changed.
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

/**
 * Changes every transaction, live or deleted, that refers to a category, counterparty or series, a batch at a time.
 * `change` must remove the reference, or the loop would not end. Answers how many changed.
 */
export async function changeReferring(
  tx: WriteTx,
  column: 'category_id' | 'counterparty_id' | 'series_id',
  id: string,
  change: (facets: Facets) => Facets,
): Promise<number> {
  return changeAll(tx, () => selectReferring(tx, column, id, tx.portable.rowsChangedAtOnce), change);
}

/** Removes a tag from every transaction, live or deleted, before the tag itself is deleted. Locks stay. */
export async function detachFromAll(tx: WriteTx, tag: { id: string; slug: string }): Promise<number> {
  return changeAll(
    tx,
    () => selectTagged(tx, tag.id, tx.portable.rowsChangedAtOnce),
    (facets) => ({ ...facets, tags: new Set([...facets.tags].filter((slug) => slug !== tag.slug)) }),
  );
}

async function changeAll(
  tx: WriteTx,
  next: () => Promise<string[]>,
  change: (facets: Facets) => Facets,
): Promise<number> {
  let changed = 0;
  for (let ids = await next(); ids.length > 0; ids = await next()) {
    const facets = await loadFacets(tx, ids.sort());
    const rows = ids.flatMap((id) => facets.get(id) ?? []);
    const written = await writeFacets(
      tx,
      rows.map((before) => ({ before, after: change(before) })),
    );
    if (written === 0) throw new Error('A walk over referring transactions changes none of them.');
    changed += written;
  }
  return changed;
}
