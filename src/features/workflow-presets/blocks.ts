import { readFileSync } from 'node:fs';

/** A text that prompts are composed of (contract 60.3). */
export interface Block {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  /** Name of a Lucide icon. */
  readonly icon: string;
  readonly group: BlockGroup;
  readonly content: string;
}

export const BLOCK_GROUPS = ['strategy', 'depth', 'knowledge'] as const;
export type BlockGroup = (typeof BLOCK_GROUPS)[number];

type Row = readonly [id: string, icon: string, title: string, description: string];

const ROWS: Readonly<Record<BlockGroup, readonly Row[]>> = {
  strategy: [
    [
      'strategy-bulk-catchup',
      'layers',
      'Catch up in bulk',
      'Files a long queue in one quick pass, merchant by merchant.',
    ],
    [
      'strategy-bulk-review',
      'list-checks',
      'Work through the backlog',
      'Files old rows with care, and asks where it is unsure.',
    ],
    [
      'strategy-counterparty-curator',
      'store',
      'Keep names right',
      'Gives new rows the right other side, and mends doubles.',
    ],
    [
      'strategy-counterparty-foundation',
      'store',
      'Name the other side',
      'Finds who is behind bank descriptors, and writes rules.',
    ],
    [
      'strategy-large-charge-sentinel',
      'trending-up',
      'Watch for unusual charges',
      'Reports charges that are unusually large, or doubled.',
    ],
    ['strategy-routine-review', 'calendar-check', 'Routine review', 'Files what is new, and flags the doubtful.'],
    [
      'strategy-rule-foundation',
      'wand-sparkles',
      'Lay the foundation of rules',
      'Reads the history once, and writes tried rules.',
    ],
    [
      'strategy-series-curator',
      'repeat',
      'Keep recurring payments right',
      'Checks members, new subscriptions and price rises.',
    ],
    [
      'strategy-series-foundation',
      'repeat',
      'Find what recurs',
      'Finds subscriptions, bills and loans, and writes rules.',
    ],
    [
      'strategy-spending-report',
      'chart-no-axes-column',
      'Report where the money went',
      'One short report about the period that has ended.',
    ],
    [
      'strategy-transaction-reviewer',
      'scan-search',
      'Review row by row',
      'Reviews new rows one by one, and turns repeats into rules.',
    ],
  ],
  depth: [
    ['review-depth-efficient', 'rabbit', 'Efficient', 'Decides from what is at hand.'],
    ['review-depth-thorough', 'telescope', 'Thorough', 'Looks at history and context before it decides.'],
  ],
  knowledge: [
    ['category-system', 'shapes', 'Categories', 'How categories are meant.'],
    ['rules-curriculum', 'graduation-cap', 'Rules', 'What makes a good rule.'],
  ],
};

/** Every block, by group, then id. */
export const BLOCKS: readonly Block[] = BLOCK_GROUPS.flatMap((group) =>
  ROWS[group].map(([id, icon, title, description]) => ({
    id,
    title,
    description,
    icon,
    group,
    content: contentOf(id),
  })),
);

export function findBlock(id: string): Block | undefined {
  return BLOCKS.find((block) => block.id === id);
}

function contentOf(id: string): string {
  return readFileSync(new URL(`blocks/${id}.md`, import.meta.url), 'utf8').trim();
}
