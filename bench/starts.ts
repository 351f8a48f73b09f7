import type { AIMS } from './budgets.ts';
import type { BenchLedger } from './ledgers.ts';
import { ask, LIST, YEAR, type Question } from './questions.ts';
import { startHomeledger } from './server.ts';

const ROUNDS = 9;

/** What is asked first of a server that has just started, one of them after each start. */
const FIRST_QUESTIONS: readonly Question[] = [
  { name: 'first page', path: `${LIST}?limit=50`, least: 50 },
  { name: 'search, a common word', path: `${LIST}?search=amazon`, least: 50 },
  { name: 'month × category, one year', path: `${LIST}/summary?group_by=category_month&${YEAR}`, least: 300 },
];

/** A program and its ledger. */
export interface Side {
  /** Whose code runs. */
  root: string;
  ledger: BenchLedger;
}

export interface Started {
  name: string;
  aim: keyof typeof AIMS;
  /** By side, in milliseconds. */
  times: number[][];
}

/** Starts every side in turn as a person does, by npm, and asks each its first question. */
export async function starts(sides: readonly Side[]): Promise<Started[]> {
  const lists = (): number[][] => sides.map(() => []);
  const found: Started[] = [
    { name: '`npm start` to the first answer', aim: 'start', times: lists() },
    ...FIRST_QUESTIONS.map(({ name }): Started => ({
      name: `the first request after a start: ${name}`,
      aim: 'firstRequest',
      times: lists(),
    })),
  ];
  // It changes the tables if the ledger is of older code, and keeps its compiled code for the others.
  const first: Started = { name: 'the first start', aim: 'firstStart', times: lists() };
  for (const [index, side] of sides.entries()) {
    first.times[index]?.push((await startAndAsk(side, FIRST_QUESTIONS[0] as Question)).startMs);
  }
  for (let round = 0; round < ROUNDS; round++) {
    const at = round % FIRST_QUESTIONS.length;
    for (const [index, side] of sides.entries()) {
      const { startMs, firstMs } = await startAndAsk(side, FIRST_QUESTIONS[at] as Question);
      found[0]?.times[index]?.push(startMs);
      found[at + 1]?.times[index]?.push(firstMs);
    }
  }
  return [first, ...found];
}

async function startAndAsk({ root, ledger }: Side, question: Question): Promise<{ startMs: number; firstMs: number }> {
  const server = await startHomeledger(ledger, { root, isByNpm: true });
  try {
    const { startMs, port } = server;
    const { ms } = await ask({ port, key: ledger.key }, question);
    return { startMs, firstMs: ms };
  } finally {
    await server.stop();
  }
}
