import { below } from './budgets.ts';
import { withCopy } from './copy.ts';
import type { BenchLedger } from './ledgers.ts';
import type { BenchPostgres } from './postgres.ts';
import { call, percentiles, post, type Target } from './load.ts';
import { startHomeledger } from './server.ts';
import { ms, took, type Note } from './table.ts';

type Json = Record<string, unknown>;

const RULES = 200;
const PER_BATCH = 50;
const POLL_MS = 50;
const ROUNDED = { maximumFractionDigits: 0 };

/** Rules as a household has after some years: most look for a merchant, some at amounts, days, categories and tags. */
export function lifelikeRules(merchants: readonly string[], categories: readonly string[]): Json[] {
  return Array.from({ length: RULES }, (_, index): Json => {
    const merchant = merchants[index % merchants.length] ?? 'x';
    const word = merchant.split(/[^\p{L}]+/u).find((part) => part.length > 3) ?? merchant;
    const category = categories[index % categories.length] ?? '';
    const toCategory = { type: 'set_category', category_slug: category };
    const tag = { type: 'add_tag', tag_slug: `kind-${index % 12}` };
    const forms: [Json, Json[]][] = [
      [{ field: 'merchant_name', op: 'eq', value: merchant }, [toCategory]],
      [{ field: 'name', op: 'contains', value: word }, [toCategory]],
      [
        {
          and: [
            { field: 'name', op: 'contains', value: word },
            { field: 'amount', op: 'gt', value: 50 },
          ],
        },
        [tag],
      ],
      [{ field: 'name', op: 'matches', value: `(?i)\\b${word}\\b.*[0-9]{2}` }, [{ type: 'flag' }]],
      [
        {
          and: [
            { field: 'category', op: 'eq', value: category },
            { field: 'amount_abs', op: 'between', min: 900, max: 5_000 },
            { field: 'day_of_month', op: 'approx', value: 1, tolerance: 3 },
          ],
        },
        [tag],
      ],
    ];
    const [condition, actions] = forms[index < RULES / 2 ? index % 2 : index % forms.length] as [Json, Json[]];
    return { name: `Rule ${index}`, condition, actions, priority: index % 7 === 0 ? 50 : 100 };
  });
}

/** What running rules over the whole ledger takes, and what it does to small requests meanwhile. */
export async function rules(ledger: BenchLedger, note: Note, postgres: BenchPostgres | null): Promise<void> {
  await withCopy(ledger, postgres, (copy) => runRules(copy, note, postgres));
}

async function runRules(copy: BenchLedger, note: Note, postgres: BenchPostgres | null): Promise<void> {
  const server = await startHomeledger(copy);
  const client = clientOf({ port: server.port, key: copy.key });
  try {
    const { transactions } = (await client.read('/api/v1/transactions?limit=500')) as {
      transactions: { name: string; merchant_name: string | null }[];
    };
    const merchants = [...new Set(transactions.map((row) => row.merchant_name ?? row.name))];
    const categories = (await client.read('/api/v1/categories')) as { slug: string }[];
    const slugs = categories.map(({ slug }) => slug);
    const list = lifelikeRules(merchants, slugs);
    await previews(client, list, note);
    note('suggestions of rules', null, took((await client.send('/rules/suggest', {})).ms));
    for (let start = 0; start < RULES; start += PER_BATCH) {
      await client.send('/rules/batch', { rules: list.slice(start, start + PER_BATCH) });
    }
    const [first] = ((await client.read('/api/v1/rules?limit=1')) as { rules: { id: string }[] }).rules;
    const conflicts = await call(client.target, `/api/v1/rules/${first?.id}/conflicts`);
    note('conflicts of one rule', null, took(conflicts.ms));
    // The embedded database writes into its log what it writes at all, until a checkpoint copies it once more.
    const written = async (): Promise<number> => (postgres ? postgres.logBytes() : server.writtenBytes());
    const before = await written();
    const changed = await applyAll(client, 'apply-all of 200 rules on rows that no rule has seen', note);
    const each = ((await written()) - before) / changed;
    note('written for each row that apply-all changed', null, `${each.toLocaleString('en', ROUNDED)} bytes`, each);
    await applyAll(client, 'apply-all again', note);
    const actions = [{ type: 'set_category', category_slug: slugs.at(-1) }];
    await client.send('/rules/batch', { rules: [{ ...list[1], actions, name: 'One more', priority: 1_000 }] });
    await applyAll(client, 'apply-all after one more rule was made', note);
    const peak = server.peakMiB();
    note('memory at the peak of rules', below(512, 'MiB'), `${peak.toFixed(0)} MiB`, peak);
  } finally {
    await server.stop();
  }
}

interface Client {
  target: Target;
  read(path: string): Promise<unknown>;
  send(path: string, body: unknown): Promise<{ ms: number; json: Json }>;
}

function clientOf(target: Target): Client {
  return {
    target,
    read: async (path) => JSON.parse((await call(target, path)).body.toString()) as unknown,
    async send(path, body) {
      const answer = await post(target, `/api/v1${path}`, 'application/json', Buffer.from(JSON.stringify(body)));
      const json = JSON.parse(answer.body.toString()) as Json;
      if (answer.status >= 300) throw new Error(`${path}: ${answer.body.toString().slice(0, 500)}`);
      return { ms: answer.ms, json };
    },
  };
}

async function previews(client: Client, list: readonly Json[], note: Note): Promise<void> {
  for (const [name, body] of [
    ['one merchant', list[0] as Json],
    ['every transaction', { actions: list[0]?.['actions'] }],
    ['matches only', { condition: { field: 'amount', op: 'gt', value: 20 } }],
  ] as [string, Json][]) {
    const { ms: time, json } = await client.send('/rules/preview', body);
    const isCut = json['truncated'] === true;
    const figure = isCut ? Number.NaN : time / 1_000;
    note(`preview of a rule: ${name}`, below(5, 's'), `${took(time)}${isCut ? ', TRUNCATED' : ''}`, figure);
  }
}

/** One run of all rules, and how long a small request takes meanwhile. Gives how many rows it changed. */
async function applyAll(client: Client, name: string, note: Note): Promise<number> {
  const [account] = (await client.read('/api/v1/accounts')) as { id: string }[];
  const times: number[] = [];
  const start = performance.now();
  let going = true;
  const run = jobToItsEnd(client).finally(() => {
    going = false;
  });
  while (going) {
    times.push((await call(client.target, `/api/v1/accounts/${account?.id}`)).ms);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  const result = await run;
  const counts = `${String(result['matched_count'])} matched, ${String(result['affected_count'])} changed`;
  const time = performance.now() - start;
  note(name, below(30, 's'), `${took(time)} (${counts})`, time / 1_000);
  const { p50, p99 } = percentiles(times);
  note(`GET of one account during: ${name}`, below(50, 'ms p99'), `p50 ${ms(p50)}, p99 ${ms(p99)}`, p99);
  return Number(result['affected_count']);
}

async function jobToItsEnd(client: Client): Promise<Json> {
  let { json } = await client.send('/rules/apply-all', {});
  while (json['status'] === 'queued' || json['status'] === 'running') {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    json = (await client.read(`/api/v1/jobs/${String(json['id'])}`)) as Json;
  }
  return (json['result'] ?? json) as Json;
}
