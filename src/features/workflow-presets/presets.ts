import { findBlock } from './blocks.ts';

/** A ready-made workflow (contract 60.3), by the names of its record. */
export interface Preset {
  readonly slug: string;
  readonly name: string;
  readonly category: string;
  /** Name of a Lucide icon. */
  readonly icon: string;
  readonly description: string;
  readonly prompt_blocks: readonly string[];
  readonly tool_scope: 'read_only' | 'propose';
  readonly model_tier: 'fast' | 'balanced' | 'deep';
  readonly max_turns: number;
  readonly max_tokens: number;
  readonly max_duration_seconds: number;
  readonly max_budget_usd: number;
  readonly est_cost_per_run_usd: number;
  readonly schedule_cron: string | null;
  readonly trigger_on_sync_complete: boolean;
  readonly options: readonly PresetOption[];
}

export interface PresetOption {
  readonly key: string;
  readonly label: string;
  readonly help: string;
  /** The value of the first choice. */
  readonly default: string;
  readonly choices: readonly { readonly value: string; readonly label: string; readonly directive: string }[];
}

const APPLY_MODE = option('apply_mode', 'How to apply', 'Whether rows are filed, or only flagged for a person', [
  ['auto', 'Categorize', ''],
  [
    'flag_only',
    'Only flag',
    'Set no category, remove no tag and write no rule in this run. Where the instructions above would have you file rows, set ' +
      '`flagged: true` on them instead, and say in a `comment` which category you would choose and why. Leave alone rows that are already in ' +
      'the right category. The title of the report says how many rows wait for a decision.',
  ],
]);

const RULE_MODE = option('rule_mode', 'What to do with rules', 'Whether new rules also run on existing rows', [
  ['create_apply', 'Create and apply', ''],
  [
    'create_only',
    'Only create',
    'Write the rules, but never run them on existing rows: leave out the step that does. In the report, give for each rule how many ' +
      'rows it would have changed (`change_count` of its preview).',
  ],
]);

const LOOKBACK = option('lookback_window', 'Days to look back', 'How many days of charges each run looks at', [
  ['7', '7 days', ''],
  ['30', '30 days', 'The window is the last 30 days.'],
  [
    '90',
    '90 days',
    'The window is the last 90 days. Report only the strongest findings: at most five large charges and five doubled ones, the largest ' +
      'amounts of each currency first.',
  ],
]);

const VERBOSITY = option('report_verbosity', 'Length of the report', 'How much of the evidence it gives', [
  ['concise', 'Concise', ''],
  [
    'detailed',
    'Detailed',
    'Give the full evidence for each finding instead of three lines: every row you compared it with, linked, with date, amount and ' +
      'currency; the line or the usual amount and how you got it; and what speaks against the finding.',
  ],
]);

type Kind = Pick<
  Preset,
  | 'max_turns'
  | 'max_tokens'
  | 'max_duration_seconds'
  | 'max_budget_usd'
  | 'schedule_cron'
  | 'trigger_on_sync_complete'
  | 'tool_scope'
>;

/** Run once, by hand. */
const ONCE: Kind = {
  tool_scope: 'propose',
  max_turns: 200,
  max_tokens: 3_000_000,
  max_duration_seconds: 1_800,
  max_budget_usd: 3,
  schedule_cron: null,
  trigger_on_sync_complete: false,
};
const AFTER_SYNCS: Kind = {
  ...ONCE,
  max_turns: 40,
  max_tokens: 600_000,
  max_duration_seconds: 600,
  max_budget_usd: 1,
  trigger_on_sync_complete: true,
};
const DIGEST: Kind = {
  ...AFTER_SYNCS,
  tool_scope: 'read_only',
  max_turns: 60,
  max_duration_seconds: 900,
  trigger_on_sync_complete: false,
};

const SETUP = 'Setup & Bulk';
const REVIEW = 'Categorization & Review';
const ENRICHMENT = 'Enrichment';
const INSIGHTS = 'Insights & Reports';
const ALERTS = 'Alerts & Anomalies';

/** In the order of the gallery. */
export const PRESETS: readonly Preset[] = [
  {
    ...ONCE,
    slug: 'rule-foundation',
    name: 'Rule Foundation',
    category: SETUP,
    icon: 'wand-sparkles',
    description: 'Reads the history once and proposes category rules, each tried out first.',
    model_tier: 'balanced',
    est_cost_per_run_usd: 0.5,
    prompt_blocks: ['strategy-rule-foundation', 'category-system'],
    options: [RULE_MODE],
  },
  {
    ...ONCE,
    slug: 'bulk-catchup',
    name: 'Bulk Catch-Up',
    category: SETUP,
    icon: 'layers',
    description: 'Clears a large review queue in one quick pass.',
    model_tier: 'fast',
    max_budget_usd: 2,
    est_cost_per_run_usd: 0.2,
    prompt_blocks: ['strategy-bulk-catchup', 'review-depth-efficient', 'category-system'],
    options: [APPLY_MODE],
  },
  {
    ...ONCE,
    slug: 'series-foundation',
    name: 'Series Foundation',
    category: SETUP,
    icon: 'repeat',
    description: 'Finds subscriptions, bills and loans, and writes a rule for each.',
    model_tier: 'balanced',
    est_cost_per_run_usd: 0.5,
    prompt_blocks: ['strategy-series-foundation', 'rules-curriculum'],
    options: [RULE_MODE],
  },
  {
    ...ONCE,
    slug: 'counterparty-foundation',
    name: 'Counterparty Foundation',
    category: SETUP,
    icon: 'store',
    description: 'Names the real other side behind bank descriptors.',
    model_tier: 'balanced',
    est_cost_per_run_usd: 0.5,
    prompt_blocks: ['strategy-counterparty-foundation', 'rules-curriculum'],
    options: [RULE_MODE],
  },
  {
    ...AFTER_SYNCS,
    slug: 'routine-reviewer',
    name: 'Routine Reviewer',
    category: REVIEW,
    icon: 'sparkles',
    description: 'After each sync, categorizes what is new and flags what is doubtful.',
    model_tier: 'fast',
    est_cost_per_run_usd: 0.02,
    prompt_blocks: ['strategy-routine-review', 'review-depth-efficient', 'category-system'],
    options: [APPLY_MODE],
  },
  {
    ...AFTER_SYNCS,
    slug: 'transaction-reviewer',
    name: 'Transaction Reviewer',
    category: REVIEW,
    icon: 'scan-search',
    description: 'After each sync, reviews rows one by one and turns repeats into rules.',
    model_tier: 'balanced',
    est_cost_per_run_usd: 0.04,
    prompt_blocks: ['strategy-transaction-reviewer', 'rules-curriculum', 'category-system'],
    options: [APPLY_MODE],
  },
  {
    ...AFTER_SYNCS,
    slug: 'backlog-closer',
    name: 'Backlog Closer',
    category: REVIEW,
    icon: 'list-checks',
    description: 'Every Monday, works through old uncategorized rows with care.',
    model_tier: 'deep',
    max_turns: 60,
    max_tokens: 900_000,
    max_duration_seconds: 1_800,
    max_budget_usd: 1.5,
    est_cost_per_run_usd: 0.08,
    schedule_cron: '0 7 * * 1',
    trigger_on_sync_complete: false,
    prompt_blocks: ['strategy-bulk-review', 'review-depth-thorough', 'category-system'],
    options: [APPLY_MODE],
  },
  {
    ...AFTER_SYNCS,
    slug: 'series-curator',
    name: 'Series Curator',
    category: ENRICHMENT,
    icon: 'repeat',
    description:
      'After each sync, keeps subscriptions and bills complete, and reports new subscriptions and price rises.',
    model_tier: 'balanced',
    est_cost_per_run_usd: 0.03,
    prompt_blocks: ['strategy-series-curator', 'rules-curriculum'],
    options: [],
  },
  {
    ...AFTER_SYNCS,
    slug: 'counterparty-curator',
    name: 'Counterparty Curator',
    category: ENRICHMENT,
    icon: 'store',
    description: 'After each sync, names new bank texts of known merchants, and finds duplicates.',
    model_tier: 'balanced',
    est_cost_per_run_usd: 0.03,
    prompt_blocks: ['strategy-counterparty-curator', 'rules-curriculum'],
    options: [],
  },
  {
    ...DIGEST,
    slug: 'weekly-money-digest',
    name: 'Weekly Money Digest',
    category: INSIGHTS,
    icon: 'chart-column',
    description: 'Every Monday, reports where last week’s money went and which bills come next.',
    model_tier: 'balanced',
    est_cost_per_run_usd: 0.05,
    schedule_cron: '0 7 * * 1',
    prompt_blocks: ['strategy-spending-report'],
    options: [],
  },
  {
    ...DIGEST,
    slug: 'monthly-close',
    name: 'Monthly Close',
    category: INSIGHTS,
    icon: 'calendar-check',
    description: 'On the first of each month, reports where last month’s money went and which bills come next.',
    model_tier: 'balanced',
    est_cost_per_run_usd: 0.07,
    schedule_cron: '0 8 1 * *',
    prompt_blocks: ['strategy-spending-report'],
    options: [],
  },
  {
    ...AFTER_SYNCS,
    slug: 'large-charge-sentinel',
    name: 'Large Charge Sentinel',
    category: ALERTS,
    icon: 'trending-up',
    description: 'After each sync, reports charges above the household’s norm, and charges that look doubled.',
    model_tier: 'balanced',
    est_cost_per_run_usd: 0.03,
    prompt_blocks: ['strategy-large-charge-sentinel'],
    options: [LOOKBACK, VERBOSITY],
  },
];

export function findPreset(slug: string): Preset | undefined {
  return PRESETS.find((preset) => preset.slug === slug);
}

/** The tools that the blocks of a preset name, in the order of the registry, whose names are given. */
export function toolsOfPreset({ prompt_blocks: blocks }: Preset, names: readonly string[]): string[] {
  const words = new Set(blocks.flatMap((id) => findBlock(id)?.content.match(/(?<=`)[a-z_]+(?=`)/g) ?? []));
  return names.filter((name) => words.has(name));
}

function option(
  key: string,
  label: string,
  help: string,
  choices: readonly (readonly [value: string, label: string, directive: string])[],
): PresetOption {
  return {
    key,
    label,
    help,
    default: choices[0]?.[0] ?? '',
    choices: choices.map(([value, name, directive]) => ({ value, label: name, directive })),
  };
}
