import type { AIMS } from './budgets.ts';
import { call, readJson, type Answer, type Target } from './load.ts';

/** A request that only reads, and how many rows, groups or points its answer must have: one that finds none is fast. */
export interface Question {
  name: string;
  path: string;
  least: number;
}

export const LIST = '/api/v1/transactions';
export const YEAR = 'date_from=2024-01-01&date_to=2024-12-31';
export const MONTH = 'date_from=2024-03-01&date_to=2024-03-31';
const PAGE = 50;

/** @throws if the answer is an error or has too little in it */
export async function ask(target: Target, { name, path, least }: Question): Promise<Answer> {
  const answer = await call(target, encodeURI(path));
  if (answer.status !== 200) throw new Error(`${name}: ${answer.status} ${answer.body.toString().slice(0, 500)}`);
  const found = foundIn(JSON.parse(answer.body.toString()));
  if (!(found >= least)) throw new Error(`${name}: found ${found}, expected at least ${least} (${path})`);
  return answer;
}

/** How much an answer has: its count, or the elements of its first list that is not empty. */
function foundIn(answer: unknown): number {
  if (Array.isArray(answer)) return answer.length;
  if (typeof answer !== 'object' || answer === null) return 0;
  if ('count' in answer) return Number(answer.count);
  return Object.values(answer).find((value) => Array.isArray(value) && value.length > 0)?.length ?? 0;
}

/** The account with the most transactions. */
export async function largestAccount(target: Target): Promise<string> {
  const { summary } = await readJson<{ summary: { account_id: string; transaction_count: number }[] }>(
    target,
    `${LIST}/summary?group_by=account`,
  );
  const [largest] = summary.toSorted((a, b) => b.transaction_count - a.transaction_count);
  if (!largest) throw new Error('The household has no transactions.');
  return largest.account_id;
}

/** What the comparison asks, by the name of its aim. */
export async function comparedQuestions(target: Target): Promise<[aim: keyof typeof AIMS, question: Question][]> {
  const account = `account_id=${await largestAccount(target)}`;
  return [
    ['firstPage', { name: 'first page', path: `${LIST}?limit=${PAGE}`, least: PAGE }],
    ['accountAndMonth', { name: 'account and month', path: `${LIST}?${account}&${MONTH}`, least: PAGE }],
    ['searchCommon', { name: 'search, a common word', path: `${LIST}?search=amazon`, least: PAGE }],
    ['searchFuzzy', { name: 'search, fuzzy', path: `${LIST}?search=starbuks&search_mode=fuzzy`, least: PAGE }],
    ['filterTag', { name: 'filter: tag', path: `${LIST}?tag=needs-review`, least: PAGE }],
    [
      'searchFuzzy',
      { name: 'search, fuzzy, a common word', path: `${LIST}?search=amazn&search_mode=fuzzy`, least: PAGE },
    ],
    [
      'monthByCategory',
      { name: 'month × category, one year', path: `${LIST}/summary?group_by=category_month&${YEAR}`, least: 300 },
    ],
    ['merchants', { name: 'merchants, one year', path: `${LIST}/merchants?${YEAR}`, least: 100 }],
  ];
}
