import { sql } from 'kysely';

import type { ReadTx } from '../../db/unit-of-work.ts';
import type { EntityType } from '../../journal/entities.ts';
import type { EntityUndos } from '../../journal/undo.ts';
import { fold } from '../../kernel/fold.ts';
import { canonicalJson } from '../../kernel/json.ts';
import type { MergedChange } from './merge-plan.ts';
import { replayOf, type StoredChange } from './planned-changes.ts';

type Fields = Readonly<Record<string, unknown>>;

/** What makes two rows of a type the same thing (contract 60.6, *Proposed once*), and where the ledger has such rows. */
interface Sameness {
  of: (fields: Fields) => readonly unknown[];
  /** The column by which candidates are found, and its value; every row is one where that would not help. */
  column?: string;
  value?: (fields: Fields) => unknown;
}

const folded = ({ name }: Fields): string => fold(String(name));
const byName = { column: 'name_folded', value: folded } as const;

const SAMENESS: Partial<Record<EntityType, Sameness>> = {
  tag: { of: ({ slug }) => [slug], column: 'slug', value: ({ slug }) => slug },
  category: { of: (fields) => [folded(fields), fields['parent_id'], fields['kind']], ...byName },
  series: { of: (fields) => [folded(fields), fields['type']], ...byName },
  // What was merged away is not there any more.
  counterparty: { of: (fields) => [folded(fields), fields['canonical_counterparty_id']], ...byName },
  rule: { of: ({ condition, actions, enabled }) => [condition, actions, enabled] },
  comment: {
    of: (fields) => [fields['transaction_id'], fields['body']],
    column: 'transaction_id',
    value: (fields) => fields['transaction_id'],
  },
  account_link: { of: (fields) => [fields['primary_account_id'], fields['dependent_account_id']] },
  transaction: {
    of: (fields) => [
      ...['account_id', 'date', 'amount', 'iso_currency_code'].map((name) => fields[name]),
      folded(fields),
    ],
    column: 'date',
    value: ({ date }) => date,
  },
  transaction_match: {
    of: (fields) => [
      fields['account_link_id'],
      fields['primary_transaction_id'],
      fields['dependent_transaction_id'],
      fields['confidence'],
    ],
  },
};

/** What people give names to, and later calls of a plan may use. */
const NAMED: readonly EntityType[] = ['tag', 'category', 'series', 'counterparty'];

export function isNamed({ entityType, operation }: Pick<StoredChange, 'entityType' | 'operation'>): boolean {
  return operation === 'create' && NAMED.includes(entityType);
}

/** The value with ids replaced, wherever they stand in it. */
export function withIds<T>(value: T, idOf: (id: string) => string | undefined): T {
  if (typeof value === 'string') return (idOf(value) ?? value) as T;
  if (Array.isArray(value)) return value.map((one: unknown) => withIds(one, idOf)) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withIds<unknown>(one, idOf)])) as T;
}

/** What rows that a plan creates are, by their id: the same text in every plan. */
export function identitiesIn(changes: readonly StoredChange[]): (id: string) => string | undefined {
  const created = new Map(changes.flatMap((one) => (one.operation === 'create' ? [[one.entityId, one] as const] : [])));
  const known = new Map<string, string>();
  const identityOf = (id: string): string | undefined => {
    const change = created.get(id);
    if (change === undefined || known.has(id)) return known.get(id);
    const sameness = SAMENESS[change.entityType];
    known.set(id, id);
    const is = sameness ? withIds(sameness.of(change.after ?? {}), identityOf) : [id];
    known.set(id, `${change.entityType} ${canonicalJson(is)}`);
    return known.get(id);
  };
  return identityOf;
}

/** A row of the ledger that is what a plan would create. */
export interface Existing {
  id: string;
  shortId: string | null;
}

/** In this order: what the later ones are may depend on the earlier ones. */
const FOUND_IN_LEDGER: readonly EntityType[] = [
  'tag',
  'category',
  'category',
  'series',
  'counterparty',
  'rule',
  'transaction',
  'comment',
  'account_link',
];

/** What creations of a plan would make a second time, by the id that they would give it. */
export async function findExisting(
  tx: ReadTx,
  undos: EntityUndos,
  changes: readonly StoredChange[],
  now: string,
): Promise<ReadonlyMap<string, Existing>> {
  const planned = new Set(changes.map(({ entityId }) => entityId));
  const found = new Map<string, Existing>();
  for (const type of FOUND_IN_LEDGER) {
    const created = changes.filter(
      (one) => one.operation === 'create' && one.entityType === type && !found.has(one.entityId),
    );
    if (created.length === 0) continue;
    const sameness = SAMENESS[type] as Sameness;
    const keyOf = (fields: Fields): string => canonicalJson(withIds(sameness.of(fields), (id) => found.get(id)?.id));
    const stored = await selectCandidates(tx, undos, type, created);
    const byKey = new Map<string, Existing[]>();
    for (const [id, { fields, shortId, isDeleted }] of stored) {
      const isOver = isDeleted || (typeof fields['expires_at'] === 'string' && fields['expires_at'] <= now);
      // A row that the plan changes or deletes is not what is there already.
      if (isOver || planned.has(id)) continue;
      const key = keyOf(fields);
      byKey.set(key, [...(byKey.get(key) ?? []), { id, shortId }]);
    }
    const taken = new Set<string>();
    for (const { entityId, after, known = [] } of created) {
      const same = byKey.get(keyOf(after ?? {}))?.findLast(({ id }) => !taken.has(id) && !known.includes(id));
      if (!same) continue;
      found.set(entityId, same);
      if (isCounted(type)) taken.add(same.id);
    }
  }
  return found;
}

/** Two equal transactions are two: each is the same as one other. */
export function isCounted(type: EntityType): boolean {
  return type === 'transaction';
}

/** New transactions with the equal ones that the ledger has already: only what comes later can be the same one. */
export async function withKnown(
  tx: ReadTx,
  undos: EntityUndos,
  changed: readonly MergedChange[],
): Promise<MergedChange[]> {
  const isNew = ({ operation, entityType, known }: StoredChange): boolean =>
    operation === 'create' && isCounted(entityType) && known === undefined;
  const created = changed.map(({ change }) => change).filter(isNew);
  if (created.length === 0) return [...changed];
  const { of } = SAMENESS.transaction as Sameness;
  const live = [...(await selectCandidates(tx, undos, 'transaction', created))].filter(([, one]) => !one.isDeleted);
  const byKey = Map.groupBy(live, ([, { fields }]) => canonicalJson(of(fields)));
  const knownTo = ({ after }: StoredChange): string[] =>
    (byKey.get(canonicalJson(of(after ?? {}))) ?? []).map(([id]) => id);
  return changed.map((one) =>
    isNew(one.change) ? { ...one, change: { ...one.change, known: knownTo(one.change) } } : one,
  );
}

async function selectCandidates(
  tx: ReadTx,
  undos: EntityUndos,
  type: EntityType,
  created: readonly StoredChange[],
): ReturnType<ReturnType<typeof replayOf>['look']> {
  const { column, value } = SAMENESS[type] as Sameness;
  const replay = replayOf(undos, type);
  const values = [...new Set(created.map(({ after }) => value?.(after ?? {})))].filter(
    (one) => typeof one === 'string',
  );
  const where = column === undefined ? sql`` : sql`where ${tx.portable.inList(sql.ref(column), values)}`;
  const { rows } = await sql<{ id: string }>`select id from ${sql.table(replay.table)} ${where}`.execute(tx.q);
  return replay.look(
    tx,
    rows.map(({ id }) => id),
  );
}

/** The changes as they are written: with the rows that are there in place of those that would be made a second time. */
export function withExisting(
  changes: readonly StoredChange[],
  existing: ReadonlyMap<string, Existing>,
): StoredChange[] {
  if (existing.size === 0) return [...changes];
  const idOf = (id: string): string | undefined => existing.get(id)?.id;
  return changes.flatMap((change) =>
    change.operation === 'create' && existing.has(change.entityId)
      ? []
      : [
          {
            ...change,
            after: withIds(change.after, idOf),
            hidden: withIds(change.hidden, idOf),
            transactionId: withIds(change.transactionId, idOf),
          },
        ],
  );
}
