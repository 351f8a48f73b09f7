import type { CompiledQuery, QueryExecutor, QueryResult } from 'kysely';

import type { ReadTx } from '../../../src/db/unit-of-work.ts';
import type { TestApp } from '../test-app.ts';

export interface SqlRecorder {
  /** The distinct texts of the queries that ran meanwhile, in the order of their first run. */
  during(work: () => Promise<unknown>, ledger: LedgerSize): Promise<string[]>;
}

/** Whether the counts that choose how a query is built are as counted, or as in a ledger of millions. */
export type LedgerSize = 'small' | 'large';

/** `select count(*) … limit <n>`, whose answer tells few rows from many. */
const CAPPED_COUNT = /^\s*select count\(\*\) as n from \(.* limit (\d+)\) as capped$/s;

/** Records the queries of every transaction of an app, as the database receives them. */
export function recordSql(app: TestApp): SqlRecorder {
  const { database } = app.app.instance;
  let seen: Set<string> | undefined;
  let size: LedgerSize = 'small';

  function watch<Tx extends ReadTx>(tx: Tx): Tx {
    const executor = tx.q.getExecutor();
    const execute = executor.executeQuery.bind<QueryExecutor['executeQuery']>(executor);
    executor.executeQuery = async <R>(query: CompiledQuery<R>): Promise<QueryResult<R>> => {
      seen?.add(query.sql);
      const cap = size === 'large' ? CAPPED_COUNT.exec(query.sql)?.[1] : undefined;
      return cap === undefined ? execute(query) : { rows: [{ n: Number(cap) } as R] };
    };
    const values = tx.values.bind(tx);
    const iterate = tx.iterate.bind(tx);
    return Object.assign(tx, {
      values: (query: CompiledQuery) => values(note(query)),
      iterate: (query: CompiledQuery) => iterate(note(query)),
    });
  }
  function note(query: CompiledQuery): CompiledQuery {
    seen?.add(query.sql);
    return query;
  }

  const read = database.read.bind(database);
  const writeBare = database.writeBare.bind(database);
  database.read = (fn) => read((tx) => fn(watch(tx)));
  database.writeBare = (fn, beforeCommit) => writeBare((tx) => fn(watch(tx)), beforeCommit);
  return {
    async during(work, ledger) {
      const found = new Set<string>();
      [seen, size] = [found, ledger];
      try {
        await work();
      } finally {
        [seen, size] = [undefined, 'small'];
      }
      return [...found];
    },
  };
}
