import type { ReadTx } from '../../db/unit-of-work.ts';
import { differenceOf } from '../../journal/difference.ts';
import type {
  EntityReplay,
  EntityState,
  PlanConflict,
  PlannedChange,
  Reference,
  Writing,
} from '../../journal/replay.ts';
import type { Actor, Change, WriteTx } from '../../journal/write.ts';
import { selectRecorded } from './entered-rows.ts';
import { isFacetField, keyOfField } from './facet-diffs.ts';
import {
  loadFacets,
  selectArchived,
  selectLinkedToBank,
  selectUserIdsByShortId,
  selectUserShortIds,
} from './facets.queries.ts';
import {
  addTag,
  clearFlag,
  editorOf,
  removeTag,
  setAttribution,
  setCategory,
  setCounterparty,
  setFlag,
  setMetadata,
  setSeries,
  unsetMetadata,
  withoutLock,
  type CategorySource,
  type Editor,
  type Facets,
} from './facets.ts';
import { effectsOnEntry, writeEntered, type HiddenOfEntered } from './replay-entered.ts';
import { fieldsOfFacets } from './undo-world.ts';
import { writeFacets, type FacetEdit } from './write-facets.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Plans and writes rows entered by hand and changes of facets. No tool changes what the bank delivered. */
export const replay: EntityReplay = {
  entityType: 'transaction',
  table: 'transactions',
  look,
  hiddenOf,
  referencesOf: ({ after }) => Object.entries(after ?? {}).flatMap(([field, value]) => referenceOf(field, value)),
  findObstacles,
  write: writePlanned,
};

async function look(tx: ReadTx, ids: readonly string[]): Promise<ReadonlyMap<string, EntityState>> {
  const facets = await loadFacets(tx, ids);
  const recorded = await selectRecorded(tx, ids);
  const members = await selectUserShortIds(tx, [
    ...new Set([...facets.values()].flatMap(({ attributedUserId: id }) => (id === null ? [] : [id]))),
  ]);
  const stateOf = (one: Facets): EntityState => ({
    shortId: one.shortId,
    fields: { ...recorded.get(one.id)?.fields, ...Object.fromEntries(fieldsOfFacets(one, members)) },
    hidden: {
      category_rule_id: one.categoryRuleId,
      link_id: one.attributedByLinkId,
      locks: [...one.locks],
      effects: recorded.get(one.id)?.effects ?? null,
    },
    transactionId: one.id,
    isDeleted: one.deletedAt !== null,
  });
  return new Map([...facets].map(([id, one]) => [id, stateOf(one)]));
}

/** What no field shows: who wrote which facet, and which of them are nobody's choice. */
interface Hidden {
  /** Which rule wrote which facet, by its key. */
  readonly ruleOf: Readonly<Record<string, string>>;
  /**
   * Facets that were changed by what else was done, and not chosen: a reset, a tag that is deleted, an account link. Their
   * lock is released, or stays as it is.
   */
  readonly unchosen: Readonly<Record<string, 'released' | 'kept'>>;
  /** Of the facets that were changed, those that were locked then. */
  readonly locked: readonly string[];
  readonly category: { readonly id: unknown; readonly source: unknown; readonly ruleId: unknown };
  /** The account link that attributes the row. */
  readonly linkId: unknown;
}

function hiddenOf(
  before: EntityState | undefined,
  after: EntityState | undefined,
  recorded: readonly Change[],
  actor: Actor,
): Fields {
  if (before === undefined && after !== undefined) return hiddenOfEntered(after, recorded);
  refuseOtherFields(recorded);
  const ruleOf = ruleOfRecorded(recorded);
  // Whoever has the rules decide again resets the category.
  const isReset = recorded.some(({ appliedBy }) => appliedBy === 'recategorize');
  const byRun = new Set(Object.keys(ruleOf).filter((key) => !(isReset && key === 'category')));
  const hidden: Hidden = {
    ruleOf,
    unchosen: unchosenOf(before, after, byRun, editorOf(actor)),
    locked: changedKeys(before, after).filter((key) => locksOf(after).has(key)),
    category: {
      id: before?.fields['category_id'],
      source: after?.fields['category_source'],
      ruleId: after?.hidden['category_rule_id'],
    },
    linkId: after?.hidden['link_id'],
  };
  return { ...hidden };
}

function hiddenOfEntered(after: EntityState, recorded: readonly Change[]): Fields {
  const later = recorded.filter(({ operation }) => operation !== 'create');
  refuseOtherFields(later);
  const hidden: HiddenOfEntered = {
    ruleOf: ruleOfRecorded([...effectsOnEntry(after), ...later]),
    locks: [...locksOf(after)],
    categoryRuleId: after.hidden['category_rule_id'] as string | null,
    linkId: after.hidden['link_id'] as string | null,
  };
  return { ...hidden };
}

/** What `hiddenOf` recorded with the change. */
function recordedHidden({ hidden }: PlannedChange): Hidden {
  return hidden as unknown as Hidden;
}

/** An agent locks what it chooses. A system key locks nothing, so only its reset of a category can be told apart. */
function unchosenOf(
  before: EntityState | undefined,
  after: EntityState | undefined,
  byRun: ReadonlySet<string>,
  editor: Editor,
): Hidden['unchosen'] {
  const [was, is] = [locksOf(before), locksOf(after)];
  const source = after?.fields['category_source'];
  const isReset = source !== 'person' && source !== 'agent';
  const free = changedKeys(before, after).filter((key) => {
    if (is.has(key) || byRun.has(key)) return false;
    return editor.locks || (key === 'category' && isReset);
  });
  return Object.fromEntries(free.map((key) => [key, was.has(key) ? 'released' : 'kept']));
}

function locksOf(state: EntityState | undefined): ReadonlySet<string> {
  return new Set((state?.hidden['locks'] as string[] | undefined) ?? []);
}

function changedKeys(before: EntityState | undefined, after: EntityState | undefined): string[] {
  const changed = differenceOf(before?.fields ?? {}, after?.fields ?? {});
  return [...new Set(Object.keys({ ...changed?.before, ...changed?.after }).map(keyOfField))];
}

async function findObstacles(
  tx: ReadTx,
  changes: readonly PlannedChange[],
  planned: ReadonlySet<string>,
): Promise<ReadonlyMap<number, PlanConflict>> {
  const filing = changes.filter(
    ({ after }) => after !== null && ('category_id' in after || 'category_source' in after),
  );
  const facets = await loadFacets(
    tx,
    filing.map(({ entityId }) => entityId),
  );
  const wanted = filing.flatMap(({ after }) =>
    typeof after?.['category_id'] === 'string' ? [after['category_id']] : [],
  );
  const archived = await selectArchived(tx, wanted);
  const found = new Map<number, PlanConflict>();
  for (const change of filing) {
    const now = facets.get(change.entityId);
    const isNew = change.operation === 'create';
    if (now === undefined && !isNew) continue;
    const conflict = categoryConflict(change, now?.categoryId ?? null, archived, planned);
    if (conflict) found.set(change.sequence, conflict);
  }
  for (const [sequence, conflict] of await fedAccounts(tx, changes)) found.set(sequence, conflict);
  return found;
}

/** Rows to be entered in accounts whose rows a bank supplies by now. */
async function fedAccounts(tx: ReadTx, changes: readonly PlannedChange[]): Promise<[number, PlanConflict][]> {
  const entered = changes.filter(({ operation }) => operation === 'create');
  const accountOf = ({ after }: PlannedChange): string => after?.['account_id'] as string;
  const fed = await selectLinkedToBank(tx, entered.map(accountOf));
  const message = 'Its account is linked to a bank since, which supplies its transactions.';
  const conflict = { reason: 'changed_since', fields: ['account_id'], message } as const;
  return entered.flatMap((change) => (fed.has(accountOf(change)) ? [[change.sequence, conflict]] : []));
}

function categoryConflict(
  change: PlannedChange,
  now: string | null,
  archived: ReadonlySet<string>,
  planned: ReadonlySet<string>,
): PlanConflict | null {
  const fields = ['category_id'];
  const wanted = change.after?.['category_id'];
  // Whoever sets only the source of a category means the category that the row had.
  if (wanted === undefined) {
    const isSame = now === recordedHidden(change).category.id;
    return isSame ? null : { reason: 'changed_since', fields, message: 'Changed since: category_id.' };
  }
  // A row that has it may keep it, and a plan that changes the category may take it out of the archive.
  if (typeof wanted !== 'string' || wanted === now || !archived.has(wanted) || planned.has(wanted)) return null;
  return { reason: 'reference_missing', fields, message: 'Its category has been archived since.' };
}

function refuseOtherFields(recorded: readonly Change[]): void {
  for (const { operation, before, after } of recorded) {
    const other = Object.keys({ ...before, ...after }).find((field) => !isFacetField(field));
    if (operation === 'update' && other === undefined) continue;
    throw new Error(`A transaction that is planned can change in its facets only, not in ${other ?? operation}.`);
  }
}

/** The last writer of each facet, where that is a rule. */
function ruleOfRecorded(recorded: readonly Change[]): Hidden['ruleOf'] {
  const ruleOf: Record<string, string> = {};
  for (const { before, after, ruleId } of recorded) {
    for (const field of Object.keys({ ...before, ...after })) {
      if (ruleId === undefined) delete ruleOf[keyOfField(field)];
      else ruleOf[keyOfField(field)] = ruleId;
    }
  }
  return ruleOf;
}

function referenceOf(field: string, value: unknown): Reference[] {
  if (field.startsWith('tag:')) return [{ table: 'tags', column: 'slug', field, value: field.slice('tag:'.length) }];
  if (typeof value !== 'string') return [];
  switch (field) {
    case 'account_id':
      return [{ table: 'accounts', column: 'id', nullWhileLive: 'deleted_at', field, value }];
    case 'category_id':
      return [{ table: 'categories', column: 'id', field, value }];
    case 'series_id':
      return [{ table: 'series', column: 'id', field, value }];
    case 'counterparty_id':
      // A merged one must not get transactions again.
      return [{ table: 'counterparties', column: 'id', nullWhileLive: 'canonical_counterparty_id', field, value }];
    case 'attributed_user_id':
      return [{ table: 'users', column: 'short_id', field, value }];
    default:
      return [];
  }
}

async function writePlanned(tx: WriteTx, changes: readonly PlannedChange[], { actor, as }: Writing): Promise<void> {
  const facets = await loadFacets(
    tx,
    changes.map(({ entityId }) => entityId),
  );
  const members = await selectUserIdsByShortId(tx, [
    ...new Set(
      changes.flatMap(({ after }) =>
        typeof after?.['attributed_user_id'] === 'string' ? [after['attributed_user_id']] : [],
      ),
    ),
  ]);
  const editor = editorOf(actor);
  const editing = { editor, isAsPlanned: as === 'planned', members };
  const isEntered = ({ operation }: PlannedChange): boolean => operation === 'create';
  for (const change of changes.filter(isEntered)) await writeEntered(tx, change, editing);
  const updates = changes.filter((change) => !isEntered(change));
  const edits = updates.map((change) => {
    const before = facets.get(change.entityId);
    if (!before) throw new Error('A planned change without conflicts has lost its transaction.');
    const hidden = recordedHidden(change);
    const ruleOf = new Map(Object.entries(hidden.ruleOf));
    const after = edited(before, change, editing);
    const edit = { before, after, ruleOf, ...(change.appliedBy === null ? {} : { appliedBy: change.appliedBy }) };
    return 'attribution' in hidden.unchosen ? byLink(edit) : edit;
  });
  await writeFacets(tx, edits);
}

interface Editing {
  editor: Editor;
  /** Sources and locks are those that the calls of the plan left, and not the editor's own. */
  isAsPlanned: boolean;
  members: ReadonlyMap<string, string>;
}

/** The present facets with the change. */
function edited(now: Facets, change: PlannedChange, { editor, isAsPlanned, members }: Editing): Facets {
  const after = change.after ?? {};
  const { unchosen, locked } = recordedHidden(change);
  let facets = now;
  for (const field of new Set([...Object.keys(change.before ?? {}), ...Object.keys(after)])) {
    if (field === 'category_source' && 'category_id' in after) continue;
    const key = keyOfField(field);
    const lock = unchosen[key];
    if (lock === 'released') facets = withoutLock(facets, key);
    // Whoever locks as the row is locked already changes no lock.
    const writer = lock === undefined ? editor : { ...editor, locks: facets.locks.has(key) };
    const own = isAsPlanned ? { ...editor, locks: locked.includes(key) } : writer;
    if (key === 'category') facets = withCategory(facets, change, own, isAsPlanned);
    else if (key === 'attribution') facets = withAttribution(facets, change, own, members);
    else facets = withField(facets, own, field, after);
  }
  return facets;
}

/** A reset leaves the category to rules and provider; any other choice counts as the editor's own. */
function withCategory(facets: Facets, change: PlannedChange, editor: Editor, isAsPlanned: boolean): Facets {
  const { after } = change;
  const { unchosen, category } = recordedHidden(change);
  const categoryId = (after && 'category_id' in after ? after['category_id'] : facets.categoryId) as string | null;
  const chosen = setCategory(facets, editor, categoryId);
  if (!('category' in unchosen) && !isAsPlanned) return chosen;
  const categorySource = category.source as CategorySource | null;
  const { locks } = isAsPlanned ? chosen : facets;
  return { ...facets, locks, categoryId, categorySource, categoryRuleId: category.ruleId as string | null };
}

/** What an account link attributes stays its own, so that it follows the link. */
function withAttribution(
  facets: Facets,
  change: PlannedChange,
  editor: Editor,
  members: ReadonlyMap<string, string>,
): Facets {
  const { unchosen, linkId } = recordedHidden(change);
  const member = (change.after?.['attributed_user_id'] ?? null) as string | null;
  const userId = member === null ? null : (members.get(member) ?? null);
  if (!('attribution' in unchosen)) return setAttribution(facets, editor, userId);
  return { ...facets, attributedUserId: userId, attributedByLinkId: linkId as string | null };
}

/** The timeline names the link, and the undo leaves to it what it attributed. */
function byLink(edit: FacetEdit): FacetEdit {
  const linkId = edit.after.attributedByLinkId ?? edit.before.attributedByLinkId;
  return linkId === null ? edit : { ...edit, more: { before: {}, after: {}, internal: { account_link_id: linkId } } };
}

function withField(facets: Facets, editor: Editor, field: string, after: Fields): Facets {
  const isThere = field in after;
  const value = after[field] ?? null;
  if (field.startsWith('tag:')) {
    const slug = field.slice('tag:'.length);
    return isThere ? addTag(facets, editor, slug) : removeTag(facets, editor, slug);
  }
  if (field.startsWith('metadata.')) {
    const key = field.slice('metadata.'.length);
    return isThere ? setMetadata(facets, editor, key, value) : unsetMetadata(facets, editor, key);
  }
  if (field === 'series_id') return setSeries(facets, editor, value as string | null);
  if (field === 'counterparty_id') return setCounterparty(facets, editor, value as string | null);
  if (field !== 'flagged_at') throw new Error(`The field ${field} of a transaction cannot be planned.`);
  return value === null ? clearFlag(facets, editor) : setFlag(facets, editor, value as string);
}
