import pg from 'pg';

export interface RewindableDatabase {
  /** Puts every row back as it was at first; false when a test changed the schema, or the connection is lost. */
  rewind(): Promise<boolean>;
  close(): Promise<void>;
}

/** Kept beside the tables of the service, in a schema that it does not look at. */
const START = 'at_start';

/** Any change of a schema but one that was rolled back is noted. */
const WATCH = `
  create schema ${START};
  create table ${START}.schema_changes (tag text);
  create function ${START}.note_change() returns event_trigger language plpgsql
    as $$ begin insert into ${START}.schema_changes values (tg_tag); end $$`;
const START_WATCHING = `create event trigger schema_changes on ddl_command_end
  execute function ${START}.note_change()`;

const OTHERS_OUT = `select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid()`;
const IS_CHANGED = `select exists (select from ${START}.schema_changes) as changed`;
/** Foreign keys wait, because the order does not matter here. */
const WITHOUT_TRIGGERS = 'set local session_replication_role = replica';

const COLUMNS = `select table_name, string_agg(column_name, ', ') as columns from information_schema.columns
  join information_schema.tables using (table_schema, table_name)
  where table_schema = 'public' and table_type = 'BASE TABLE' and is_generated = 'NEVER'
  group by table_name order by table_name`;

/**
 * A table is as it was if no row was written by a later transaction and none is missing: most tests touch few tables, and
 * add rows only. The server of a run begins so few transactions that their numbers never start again.
 */
const WRITER = 'xmin::text::bigint';
const STATE = `count(*) filter (where ${WRITER} <= $1)::int as kept, count(*) filter (where ${WRITER} > $1)::int as added`;

interface TableState {
  name: string;
  kept: number;
  added: number;
}

const MAX_DEAD_ROWS = 2_000;

/** Keeps the rows that a database has now, for it and its copies. */
export async function keepRows(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows: tables } = await client.query<{ table_name: string; columns: string }>(COLUMNS);
  await client.query(WATCH);
  for (const { table_name: name, columns } of tables)
    await client.query(`create table ${START}.${name} as select ${columns} from public.${name}`);
  await client.query(START_WATCHING);
  await client.end();
}

/** Brings back the rows that were kept: several times as fast as making a database. */
export async function rewindable(url: string): Promise<RewindableDatabase> {
  const client = new pg.Client({ connectionString: url });
  let isLost = false;
  client.on('error', () => {
    isLost = true;
  });
  await client.connect();
  const { rows: tables } = await client.query<{ table_name: string; columns: string }>(COLUMNS);
  const statesOf = (schema: string) => ({
    name: `states of ${schema}`,
    text: tables
      .map(({ table_name: name }) => `select '${name}' as name, ${STATE} from ${schema}.${name}`)
      .join(' union all '),
  });
  let latest = await latestTransaction(client);
  const askStates = async (schema: string) =>
    (await client.query<TableState>({ ...statesOf(schema), values: [latest] })).rows;
  const atStart = new Map((await askStates(START)).map(({ name, kept }) => [name, kept]));
  const refills = new Map<string, string>();
  for (const { table_name: name, columns } of tables) {
    if (atStart.get(name) !== 0)
      refills.set(name, `insert into public.${name} (${columns}) select ${columns} from ${START}.${name}`);
  }
  const dead = new Map(tables.map(({ table_name: name }) => [name, 0]));

  /** Nothing else does it here, and a table full of dead rows is slow for every later test. */
  async function clean(name: string, deleted: number): Promise<void> {
    const count = (dead.get(name) ?? 0) + deleted;
    dead.set(name, count < MAX_DEAD_ROWS ? count : 0);
    if (count >= MAX_DEAD_ROWS) await client.query(`vacuum public.${name}`);
  }

  return {
    async rewind() {
      if (isLost) return false;
      await client.query(OTHERS_OUT);
      const { rows } = await client.query<{ changed: boolean }>(IS_CHANGED);
      if (rows[0]?.changed !== false) return false;
      const states = await askStates('public');
      const isWhole = ({ name, kept }: TableState) => kept === atStart.get(name);
      const changed = states.filter((state) => state.added > 0 || !isWhole(state));
      const deletions = changed.map(
        (state) => `delete from public.${state.name}${isWhole(state) ? ` where ${WRITER} > ${latest}` : ''}`,
      );
      const insertions = changed.flatMap((state) => (isWhole(state) ? [] : (refills.get(state.name) ?? [])));
      const answers: unknown = await client.query(
        ['begin', WITHOUT_TRIGGERS, ...deletions, ...insertions, 'commit'].join('; '),
      );
      const results = answers as pg.QueryResult[];
      for (const [index, { name }] of changed.entries()) await clean(name, results[index + 2]?.rowCount ?? 0);
      latest = await latestTransaction(client);
      return true;
    },
    close: () => client.end(),
  };
}

async function latestTransaction(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ latest: number }>('select pg_current_xact_id()::text::float8 as latest');
  return rows[0]?.latest ?? 0;
}
