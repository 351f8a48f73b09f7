import type { z } from 'zod';

import type { ReadTx } from '../../db/unit-of-work.ts';
import type { JournaledChange } from '../../journal/undo.ts';
import type { Annotation } from './annotations.contract.ts';
import {
  selectChangeSetsById,
  selectChangesOf,
  selectCommentTexts,
  selectMembers,
  type Origin,
  type TimelineSet,
} from './annotations.queries.ts';
import { categoryNamesAt, namesAt, tagNamesAt } from './names-at.ts';
import {
  describeComment,
  describeDelivered,
  describeFacets,
  entryIds,
  type CategoryAction,
  type EntryDraft,
  type Names,
} from './timeline-entries.ts';

export type AnnotationRecord = z.output<typeof Annotation>;

/** The whole timeline of a transaction, oldest first, read from the journal (contract 10.8). */
export async function timelineOf(tx: ReadTx, origin: Origin): Promise<AnnotationRecord[]> {
  const journaled = await selectChangesOf(tx, origin.id);
  const setIds = new Set(journaled.map((change) => change.changeSetId));
  if (origin.created_change_set_id !== null) setIds.add(origin.created_change_set_id);
  const sets = await selectChangeSetsById(tx, [...setIds]);
  const created = origin.created_change_set_id === null ? undefined : sets.get(origin.created_change_set_id);
  const undoneBy = created ? undoerOfCreation(origin, created, journaled) : null;
  const changes = [...(created ? creationEffects(origin, created, undoneBy) : []), ...journaled];
  const names = await loadNames(tx, changes);
  const comments = await selectCommentTexts(tx, origin.id);
  const creation = created ? describeOrigin(origin, created) : null;
  const told = { transactionId: origin.id, change: null, undoneBy };
  const entries = created && creation ? [toEntry({ ...told, set: created }, creation, names)] : [];
  const deciders = categorySources(changes, origin.category_source);
  for (const change of inTimelineOrder(changes)) {
    const set = sets.get(change.changeSetId);
    if (!set) continue;
    const about = { provider: origin.provider, decidedBy: deciders.get(change) };
    for (const draft of describeChange(change, set, names, comments, about)) {
      entries.push(toEntry({ ...told, set, change, undoneBy: change.revertedByChangeSetId }, draft, names));
    }
  }
  return entries;
}

/** The revert that took the row back. A row of an import is not journaled: its deletion says it. Syncs keep theirs. */
function undoerOfCreation(origin: Origin, created: TimelineSet, journaled: readonly JournaledChange[]): string | null {
  const made = journaled.find(({ entityType, operation }) => entityType === 'transaction' && operation === 'create');
  if (made) return made.revertedByChangeSetId;
  if (created.import_id === null) return null;
  const isUndone = created.status === 'reverted' || (origin.deleted_at !== null && origin.deleted_cause === 'revert');
  return isUndone ? created.reverted_by_change_set_id : null;
}

type CreationEffect = Pick<JournaledChange, 'ruleId' | 'before' | 'after'> & Partial<Pick<JournaledChange, 'internal'>>;

/** What rules did when the row was created, as changes of the set that created it. */
function creationEffects(
  { id, creation_effects: json }: Origin,
  created: TimelineSet,
  undoneBy: string | null,
): JournaledChange[] {
  if (json === null) return [];
  const effects = JSON.parse(json) as CreationEffect[];
  return effects.map((effect, index): JournaledChange => ({
    ...effect,
    changeSetId: created.id,
    // Negative: sorts before every other change of the set and cannot equal the sequence of one.
    sequence: index - effects.length,
    entityType: 'transaction',
    entityId: id,
    entityShortId: null,
    operation: 'update',
    internal: effect.internal ?? null,
    transactionId: id,
    source: 'rule',
    appliedBy: created.source === 'sync' || created.source === 'import' ? created.source : 'create',
    isRevertible: false,
    revertedByChangeSetId: undoneBy,
  }));
}

/** Within a change set: what the bank delivered first, then the rules in their order, then the rest. */
function inTimelineOrder(changes: readonly JournaledChange[]): JournaledChange[] {
  const rank = (change: JournaledChange): number => (change.ruleId !== null ? 1 : change.source === 'edit' ? 2 : 0);
  return [...changes].sort((a, b) => {
    if (a.changeSetId !== b.changeSetId) return a.changeSetId < b.changeSetId ? -1 : 1;
    return rank(a) - rank(b) || a.sequence - b.sequence;
  });
}

/** Who had decided the category after each change: one that left the decider alone does not name it. */
function categorySources(changes: readonly JournaledChange[], now: string | null): Map<JournaledChange, unknown> {
  const sources = new Map<JournaledChange, unknown>();
  let source: unknown = now;
  for (const change of changes.toReversed()) {
    const { before, after } = change;
    sources.set(change, after && 'category_source' in after ? after['category_source'] : source);
    if (before && 'category_source' in before) source = before['category_source'];
  }
  return sources;
}

function describeChange(
  change: JournaledChange,
  set: TimelineSet,
  names: Names,
  comments: ReadonlyMap<string, { body: string; edited: boolean }>,
  { provider, decidedBy }: { provider: string; decidedBy: unknown },
): EntryDraft[] {
  if (change.entityType === 'comment') return [describeComment(change, set, comments)];
  if (change.entityType !== 'transaction' || change.operation !== 'update') return [];
  const delivered = describeDelivered(change, set, provider);
  return [...(delivered ? [delivered] : []), ...describeFacets(change, names, actionOf(change, set), decidedBy)];
}

/** How a category was changed: by a choice, a reset, or the deletion or merge of the former category. */
function actionOf(change: JournaledChange, set: TimelineSet): CategoryAction {
  if (change.ruleId !== null) return 'set';
  if (set.action === 'transaction.category_reset' || set.action === 'transactions.bulk_recategorize') {
    return set.source === 'rule' || set.action === 'transaction.category_reset' ? 'reset' : 'set';
  }
  if (RESETTING.has(set.action) && isAutomatic(change)) return 'reset';
  return set.action === 'category.delete' || set.action === 'category.merge' ? 'reassign' : 'set';
}

/** What can reset a category among other things. */
const RESETTING: ReadonlySet<string> = new Set(['transactions.update', 'transactions.bulk_update', 'proposal.apply']);

/** Whether the category afterwards is one that no person or agent chose, which only a reset can leave. */
function isAutomatic({ after }: JournaledChange): boolean {
  const source = after?.['category_source'];
  return source === 'rule' || source === 'provider' || source === null;
}

/** What can create rows by hand. */
const ENTERING: ReadonlySet<string> = new Set(['transaction.create', 'transactions.create', 'proposal.apply']);

function describeOrigin(origin: Origin, set: TimelineSet): EntryDraft | null {
  if (set.source === 'import') {
    const from = origin.file_name === null ? '' : ` from ${origin.file_name}`;
    const payload = {
      provider: 'csv',
      import_id: origin.import_id,
      file_name: origin.file_name,
      line: origin.line,
    };
    return { kind: 'imported', about: 'origin', payload, clause: `imported this transaction${from}` };
  }
  if (ENTERING.has(set.action)) {
    return { kind: 'transaction_created', about: 'origin', payload: {}, clause: 'added this transaction' };
  }
  if (set.source !== 'sync') return null;
  const payload = { provider: set.sync_provider, connection_id: set.actor_id, sync_log_id: set.sync_log_id };
  return { kind: 'sync_started', about: 'origin', payload, clause: 'added this transaction' };
}

/** A member has the present name, signed in or with a key; an agent of theirs, or a key of its own name, has that name. */
function actorNameOf(set: TimelineSet, names: Names): string {
  const { actor_type: type, actor_user_id: member, actor_name: name, key_name: ownName } = set;
  return member !== null && type === 'user' && ownName === null ? names.member(member, name) : name;
}

const RULE_RUNS: Readonly<Record<string, string>> = {
  sync: ' during sync',
  import: ' during import',
  create: ' on entry',
  apply: ' retroactively',
  apply_all: ' retroactively',
  recategorize: ' on recategorization',
};

interface EntrySource {
  transactionId: string;
  set: TimelineSet;
  /** None for the creation of the row. */
  change: JournaledChange | null;
  undoneBy: string | null;
}

function toEntry(
  { transactionId, set, change, undoneBy }: EntrySource,
  draft: EntryDraft,
  names: Names,
): AnnotationRecord {
  const ruleId = change?.ruleId ?? null;
  const ruleName = ruleId === null ? null : (names.rule(ruleId, set.id)?.name ?? '?');
  const actor =
    ruleId === null
      ? {
          actor_type: set.actor_type as AnnotationRecord['actor_type'],
          actor_id: set.actor_id,
          actor_user_id: set.actor_user_id,
          actor_name: actorNameOf(set, names),
        }
      : { actor_type: 'system' as const, actor_id: ruleId, actor_user_id: null, actor_name: ruleName ?? '?' };
  const appliedBy = change?.appliedBy ?? null;
  const who = ruleName === null ? actor.actor_name : `Rule "${ruleName}"`;
  const run = ruleName === null ? '' : (RULE_RUNS[appliedBy ?? ''] ?? '');
  const undoMark = set.reverts_change_set_id === null ? '' : ' (undo)';
  const ids = draft.ids ?? entryIds(set.id, `${change?.sequence ?? 0}|${draft.about}`);
  return {
    ...ids,
    transaction_id: transactionId,
    kind: draft.kind,
    // Only a deleted comment has no clause.
    body: draft.clause === '' ? 'Comment deleted' : `${who} ${draft.clause}${run}${undoMark}`,
    ...actor,
    surface: set.surface,
    source: (change?.source ?? set.source) as AnnotationRecord['source'],
    change_set_id: set.id,
    is_reverted: undoneBy !== null,
    reverts_change_set_id: set.reverts_change_set_id,
    rule_id: ruleId,
    rule_name: ruleName,
    applied_by: appliedBy as AnnotationRecord['applied_by'],
    payload: draft.payload,
    created_at: set.created_at,
  };
}

async function loadNames(tx: ReadTx, changes: readonly JournaledChange[]): Promise<Names> {
  const ids = (field: string): string[] => {
    const found = changes.flatMap((change) => [
      change.before?.[field],
      change.after?.[field],
      change.internal?.[field],
    ]);
    return [...new Set(found.filter((value): value is string => typeof value === 'string'))];
  };
  const slugs = changes.flatMap((change) =>
    [...Object.keys(change.before ?? {}), ...Object.keys(change.after ?? {})].flatMap((field) =>
      field.startsWith('tag:') ? [field.slice('tag:'.length)] : [],
    ),
  );
  const members = await selectMembers(tx);
  return {
    category: await categoryNamesAt(tx, ids('category_id')),
    tag: await tagNamesAt(tx, new Set(slugs)),
    counterparty: await namesAt(tx, 'counterparty', ids('counterparty_id')),
    series: await namesAt(tx, 'series', ids('series_id')),
    rule: await namesAt(tx, 'rule', [...new Set(changes.flatMap(({ ruleId }) => (ruleId === null ? [] : [ruleId])))]),
    member: (shortId, otherwise = shortId) => members.get(shortId) ?? otherwise,
  };
}
