import { Agent } from 'node:http';

import type { AIMS } from './budgets.ts';
import { csvFile } from './csv-file.ts';
import { call, percentiles, post, readJson, sendJson, type Target } from './load.ts';
import { ask, comparedQuestions, LIST, type Question } from './questions.ts';
import type { BenchPostgres } from './postgres.ts';
import { lifelikeRules } from './rules.ts';
import type { Running } from './server.ts';
import { took } from './table.ts';

/** Something that a client has done, whose time is compared with an aim, another commit, and other programs. */
export interface Job {
  part: 'reads' | 'edits' | 'bulk' | 'import';
  name: string;
  aim: keyof typeof AIMS;
  rounds: number;
  /** Fails unless there is an answer as expected, which another commit's must equal. Warms up, too. */
  check(target: Target): Promise<Buffer | null>;
  /** Does it once or often, and gives the time of each in milliseconds. */
  run(target: Target, round: number): Promise<number[]>;
}

const SERIES_MS = 600;
const SERIES_AT_LEAST = 5;
const WARM_UP = 3;
const EDITS = 100;
const ROUNDS = 3;
const BULK_ROUNDS = 2;
const BULK_SHARE = 0.03;
const ROWS_OF_A_FILE = 50_000;
const RULES = 50;
const TEXTS = 10_000;
const IDS_AT_ONCE = 50;

/** Every job but the start of the program, in the order in which they may follow one another on one ledger. */
export async function jobsOf(target: Target, transactions: number): Promise<Job[]> {
  const reads = (await comparedQuestions(target)).map(([aim, question]): Job => ({
    part: 'reads',
    name: question.name,
    aim,
    rounds: ROUNDS,
    check: (one) => warmUp(one, question),
    run: (one) => series(one, question.path),
  }));
  return [...reads, categoryOfOne(await scatteredIds(target)), bulkRecategorize(transactions), twoImports()];
}

export interface Done {
  times: number[];
  /** Processor time of one, in milliseconds: the server's and, on PostgreSQL, the database's. */
  cpuMs: number;
}

/** One round of a job after the others. */
export async function doRound(
  job: Job,
  round: number,
  target: Target,
  server: Running,
  postgres: BenchPostgres | null,
): Promise<Done> {
  const used = (): number => server.cpuSeconds() + (postgres?.cpuSeconds() ?? 0);
  const before = used();
  const times = await job.run(target, round);
  return { times, cpuMs: ((used() - before) * 1_000) / times.length };
}

/** All rounds of a job. */
export async function doJob(job: Job, target: Target, server: Running, postgres: BenchPostgres | null): Promise<Done> {
  const rounds: Done[] = [];
  for (let round = 0; round < job.rounds; round++) rounds.push(await doRound(job, round, target, server, postgres));
  return together(rounds);
}

export function together(rounds: readonly Done[]): Done {
  const times = rounds.flatMap((round) => round.times);
  const cpuMs = rounds.reduce((sum, round) => sum + round.cpuMs * round.times.length, 0) / times.length;
  return { times, cpuMs };
}

async function warmUp(target: Target, question: Question): Promise<Buffer> {
  for (let i = 1; i < WARM_UP; i++) await ask(target, question);
  return (await ask(target, question)).body;
}

async function series(target: Target, path: string): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const encoded = encodeURI(path);
  const times: number[] = [];
  const end = performance.now() + SERIES_MS;
  while (times.length < SERIES_AT_LEAST || performance.now() < end) {
    const answer = await call(target, encoded, agent);
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status}`);
    times.push(answer.ms);
  }
  agent.destroy();
  return times;
}

/** Different transactions from all over the ledger. */
async function scatteredIds(target: Target): Promise<string[]> {
  const ids: string[] = [];
  for (let month = 0; ids.length < EDITS * ROUNDS; month += 1) {
    const until = `${2023 + (month % 3)}-${String((month % 12) + 1).padStart(2, '0')}-28`;
    const path = `${LIST}?limit=${IDS_AT_ONCE}&fields=minimal&date_to=${until}`;
    const { transactions } = await readJson<{ transactions: { id: string }[] }>(target, path);
    for (const { id } of transactions) if (!ids.includes(id)) ids.push(id);
  }
  return ids;
}

function categoryOfOne(ids: readonly string[]): Job {
  const slug = 'general_services_storage';
  return {
    part: 'edits',
    name: 'category of one transaction',
    aim: 'categoryOfOne',
    rounds: ROUNDS,
    check: () => Promise.resolve(null),
    async run(target, round) {
      const times: number[] = [];
      for (const id of ids.slice(round * EDITS, (round + 1) * EDITS)) {
        const path = `${LIST}/${id}/category`;
        const { ms, json } = await sendJson<Edited>(target, 'PATCH', path, { category_slug: slug });
        if (json.category?.slug !== slug) throw new Error(`${path}: did not become ${slug}`);
        times.push(ms);
      }
      return times;
    },
  };
}

interface Edited {
  category: { slug: string } | null;
}

/** About 4 % of the household's transactions, each of which changes in every round. */
function bulkRecategorize(transactions: number): Job {
  const slugs = ['travel_lodging', 'entertainment_video_games'];
  return {
    part: 'bulk',
    name: 'bulk recategorise, 4 % of the rows',
    aim: 'bulkRecategorize',
    rounds: BULK_ROUNDS,
    check: () => Promise.resolve(null),
    async run(target, round) {
      const { ms, json } = await sendJson<{ updated: number }>(target, 'POST', `${LIST}/bulk-recategorize`, {
        filter: { search: 'amazon' },
        target_category_id: slugs[round % slugs.length],
        overwrite_manual: true,
      });
      if (json.updated < transactions * BULK_SHARE) throw new Error(`Bulk recategorise changed only ${json.updated}.`);
      return [ms];
    },
  };
}

interface Imported {
  import: { counts: { added: number }; balance_proof: { status: string } };
}

/** Two statements of one account, the second of which goes on where the first ends, with balances and rules. */
function twoImports(): Job {
  return {
    part: 'import',
    name: `import of 2 × ${ROWS_OF_A_FILE.toLocaleString('en')} rows, proof and ${RULES} rules`,
    aim: 'twoImports',
    rounds: 1,
    check: () => Promise.resolve(null),
    async run(target, round) {
      await makeRules(target);
      const [user] = await readJson<{ id: string }[]>(target, '/api/v1/users');
      const path = `/api/v1/connections/csv/import?user_id=${user?.id}&account_name=Compared%20${round}&prefer=wait`;
      let total = 0;
      for (const file of halves(csvFile({ rows: ROWS_OF_A_FILE * 2, seed: 7, texts: TEXTS }))) {
        const answer = await post(target, path, 'text/csv', file);
        const { import: made } = JSON.parse(answer.body.toString()) as Partial<Imported>;
        if (made?.counts.added !== ROWS_OF_A_FILE || made.balance_proof.status !== 'proved')
          throw new Error(`Import: ${answer.body.toString().slice(0, 500)}`);
        total += answer.ms;
      }
      return [total];
    },
  };
}

function halves(file: Buffer): Buffer[] {
  const [header, ...lines] = file.toString().trimEnd().split('\n');
  return [lines.slice(0, lines.length / 2), lines.slice(lines.length / 2)].map((half) =>
    Buffer.from([header, ...half, ''].join('\n')),
  );
}

/** Fifty rules, most of which look for a merchant of the files of the bench. */
async function makeRules(target: Target): Promise<void> {
  const categories = await readJson<{ slug: string }[]>(target, '/api/v1/categories');
  const merchants = ['CORNER CAFE', 'REWE SAGT DANKE', 'SHELL OIL', 'NETFLIX.COM', 'CITY TRANSIT'];
  const others = Array.from({ length: RULES }, (_, index) => `${merchants[index % merchants.length]} REF${index}`);
  const slugs = categories.map(({ slug }) => slug);
  await sendJson(target, 'POST', '/api/v1/rules/batch', { rules: lifelikeRules(others, slugs).slice(-RULES) });
}

/** The median, with the slowest hundredth where there were many. */
export function shown(times: readonly number[]): string {
  const { p50, p99 } = percentiles(times);
  return times.length < SERIES_AT_LEAST ? took(p50) : `${took(p50)} (${took(p99)})`;
}
