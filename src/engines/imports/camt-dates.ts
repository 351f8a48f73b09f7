import { isDateOnly, parseInstant } from '../../kernel/dates.ts';
import type { CamtNode } from './camt-node.ts';

export interface CamtDate {
  /** As written; a zone never moves it. */
  readonly date: string | null;
  readonly datetime: string | null;
}

/** A date choice: `Dt` or `DtTm`, each perhaps with a zone; null when the element is not there. */
export function readDate(node: CamtNode | undefined): CamtDate | null {
  const text = node === undefined ? '' : node.first('Dt', 'DtTm') || node.text;
  if (text === '') return null;
  const date = text.slice(0, 10);
  if (!isDateOnly(date)) return { date: null, datetime: null };
  const isMidnight = /^T00:00(?::00(?:\.0{1,9})?)?(?:$|Z|[+-])/.test(text.slice(10));
  return { date, datetime: isMidnight ? null : (parseInstant(text) ?? null) };
}
