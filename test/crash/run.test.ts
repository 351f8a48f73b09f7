import { expect, test } from 'vitest';

import { household } from '../harness/ledgers/batches.ts';
import { runProgram } from '../harness/programs/program.ts';
import { addRun, endLease, linesOf, runRow } from '../harness/workflows/runs.ts';
import { runningClock } from '../harness/banks/simulated-banks.ts';
import { rowsOf } from '../harness/table-rows.ts';
import { forEachDatabase } from '../harness/test-app.ts';

const ENOUGH_MS = 60_000;

interface Left {
  turns: number;
  calls: number;
  /** Tags that the plan adds. */
  planned: number;
}

/** Where the process dies, and what is left of the run. */
const POINTS: readonly (readonly [string, Left])[] = [
  ['model:asked 1', { turns: 0, calls: 0, planned: 0 }],
  ['write:before-commit', { turns: 1, calls: 0, planned: 0 }],
  ['run:accounted', { turns: 1, calls: 0, planned: 0 }],
  ['model:asked 3', { turns: 2, calls: 2, planned: 2 }],
];

forEachDatabase((database) => {
  // Each point is met on one of the databases.
  const points = POINTS.filter((_, index) => index % 2 === (database.name === 'SQLite' ? 0 : 1));
  test.for(points)(
    'a run whose process is killed at %s is closed at the next start',
    { timeout: ENOUGH_MS },
    async ([point, { turns, calls, planned }]) => {
      const app = await database.open({ clock: runningClock() });
      const [row] = await household(app, 1);
      const id = await addRun(app);
      await app.close();
      const args = { operations: [{ transaction_id: row?.id, tags_to_add: ['seen-<n>'] }] };
      const words = ['test/crash/serve-runs.ts', point, 'update_transactions', JSON.stringify(args)];
      const { signal, err } = await runProgram(words, { env: { ...app.env, PORT: '0' } });
      expect([point, signal], err).toEqual([point, 'SIGKILL']);

      const later = await app.again({ clock: runningClock() });
      const { database: stored } = later.app.instance;
      expect(await runRow(later, id)).toMatchObject({ status: 'in_progress', turn_count: turns });
      if (database.name === 'PostgreSQL') await endLease(later, id);
      await later.app.instance.runs().recover();
      expect(await runRow(later, id)).toMatchObject({
        status: 'error',
        error_code: 'interrupted',
        turn_count: turns,
        num_tool_calls: calls,
        input_tokens: 100 * turns,
        output_tokens: 10 * turns,
        holder: null,
        fencing_token: null,
        lease_expires_at: null,
      });
      const lines = await linesOf(later, id);
      expect(lines.map(({ seq }) => seq)).toEqual(lines.map((_, index) => index + 1));
      expect(lines.filter(({ type }) => type === 'result')).toEqual([lines.at(-1)]);
      expect(lines.at(-1)?.data).toMatchObject({ status: 'error', stop_reason: 'interrupted', turn_count: turns });
      const plans = await rowsOf<{ status: string }>(stored, `select status from proposals where run_id = '${id}'`);
      expect(plans).toEqual(planned === 0 ? [] : [{ status: 'proposed' }]);
      const record = (await later.request('GET', `/api/v1/transactions/${row?.id}`)).json;
      expect(record.tags).toEqual([]);
      // Nothing is left for a second look.
      await later.app.instance.runs().recover();
      expect((await linesOf(later, id)).length).toBe(lines.length);
    },
  );
});
