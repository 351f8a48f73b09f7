import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';

import { generateHousehold } from '../../simulators/household.ts';
import { writeHousehold } from '../../simulators/write-household.ts';
import { PRESETS, type Preset } from '../../src/features/workflow-presets/index.ts';
import { bookkeep } from '../../src/journal/write.ts';
import { addTransactions, type NewTransaction } from '../harness/ledger.ts';
import { linesOf, runRow, workOnRuns } from '../harness/workflows/runs.ts';
import { forEachDatabase, type TestApp } from '../harness/test-app.ts';
import { isSpending, readLedger, sums, type LedgerRow } from './ledger-rows.ts';
import { MINDS, stemOf } from './preset-minds.ts';
import { CHARS_PER_TOKEN, thinkingModel, type Measured, type Result, type ThinkingModel } from './thinking-model.ts';

/**
 * Each preset is enabled on one demo household, and run twice with a model that does what its prompt says. That shows
 * that the calls of the prompts are right, that they fit the caps, and that nothing is proposed a second time.
 */

const UNTIL = '2026-04-25';
/** One for each kind of thing that presets propose or report. */
const ON_BOTH: ReadonlySet<string> = new Set([
  'rule-foundation',
  'series-foundation',
  'routine-reviewer',
  'series-curator',
  'monthly-close',
  'large-charge-sentinel',
]);
/** What finds what is new beside the proposal of another. */
const FOUNDATIONS: Readonly<Record<string, string>> = {
  'series-curator': 'series-foundation',
  'counterparty-curator': 'counterparty-foundation',
};
/** How far below its caps a run must stay. */
const MARGIN = 2;

interface Outcome {
  text: string;
  proposal: Result;
  changes: Result[];
  reports: Result[];
  measured: Measured;
}

forEachDatabase((database) => {
  let app: TestApp;
  let model: ThinkingModel;
  let ledger: LedgerRow[];
  const first = new Map<string, Outcome>();
  const chosen = PRESETS.filter(({ slug }) => database.name === 'SQLite' || ON_BOTH.has(slug));

  beforeAll(async () => {
    app = await database.open({ standInModel: () => model });
    await writeHousehold(app.app.instance, generateHousehold({ seed: 1, transactions: 1_500, years: 1, until: UNTIL }));
    await addNews(app);
    const settings = { provider: 'openai_compatible', base_url: 'http://127.0.0.1:9/v1', model: 'thinking' };
    await app.request('PUT', '/api/v1/workflows/settings', { body: settings });
    ledger = await readLedger(app);
  });

  async function run(slug: string): Promise<Outcome> {
    const workflow = await workflowOf(app, slug);
    model = thinkingModel(MINDS[slug] as (typeof MINDS)[string]);
    const { status, json } = await app.request('POST', `/api/v1/workflows/${workflow.slug}/run`);
    if (status !== 201) throw new Error(`${slug}: ${JSON.stringify(json)}`);
    const { id } = json;
    await workOnRuns(app);
    const row = await runRow(app, id);
    if (row.status !== 'success')
      throw new Error(`${slug}: ${row.error_message} ${JSON.stringify((await linesOf(app, id)).slice(-3))}`);
    expect(row).toMatchObject({ hit_cap: null, result_text: expect.any(String) });
    return { text: row.result_text ?? '', ...(await left(app, id)), measured: model.measured };
  }

  test.each(chosen.map((preset) => [preset.slug, preset] as const))(
    '%s ends well, within its caps',
    async (slug, preset) => {
      await leaveOpen(app, first.get(FOUNDATIONS[slug] ?? '')?.proposal?.id ?? null);
      const done = await run(slug);
      first.set(slug, done);
      await CHECKS[slug]?.(done, { app, ledger });
      expectWithinCaps(preset, done.measured);
    },
  );

  describe('a second time, while the proposal of the first is open', () => {
    test.each(chosen.map(({ slug }) => slug))('%s proposes nothing that waits there', async (slug) => {
      const before = first.get(slug) as Outcome;
      await leaveOpen(app, before.proposal?.id ?? null);
      const again = await run(slug);
      const placesOf = ({ changes }: Outcome): string[] => changes.map(placeOf);
      const waiting = new Set(placesOf(before));
      expect(placesOf(again).filter((place) => waiting.has(place))).toEqual([]);
      const said = new Set(before.reports.map(({ body }) => body));
      expect(again.reports.filter(({ body }) => said.has(body))).toEqual([]);
    });
  });
});

/** What waits in one proposal is not proposed by any workflow, so each preset has the household to itself. */
async function leaveOpen(app: TestApp, id: string | null): Promise<void> {
  await bookkeep(app.app.instance.database, async (tx) => {
    await sql`update proposals set status = case when id = ${id} then 'proposed' else 'expired' end`.execute(tx.q);
  });
}

/** What two changes share that would ask a person the same thing. */
function placeOf({ entity_type: type, entity_id: id, operation, after, transaction_id: row }: Result): string {
  if (type === 'comment') return `comment on ${row}: ${after.body}`;
  return operation === 'create' ? `${type} ${after.name ?? after.slug}` : `${type} ${id}`;
}

function expectWithinCaps(preset: Preset, { turns, calls, inputChars, outputChars, resultChars }: Measured): void {
  expect(turns * MARGIN).toBeLessThanOrEqual(preset.max_turns);
  expect(((inputChars + outputChars) / CHARS_PER_TOKEN) * MARGIN).toBeLessThanOrEqual(preset.max_tokens);
  expect(calls).toBeLessThanOrEqual(200);
  // What the last request holds must fit a context of 128,000 tokens.
  expect((resultChars / CHARS_PER_TOKEN) * MARGIN).toBeLessThanOrEqual(128_000);
}

interface Seen {
  app: TestApp;
  ledger: readonly LedgerRow[];
}

const ofType = ({ changes }: Outcome, type: string): Result[] =>
  changes.filter(({ entity_type: one, operation }) => one === type && operation === 'create').map(({ after }) => after);
const namesOf = (outcome: Outcome, type: string): string[] => ofType(outcome, type).map(({ name }) => name);
const rowsSet = ({ changes }: Outcome, field: string): Result[] =>
  changes.filter(({ entity_type: type, after }) => type === 'transaction' && after[field] !== undefined);
const isOpen = (row: LedgerRow): boolean => !row.pending && !row.flagged;

/** Rows get categories that exist and that their merchants had before, and nobody's choice is touched. */
async function expectSensibleFiling(outcome: Outcome, { app, ledger }: Seen): Promise<void> {
  const { json: categories } = await app.request('GET', '/api/v1/categories');
  const slugOf = new Map<string, string>(categories.map(({ id, slug }: Result) => [id, slug]));
  const filed = rowsSet(outcome, 'category_id');
  expect(filed.length).toBeGreaterThan(2);
  for (const { label, before, after } of filed) {
    expect(before).toMatchObject({ category_id: null, category_source: null });
    const alike = ledger.filter(({ name, category }) => category !== null && name.includes(stemOf(label)));
    expect(alike.map(({ category }) => category)).toContain(slugOf.get(after.category_id));
  }
}

/** Amounts that a report says it is about are those of the rows themselves. */
function expectTotals({ reports: [report] }: Outcome, { ledger }: Seen, from: string, to: string): void {
  const spent = ledger.filter((row) => isSpending(row) && row.date >= from && row.date <= to);
  const totals = Object.entries(sums(spent, ({ currency }) => currency));
  expect(totals.length).toBe(2);
  expect(report).toMatchObject({
    kind: 'digest',
    priority: 'info',
    title: expect.stringContaining(`${from} to ${to}`),
  });
  for (const [code, total] of totals) expect(report.body).toContain(`- ${total} ${code}`);
}

/** What each preset must find in the household. */
const CHECKS: Readonly<Record<string, (outcome: Outcome, seen: Seen) => unknown>> = {
  'rule-foundation': (outcome) => {
    const rules = ofType(outcome, 'rule');
    // Where the bank's category is the same, the rule only becomes its source.
    const filed = rowsSet(outcome, 'category_source');
    expect(rules.length).toBeGreaterThan(1);
    expect(filed.length).toBeGreaterThan(20);
    for (const { before, after } of filed) {
      expect(before.category_source).not.toBe('person');
      expect(after.category_source).toBe('rule');
    }
    expect(outcome.reports).toMatchObject([{ title: `${rules.length} rules file ${filed.length} rows` }]);
  },
  'bulk-catchup': async (outcome, seen) => {
    await expectSensibleFiling(outcome, seen);
    const count = rowsSet(outcome, 'category_id').length;
    expect(outcome.reports).toMatchObject([{ title: `${count} transactions filed` }]);
  },
  'series-foundation': (outcome) => {
    expect(namesOf(outcome, 'series').sort()).toEqual(['CITY GYM CLUB', 'PODCASTS PLUS']);
    expect(ofType(outcome, 'rule')).toHaveLength(2);
    expect(rowsSet(outcome, 'series_id')).toHaveLength(6 + 3);
  },
  'counterparty-foundation': (outcome) => {
    expect(namesOf(outcome, 'counterparty')).toEqual(expect.arrayContaining(['City Gym Club', 'Greenleaf Nursery']));
    const nursery = rowsSet(outcome, 'counterparty_id').filter(({ label }) => label === 'GREENLEAF NURSERY');
    expect(nursery).toHaveLength(4);
  },
  'routine-reviewer': async (outcome, seen) => {
    await expectSensibleFiling(outcome, seen);
    const since = '2026-03-12';
    const fresh = seen.ledger.filter((row) => isOpen(row) && row.category === null && row.date >= since);
    const touched = new Set(outcome.changes.map(({ entity_short_id: id }) => id));
    expect(fresh.filter(({ id }) => !touched.has(id))).toEqual([]);
    const questions = ofType(outcome, 'comment').length;
    expect(outcome.reports).toMatchObject([
      { kind: 'review', title: expect.stringContaining(`${questions} questions`) },
    ]);
  },
  'transaction-reviewer': async (outcome, seen) => {
    await expectSensibleFiling(outcome, seen);
    expect(ofType(outcome, 'rule').length).toBeGreaterThan(0);
  },
  'backlog-closer': async (outcome, seen) => {
    await expectSensibleFiling(outcome, seen);
    const oldest = seen.ledger.filter((row) => isOpen(row) && row.category === null).slice(-50);
    const touched = outcome.changes.filter(({ entity_type: type }) => type === 'transaction');
    expect(new Set(touched.map(({ entity_short_id: id }) => id))).toEqual(new Set(oldest.map(({ id }) => id)));
  },
  'series-curator': (outcome) => {
    expect(rowsSet(outcome, 'series_id')).toMatchObject([{ label: 'WINDOW CLEANER JO BLOGGS' }]);
    // What the foundation has proposed waits there.
    expect(namesOf(outcome, 'series')).toEqual([]);
    expect(outcome.reports).toMatchObject([
      { priority: 'warning', title: 'News daily rose from 9.99 to 11.99 USD', body: expect.not.stringContaining(' -') },
    ]);
  },
  'counterparty-curator': (outcome) => {
    expect(namesOf(outcome, 'counterparty')).toContain('Harbor Motel');
    expect(namesOf(outcome, 'counterparty')).not.toContain('Greenleaf Nursery');
    expect(outcome.reports).toMatchObject([{ title: 'Blue Door Cafe and Blue Door Cafes' }]);
  },
  'weekly-money-digest': (outcome, seen) => expectTotals(outcome, seen, '2026-04-13', '2026-04-19'),
  'monthly-close': (outcome, seen) => expectTotals(outcome, seen, '2026-03-01', '2026-03-31'),
  'large-charge-sentinel': ({ changes, reports }, { ledger }) => {
    expect(changes).toEqual([]);
    const linked = (tag: string): string[] =>
      reports
        .filter(({ tags }) => tags.includes(tag))
        .flatMap(({ body }) => body.match(/(?<=\/transactions\/)\w+/g) ?? []);
    const idsOf = (text: string): string[] => ledger.filter(({ name }) => name === text).map(({ id }) => id);
    expect(linked('large-charge')).toEqual(idsOf('STEREO WORLD'));
    expect(linked('double-charge').sort()).toEqual(idsOf('HARBOR MOTEL 22').sort());
    expect(reports).toHaveLength(2);
  },
};

async function workflowOf(app: TestApp, slug: string): Promise<Result> {
  const { json: preset } = await app.request('GET', `/api/v1/workflow-presets/${slug}`);
  if (preset.workflow_slug !== null)
    return (await app.request('GET', `/api/v1/workflows/${preset.workflow_slug}`)).json;
  return (await app.request('POST', `/api/v1/workflow-presets/${slug}/enable`)).json;
}

/** What a run left for people: its proposal with all changes, and its reports. */
async function left(app: TestApp, runId: string): Promise<Pick<Outcome, 'proposal' | 'changes' | 'reports'>> {
  const { json: all } = await app.request('GET', '/api/v1/reports', { query: { limit: 500 } });
  const reports = all.filter((report: Result) => report.workflow_run_id === runId);
  const { json: list } = await app.request('GET', '/api/v1/proposals', { query: { run_id: runId } });
  const [proposal = null] = list.proposals;
  if (proposal === null) return { proposal, changes: [], reports };
  const { json } = await app.request('GET', `/api/v1/proposals/${proposal.id}`, { query: { limit: 500 } });
  return { proposal, changes: json.changes, reports };
}

/** What the demo household has not, for each preset to find. */
async function addNews(app: TestApp): Promise<void> {
  const { json: accounts } = await app.request('GET', '/api/v1/accounts');
  const account = accounts.find((one: Result) => one.display_name === 'Joint checking');
  const rows = (name: string, amount_cents: number, ...dates: string[]): NewTransaction[] =>
    dates.map((date) => ({ account, date, amount_cents, name }));
  await addTransactions(app, [
    ...rows('PODCASTS PLUS', 799, '2026-02-12', '2026-03-12', '2026-04-12'),
    ...rows('CITY GYM CLUB', 3_900, '2025-11-03', '2025-12-03', '2026-01-03', '2026-02-03', '2026-03-03', '2026-04-03'),
    ...rows('GREENLEAF NURSERY', 2_350, '2026-03-07', '2026-03-21', '2026-04-04', '2026-04-18'),
    ...rows('HARBOR MOTEL 22', 12_900, '2026-04-21', '2026-04-22'),
    ...rows('STEREO WORLD', 289_000, '2026-04-23'),
  ]);
  await addSeries(app, 'Window cleaner', rows('WINDOW CLEANER JO', 6_000, '2026-01-05', '2026-02-05', '2026-03-05'));
  await addTransactions(app, rows('WINDOW CLEANER JO BLOGGS', 6_000, '2026-04-06'));
  await addSeries(app, 'News daily', [
    ...rows('NEWS DAILY', 999, '2026-02-20', '2026-03-20'),
    ...rows('NEWS DAILY', 1_199, '2026-04-20'),
  ]);
  for (const name of ['Blue Door Cafe', 'Blue Door Cafes']) {
    await app.request('POST', '/api/v1/counterparties', { body: { name } });
  }
}

async function addSeries(app: TestApp, name: string, rows: readonly NewTransaction[]): Promise<void> {
  const made = await addTransactions(app, rows);
  const body = { name, type: 'subscription', transaction_ids: made.map(({ id }) => id) };
  const { status, text } = await app.request('POST', '/api/v1/series', { body });
  if (status !== 201) throw new Error(text);
}
