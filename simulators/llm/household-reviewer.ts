import { addDays } from '../../src/kernel/dates.ts';
import { resultsIn, type Conversation, type ToolResult } from './conversation.ts';
import { categoryOfMerchant } from './merchant-categories.ts';
import type { ReplyInput } from './reply.ts';
import { simpleAnswer } from './simple-answers.ts';

/**
 * A model that reviews a household: it files what it knows the merchant of, and asks about the rest. All it knows is in
 * the conversation, so it works over each wire and after each restart.
 */
export function householdReviewer(conversation: Conversation): ReplyInput {
  const offered = new Set(conversation.tools.map(({ name }) => name));
  if (!offered.has('get_overview')) return simpleAnswer(conversation);
  const said = readResults(conversation);
  const overview = said.newest('get_overview');
  if (!overview) return calling('I start with the overview.', { get_overview: {} });
  if (overview.isError) return ending('The overview cannot be read, so I have done nothing.');
  const can = (...tools: string[]): boolean => tools.every((tool) => offered.has(tool));
  if (can('query_transactions', 'list_categories', 'update_transactions')) return review(conversation, said);
  if (can('transaction_summary', 'submit_report')) return digest(said);
  return ending('I have read the overview. This simulated model does not know what else to do here.');
}

// oxlint-disable-next-line typescript/no-explicit-any
type Json = any;

interface Said {
  newest(tool: string): { json: Json; isError: boolean } | undefined;
  all(tool: string): readonly Json[];
}

function readResults(conversation: Conversation): Said {
  const results = resultsIn(conversation);
  const of = (tool: string): readonly ToolResult[] => results.filter(({ name }) => name === tool);
  return {
    newest(tool) {
      const last = of(tool).at(-1);
      if (!last) return undefined;
      const json = parsed(last.text);
      return { json, isError: last.isError || json === undefined || json.error !== undefined };
    },
    all: (tool) => of(tool).map(({ text }) => parsed(text) ?? {}),
  };
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

type Calls = Readonly<Record<string, object | readonly object[]>>;

/** Calls of several tools, or of one tool several times, in one answer. */
function calling(text: string, calls: Calls): ReplyInput {
  const tool_calls = Object.entries(calls).flatMap(([name, given]) =>
    [given].flat().map((one) => ({ name, arguments: one as Record<string, unknown> })),
  );
  return { text, tool_calls };
}

function ending(text: string): ReplyInput {
  return { text };
}

const BACK_DAYS = 45;
const ROWS = 100;
const TAG = 'needs-review';

/** Tools leave out what is null or empty. */
interface Row {
  id: string;
  name: string;
  counterparty_name?: string;
  amount: string;
  iso_currency_code: string;
  category_slug?: string;
  category_source?: string;
  tags?: readonly string[];
}

function review(conversation: Conversation, said: Said): ReplyInput {
  const overview = said.newest('get_overview')?.json;
  const found = said.all('query_transactions');
  if (found.length === 0) {
    const { uncategorized_count: open, needs_review_count: marked } = overview.backlog;
    if (open === 0 && marked === 0) return ending('There is nothing to review.');
    const mine = { proposed: false, flagged: false, pending: false, limit: ROWS };
    const dateFrom = addDays(String(overview.as_of).slice(0, 10), -BACK_DAYS);
    return calling(`${open} rows have no category, ${marked} wait for a review.`, {
      list_categories: {},
      query_transactions: [
        { ...mine, uncategorized: true, date_from: dateFrom },
        { ...mine, tag: TAG },
      ],
    });
  }
  const written = said.newest('update_transactions');
  const decisions = decide(conversation, said);
  if (!written) {
    if (decisions.length === 0) return ending('There is nothing that I could file or ask about.');
    const operations = decisions.map(({ operation }) => operation);
    const sent = { operations, on_error: 'continue', reason: 'Routine review' };
    return calling(summaryOf(decisions, 'to file'), { update_transactions: sent });
  }
  if (written.isError) return ending('The changes were refused, so nothing is filed.');
  const done = written.json.proposed === true ? 'proposed' : 'filed';
  const questions = decisions.filter(({ question }) => question !== undefined);
  const canReport = conversation.tools.some(({ name }) => name === 'submit_report');
  if (questions.length === 0 || !canReport || said.newest('submit_report')) {
    return ending(`${summaryOf(decisions, done)} ${outcomeOf(written.json)}`);
  }
  return calling('I am sending the household my questions.', {
    submit_report: {
      title: summaryOf(decisions, done).slice(0, -1),
      body: questions.map(({ row, question }) => `- ${linked(row)}: ${question}`).join('\n'),
      kind: 'review',
      priority: 'info',
    },
  });
}

function outcomeOf(written: Json): string {
  const failed = Number(written.failed ?? 0) > 0 ? ` ${written.failed} changes failed.` : '';
  return `${written.proposed === true ? 'A person decides.' : 'It is done.'}${failed}`;
}

interface Decision {
  row: Row;
  operation: object;
  question?: string;
}

/** The same rows give the same decisions, whatever has been said since. */
function decide(conversation: Conversation, said: Said): Decision[] {
  const rows = said.all('query_transactions').flatMap(({ transactions = [] }) => transactions as Row[]);
  const slugs = new Set<string>((said.newest('list_categories')?.json.categories ?? []).map(({ slug }: Json) => slug));
  const onlyFlags = conversation.turns.some((turn) => turn.role === 'user' && turn.text.includes('Set no category'));
  const distinct = new Map(rows.map((row) => [row.id, row]));
  return [...distinct.values()].flatMap((row): Decision[] => {
    const { id: transaction_id, tags = [], category_slug: present, category_source: source } = row;
    const wanted = categoryOfMerchant(`${row.counterparty_name ?? ''} ${row.name}`, slugs);
    const untagged = tags.includes(TAG) ? { tags_to_remove: [TAG] } : {};
    const isSettled = present !== undefined && (present === wanted || source === 'person');
    if (present !== undefined && !onlyFlags) {
      return isSettled && tags.includes(TAG) ? [{ row, operation: { transaction_id, ...untagged } }] : [];
    }
    if (wanted !== undefined && !onlyFlags) {
      return [{ row, operation: { transaction_id, category_slug: wanted, ...untagged } }];
    }
    const question = questionOn(row, wanted);
    return [{ row, question, operation: { transaction_id, flagged: true, comment: question } }];
  });
}

function questionOn({ name, category_slug: present }: Row, wanted: string | undefined): string {
  if (present !== undefined) return `It is filed under ${present}. Is that right?`;
  if (wanted !== undefined) return `I would file this under ${wanted}, because of its merchant.`;
  return `What was this for? The bank says only “${plain(name)}”.`;
}

function summaryOf(decisions: readonly Decision[], done: string): string {
  const asked = decisions.filter(({ question }) => question !== undefined).length;
  const filed = decisions.length - asked;
  const count = (n: number, noun: string): string => `${n} ${noun}${n === 1 ? '' : 's'}`;
  return `${count(filed, 'transaction')} ${done}, ${count(asked, 'question')}.`;
}

function linked({ id, name, amount, iso_currency_code: currency }: Row): string {
  return `[${plain(name)}, ${amount} ${currency}](/transactions/${id})`;
}

/** Without what Markdown would take for its own. */
function plain(text: string): string {
  return text.replaceAll(/[[\]()*_`<>#|\\]+/g, ' ').trim();
}

const DIGEST_DAYS = 30;
const GROUPS = 8;

function digest(said: Said): ReplyInput {
  const today = String(said.newest('get_overview')?.json.as_of).slice(0, 10);
  const range = { date_from: addDays(today, -DIGEST_DAYS), date_to: addDays(today, -1) };
  const summary = said.newest('transaction_summary');
  if (!summary) {
    const call = { group_by: 'category_primary', spending_only: true, ...range };
    return calling('I total the spending of the last 30 days.', { transaction_summary: call });
  }
  if (summary.isError) return ending('The spending cannot be read, so I am not sending a report.');
  if (said.newest('submit_report')) return ending('The report is sent.');
  const totals = (summary.json.totals as Json[]).map((one) => `${one.total_amount} ${one.iso_currency_code}`);
  if (totals.length === 0) return ending('Nothing was spent, so I am not sending a report.');
  const groups = (summary.json.summary as Json[]).slice(0, GROUPS);
  const lines = groups.map(
    (one) => `- ${one.category_name ?? 'No category'}: ${one.total_amount} ${one.iso_currency_code}`,
  );
  return calling('I report where the money went.', {
    submit_report: {
      title: `${range.date_from} to ${range.date_to}: ${totals.join(' and ')} spent`,
      body: `## Spending\n${lines.join('\n')}`,
      kind: 'digest',
      priority: 'info',
    },
  });
}
