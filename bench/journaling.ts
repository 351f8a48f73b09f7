import { Session } from 'node:inspector/promises';

import { createApp } from '../src/app.ts';
import { readConfig } from '../src/kernel/config.ts';
import { csvFile } from './csv-file.ts';
import { atMost } from './budgets.ts';
import { withCopy } from './copy.ts';
import { environmentOf, type BenchLedger } from './ledgers.ts';
import type { BenchPostgres } from './postgres.ts';
import { type Note } from './table.ts';

const ROWS = 100_000;
const JOURNAL = /\/src\/journal\/(store|recording)\.ts$/;
const IDLE = new Set(['(idle)', '(program)', '(root)']);

/** Which part of an import's time goes into writing down what it changed, seen by a sampling profiler. */
export async function journaling(ledger: BenchLedger, note: Note, postgres: BenchPostgres | null): Promise<void> {
  await withCopy(ledger, postgres, async (copy) => {
    const env = { ...environmentOf(copy), LOG_LEVEL: 'error' };
    const app = await createApp(readConfig(env), { workers: 0 });
    try {
      const http = await app.http();
      const headers = { 'x-api-key': copy.key, 'content-type': 'text/csv' };
      const users = (await http.inject({ url: '/api/v1/users', headers })).json<{ id: string }[]>();
      const url = `/api/v1/connections/csv/import?user_id=${users[0]?.id}&account_name=Journal&prefer=wait`;
      for (const [name, word, outcome] of [
        ['journaling in an import of 100,000 new rows', 'REF', 'added'],
        ['journaling in an import that changes 100,000 rows', 'NUMBER ', 'updated'],
      ] as const) {
        const payload = csvFile({ rows: ROWS, seed: 7, texts: 10_000, bankIds: { word } });
        const share = await shareOfJournal(async () => {
          const answer = await http.inject({ method: 'POST', url, headers, payload });
          const { import: made } = answer.json<{ import?: { counts: Record<string, number> } }>();
          if (made?.counts[outcome] !== ROWS) throw new Error(`${name}: ${answer.body.slice(0, 500)}`);
        });
        note(name, atMost(20, '%'), `${(share * 100).toFixed(1)} %`, share * 100);
      }
    } finally {
      await app.close();
    }
  });
}

async function shareOfJournal(run: () => Promise<void>): Promise<number> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.start');
  await run();
  const { profile } = await session.post('Profiler.stop');
  session.disconnect();
  const parents = new Map(profile.nodes.flatMap(({ id, children }) => (children ?? []).map((child) => [child, id])));
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]));
  const isJournal = (id: number | undefined): boolean => {
    const node = id === undefined ? undefined : nodes.get(id);
    if (!node || id === undefined) return false;
    return JOURNAL.test(node.callFrame.url) || isJournal(parents.get(id));
  };
  let [all, journal] = [0, 0];
  for (const [index, id] of (profile.samples ?? []).entries()) {
    const took = profile.timeDeltas?.[index] ?? 0;
    if (IDLE.has(nodes.get(id)?.callFrame.functionName ?? '')) continue;
    all += took;
    if (isJournal(id)) journal += took;
  }
  return journal / all;
}
