import { describe, expect, test } from 'vitest';

import { ACTION_TYPES, entryOf } from '../../engines/rules/actions.ts';
import { FIELDS } from '../../engines/rules/fields.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { listedTool, tools, toolsOf } from '../agent-tools/index.ts';
import { BLOCKS, BUILT_IN_SYSTEM_PROMPT, composePrompt, PRESETS, toolsOfPreset, type Preset } from './index.ts';

const MOST_TOOLS = 16;

type Json = Readonly<Record<string, unknown>>;

/** The names of all arguments of a tool, those inside others included. */
function argumentsOf(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { properties = {}, ...others } = schema as Json & { properties?: Json };
  return [...Object.keys(properties), ...Object.values({ ...properties, ...others }).flatMap(argumentsOf)];
}

const spansIn = (text: string): string[] => [...text.matchAll(/`([^`]+)`/g)].map(([, span]) => span as string);
const namedBy = (preset: Preset): string[] =>
  toolsOfPreset(
    preset,
    tools.map(({ info }) => info.name),
  );
const toolNamed = (name: string) => tools.find(({ info }) => info.name === name);

/** What results have; the scripted models of test/agents read them. */
const RESULT_FIELDS = new Set([
  'affected_count',
  'already_proposed',
  'as_of',
  'average_amount',
  'backlog',
  'balances',
  'category_source',
  'change',
  'change_count',
  'changes',
  'counts',
  'fires',
  'first_date',
  'in_progress',
  'kind',
  'last_amount',
  'last_date',
  'match_count',
  'matched',
  'name',
  'needs_review_count',
  'next_expected_date',
  'parent',
  'price_changes',
  'repeat_group',
  'sample_matches',
  'slug',
  'status',
  'timezone',
  'totals',
  'transaction_count',
  'truncated',
  'uncategorized_count',
]);
const VALUES = new Set([
  'bill',
  'contains',
  'expense',
  'income',
  'late',
  'loan',
  'other',
  'person',
  'series',
  'subscription',
  'transfer',
]);
const RULE_WORDS = new Set<string>([
  ...ACTION_TYPES,
  ...ACTION_TYPES.flatMap((type) => entryOf(type).members),
  ...Object.keys(FIELDS),
]);

describe.each(BLOCKS.map((block) => [block.id, block.content] as const))('%s', (id, text) => {
  test('every word in it that stands for something stands for something there is', () => {
    const spans = spansIn(text);
    // A strategy may speak of what its knowledge block calls for.
    const beside = PRESETS.filter(({ prompt_blocks: blocks }) => blocks.includes(id)).flatMap(namedBy);
    const known = new Set(
      beside.flatMap((name) => argumentsOf(listedTool(toolNamed(name) as (typeof tools)[number]).inputSchema)),
    );
    const unknown = spans.filter((span) => {
      const [, argument] = /^([a-z_]+): ?/.exec(span) ?? [];
      if (argument !== undefined) return !known.has(argument) && !RULE_WORDS.has(argument);
      if (!/^[a-z_]+$/.test(span)) return false;
      return !(
        toolNamed(span) ||
        known.has(span) ||
        RESULT_FIELDS.has(span) ||
        RULE_WORDS.has(span) ||
        VALUES.has(span) ||
        span === 'counterparty' ||
        span === 'rule'
      );
    });
    expect(unknown).toEqual([]);
  });

  test('is plain prose', () => {
    expect(text).toMatch(/^## [A-Z]/);
    expect(text).not.toMatch(/[—!]| \b(?:MUST|NEVER|ALWAYS|IMPORTANT|DO NOT)\b|\*\*Note/);
  });
});

describe.each(PRESETS.map((preset) => [preset.slug, preset] as const))('%s', (_, preset) => {
  test('its tools are those that its blocks name, few, and within its scope', () => {
    const named = namedBy(preset);
    expect(named.length).toBeGreaterThan(0);
    expect(named.length).toBeLessThanOrEqual(MOST_TOOLS);
    expect(named.filter((name) => !toolsOf(preset.tool_scope, [], { isAfterSync: true }).includes(name))).toEqual([]);
    const words = preset.prompt_blocks.flatMap((id) => spansIn(BLOCKS.find((block) => block.id === id)?.content ?? ''));
    const calls = new Set(words.filter((word) => toolNamed(word)));
    expect(named.toSorted()).toEqual([...calls].toSorted());
    expect(named).toContain('submit_report');
  });

  test('is a workflow that may be created, with at most one trigger and no model', () => {
    expect(preset).not.toHaveProperty('model');
    expect(preset.schedule_cron !== null && preset.trigger_on_sync_complete).toBe(false);
    const strategies = preset.prompt_blocks.filter((id) =>
      BLOCKS.some((one) => one.id === id && one.group === 'strategy'),
    );
    expect(strategies).toHaveLength(1);
    expect(preset.prompt_blocks.filter((id) => !BLOCKS.some((one) => one.id === id))).toEqual([]);
  });

  test('its first choices change nothing, and every other one says something', () => {
    const compose = (options: Record<string, string>): string =>
      composePrompt({ blocks: preset.prompt_blocks, preset, options, extraInstructions: null });
    const plain = compose({});
    expect(plain.length).toBeLessThan(LIMITS.workflowPromptChars / 4);
    for (const { key, label, default: usual, choices } of preset.options) {
      expect(choices[0]).toMatchObject({ value: usual, directive: '' });
      expect(compose({ [key]: usual })).toBe(plain);
      for (const { value, directive } of choices.slice(1)) {
        expect(directive).not.toBe('');
        expect(compose({ [key]: value })).toBe(`${plain}\n\n## ${label}\n\n${directive}`);
      }
    }
  });
});

test('a prompt is its blocks, then its options, then what the household adds', () => {
  const [first, second] = ['strategy-large-charge-sentinel', 'category-system'].map(
    (id) => BLOCKS.find((block) => block.id === id)?.content,
  );
  const preset = PRESETS.find(({ slug }) => slug === 'large-charge-sentinel') ?? null;
  const options = { report_verbosity: 'detailed', lookback_window: '30' };
  const [window, verbosity] = preset?.options ?? [];
  const composed = composePrompt({
    blocks: ['strategy-large-charge-sentinel', 'no-longer-there', 'category-system'],
    preset,
    options,
    extraInstructions: 'Rent is normal.',
  });
  expect(composed).toBe(
    [
      first,
      second,
      `## Days to look back\n\n${window?.choices[1]?.directive}`,
      `## Length of the report\n\n${verbosity?.choices[1]?.directive}`,
      '## Additional instructions\n\nRent is normal.',
    ].join('\n\n'),
  );
});

test('the built-in system prompt fits where one of the household would, and names only tools that there are', () => {
  expect(BUILT_IN_SYSTEM_PROMPT.length).toBeLessThan(LIMITS.workflowSystemPromptChars);
  const words = BUILT_IN_SYSTEM_PROMPT.match(/\b(?:get|list|query|submit)_[a-z_]+/g) ?? [];
  expect(words.filter((word) => !toolNamed(word))).toEqual([]);
});
