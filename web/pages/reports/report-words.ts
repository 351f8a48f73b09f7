import type { OutputOf } from '../../../src/contract/operation.ts';
import type { getReport } from '../../../src/features/reports/reports.contract.ts';
import type { StatusTone } from '../../components/status.tsx';

export type Report = OutputOf<typeof getReport>;

export const PRIORITIES: Readonly<Record<Report['priority'], { tone: StatusTone; word: string }>> = {
  critical: { tone: 'danger', word: 'Critical' },
  warning: { tone: 'warning', word: 'Warning' },
  info: { tone: 'info', word: 'Information' },
};

const AUTHORS: Readonly<Record<Report['author_type'], string>> = {
  user: '',
  agent: ' (agent)',
  system: ' (Homeledger)',
};

/** Who wrote it; that it was a program is said where it was. */
export function authorOf({ author_name: name, author_type: type }: Report): string {
  return `${name}${AUTHORS[type]}`;
}

/** Whether someone wrote it here; what came with a key was written by a program, whatever the key is called. */
export function isByPerson({ author_type: type, author_id: id }: Report): boolean {
  return type === 'user' && id !== null && !id.includes('-');
}

/** A kind as people read it: "Price rises" for `price-rises`. */
export function kindInWords(kind: string): string {
  const words = kind.replaceAll(/[-_]+/g, ' ').trim();
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}
