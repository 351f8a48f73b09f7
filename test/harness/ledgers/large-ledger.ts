import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import type { SqlValue } from '../../../src/db/engine.ts';
import type { Schema } from '../../../src/db/schema.ts';
import { addAccount, addMember, addTransactions, type Made } from '../ledger.ts';
import { rowsOf } from '../table-rows.ts';
import type { TestApp } from '../test-app.ts';

/** Rows that cost no round trip each. */
export async function largeLedger(app: TestApp, count: number): Promise<TestApp> {
  const [first] = await addTransactions(app, [
    {
      account: await addAccount(app, await addMember(app, 'Ana')),
      date: '2026-01-01',
      amount_cents: 100,
      name: 'Corner Cafe '.repeat(16),
    },
  ]);
  const model = await rowsOf<Record<string, SqlValue>>(
    app.app.instance.database,
    `select * from transactions where id = '${(first as Made).id}'`,
  );
  const { month: _month, ...copied } = model[0] as Record<string, SqlValue>;
  const columns = Object.keys(copied) as (keyof Schema['transactions'])[];
  await app.write('test.many', async (tx) => {
    const rows = Array.from({ length: count - 1 }, () => {
      const row: Record<string, SqlValue> = { ...copied, id: tx.ids.uuid(), short_id: tx.ids.shortId() };
      return columns.map((column) => row[column] as SqlValue);
    });
    await tx.insertMany('transactions', columns, rows);
    tx.journal.allowUnjournaled('transaction');
  });
  return app;
}

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Bytes that are still referred to: values, and buffers on their way out. */
export function memoryInUse(): { heapUsed: number; external: number } {
  collectGarbage();
  return process.memoryUsage();
}
