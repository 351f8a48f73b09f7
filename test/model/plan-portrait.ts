import { keyOfField } from '../../src/features/facets/facet-diffs.ts';
import { rowsOf } from '../harness/table-rows.ts';
import type { PlannedWorld } from './random-plans.ts';

type Row = Record<string, unknown>;

/** By what a row of each table is called, so that two ledgers with other ids can be compared. */
const NAMES: Readonly<Record<string, string>> = {
  users: 'name',
  accounts: 'name',
  tags: 'slug',
  categories: 'slug',
  series: 'name_folded',
  counterparties: 'name_folded',
  rules: 'name',
};
/** In this order: what the later ones are called names the earlier ones. */
const TABLES = [
  'users',
  'accounts',
  'tags',
  'categories',
  'series',
  'counterparties',
  'rules',
  'account_links',
  'transactions',
  'transaction_tags',
  'transaction_matches',
  'comments',
];
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g;
/** Stamps, ids, who wrote, and what is derived. */
const LEFT_OUT =
  /^(id|short_id|created_at|updated_at|author_\w+|creator_\w+|name_text_id|\w*_text_id|locks|category_rule_id|created_change_set_id|creation_effects_id|search_\w+|connection_id)$/;

export interface Portrait {
  /** Every row as a person could see it, with names in place of ids, sorted. */
  rows: string[];
  /** The values of each facet of each transaction, and its locks. */
  facets: Map<string, { values: Map<string, string>; locks: Set<string> }>;
}

/** What a ledger is, but for ids, instants and who wrote it. */
export async function portraitOf({ app, rows: transactionIds }: PlannedWorld): Promise<Portrait> {
  const { database } = app.app.instance;
  const names = new Map<string, string>();
  const named = (value: unknown): unknown =>
    typeof value === 'string' ? value.replace(UUID, (id) => names.get(id) ?? id) : value;
  const all = new Map<string, Row[]>();
  for (const table of TABLES) {
    const found = (await rowsOf<Row>(database, `select * from ${table}`)).filter(
      ({ deleted_at: at }) => (at ?? null) === null,
    );
    all.set(table, found);
    if (table === 'transactions') for (const row of found) names.set(row['id'] as string, rowName(row, transactionIds));
    const key = NAMES[table];
    if (key !== undefined) for (const row of found) names.set(row['id'] as string, `${table} ${String(row[key])}`);
    if (table !== 'account_links') continue;
    for (const row of found) {
      names.set(
        row['id'] as string,
        `link ${String(named(row['primary_account_id']))} ${String(named(row['dependent_account_id']))}`,
      );
    }
  }
  const lines: string[] = [];
  for (const [table, found] of all) {
    for (const row of found) {
      const shown = Object.entries(row).flatMap(([name, value]) => {
        if (name === 'flagged_at') return [`flagged=${value !== null}`];
        if (name === 'category_source')
          return [`category_source=${value === 'agent' || value === 'rule' ? 'person' : String(value)}`];
        return LEFT_OUT.test(name) ? [] : [`${name}=${String(named(value))}`];
      });
      const self = table === 'transactions' ? ` ${names.get(row['id'] as string)}` : '';
      lines.push(`${table}${self}: ${shown.join(' ')}`);
    }
  }
  return { rows: lines.sort(), facets: facetsOf(all, names) };
}

/** A transaction by its place among those that are known, or what it is. */
function rowName(row: Row, ids: readonly string[]): string {
  const index = ids.findIndex((id) => id === row['id'] || id === row['short_id']);
  return index < 0 ? 'row ?' : `row ${index}`;
}

function facetsOf(all: ReadonlyMap<string, Row[]>, names: ReadonlyMap<string, string>): Portrait['facets'] {
  const tagsOf = Map.groupBy(all.get('transaction_tags') ?? [], (row) => row['transaction_id']);
  const facets: Portrait['facets'] = new Map();
  for (const row of all.get('transactions') ?? []) {
    const metadata = Object.entries(JSON.parse(row['metadata'] as string) as object);
    const values = new Map<string, string>([
      ['category', `${names.get(row['category_id'] as string)}`],
      ['series', names.get(row['series_id'] as string) ?? ''],
      ['counterparty', names.get(row['counterparty_id'] as string) ?? ''],
      ['attribution', names.get(row['attributed_user_id'] as string) ?? ''],
      ['flag', String(row['flagged_at'] !== null)],
      ...metadata.map(([key, value]) => [`metadata.${key}`, JSON.stringify(value)] as const),
      ...(tagsOf.get(row['id']) ?? []).map(
        ({ tag_id: id }) => [String(names.get(id as string)).replace('tags ', 'tag:'), 'true'] as const,
      ),
    ]);
    const locks = new Set(JSON.parse(row['locks'] as string) as string[]);
    facets.set(names.get(row['id'] as string) ?? '', { values, locks });
  }
  return facets;
}

/** Locks on facets that are not as they were before, but for those of `byRules`, which an approval makes a person's. */
export function locksOfChanged(before: Portrait, after: Portrait, byRules: ReadonlySet<string>): string[] {
  const lines = [...after.facets].flatMap(([row, { values, locks }]) => {
    const was = before.facets.get(row)?.values ?? new Map<string, string>();
    const keys = new Set([...was.keys(), ...values.keys()]);
    const changed = [...keys].filter((key) => was.get(key) !== values.get(key) && !byRules.has(`${row} ${key}`));
    return changed.map((key) => `${row} ${key} ${locks.has(key) ? 'locked' : 'free'}`);
  });
  return lines.sort();
}

/** Each transaction with its locks. */
export function locksOf({ facets }: Portrait): string[] {
  return [...facets].map(([row, { locks }]) => `${row}: ${[...locks].sort().join(' ')}`).sort();
}

/** The facets that a rule ever wrote. */
export async function writtenByRules({ app, rows }: PlannedWorld): Promise<ReadonlySet<string>> {
  const query = `select t.id, t.short_id, c.before, c.after from changes c join transactions t on t.id = c.entity_id
    where c.entity_type = 'transaction' and c.rule_id is not null`;
  const found = await rowsOf<Row & { before: string; after: string }>(app.app.instance.database, query);
  return new Set(
    found.flatMap(({ before, after, ...row }) =>
      Object.keys({ ...(JSON.parse(before) as object), ...(JSON.parse(after) as object) }).map(
        (field) => `${rowName(row, rows)} ${keyOfField(field)}`,
      ),
    ),
  );
}
