import type { OutputOf } from '../../../src/contract/operation.ts';
import type { listImports } from '../../../src/features/imports/imports.contract.ts';
import { inDigits } from '../../lib/numbers.ts';
import type { StatusTone } from '../status.tsx';

export type ImportSummary = OutputOf<typeof listImports>['imports'][number];

export function isRunning({ status }: Pick<ImportSummary, 'status'>): boolean {
  return status === 'queued' || status === 'running';
}

const FIRST_POLLS = 6;

/** Most imports end at once, so the first questions come sooner. */
export const POLL = {
  refetchInterval: ({ state: { data, dataUpdateCount, errorUpdateCount } }: Polled): number | false => {
    if (data && !isRunning(data)) return false;
    return dataUpdateCount + errorUpdateCount < FIRST_POLLS ? 300 : 2_000;
  },
} as const;

interface Polled {
  state: { data: Pick<ImportSummary, 'status'> | undefined; dataUpdateCount: number; errorUpdateCount: number };
}

export const STATUS_WORDS: Readonly<Record<ImportSummary['status'], { tone: StatusTone; word: string }>> = {
  queued: { tone: 'info', word: 'Waiting' },
  running: { tone: 'info', word: 'Importing' },
  completed: { tone: 'success', word: 'Imported' },
  failed: { tone: 'danger', word: 'Failed' },
  reverted: { tone: 'neutral', word: 'Undone' },
  partly_reverted: { tone: 'neutral', word: 'Partly undone' },
};

export const PHASE_WORDS: Readonly<Record<ImportSummary['progress']['phase'], string>> = {
  waiting: 'Waiting for another import',
  matching: 'Comparing with what is there',
  writing: 'Writing',
  rules: 'Running the rules',
  done: 'Done',
};

export const PROOF_WORDS: Readonly<
  Record<ImportSummary['balance_proof']['status'], { tone: StatusTone | null; word: string; clause: string }>
> = {
  proved: { tone: 'success', word: 'Adds up', clause: 'adds up to the bank’s balance' },
  broken: { tone: 'warning', word: 'Does not add up', clause: 'does not add up to the bank’s balance' },
  not_available: { tone: null, word: 'No balance', clause: 'has no balance to check against' },
};

/** "16 new, 0 known", and whatever else there is. */
export function countsInWords({ added, duplicate, updated, deleted, skipped, invalid, removed }: Counts): string {
  const parts: [number, string][] = [
    [updated, 'updated'],
    [removed, 'withdrawn by the bank'],
    [deleted, 'deleted by you before'],
    [skipped, 'left out'],
    [invalid, 'unreadable'],
  ];
  const more = parts.filter(([count]) => count > 0).map(([count, word]) => `${inDigits(count)} ${word}`);
  return [`${inDigits(added)} new`, `${inDigits(duplicate)} known`, ...more].join(', ');
}

type Counts = ImportSummary['counts'];

/** How many rows an import would write. */
export function writtenBy({ added, updated, removed }: Counts): number {
  return added + updated + removed;
}

export function fileNameOf({ file_name: name }: Pick<ImportSummary, 'file_name'>): string {
  return name ?? 'Unnamed file';
}
