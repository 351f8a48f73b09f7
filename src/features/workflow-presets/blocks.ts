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

const BLOCK_GROUPS = ['strategy', 'depth', 'knowledge'] as const;
export type BlockGroup = (typeof BLOCK_GROUPS)[number];

type Row = readonly [id: string, icon: string, title: string, description: string];

const ROWS: Readonly<Record<BlockGroup, readonly Row[]>> = {
  strategy: [
    ['strategy-bulk-catchup', 'layers', 'Bulk catch-up', 'Files a long review queue merchant by merchant, in one pass'],
    ['strategy-bulk-review', 'list-checks', 'Backlog review', 'Works through old uncategorized rows with care'],
    [
      'strategy-counterparty-curator',
      'store',
      'Counterparty care',
      'Names new bank texts of known merchants and finds duplicates',
    ],
    [
      'strategy-counterparty-foundation',
      'store',
      'Counterparty foundation',
      'Names the real other side behind bank texts, with a rule for each',
    ],
    [
      'strategy-large-charge-sentinel',
      'trending-up',
      'Large and doubled charges',
      'Reports charges above the household’s norm and charges that look doubled',
    ],
    [
      'strategy-routine-review',
      'calendar-check',
      'Routine review',
      'Categorizes what is new and flags what is doubtful',
    ],
    ['strategy-rule-foundation', 'wand-sparkles', 'Rule foundation', 'Writes category rules from the whole history'],
    ['strategy-series-curator', 'repeat', 'Series care', 'Keeps series complete; reports new ones and price rises'],
    [
      'strategy-series-foundation',
      'repeat',
      'Series foundation',
      'Finds subscriptions, bills and loans, with a rule for each',
    ],
    [
      'strategy-spending-report',
      'chart-no-axes-column',
      'Spending report',
      'Reports where the money went and which bills come next',
    ],
    [
      'strategy-transaction-reviewer',
      'scan-search',
      'Transaction review',
      'Reviews new rows one by one and turns repeats into rules',
    ],
  ],
  depth: [
    ['review-depth-efficient', 'rabbit', 'Efficient', 'One decision and at most one look-up for each merchant'],
    ['review-depth-thorough', 'telescope', 'Thorough', 'Reads history and comments, and asks for two grounds'],
  ],
  knowledge: [
    ['category-system', 'shapes', 'Categories', 'How the categories of this household are read and chosen'],
    ['rules-curriculum', 'graduation-cap', 'Writing rules', 'When a rule is worth it, and how to try it out'],
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
