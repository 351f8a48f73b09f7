import { sql, type RawBuilder } from 'kysely';

import { instantAfter } from '../kernel/dates.ts';
import { LIMITS } from '../kernel/limits.ts';
import { paddedRuns } from '../kernel/trigrams.ts';
import type { SqlValue } from './engine.ts';
import type { BareWriteTx, ReadTx } from './unit-of-work.ts';

/** A text for the dictionary, under an id that is free. */
interface NewText {
  id: number;
  folded: string;
  trigrams: readonly string[];
}

/**
 * Every difference between the two engines that a query can meet. Text is compared code point by code point on
 * both; anything new that differs goes here.
 */
export interface Portable {
  readonly engine: 'sqlite' | 'postgres';
  /** A join that starts from the table named first, where the engine would otherwise guess. */
  readonly orderedJoin: RawBuilder<unknown>;
  /** What is shortest to tell one row of this alias from another by. */
  rowKey: (alias: string) => RawBuilder<unknown>;
  /** A table under an alias, read by this index. A query must have the conditions of a partial index. */
  readBy: (table: string, alias: string, index: string) => RawBuilder<unknown>;
  /** A JSON object as text, built by the database. Values are made by the functions below. */
  jsonObject: (fields: Readonly<Record<string, RawBuilder<unknown>>>) => RawBuilder<string>;
  /** Any text as a JSON string, or null. */
  jsonString: (text: RawBuilder<unknown>) => RawBuilder<unknown>;
  /** The same of a text without quotes, backslashes and control characters: ids, dates, amounts, names of our own. */
  jsonWord: (text: RawBuilder<unknown>) => RawBuilder<unknown>;
  /** A 0/1 column as a JSON boolean. */
  jsonBoolean: (flag: RawBuilder<unknown>) => RawBuilder<unknown>;
  /** Text that holds JSON, embedded as JSON; null stays null. */
  jsonText: (text: RawBuilder<unknown>) => RawBuilder<unknown>;
  /** A JSON array of the one column `value` of a subquery, in the subquery's order; `[]` when empty. */
  jsonArray: (subquery: RawBuilder<unknown>) => RawBuilder<unknown>;
  /** Hundredths as a decimal string with two digits; null stays null. */
  money: (cents: RawBuilder<unknown>) => RawBuilder<string | null>;
  /** Grouping that no index orders is about as fast as in index order, instead of sorting every row. */
  readonly groupsInAnyOrder: boolean;
  /** An exact sum of hundredths as decimal text, wider than any single amount; null for no rows. */
  exactSum: (cents: RawBuilder<unknown>) => RawBuilder<string | null>;
  /** Ids of texts that contain the folded term; `trigrams` are those that such a text has for certain. */
  textsContaining: (term: string, trigrams: readonly string[]) => RawBuilder<{ id: number }>;
  /**
   * A query of a few ids, for another query to read what belongs to them. If the engine keeps plans, it is the list that
   * it finds now, so that the other query is the same whatever the ids are of.
   */
  settled: (tx: ReadTx, ids: RawBuilder<unknown>) => Promise<RawBuilder<unknown>>;
  /**
   * A query that has one best plan, whatever the values of its parameters. If these are texts, whole numbers or lists of
   * them, an engine that keeps plans keeps it.
   */
  forAnyValues: (tx: ReadTx, query: RawBuilder<unknown>) => RawBuilder<unknown>;
  /** Whether text contains a term, character by character. */
  contains: (text: RawBuilder<unknown>, term: string) => RawBuilder<boolean>;
  /** About how many texts have each of these trigrams; what is beyond the cap may be counted as just above it. */
  trigramCounts: (trigrams: readonly string[], cap: number) => RawBuilder<{ trigram: string; n: number }>;
  /**
   * Texts that have any of the trigrams `kept` and can share enough of `size` trigrams to be similar (10.4.2), if they
   * also have all that are not kept.
   */
  textsSharing: (kept: readonly string[], size: number) => RawBuilder<{ id: number; folded: string }>;
  /** A list as a source of rows, `v.value`. */
  listed: (values: readonly (string | number)[]) => RawBuilder<unknown>;
  /** A query with one column `value`, once for each row of `source`, to which it may refer; its rows are `e.value`. */
  forEach: (source: RawBuilder<unknown>, subquery: RawBuilder<unknown>) => RawBuilder<unknown>;
  /** `expression in (values)`, for lists too long or too varied for a literal list. */
  inList(expression: RawBuilder<unknown>, values: readonly (string | number)[]): RawBuilder<boolean>;
  /** A query for these rows, sent as one value, so that its text does not depend on how many there are. */
  givenRows: (
    rows: readonly (readonly (string | number | null)[])[],
    columns: Readonly<Record<string, 'text' | 'bigint'>>,
  ) => RawBuilder<unknown>;
  /** Whether text that holds a JSON array of strings has any of these. */
  jsonHasAny: (text: RawBuilder<unknown>, values: readonly string[]) => RawBuilder<boolean>;
  /** Adds texts that the dictionary lacks, with what each engine needs to search them. */
  insertTexts: (tx: BareWriteTx, texts: readonly NewText[]) => Promise<void>;
  /** Removes texts from the dictionary, and from what each engine searches it with. */
  deleteTexts: (tx: BareWriteTx, ids: readonly number[]) => Promise<void>;
  /** Drops an index, unless readers block that for long: a leftover index does no harm. */
  dropIndex: (tx: BareWriteTx, name: string) => Promise<void>;
  /** All values of a group joined by one space, in no particular order; null for none. */
  joinedText: (expression: RawBuilder<unknown>) => RawBuilder<string | null>;
  /** A column that no index is looked up by. */
  unindexed: (column: RawBuilder<unknown>) => RawBuilder<unknown>;
  /**
   * The instant so many milliseconds ahead, by the clock that everybody who works on the database shares: its server's,
   * or else `now`, that of the only process. Leases end by it.
   */
  sharedClock: (now: string, aheadMs?: number) => RawBuilder<string>;
  /** The number of a day, such that days in a row have numbers in a row. */
  dayNumber: (date: RawBuilder<unknown>) => RawBuilder<number>;
  /**
   * How many rows to read and change at a time where very many change: so few that SQLite's cache still has their pages
   * when they are written, so many that PostgreSQL, which adds up totals once per statement, seldom does.
   */
  readonly rowsChangedAtOnce: number;
  /** A source with the first rows of another in an order, and those that tie with the last; it may have more of them. */
  firstWithTies: (source: RawBuilder<unknown>, order: RawBuilder<unknown>, count: number) => RawBuilder<unknown>;
  /** Null sorts after every value on both engines, ascending. */
  ascNullsLast: (expression: RawBuilder<unknown>) => RawBuilder<unknown>;
  /** What is wrong with the stored database itself, in the engine's words, as far as it can be asked; at most `count`. */
  damage: (tx: ReadTx, count: number) => Promise<string[]>;
  /** A query of the columns, `name`, that a row of a table is written with. */
  writableColumns: (table: string) => RawBuilder<{ name: string }>;
  /** A query with one row, `n`: how many texts the search index lacks or has too many. */
  readonly unsearchableTexts: RawBuilder<unknown>;
  /** How large the database is. */
  readonly databaseBytes: RawBuilder<number>;
}

/** So many texts tell common trigrams from rare ones. */
const SAMPLED_TEXTS = 150;
const TEXT_COLUMNS = ['id', 'folded', 'trigram_count'];

function literal(key: string): RawBuilder<unknown> {
  return sql.raw(`'${key.replaceAll("'", "''")}'`);
}

function pairs(fields: Readonly<Record<string, RawBuilder<unknown>>>): RawBuilder<unknown> {
  return sql.join(Object.entries(fields).flatMap(([key, value]) => [literal(key), value]));
}

export const sqlitePortable: Portable = {
  engine: 'sqlite',
  orderedJoin: sql.raw('cross join'),
  rowKey: (alias) => sql.ref(`${alias}.rowid`),
  groupsInAnyOrder: false,
  readBy: (table, alias, index) => sql.raw(`${table} ${alias} indexed by ${index}`),
  jsonObject: (fields) => sql<string>`json_object(${pairs(fields)})`,
  jsonString: (text) => text,
  jsonWord: (text) => text,
  jsonBoolean: (flag) => sql`json(case when ${flag} then 'true' else 'false' end)`,
  jsonText: (text) => sql`json(${text})`,
  jsonArray: (subquery) => sql`(select json_group_array(value) from (${subquery}))`,
  money: (cents) =>
    sql<string>`printf('%s%d.%02d', case when ${cents} < 0 then '-' else '' end, abs(${cents}) / 100, abs(${cents}) % 100)`,
  exactSum: (cents) => sql<string>`cast(sum(${cents}) as text)`,
  textsContaining: (term, trigrams) =>
    trigrams.length > 0
      ? sql`select texts.id from texts_trigrams join texts on texts.id = texts_trigrams.rowid
          where texts_trigrams match ${trigrams.map(quoted).join(' AND ')} and instr(texts.folded, ${term}) > 0`
      : sql`select id from texts where instr(folded, ${term}) > 0`,
  settled: async (_tx, ids) => ids,
  forAnyValues: (_tx, query) => query,
  contains: (text, term) => sql<boolean>`instr(${text}, ${term}) > 0`,
  trigramCounts: (trigrams, cap) => sql`
    select v.value as trigram, (select count(*) from
      (select 1 from texts_trigrams where texts_trigrams match '"' || v.value || '"' limit ${cap + 1})) as n
    from ${sqlitePortable.listed(trigrams)}`,
  // The vocabulary table lists (trigram, text) pairs; json_each binds any number of trigrams as one parameter.
  textsSharing: (kept, size) => sql`
    select texts.id, texts.folded from (
      select doc, count(*) as n from texts_trigrams_vocabulary
      where term in (select value from json_each(${JSON.stringify(kept)})) group by doc) as shared
    cross join texts on texts.id = shared.doc
    where 13 * (shared.n + ${size - kept.length}) >= 3 * (${size} + texts.trigram_count)`,
  listed: (values) => sql`json_each(${JSON.stringify(values)}) as v`,
  forEach: (source, subquery) =>
    sql`${source} cross join json_each((select json_group_array(value) from (${subquery}))) as e`,
  inList: (expression, values) =>
    sql<boolean>`${expression} in (select value from json_each(${JSON.stringify(values)}))`,
  givenRows(rows, columns) {
    const values = Object.keys(columns).map((name, at) => sql.raw(`json_extract(value, '$[${at}]') as ${name}`));
    return sql`select ${sql.join(values)} from json_each(${JSON.stringify(rows)})`;
  },
  jsonHasAny: (text, values) =>
    sql<boolean>`exists (select 1 from json_each(${text}) held
      where held.value in (select value from json_each(${JSON.stringify(values)})))`,
  joinedText: (expression) => sql<string | null>`group_concat(${expression}, ' ')`,
  unindexed: (column) => sql`+${column}`,
  async insertTexts(tx, texts) {
    const insert = tx.insertMany as (table: string, columns: readonly string[], rows: SqlValue[][]) => Promise<number>;
    await insert(
      'texts',
      TEXT_COLUMNS,
      texts.map(({ id, folded, trigrams }) => [id, folded, trigrams.length]),
    );
    await insert(
      'texts_trigrams',
      ['rowid', 'padded'],
      texts.map(({ id, folded }) => [id, paddedRuns(folded)]),
    );
  },
  async deleteTexts(tx, ids) {
    await sql`delete from texts_trigrams where ${sqlitePortable.inList(sql.ref('rowid'), ids)}`.execute(tx.q);
    await sql`delete from texts where ${sqlitePortable.inList(sql.ref('id'), ids)}`.execute(tx.q);
    // Until its parts are merged, the index keeps the trigrams of deleted texts.
    await sql`insert into texts_trigrams (texts_trigrams) values ('optimize')`.execute(tx.q);
  },
  async dropIndex(tx, name) {
    await sql`drop index ${sql.ref(name)}`.execute(tx.q);
  },
  rowsChangedAtOnce: 500,
  sharedClock: (now, aheadMs = 0) => sql<string>`${instantAfter(now, aheadMs)}`,
  dayNumber: (date) => sql<number>`cast(julianday(${date}) as integer)`,
  firstWithTies: (source) => source,
  ascNullsLast: (expression) => sql`${expression} asc nulls last`,
  async damage(tx, count) {
    const found = await sql<{ integrity_check: string }>`pragma integrity_check(${sql.lit(count)})`.execute(tx.q);
    return found.rows.map((row) => row.integrity_check).filter((text) => text !== 'ok');
  },
  writableColumns: (table) => sql`select name from pragma_table_xinfo(${table}) where hidden = 0 order by cid`,
  unsearchableTexts: sql`select (select count(*) from texts where id not in (select id from texts_trigrams_docsize))
    + (select count(*) from texts_trigrams_docsize where id not in (select id from texts)) as n`,
  databaseBytes: sql`(select page_count * page_size from pragma_page_count, pragma_page_size)`,
};

export const postgresPortable: Portable = {
  engine: 'postgres',
  orderedJoin: sql.raw('join'),
  rowKey: (alias) => sql.ref(`${alias}.id`),
  groupsInAnyOrder: true,
  readBy: (table, alias) => sql.raw(`${table} ${alias}`),
  // The functions for JSON find out the type of each value in each row, which takes longer than the rest of a page.
  jsonObject(fields) {
    const members = Object.keys(fields).map((key) => `${JSON.stringify(key).replaceAll('%', '%%')} : %s`);
    return sql<string>`format(${literal(`{${members.join(', ')}}`)}, ${sql.join(Object.values(fields))})`;
  },
  jsonString: (text) => sql`coalesce(to_json(${text})::text, 'null')`,
  jsonWord: (text) => sql`coalesce('"' || ${text} || '"', 'null')`,
  jsonBoolean: (flag) => sql`case when ${flag} = 1 then 'true' else 'false' end`,
  jsonText: (text) => sql`coalesce(${text}, 'null')`,
  jsonArray: (subquery) => sql`coalesce((select json_agg(value)::text from (${subquery}) as list), '[]')`,
  money: (cents) =>
    sql<string>`(case when ${cents} < 0 then '-' else '' end || (abs(${cents}) / 100)::text || '.' || lpad((abs(${cents}) % 100)::text, 2, '0'))`,
  exactSum: (cents) => sql<string>`sum(${cents})::text`,
  textsContaining: (term, trigrams) =>
    trigrams.length > 0
      ? sql`select id from texts where trigrams @> ${[...trigrams]}::text[] and position(${term} in folded) > 0`
      : sql`select id from texts where position(${term} in folded) > 0`,
  async settled(tx, ids) {
    const { rows } = await sql<{ id: string }>`${ids}`.execute(tx.q);
    return sql`select v.value as id from unnest(${rows.map(({ id }) => id)}::text[]) as v(value)`;
  },
  // The planner cannot see through a materialized part, so the values change nothing: see planned-statements.ts.
  forAnyValues(tx, query) {
    const { sql: text, parameters } = query.compile(tx.q);
    const types = parameters.map(typeOf);
    if (parameters.length === 0 || types.includes(null)) return query;
    const values = sql.join(
      parameters.map((value, at) => sql`${value}::${sql.raw(types[at] as string)} as v${sql.raw(String(at + 1))}`),
    );
    const body = sql.raw(text.replaceAll(/\$(\d+)\b/g, 'given.v$1'));
    return sql`with given as materialized (select ${values}) select found.* from given cross join lateral (${body}) as found`;
  },
  contains: (text, term) => sql<boolean>`position(${term} in ${text}) > 0`,
  // Posting lists have no sizes to ask for, so some texts stand for all; without the limit, all would be read.
  trigramCounts: (trigrams) => sql`
    select trigram, count(*) * max(step) as n
    from (select greatest(max(id) / ${sql.lit(SAMPLED_TEXTS)}, 1) as step, max(id) as last from texts) as ids
    cross join lateral generate_series(1, ids.last, ids.step) as chosen
    cross join lateral (select trigrams from texts where id = chosen limit 1) as texts
    cross join lateral unnest(texts.trigrams) as trigram
    where trigram = any(${[...trigrams]}::text[]) group by trigram`,
  textsSharing: (kept, size) => sql`
    select id, folded from texts where trigrams && ${[...kept]}::text[]
      and 13 * least(${sql.lit(size)}, trigram_count) >= 3 * (${sql.lit(size)} + trigram_count)`,
  listed: (values) =>
    typeof values[0] === 'string'
      ? sql`unnest(${[...values]}::text[]) as v(value)`
      : sql`unnest(${[...values]}::bigint[]) as v(value)`,
  forEach: (source, subquery) => sql`${source} cross join lateral (${subquery}) as e`,
  inList(expression, values) {
    const [first] = values;
    if (first === undefined) return sql<boolean>`(1 = 0)`;
    const isNumber = typeof first === 'number';
    // Equality has one plan, which is kept.
    if (values.length === 1)
      return sql<boolean>`(${expression} = ${first}${sql.raw(isNumber ? '::bigint' : '::text')})`;
    return isNumber
      ? sql<boolean>`${expression} = any(${[...values]}::bigint[])`
      : sql<boolean>`${expression} = any(${[...values]}::text[])`;
  },
  givenRows(rows, columns) {
    const values = Object.entries(columns).map(([name, type], at) =>
      sql.raw(`cast(value ->> ${at} as ${type}) as ${name}`),
    );
    return sql`select ${sql.join(values)} from json_array_elements(${JSON.stringify(rows)}::json)`;
  },
  jsonHasAny: (text, values) =>
    sql<boolean>`exists (select 1 from json_array_elements_text((${text})::json) held
      where held.value = any(${[...values]}::text[]))`,
  joinedText: (expression) => sql<string | null>`string_agg(${expression}, ' ')`,
  unindexed: (column) => column,
  async insertTexts(tx, texts) {
    const rows = sql.join(
      texts.map(
        ({ id, folded, trigrams }) =>
          sql`(${id}::bigint, ${folded}, ${trigrams.length}::bigint, ${[...trigrams]}::text[])`,
      ),
    );
    await sql`insert into texts (id, folded, trigram_count, trigrams) values ${rows}`.execute(tx.q);
  },
  async deleteTexts(tx, ids) {
    await sql`delete from texts where ${postgresPortable.inList(sql.ref('id'), ids)}`.execute(tx.q);
  },
  async dropIndex(tx, name) {
    // New readers of the table wait behind whoever wants to drop an index of it.
    const drop = async (): Promise<void> => {
      await sql`set local lock_timeout = ${sql.lit(`${LIMITS.wipeReadersMs}ms`)}`.execute(tx.q);
      await sql`drop index ${sql.ref(name)}`.execute(tx.q);
      await sql`set local lock_timeout = 0`.execute(tx.q);
    };
    await tx
      .savepoint(drop, () => true)
      .catch((error: { code?: string }) => {
        if (error.code !== LOCK_NOT_AVAILABLE) throw error;
      });
  },
  rowsChangedAtOnce: 2_000,
  sharedClock: (_now, aheadMs = 0) =>
    sql<string>`to_char((clock_timestamp() + ${sql.lit(`${aheadMs} milliseconds`)}::interval) at time zone 'utc',
      'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
  dayNumber: (date) => sql<number>`(cast(${date} as date) - date '2000-01-01')`,
  firstWithTies: (source, order, count) =>
    sql`(select * from ${source} order by ${order} fetch first ${sql.lit(count)} rows with ties)`,
  ascNullsLast: (expression) => sql`${expression} asc nulls last`,
  // The server keeps its files itself; it can say which indexes are half built, and which pages failed their checksum.
  async damage(tx, count) {
    const found = await sql<{ text: string }>`
      select 'the index ' || c.relname || ' is not valid' as text from pg_index i join pg_class c on c.oid = i.indexrelid
      where c.relnamespace = current_schema()::regnamespace and not i.indisvalid
      union all select checksum_failures || ' pages failed their checksum' from pg_stat_database
      where datname = current_database() and checksum_failures > 0 limit ${sql.lit(count)}`.execute(tx.q);
    return found.rows.map((row) => row.text);
  },
  // The trigrams are written with their text.
  writableColumns: (table) => sql`select column_name as name from information_schema.columns
    where table_schema = current_schema() and table_name = ${table} and is_generated = 'NEVER'
      and not (table_name = 'texts' and column_name = 'trigrams') order by ordinal_position`,
  unsearchableTexts: sql`select count(*) as n from texts where cardinality(trigrams) <> trigram_count`,
  databaseBytes: sql`pg_database_size(current_database())`,
};

const LOCK_NOT_AVAILABLE = '55P03';

/** What PostgreSQL calls the type of a parameter; null for one that could be of several. */
function typeOf(value: unknown): string | null {
  if (typeof value === 'string') return 'text';
  if (Number.isSafeInteger(value)) return 'bigint';
  const [first, ...others] = Array.isArray(value) ? value.map(typeOf) : [];
  const isList = (first === 'text' || first === 'bigint') && others.every((one) => one === first);
  return isList ? `${first}[]` : null;
}

/** An FTS5 string; a string of three characters is one token of the trigram index. */
function quoted(trigram: string): string {
  return `"${trigram.replaceAll('"', '""')}"`;
}
