import { expect, test } from 'vitest';

import { base64, csvOf } from '../harness/bank-files/bank-files.ts';
import { eventually } from '../harness/eventually.ts';
import { addMember } from '../harness/ledger.ts';
import { startProgram } from '../harness/programs/program.ts';
import { forEachDatabase } from '../harness/test-app.ts';

const KILLS = 2;
const WRITERS = 4;
const ROWS_PER_FILE = 10;
const ENOUGH_MS = 180_000;

interface Sent {
  path: string;
  body: unknown;
  key: string;
}

forEachDatabase((database) => {
  test(
    'after a kill at any moment each unanswered request is answered at its first retry, and done once',
    async () => {
      const app = await database.open();
      await addMember(app, 'Ada');
      await app.close();
      const made = { tags: 0, files: 0 };
      let answers = 0;

      async function serve() {
        const program = startProgram(['src/start.js', 'serve'], { env: { ...app.env, PORT: '0' } });
        const [, address = ''] = await program.says(/listens on (http:\S+)/);
        const send = async ({ path, body, key }: Sent): Promise<Response> =>
          fetch(`${address}/api/v1${path}`, {
            method: 'POST',
            headers: { 'x-api-key': app.key, 'idempotency-key': key, 'content-type': 'application/json' },
            body: JSON.stringify(body),
          });
        return { program, send };
      }

      /** Sends new requests until one is not answered, and tells which. */
      async function sendUntilDead(send: (sent: Sent) => Promise<Response>, make: () => Sent): Promise<Sent> {
        for (;;) {
          const sent = make();
          try {
            const answer = await send(sent);
            expect(answer.status, await answer.text()).toBe(201);
            answers += 1;
          } catch (error) {
            if (error instanceof TypeError) return sent;
            throw error;
          }
        }
      }

      const makeTag = (): Sent => ({ path: '/tags', body: { name: `Tag ${++made.tags}` }, key: `tag ${made.tags}` });
      const makeFile = (): Sent => {
        const n = ++made.files;
        // Amounts differ: equal ones of a day, in other words, would be the rows that are there already.
        const rows = Array.from({ length: ROWS_PER_FILE }, (_, row) => `2026-01-02 ROW-${n}-${row} -${n}.${10 + row}`);
        const body = { csv_base64: base64(csvOf(...rows)), account_name: 'Card', sign: 'positive_is_in' };
        return { path: '/connections/csv/import', body, key: `file ${n}` };
      };

      let unanswered: Sent[] = [];
      for (let kill = 1; kill <= KILLS; kill += 1) {
        const { program, send } = await serve();
        const retries = unanswered.map(async (sent) => {
          const answer = await send(sent);
          expect([sent.key, answer.status], await answer.text()).toEqual([sent.key, 201]);
        });
        await Promise.all(retries);
        const clients = Array.from({ length: WRITERS }, (_, n) => sendUntilDead(send, n === 0 ? makeFile : makeTag));
        const enough = answers + 2 + ((kill * 5) % 13);
        await eventually(() => expect(answers).toBeGreaterThanOrEqual(enough), ENOUGH_MS);
        program.kill('SIGKILL');
        unanswered = await Promise.all(clients);
      }

      const last = await serve();
      for (const sent of unanswered) expect([sent.key, (await last.send(sent)).status]).toEqual([sent.key, 201]);
      last.program.kill('SIGTERM');
      await last.program.ended;
      const later = await app.again();
      const sets: string[] = [];
      for (let cursor = ''; ;) {
        const page = (await later.request('GET', `/api/v1/change-sets?limit=100${cursor}`)).json;
        sets.push(...page.change_sets.map(({ action }: { action: string }) => action));
        if (page.has_more !== true) break;
        cursor = `&cursor=${page.next_cursor}`;
      }
      const times = (action: string): number => sets.filter((one) => one === action).length;
      const tags = (await later.request('GET', '/api/v1/tags')).json as { name: string }[];
      expect(tags.filter(({ name }) => name.startsWith('Tag '))).toHaveLength(made.tags);
      expect([times('tag.create'), times('import.create')]).toEqual([made.tags, made.files]);
      const { count } = (await later.request('GET', '/api/v1/transactions/count')).json;
      expect(count).toBe(made.files * ROWS_PER_FILE);
    },
    ENOUGH_MS,
  );
});
