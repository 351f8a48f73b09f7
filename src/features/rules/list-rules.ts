import type { InputOf } from '../../contract/operation.ts';
import { compareRules } from '../../engines/rules/definition.ts';
import type { References } from '../../engines/rules/references.ts';
import { instantNow } from '../../kernel/clock.ts';
import { cutPage, decodeCursor, fingerprintOf, invalidCursor } from '../../kernel/cursor.ts';
import { invalidParameter, unknownId } from '../../kernel/errors.ts';
import { fold } from '../../kernel/fold.ts';
import { handleRead } from '../handler.ts';
import { loadReferences } from './rule-catalog.ts';
import { listRules as operation } from './rules.contract.ts';
import { selectHits, selectRules, type RuleHits, type RuleRow } from './rules.queries.ts';
import { toRule, toRuleRecord, type StoredRule } from './rules.table.ts';

type Query = InputOf<typeof operation>['query'];

export const listRules = handleRead(operation, async ({ tx, instance }, { query }) => {
  const { limit, cursor, ...filters } = query;
  const { catalog, references } = await loadReferences(tx);
  const wanted = resolve(filters, references);
  const [rows, hits] = [await selectRules(tx), await selectHits(tx)];
  const now = instantNow(instance.clock);
  const fingerprint = fingerprintOf({ ...wanted });
  const after = cursor === undefined ? null : placeOf(rows, decodeCursor(cursor, fingerprint).id);
  const matching = rows.filter(
    (row) => isWanted(row, hits.get(row.id), wanted, now) && (after === null || compareRules(toRule(row), after) > 0),
  );
  const { shown, end } = cutPage(matching, limit, fingerprint, (last) => ({
    key: `${last.priority}|${last.created_at}`,
    id: last.id,
  }));
  return {
    rules: shown.map((row) => toRuleRecord(row, hits.get(row.id), catalog)),
    ...end,
  };
});

/** The cursor follows its rule, even if the rule's priority has changed. */
function placeOf(rows: readonly RuleRow[], id: string): StoredRule {
  const row = rows.find((one) => one.id === id);
  if (!row) throw invalidCursor('The cursor points to a rule that no longer exists. Start again from the first page.');
  return toRule(row);
}

type Wanted = Pick<Query, 'enabled' | 'creator_type' | 'never_matched' | 'expired' | 'search'> & {
  /** Ids that actions of the rule must refer to. */
  named: readonly string[];
};

/** @throws INVALID_PARAMETER if a filter matches no record */
function resolve(query: Omit<Query, 'limit' | 'cursor'>, references: References): Wanted {
  if (query.category_id !== undefined && query.category_slug !== undefined) {
    throw invalidParameter(
      'category_slug',
      'category_id and category_slug are the same filter. Send only one of them.',
    );
  }
  const named: string[] = [];
  const add = (parameter: keyof Query, find: (text: string) => string | undefined): void => {
    const text = query[parameter as keyof typeof query];
    if (typeof text !== 'string') return;
    const id = find(text);
    if (id === undefined) throw unknownId(parameter, parameter.replace(/_(id|slug)$/, ''), text);
    named.push(id);
  };
  add('category_id', (text) => references.category(text));
  add('category_slug', (text) => references.category(text));
  add('tag', (text) => references.tag(text));
  add('series_id', (text) => references.series(text));
  add('counterparty_id', (text) => references.counterparty(text));
  const { enabled, creator_type, never_matched, expired, search } = query;
  return { enabled, creator_type, never_matched, expired, search, named };
}

function isWanted(row: RuleRow, hits: RuleHits | undefined, wanted: Wanted, now: string): boolean {
  if (wanted.enabled !== undefined && (row.is_enabled === 1) !== wanted.enabled) return false;
  if (wanted.creator_type && !wanted.creator_type.some((type) => type === row.creator_type)) return false;
  if (wanted.never_matched !== undefined && ((hits?.hit_count ?? 0) === 0) !== wanted.never_matched) return false;
  const isExpired = row.expires_at !== null && row.expires_at <= now;
  if (wanted.expired !== undefined && isExpired !== wanted.expired) return false;
  if (wanted.search !== undefined && !row.name_folded.includes(fold(wanted.search))) return false;
  return wanted.named.every((id) => row.actions.includes(`"${id}"`));
}
