import { evaluateRow, type Evaluation } from '../../../engines/rules/evaluate.ts';
import type { WriteTx } from '../../../journal/write.ts';
import { blankFacets, effectKeeper, effectsOf, type FacetEdit, type Facets } from '../../facets/index.ts';
import { editOf } from './evaluated-facets.ts';
import { addComments, distinctComments } from './rule-comments.ts';
import { deleteSome } from '../../old-rows.ts';
import { oldRuleRuns, recordHits, type RunOrigin } from './rule-outcomes.queries.ts';
import { selectContextOf, toRuleRow, type DeliveredForRules } from '../rule-rows.queries.ts';
import { loadRuleSets, type LoadedRules } from '../rule-set.ts';
import { runChunk } from './run-chunk.ts';
import { newTally } from './run-tally.ts';

const CHANGED_AT_ONCE = 2_000;

/** A row that an import or sync is about to create. */
interface RowToIngest {
  delivered: DeliveredForRules;
  /** Mapped from the provider's category. */
  categoryId: string | null;
  /** Slugs from the file. */
  tags: ReadonlySet<string>;
  metadata: ReadonlyMap<string, unknown>;
}

/** The same row after the rules. */
export interface IngestedRow {
  categoryId: string | null;
  categorySource: 'rule' | 'provider' | null;
  categoryRuleId: string | null;
  counterpartyId: string | null;
  seriesId: string | null;
  flaggedAt: string | null;
  tags: ReadonlySet<string>;
  metadata: ReadonlyMap<string, unknown>;
  /** What the rules did, for the timeline: it is part of the creation (contract 10.13.1). Null for nothing. */
  effects: string | null;
  comments: readonly RuleComment[];
}

/** A comment that a rule adds. */
export interface RuleComment {
  ruleId: string;
  content: string;
}

/** Runs rules on the rows of one import or sync, in the unit of work that stores them (contract 40.4). */
export interface Ingestion {
  /** Runs the rules with trigger `sync` or `create` over a row that does not exist yet. */
  onNew(row: RowToIngest): IngestedRow;
  /** Stores what rules did. Answers the id of each, for the rows. */
  keepEffects(effects: Iterable<string>): Promise<ReadonlyMap<string, number>>;
  /** Stores the comments of rules, once the rows exist. */
  addComments(comments: readonly (RuleComment & { transactionId: string })[]): Promise<void>;
  /** Runs the rules with trigger `sync` over rows whose delivered values changed, or that were brought back. */
  onChanged(ids: readonly string[]): Promise<void>;
  /** Stores hits and history. */
  finish(run: Omit<RunOrigin, 'run_type' | 'status' | 'started_at'>): Promise<IngestionOutcome>;
}

export interface IngestionOutcome {
  /** Names of rules that failed on a row, where they had no effect. */
  failedRules: readonly string[];
  /** How many rows each rule matched, most first. */
  hits: readonly { rule_id: string; rule_name: string; count: number }[];
  flagged: FlaggedRows;
}

/** Rows that rules flagged. New ones are found by their change set, because they can be very many. */
export interface FlaggedRows {
  readonly hasNew: boolean;
  readonly changedIds: readonly string[];
}

/** An ingestion that runs no rules. */
export const WITHOUT_RULES: Ingestion = {
  onNew: (row) => toIngested(facetsOf(row), null, []),
  keepEffects: async () => new Map(),
  addComments: async () => {},
  onChanged: async () => {},
  finish: async () => ({ failedRules: [], hits: [], flagged: { hasNew: false, changedIds: [] } }),
};

export async function openIngestion(tx: WriteTx, appliedBy: 'import' | 'sync'): Promise<Ingestion> {
  const [forNew, forChanged] = (await loadRuleSets(tx, tx.now, [['sync', 'create'], ['sync']])) as [
    LoadedRules,
    LoadedRules,
  ];
  if (forNew.rules.length === 0) return WITHOUT_RULES;
  const tally = newTally();
  const failed = new Set<string>();
  const flagged = { hasNew: false, changedIds: [] as string[] };
  /** Results for rows with nothing but a category, by `effectKey`: rules do the same to most rows. */
  const known = new Map<string, IngestedRow>();
  const names = new Map(forNew.rules.map(({ id, name }) => [id, name]));
  return {
    onNew(row) {
      const before = facetsOf(row);
      const evaluation = evaluateRow(forNew.set, toRuleRow(forNew.household, row.delivered, before));
      for (const { ruleId } of evaluation.failed) failed.add(ruleId);
      const comments = distinctComments(evaluation.comments);
      tally.row(evaluation, new Set(comments.map(({ ruleId }) => ruleId)));
      if (evaluation.changes.length === 0) return toIngested(before, null, comments);
      if (isFlagging(evaluation)) flagged.hasNew = true;
      const key = row.tags.size + row.metadata.size === 0 ? effectKey(row, evaluation) : null;
      const same = key === null ? undefined : known.get(key);
      if (same) return { ...same, comments };
      const edit = editOf(before, evaluation, tx.now, appliedBy) as FacetEdit;
      const ingested = toIngested(edit.after, effectsOf(edit), comments);
      if (key !== null) known.set(key, ingested);
      return ingested;
    },
    keepEffects: effectKeeper(tx),
    async addComments(comments) {
      await addComments(tx, comments, (ruleId) => names.get(ruleId) ?? '', appliedBy);
    },
    async onChanged(ids) {
      if (forChanged.rules.length === 0) return;
      for (let start = 0; start < ids.length; start += CHANGED_AT_ONCE) {
        await runOnChanged(forChanged, ids.slice(start, start + CHANGED_AT_ONCE));
      }
    },
    async finish(run) {
      await recordHits(tx, { ...run, run_type: appliedBy, status: 'success', started_at: tx.now }, tally);
      await deleteSome(tx, oldRuleRuns(tx.now));
      const nameOf = (ruleId: string): string => names.get(ruleId) ?? ruleId;
      const hits = [...tally.byRule].flatMap(([ruleId, { matched: count }]) =>
        count > 0 ? [{ rule_id: ruleId, rule_name: nameOf(ruleId), count }] : [],
      );
      hits.sort((one, other) => other.count - one.count);
      return { failedRules: [...failed].map(nameOf), hits, flagged };
    },
  };

  async function runOnChanged(loaded: LoadedRules, ids: readonly string[]): Promise<void> {
    const rows = await selectContextOf(tx, loaded.household, ids);
    const options = { appliedBy, overwriteManual: false, onFailure: 'drop' as const };
    for (const { context, evaluation } of await runChunk(tx, loaded, rows, options, tally)) {
      for (const { ruleId } of evaluation.failed) failed.add(ruleId);
      if (isFlagging(evaluation)) flagged.changedIds.push(context.id);
    }
  }
}

function isFlagging({ changes }: Evaluation): boolean {
  return changes.some((change) => change.kind === 'flag' && change.after);
}

/** An action always does the same to rows with nothing but a category, if that category is the same. */
function effectKey({ categoryId }: RowToIngest, { changes }: Evaluation): string {
  let key = categoryId ?? '';
  for (const { ruleId, action } of changes) key += ` ${ruleId} ${action}`;
  return key;
}

function facetsOf({ categoryId, tags, metadata }: RowToIngest): Facets {
  return { ...blankFacets, categoryId, categorySource: categoryId === null ? null : 'provider', tags, metadata };
}

function toIngested(facets: Facets, effects: string | null, comments: IngestedRow['comments']): IngestedRow {
  return {
    categoryId: facets.categoryId,
    categorySource: facets.categorySource as IngestedRow['categorySource'],
    categoryRuleId: facets.categoryRuleId,
    counterpartyId: facets.counterpartyId,
    seriesId: facets.seriesId,
    flaggedAt: facets.flaggedAt,
    tags: facets.tags,
    metadata: facets.metadata,
    effects,
    comments,
  };
}
