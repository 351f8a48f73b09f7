import { addDays, dayNumber } from '../../src/kernel/dates.ts';
import type { Ask, Mind, Result } from './thinking-model.ts';

/** How sensible models would follow the prompts of the presets, call by call. */

type Steps<T> = Generator<readonly Ask[], T, Result[]>;
type Input = Readonly<Record<string, unknown>>;

const ask = (tool: string, input: Input = {}): Ask => ({ tool, input });
const query = (input: Input): Ask => ask('query_transactions', input);
const NOTHING = 'There is nothing to do.';
const OPEN = { proposed: false, flagged: false, pending: false } as const;
const LATER = ['proposed', 'rejected'];
const LINES = (lines: readonly string[]): string => lines.join('\n');

/** One call, and its result. */
function* one(call: Ask): Steps<Result> {
  const [result] = yield [call];
  return result;
}

/** The part of a bank text that never changes: its longest run of words without digits and codes. */
export function stemOf(name: string): string {
  const runs = name
    .replaceAll(',', ' ')
    .split(/\s*\S*[\d#*%]\S*\s*|\s{2,}/)
    .map((run) => run.trim().split(' ').slice(0, 3).join(' '));
  return runs.reduce((best, run) => (run.length > best.length ? run : best), '') || name.replaceAll(',', ' ').trim();
}

const link = ({ id, name, amount, iso_currency_code: currency }: Result): string =>
  `[${name}, ${amount} ${currency}](/transactions/${id})`;
const dayOf = (overview: Result): string => overview.as_of.slice(0, 10);
const byId = (rows: readonly Result[]): Result[] => [...new Map(rows.map((row) => [row.id, row])).values()];
const byMerchant = (rows: readonly Result[]): Map<string, Result[]> => Map.groupBy(rows, ({ name }) => stemOf(name));

/** What the household did with a merchant so far, if that was always the same; a person's choices count more. */
function habitIn(rows: readonly Result[]): string | undefined {
  const byPeople = rows.filter(({ category_source: source }) => source === 'person');
  const slugs = new Set((byPeople.length > 0 ? byPeople : rows).map(({ category_slug: slug }) => slug));
  return slugs.size === 1 ? [...slugs][0] : undefined;
}

const reviewReport = (title: string, lines: readonly string[]): Ask =>
  ask('submit_report', { kind: 'review', priority: 'info', title, body: LINES(['## Open', ...lines]) });

interface Decided {
  operations: Input[];
  filed: number;
  questions: string[];
}

/** Files, takes out of the queue, or asks, row by row. */
function decide(rows: readonly Result[], habits: ReadonlyMap<string, string | undefined>): Decided {
  const decided: Decided = { operations: [], filed: 0, questions: [] };
  for (const row of rows) {
    const { id: transaction_id, tags, category_slug: has, category_source: source } = row;
    const habit = habits.get(stemOf(row.name));
    const tagged = tags.includes('needs-review') ? { tags_to_remove: ['needs-review'] } : {};
    if (has !== undefined) {
      if (source !== 'person') decided.operations.push({ transaction_id, ...tagged });
    } else if (habit !== undefined) {
      decided.operations.push({ transaction_id, category_slug: habit, ...tagged });
      decided.filed += 1;
    } else {
      const comment = `Seems to be ${stemOf(row.name)}, which was never filed before. What was it for?`;
      decided.operations.push({ transaction_id, flagged: true, comment });
      decided.questions.push(`- ${link(row)}: what was it for?`);
    }
  }
  return { ...decided, operations: decided.operations.filter((operation) => Object.keys(operation).length > 1) };
}

/** The depth "efficient": one look-up for each merchant. */
const HABITS = 'name,date,category_slug,category_source';

function* lookUp(rows: readonly Result[]): Steps<Map<string, string | undefined>> {
  const stems = [...byMerchant(rows.filter(({ category_slug: slug }) => slug === undefined)).keys()];
  if (stems.length === 0) return new Map();
  const found = yield stems.map((search) => query({ search, uncategorized: false, limit: 5, fields: HABITS }));
  return new Map(stems.map((stem, index) => [stem, habitIn(found[index].transactions)]));
}

const write = (operations: readonly Input[]): Ask =>
  ask('update_transactions', { operations, on_error: 'continue', reason: 'Review of new transactions' });

const routineReviewer: Mind = function* () {
  const overview = yield* one(ask('get_overview'));
  const { uncategorized_count: missing, needs_review_count: waiting } = overview.backlog;
  if (missing === 0 && waiting === 0) return NOTHING;
  const queues: Input[] = [
    { ...OPEN, limit: 100, uncategorized: true, date_from: addDays(dayOf(overview), -45) },
    { ...OPEN, limit: 100, tag: 'needs-review' },
  ];
  const pages = yield queues.map(query);
  const rows = byId(pages.flatMap(({ transactions }) => transactions));
  if (rows.length === 0) return NOTHING;
  const [, ...commented] = yield [
    ask('list_categories'),
    ...queues.map((queue) => query({ ...queue, has_comment: true })),
  ];
  const discussed = byId(commented.flatMap(({ transactions }) => transactions));
  const read = discussed.map(({ id }) => ask('get_transaction', { transaction_id: id, include: ['comments'] }));
  if (read.length > 0) yield read;
  const habits = yield* lookUp(rows);
  const isDiscussed = new Set(discussed.map(({ id }) => id));
  const { operations, filed, questions } = decide(
    rows.filter(({ id }) => !isDiscussed.has(id)),
    habits,
  );
  if (operations.length > 0) yield* one(write(operations));
  if (questions.length === 0) return `Filed ${filed} transactions.`;
  yield* one(reviewReport(`${filed} new transactions filed, ${questions.length} questions`, questions));
  return `Filed ${filed} transactions and asked about ${questions.length}.`;
};

const transactionReviewer: Mind = function* () {
  const overview = yield* one(ask('get_overview'));
  const { uncategorized_count: missing, needs_review_count: waiting } = overview.backlog;
  if (missing === 0 && waiting === 0) return NOTHING;
  const queues: Input[] = [
    { ...OPEN, limit: 15, uncategorized: true, date_from: addDays(dayOf(overview), -45) },
    { ...OPEN, limit: 15, tag: 'needs-review' },
  ];
  const pages = yield queues.map(query);
  const rows = byId(pages.flatMap(({ transactions }) => transactions));
  if (rows.length === 0) return NOTHING;
  const [, ...commented] = yield [
    ask('list_categories'),
    ...queues.map((queue) => query({ ...queue, has_comment: true })),
  ];
  const discussed = byId(commented.flatMap(({ transactions }) => transactions)).map(({ id }) => id);
  const habits = yield* lookUp(rows);
  const isOdd = (row: Result): boolean => row.category_slug === undefined && !habits.get(stemOf(row.name));
  const odd = rows.filter((row) => discussed.includes(row.id) || isOdd(row));
  if (odd.length > 0) {
    yield odd.map(({ id }) => ask('get_transaction', { transaction_id: id, include: ['timeline', 'comments'] }));
  }
  const { operations, filed, questions } = decide(
    rows.filter(({ id }) => !discussed.includes(id)),
    habits,
  );
  const clear = [...habits].flatMap(([stem, habit]) => (habit === undefined ? [] : [ruleFor(stem, habit)]));
  const rules = yield* writeRules(clear.slice(0, 3));
  if (operations.length > 0) yield* one(write(operations));
  if (questions.length + rules.length === 0) return `Filed ${filed} transactions.`;
  const bullets = [...questions, ...rules.map(({ name }) => `- New rule: ${name}`)];
  yield* one(reviewReport(`${filed} filed, ${questions.length} questions, ${rules.length} rules`, bullets));
  return `Filed ${filed} transactions.`;
};

const contains = (value: string): Input => ({ field: 'name', op: 'contains', value });
const ruleFor = (stem: string, slug: string): Result => ({
  name: `${stem} is ${slug}`,
  condition: contains(stem),
  actions: [{ type: 'set_category', category_slug: slug }],
});

/** "Writing rules": the guide, what there is, a preview of each, and one call for those that are right. */
function* writeRules(wanted: readonly Result[], known?: ReadonlySet<string>): Steps<Result[]> {
  const refused = wanted.length === 0 ? new Set<string>() : (known ?? (yield* waiting('rule')));
  const fresh = wanted.filter(({ name }) => !refused.has(name));
  if (fresh.length === 0) return [];
  const [, ...existing] = yield [
    ask('get_guide', { topic: 'rules' }),
    ...fresh.map(({ condition }) => ask('list_rules', { search: condition.value })),
  ];
  const missing = fresh.filter((_, index) => existing[index].rules.length === 0);
  if (missing.length === 0) return [];
  const previews = yield missing.map(({ condition, actions }) =>
    ask('preview_rule', { condition, actions, sample_size: 5 }),
  );
  const right = missing.filter((rule, index) => {
    const { match_count: matched, sample_matches: sample } = previews[index];
    return matched >= 2 && sample.every((match: Result) => isOf(rule, match.transaction));
  });
  if (right.length === 0) return [];
  const { rules } = yield* one(ask('create_rules', { rules: right, reason: 'These rows always go the same way' }));
  return rules;
}

function isOf(rule: Result, { name }: Result): boolean {
  return name.toLowerCase().includes(String(rule.condition.value).toLowerCase());
}

type Kind = 'rule' | 'series' | 'counterparty';

/** What of these kinds waits in a proposal or was refused, by name: the first pages in one answer, further ones if needed. */
function* waiting(...kinds: readonly Kind[]): Steps<ReadonlySet<string>> {
  const { proposals } = yield* one(ask('list_proposals', { status: LATER }));
  const numberIn = ({ counts }: Result): number => kinds.reduce((sum, kind) => sum + (counts[kind] ?? 0), 0);
  let open: Result[] = proposals.filter((proposal: Result) => numberIn(proposal) > 0);
  const names: string[] = [];
  const seen = new Map<string, number>();
  while (open.length > 0) {
    const pages = yield open.map(({ id, cursor, ...proposal }) =>
      ask('list_proposals', {
        proposal_id: id,
        limit: numberIn(proposal),
        ...(cursor === undefined ? {} : { cursor }),
      }),
    );
    open = open.flatMap((proposal, index) => {
      const { changes, next_cursor: cursor } = pages[index];
      const those = changes.filter(({ entity_type: type }: Result) => kinds.includes(type));
      names.push(...those.map(({ label, after }: Result) => after?.name ?? label));
      const count = (seen.get(proposal.id) ?? 0) + those.length;
      seen.set(proposal.id, count);
      return count < numberIn(proposal) && cursor !== '' ? [{ ...proposal, cursor }] : [];
    });
  }
  return new Set(names);
}

const backlogCloser: Mind = function* () {
  const overview = yield* one(ask('get_overview'));
  if (overview.backlog.uncategorized_count === 0) return NOTHING;
  const asked: Input = { ...OPEN, uncategorized: true, order: 'asc', limit: 50 };
  const [page] = yield [
    query(asked),
    ask('merchant_summary', { uncategorized: true, limit: 30 }),
    ask('list_categories'),
  ];
  const rows: Result[] = page.transactions;
  if (rows.length === 0) return 'All that is left waits for a person.';
  const stems = [...byMerchant(rows).keys()];
  const histories = yield stems.map((search) =>
    query({ search, limit: 20, fields: 'name,date,amount,account_id,category_slug,category_source' }),
  );
  const habits = new Map(
    stems.map((stem, index) => {
      const filed = histories[index].transactions.filter((row: Result) => row.category_slug !== undefined);
      return [stem, filed.length >= 2 ? habitIn(filed) : undefined];
    }),
  );
  const lone = rows.filter(({ name }) => habits.get(stemOf(name)) === undefined).slice(0, 5);
  const sides = yield lone.flatMap(({ id, date, amount }) => [
    ask('get_transaction', { transaction_id: id, include: ['timeline', 'comments'] }),
    ask('explain_transaction', { transaction_id: id }),
    query({
      amount_abs_min: amount.replace('-', ''),
      amount_abs_max: amount.replace('-', ''),
      date_from: addDays(date, -3),
      date_to: addDays(date, 3),
    }),
  ]);
  if (sides.length > 0 && sides[0].transaction === undefined) throw new Error('The row was not read.');
  const { operations, filed, questions } = decide(rows, habits);
  yield* one(write(operations));
  yield* one(reviewReport(`${filed} old transactions filed, ${questions.length} need a person`, questions));
  return `Filed ${filed} of ${rows.length} rows.`;
};

const bulkCatchup: Mind = function* () {
  const overview = yield* one(ask('get_overview'));
  const { uncategorized_count: missing, needs_review_count: waiting } = overview.backlog;
  if (missing === 0 && waiting === 0) return NOTHING;
  const [{ merchants }] = yield [
    ask('merchant_summary', { uncategorized: true, min_count: 3, limit: 60 }),
    ask('list_categories'),
  ];
  let filed = yield* fileGroups(merchants);
  for (const queue of [{ tag: 'needs-review' }, { uncategorized: true }]) {
    let cursor: string | undefined;
    for (let page = 0; page < 5 && cursor !== ''; page++) {
      const asked: Input = { ...queue, ...OPEN, limit: 100, ...(cursor === undefined ? {} : { cursor }) };
      const { transactions, next_cursor: next } = yield* one(query(asked));
      const { operations, filed: count } = decide(transactions, yield* lookUp(transactions));
      const clear = operations.filter(({ flagged }) => flagged === undefined);
      if (clear.length > 0) {
        const { already_proposed: already = 0 } = yield* one(write(clear));
        filed += Math.max(0, count - already);
      }
      cursor = next;
    }
  }
  if (filed === 0) return 'Nothing new could be filed.';
  yield* one(reviewReport(`${filed} transactions filed`, ['- The rest needs a careful review.']));
  return `Filed ${filed} transactions.`;
};

/** Merchant by merchant: first a count, then the same for real. */
function* fileGroups(merchants: readonly Result[]): Steps<number> {
  const stems = merchants.map(({ merchant }) => stemOf(merchant));
  const found = yield stems.map((search) => query({ search, uncategorized: false, limit: 5, fields: HABITS }));
  const groups = stems.flatMap((search, index) => {
    const target = habitIn(found[index].transactions);
    const filter = { uncategorized: true, pending: false, search };
    return target === undefined ? [] : [{ target_category_id: target, filter }];
  });
  if (groups.length === 0) return 0;
  const counted = yield groups.map((group) => ask('bulk_recategorize', group));
  const right = groups.flatMap((group, index) => {
    const { matched, changes } = counted[index];
    return matched > 0 && changes.length > 0
      ? [{ ...group, dry_run: false, expected_count: matched, reason: 'One merchant' }]
      : [];
  });
  if (right.length === 0) return 0;
  const done = yield right.map((group) => ask('bulk_recategorize', group));
  return done.reduce((sum, { updated, already_proposed: already = 0 }) => sum + updated - already, 0);
}

const ruleFoundation: Mind = function* () {
  yield* one(ask('get_overview'));
  yield* one(ask('list_rules', { limit: 200 }));
  const known = yield* waiting('rule');
  const [{ suggestions }, { merchants }] = yield [
    ask('suggest_rules', { min_count: 3, limit: 30 }),
    ask('merchant_summary', { uncategorized: true, min_count: 3, limit: 60 }),
    ask('list_categories'),
    ask('get_guide', { topic: 'rules' }),
  ];
  const stems: string[] = merchants.map(({ merchant }: Result) => stemOf(merchant));
  const found =
    stems.length === 0
      ? []
      : yield stems.map((search) => query({ search, uncategorized: false, limit: 5, fields: HABITS }));
  const own = stems.flatMap((stem, index) => {
    const habit = habitIn(found[index].transactions);
    return habit === undefined ? [] : [ruleFor(stem, habit)];
  });
  const candidates = [...suggestions.map(({ rule }: Result) => rule), ...own].filter(({ name }) => !known.has(name));
  if (candidates.length === 0) return 'No new rule is worth it.';
  const previews = yield candidates.map(({ condition, actions }) =>
    ask('preview_rule', { condition, actions, sample_size: 5 }),
  );
  const right = candidates.filter((_, index) => previews[index].change_count > 0);
  if (right.length === 0) return 'No rule passed.';
  const { rules } = yield* one(ask('create_rules', { rules: right.slice(0, 50), reason: 'What people did by hand' }));
  const applied = yield rules.map(({ id }: Result) => ask('apply_rules', { rule_id: id, dry_run: false }));
  const counts = applied.map(({ affected_count: count }) => count as number);
  const total = counts.reduce((sum, count) => sum + count, 0);
  const lines = rules.map(({ name }: Result, index: number) => `- ${name}: ${counts[index]} rows`);
  yield* one(reviewReport(`${rules.length} rules file ${total} rows`, lines));
  return `Proposed ${rules.length} rules.`;
};

const seriesRule = (stem: string): Result => ({
  name: `${stem} belongs to its series`,
  condition: contains(stem),
  actions: [{ type: 'assign_series', series_name: stem, series_type: 'subscription', create_if_missing: true }],
});
const counterpartyRule = (stem: string): Result => ({
  name: `${stem} is ${plainName(stem)}`,
  condition: contains(stem),
  actions: [{ type: 'assign_counterparty', counterparty_name: plainName(stem), create_if_missing: true }],
});

const SERIES_FIELDS = 'id,date,amount,iso_currency_code,name,merchant_name,series_id';

/** Whether rows come back at one interval and cost about the same. */
function isRecurring(rows: readonly Result[]): boolean {
  if (rows.length < 2) return false;
  const days = rows.map(({ date }) => dayNumber(date)).sort((a, b) => a - b);
  const gaps = days.slice(1).map((day, index) => day - (days[index] as number));
  const cents = rows.map(({ amount }) => Math.round(Number(amount) * 100));
  const usual = gaps.toSorted((a, b) => a - b)[Math.floor(gaps.length / 2)] as number;
  const isEven = gaps.every((gap) => Math.abs(gap - usual) <= 4) && usual >= 25;
  return isEven && Math.max(...cents) <= Math.min(...cents) * 1.3;
}

/** About one payment a month, quarter or year. */
function mayRecur({ transaction_count: count, first_date: first, last_date: last }: Result): boolean {
  const gap = (dayNumber(last) - dayNumber(first)) / (count - 1);
  return [30.4, 91.3, 365].some((usual) => Math.abs(gap - usual) <= usual / 10);
}

const seriesFoundation: Mind = function* () {
  const overview = yield* one(ask('get_overview'));
  const { series: there } = yield* one(ask('list_series', { status: 'all' }));
  const known = yield* waiting('series', 'rule');
  const { merchants } = yield* one(
    ask('merchant_summary', {
      spending_only: true,
      min_count: 3,
      limit: 150,
      date_from: addDays(dayOf(overview), -425),
    }),
  );
  const names = new Set([...there.map(({ name }: Result) => name.toLowerCase()), ...known]);
  const few = merchants.filter((one_: Result) => mayRecur(one_) && !names.has(one_.merchant.toLowerCase()));
  const stems = [...new Set<string>(few.map(({ merchant }: Result) => stemOf(merchant)))];
  const found = yield stems.map((search) => query({ search, limit: 15, fields: SERIES_FIELDS }));
  const fresh = stems.filter((stem, index) => {
    const rows: Result[] = found[index].transactions;
    return !known.has(stem) && rows.every(({ series_id: id }) => id === undefined) && isRecurring(rows);
  });
  if (fresh.length === 0) return 'There is nothing new.';
  const wanted = fresh.map(seriesRule);
  const rules = yield* writeRules(wanted, known);
  const applied = yield rules.map(({ id }) => ask('apply_rules', { rule_id: id, dry_run: false }));
  const lines = rules.map(({ name }, index) => `- ${name}: ${applied[index].affected_count} rows`);
  yield* one(reviewReport(`${fresh.length} recurring payments found`, lines));
  return `Proposed ${fresh.length} series.`;
};

const seriesCurator: Mind = function* () {
  const overview = yield* one(ask('get_overview'));
  const today = dayOf(overview);
  const { series } = yield* one(ask('list_series', { status: 'all' }));
  const findings: string[] = [];
  const late = series.filter(({ status }: Result) => status === 'late');
  const fields = 'id,date,amount,iso_currency_code,name,series_id';
  const searched =
    late.length === 0
      ? []
      : yield late.map((one_: Result) =>
          query({ search: stemOf(one_.name), date_from: one_.last_date, proposed: false, fields }),
        );
  const joining = late.flatMap((one_: Result, index: number) => {
    const rows = searched[index].transactions.filter(({ series_id: id, date }: Result) => !id && date > one_.last_date);
    return rows.length === 0 ? [] : [{ series_id: one_.id, add_transaction_ids: rows.map(({ id }: Result) => id) }];
  });
  if (joining.length > 0)
    yield joining.map((input: Input) => ask('save_series', { ...input, reason: 'The same payment' }));
  const { merchants } = yield* one(
    ask('merchant_summary', { new_since: addDays(today, -90), min_count: 2, spending_only: true }),
  );
  const known = yield* waiting('series', 'rule');
  const stems = merchants.map(({ merchant }: Result) => stemOf(merchant)).filter((stem: string) => !known.has(stem));
  const rows = stems.length === 0 ? [] : yield stems.map((search: string) => query({ search, limit: 10, fields }));
  const fresh = stems.flatMap((stem: string, index: number) => {
    const free = rows[index].transactions.filter(({ series_id: id }: Result) => id === undefined);
    return free.length === rows[index].transactions.length && isRecurring(free) ? [{ stem, free }] : [];
  });
  if (fresh.length > 0) {
    yield fresh.map(({ stem, free }: Result) => {
      const add = free.map(({ id }: Result) => id);
      return ask('save_series', { name: stem, type: 'subscription', add_transaction_ids: add, reason: 'It is new' });
    });
  }
  const often = fresh.filter(({ free }: Result) => free.length >= 3);
  yield* writeRules(
    often.map(({ stem }: Result) => seriesRule(stem)),
    known,
  );
  findings.push(...fresh.map(({ stem, free }: Result) => `- New: ${stem}, ${link(free[0])}`));
  const { price_changes: changes } = yield* one(ask('audit_bills', { since: addDays(today, -35) }));
  const rises = changes.filter(({ change }: Result) => Number(change) > 0);
  findings.push(
    ...rises.map(
      (one_: Result) => `- ${one_.name} rose from ${one_.old_amount} to ${one_.new_amount} ${one_.iso_currency_code}`,
    ),
  );
  return yield* reportNews('series', findings, rises.length > 0 ? 'warning' : 'info', 'anomaly');
};

/** Reports what no report of the last weeks has said. */
function* reportNews(tag: string, findings: readonly string[], priority: string, kind: string): Steps<string> {
  const { reports } = yield* one(ask('list_reports', { tag: [tag], limit: 10 }));
  const bodies =
    reports.length === 0 ? [] : yield reports.map(({ id }: Result) => ask('list_reports', { report_id: id }));
  const said = LINES(bodies.map((read) => read.reports[0].body));
  const news = findings.filter((finding) => !said.includes(finding));
  if (news.length === 0) return 'There is nothing new to report.';
  const title = (news[0] as string).slice(2);
  yield* one(ask('submit_report', { kind, priority, tags: [tag], title, body: LINES(news) }));
  return title;
}

const COUNTERPARTY_FIELDS = 'id,date,amount,name,merchant_name,counterparty_id';
const plainName = (stem: string): string =>
  stem.toLowerCase().replaceAll(/(?<![\p{L}’'])\p{L}/gu, (letter) => letter.toUpperCase());
const isOwnMoney = (text: string): boolean => /transfer|autopay|zelle|interest|payment|atm|fee|savings/i.test(text);

const counterpartyFoundation: Mind = function* () {
  const overview = yield* one(ask('get_overview'));
  yield* one(ask('list_counterparties', { limit: 300 }));
  const known = yield* waiting('counterparty', 'rule');
  const { merchants } = yield* one(
    ask('merchant_summary', { min_count: 3, limit: 200, date_from: addDays(dayOf(overview), -425) }),
  );
  const bare = merchants.filter((one_: Result) => one_.counterparty_id === undefined && !isOwnMoney(one_.merchant));
  const stems = [...new Set<string>(bare.map(({ merchant }: Result) => stemOf(merchant)))];
  const fresh = stems.filter((stem) => !known.has(plainName(stem)));
  if (fresh.length === 0) return 'There is nothing new to name.';
  const found = yield fresh.map((search) => query({ search, limit: 10, fields: COUNTERPARTY_FIELDS }));
  const clear = fresh.filter((_, index) => found[index].transactions.length >= 3);
  const rules = yield* writeRules(clear.map(counterpartyRule), known);
  if (rules.length === 0) return 'There is nothing new to name.';
  const applied = yield rules.map(({ id }) => ask('apply_rules', { rule_id: id, dry_run: false }));
  const lines = rules.map(({ name }, index) => `- ${name}: ${applied[index].affected_count} rows`);
  yield* one(reviewReport(`${clear.length} counterparties named`, lines));
  return `Proposed ${clear.length} counterparties.`;
};

const counterpartyCurator: Mind = function* () {
  const overview = yield* one(ask('get_overview'));
  const { merchants } = yield* one(
    ask('merchant_summary', { date_from: addDays(dayOf(overview), -60), min_count: 2, limit: 60 }),
  );
  const bare = merchants.filter((one_: Result) => one_.counterparty_id === undefined && !isOwnMoney(one_.merchant));
  const stems = [...new Set<string>(bare.map(({ merchant }: Result) => stemOf(merchant)))].slice(0, 10);
  const known = stems.length === 0 ? new Set<string>() : yield* waiting('counterparty', 'rule');
  const looked =
    stems.length === 0
      ? []
      : yield stems.flatMap((stem) => [
          ask('list_counterparties', { search: stem }),
          query({ search: stem, proposed: false, limit: 20, fields: COUNTERPARTY_FIELDS }),
        ]);
  const saves = stems.flatMap((stem, index) => {
    const [{ counterparties }, { transactions }] = looked.slice(index * 2, index * 2 + 2) as [Result, Result];
    const free = transactions.filter(({ counterparty_id: id }: Result) => id === undefined).map(({ id }: Result) => id);
    if (free.length === 0 || known.has(plainName(stem))) return [];
    const whose = counterparties.length === 1 ? { counterparty_id: counterparties[0].id } : { name: plainName(stem) };
    return [{ ...whose, add_transaction_ids: free, reason: 'The same merchant' }];
  });
  if (saves.length > 0) yield saves.map((input) => ask('save_counterparty', input));
  const often = saves.flatMap((save) => ('name' in save && save.add_transaction_ids.length >= 3 ? [save.name] : []));
  yield* writeRules(stems.filter((stem) => often.includes(plainName(stem))).map(counterpartyRule), known);
  const { counterparties: all } = yield* one(ask('list_counterparties', { limit: 300 }));
  const names: string[] = all.map(({ name }: Result) => name);
  const twins = names.flatMap((name) =>
    names
      .filter((other) => other !== name && other.startsWith(name) && other.length - name.length <= 2)
      .map((other) => `- ${name} and ${other}`),
  );
  return yield* reportNews('counterparties', twins, 'info', 'review');
};

/** The last full week or month before today, and those before it that are compared. */
function periodOf(today: string, isMonthly: boolean): { from: string; to: string; usualFrom: string } {
  if (isMonthly) {
    const to = addDays(`${today.slice(0, 7)}-01`, -1);
    const [year, month] = to.split('-').map(Number) as [number, number];
    const before = new Date(Date.UTC(year, month - 4, 1)).toISOString().slice(0, 10);
    return { from: `${to.slice(0, 7)}-01`, to, usualFrom: before };
  }
  // Day 0 was a Thursday.
  const monday = addDays(today, -((dayNumber(today) + 3) % 7));
  return { from: addDays(monday, -7), to: addDays(monday, -1), usualFrom: addDays(monday, -35) };
}

const spendingReport: Mind = function* () {
  const [overview, { workflows }] = yield [ask('get_overview'), ask('list_workflows', { runs: 1 })];
  const mine = workflows.find(({ runs }: Result) => runs.some(({ status }: Result) => status === 'in_progress'));
  const isMonthly = mine !== undefined && (mine.fires.split(' ')[2] ?? '*') !== '*';
  const { from, to, usualFrom } = periodOf(dayOf(overview), isMonthly);
  const { reports } = yield* one(ask('list_reports', { kind: ['digest'], limit: 10 }));
  if (reports.some(({ title }: Result) => title.startsWith(`${from} to ${to}`))) return 'This period was reported.';
  const range = { date_from: from, date_to: to };
  const group = isMonthly ? 'category_primary,month' : 'category_primary,week';
  const [kinds, spent, usual, top, largest, { series }] = yield [
    ask('transaction_summary', { group_by: 'kind', ...range }),
    ask('transaction_summary', { group_by: 'category_primary', spending_only: true, ...range }),
    ask('transaction_summary', {
      group_by: group,
      spending_only: true,
      date_from: usualFrom,
      date_to: addDays(from, -1),
    }),
    ask('merchant_summary', { spending_only: true, limit: 10, ...range }),
    query({ category_kind: 'expense', sort: 'amount', limit: 5, ...range }),
    ask('list_series', { direction: 'out' }),
  ];
  if (kinds.totals.length === 0) return 'There were no transactions in this period.';
  const lines = spent.totals.map(({ iso_currency_code: code, total_amount: total }: Result) => {
    const average = usual.totals.find((one_: Result) => one_.iso_currency_code === code)?.average_amount;
    return `- ${total} ${code}${average === undefined ? '' : ` (usually ${average} ${code})`}`;
  });
  const until = addDays(dayOf(overview), isMonthly ? 31 : 7);
  const bills = series.filter(
    ({ next_expected_date: next }: Result) => next !== undefined && next >= dayOf(overview) && next <= until,
  );
  const shops = top.merchants
    .slice(0, 3)
    .map((shop: Result) => `- ${shop.merchant}: ${shop.total_amount} ${shop.iso_currency_code}`);
  const body = LINES([
    '## Spending',
    ...lines,
    ...shops,
    '## What was different',
    ...largest.transactions.map((row: Result) => `- ${link(row)}`),
    '## Coming up',
    ...bills.map(
      (bill: Result) =>
        `- ${bill.next_expected_date}: ${bill.name}, ${bill.last_amount} ${bill.last_iso_currency_code}`,
    ),
  ]);
  const title = `${from} to ${to}: ${lines.map((line: string) => line.slice(2)).join(', ')}`;
  yield* one(ask('submit_report', { kind: 'digest', priority: 'info', title: title.slice(0, 200), body }));
  return 'Sent the report.';
};

const largeChargeSentinel: Mind = function* () {
  const overview = yield* one(ask('get_overview'));
  const today = dayOf(overview);
  const start = addDays(today, -7);
  const [{ reports }, { categories }] = yield [
    ask('list_reports', { tag: ['large-charge', 'double-charge'], limit: 10 }),
    ask('list_categories', { kind: 'transfer' }),
  ];
  const bodies =
    reports.length === 0 ? [] : yield reports.map(({ id }: Result) => ask('list_reports', { report_id: id }));
  const said = LINES(bodies.map((read) => read.reports[0].body));
  const isNews = (row: Result): boolean => !said.includes(`/transactions/${row.id})`);
  const transfers = new Set(categories.map(({ slug }: Result) => slug));
  const isCharge = (row: Result): boolean => !transfers.has(row.category_slug);
  const codes: string[] = overview.balances.map((balance: Result) => balance.iso_currency_code);
  const sorted = { amount_min: '0.01', sort: 'amount', limit: 15 };
  const before = { date_from: addDays(start, -90), date_to: addDays(start, -1) };
  const found = yield codes.flatMap((code) => [
    query({ iso_currency_code: code, ...sorted, ...before }),
    query({ iso_currency_code: code, ...sorted, date_from: start }),
  ]);
  const candidates = codes.flatMap((_, index) => {
    const [norm, recent] = found
      .slice(index * 2, index * 2 + 2)
      .map(({ transactions }) => transactions.filter(isCharge));
    const line = Number((norm[9] ?? norm.at(-1))?.amount ?? 0);
    return recent.filter((row: Result) => Number(row.amount) >= line && isNews(row));
  });
  const histories =
    candidates.length === 0
      ? []
      : yield candidates.map(({ name }: Result) => query({ search: stemOf(name), date_to: before.date_to, limit: 10 }));
  const large = candidates.filter((row: Result, index: number) =>
    histories[index].transactions.every((old: Result) => Number(old.amount) * 2 <= Number(row.amount)),
  );
  const doubled = yield* findDoubles(today, start, isNews);
  if (large.length > 0)
    yield* one(anomaly('large-charge', `${large[0].name}: ${large[0].amount} ${large[0].iso_currency_code}`, large));
  if (doubled.length > 0) yield* one(anomaly('double-charge', `${doubled[0].name} may have charged twice`, doubled));
  return large.length + doubled.length === 0
    ? 'There is nothing to report.'
    : `Reported ${large.length + doubled.length}.`;
};

function* findDoubles(today: string, start: string, isNews: (row: Result) => boolean): Steps<Result[]> {
  const { transactions: repeats } = yield* one(query({ repeats_within_days: 3, date_from: addDays(start, -3) }));
  const groups = [...Map.groupBy(repeats as Result[], ({ repeat_group: group }) => group).values()].filter(
    (rows) => rows.some(({ date }) => date >= start) && rows.some(isNews),
  );
  if (groups.length === 0) return [];
  const looked = yield groups.flatMap(([row]) => {
    const search = stemOf(row.name);
    return [
      query({ search, amount_min: row.amount, amount_max: row.amount, date_from: addDays(today, -365), limit: 15 }),
      query({ search, amount_max: '-0.01', date_from: addDays(row.date, -3) }),
    ];
  });
  return groups.flatMap((rows, index) => {
    const [usual, refunds] = looked.slice(index * 2, index * 2 + 2) as [Result, Result];
    const isHabit = usual.transactions.length > rows.length + 2;
    return isHabit || refunds.transactions.length > 0 ? [] : rows;
  });
}

const anomaly = (tag: string, title: string, rows: readonly Result[]): Ask =>
  ask('submit_report', {
    kind: 'anomaly',
    priority: 'warning',
    tags: [tag],
    title,
    body: LINES(rows.map((row) => `- ${link(row)}: check the receipt.`)),
  });

export const MINDS: Readonly<Record<string, Mind>> = {
  'rule-foundation': ruleFoundation,
  'bulk-catchup': bulkCatchup,
  'series-foundation': seriesFoundation,
  'counterparty-foundation': counterpartyFoundation,
  'routine-reviewer': routineReviewer,
  'transaction-reviewer': transactionReviewer,
  'backlog-closer': backlogCloser,
  'series-curator': seriesCurator,
  'counterparty-curator': counterpartyCurator,
  'weekly-money-digest': spendingReport,
  'monthly-close': spendingReport,
  'large-charge-sentinel': largeChargeSentinel,
};
