import { isDeepStrictEqual } from 'node:util';

import type { InputOf } from '../../contract/operation.ts';
import type { Actor, WriteTx } from '../../journal/write.ts';
import { actorOf, type WriteContext } from '../handler.ts';
import { createWanted, readDefinitions } from './definitions.ts';
import { loadCatalog, loadReferences } from './rule-catalog.ts';
import type { NewRule } from './rule-record.contract.ts';
import type { createRulesBatch } from './rules.contract.ts';
import { selectHits, selectRules, type RuleRow } from './rules.queries.ts';
import { toRuleRecord, type RuleRecord } from './rules.table.ts';
import { insertRule, newRule, refusePastExpiry } from './save-rule.ts';

/** A rule that is not stored, because this was a dry run, has neither ids nor timestamps. */
type Created = Omit<RuleRecord, keyof typeof UNSAVED> & {
  [field in keyof typeof UNSAVED]: string | null;
} & { existing?: true };

const UNSAVED = { id: null, short_id: null, created_at: null, updated_at: null };

/**
 * Creates rules in the order sent, so that rules of equal priority run in it. If an agent asks for a rule that does what a
 * stored one does and is enabled or not like it, that one is its answer: agents whose answer was lost ask again, and
 * others find what was found before (60.6, 70.2). A rule that has expired does nothing any more.
 */
export async function createRules(
  { tx, principal, agent }: WriteContext,
  { rules, dry_run: isDryRun }: InputOf<typeof createRulesBatch>['body'],
): Promise<Created[]> {
  const create = () => createAll(tx, rules, actorOf(principal), agent !== undefined);
  if (!isDryRun) return (await create()).records;
  const { records, createdIds } = await tx.rehearse(create);
  // A rule that equals an earlier one of the same request is not stored either.
  return records.map((rule) => (createdIds.has(rule.id) ? { ...rule, ...UNSAVED } : rule));
}

interface AllCreated {
  records: (RuleRecord & Pick<Created, 'existing'>)[];
  createdIds: ReadonlySet<string>;
}

async function createAll(tx: WriteTx, sent: readonly NewRule[], actor: Actor, isAgent: boolean): Promise<AllCreated> {
  const { references } = await loadReferences(tx);
  const reader = readDefinitions(references);
  const definitions = sent.map((rule, index) => ({ rule, definition: reader.read(rule, `rules[${index}].`) }));
  reader.refuseProblems();
  for (const [index, { expires_at: expiry = null }] of sent.entries()) {
    refusePastExpiry(`rules[${index}].expires_at`, expiry, null, tx.now);
  }
  const ids = await createWanted(tx, reader.wanted);
  const stored = isAgent ? (await selectRules(tx)).filter(({ expires_at: at }) => at === null || at > tx.now) : [];
  const rows: { row: RuleRow; existing?: true }[] = [];
  for (const { rule, definition } of definitions) {
    const wanted = newRule(rule, definition, ids, actor);
    const same = stored.find((one) => isSameRule(one, wanted));
    const row = same ?? (await insertRule(tx, rule, definition, ids, actor));
    rows.push(same ? { row, existing: true } : { row });
    if (isAgent && !same) stored.push(row);
  }
  const createdIds = new Set(rows.flatMap(({ row, existing }) => (existing ? [] : [row.id])));
  const count = createdIds.size;
  tx.journal.summarise(`Created ${count} rule${count === 1 ? '' : 's'}`);
  const catalog = await loadCatalog(tx);
  const hits = await selectHits(tx);
  const records = rows.map(({ row, existing }) => ({
    ...toRuleRecord(row, hits.get(row.id), catalog),
    ...(existing ? { existing } : {}),
  }));
  return { records, createdIds };
}

type SameRule = Pick<RuleRow, 'is_enabled' | 'condition' | 'actions'>;

/** Name, priority and the rest do not matter (60.6). */
function isSameRule(one: SameRule, other: SameRule): boolean {
  const isEqual = (a: string, b: string): boolean => isDeepStrictEqual(JSON.parse(a), JSON.parse(b));
  return (
    one.is_enabled === other.is_enabled &&
    isEqual(one.condition, other.condition) &&
    isEqual(one.actions, other.actions)
  );
}
