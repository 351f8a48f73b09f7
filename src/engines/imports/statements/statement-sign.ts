import { formatCents } from '../../../kernel/money.ts';
import type { Detection, ReadOptions } from '../analysis.ts';
import { OUT, typeDirection } from '../lexicon/lexicon.ts';
import type { StatementEntry, StatementFile } from './statement.ts';

const ENOUGH = 3;
const SHARE = 0.9;
/** Transaction types of OFX that are money in. */
const RECEIVED: ReadonlySet<string> = new Set(['CREDIT', 'DEP', 'DIRECTDEP', 'DIV']);

/**
 * The format fixes the sign. Only OFX leaves a doubt: some files print spending as positive, which their transaction
 * types show (36.14.1). Then the caller decides.
 */
export function signOf(file: StatementFile, options: ReadOptions): Detection {
  if (options.sign !== undefined || options.positive_is_debit !== undefined) {
    const value = options.sign ?? (options.positive_is_debit === true ? 'positive_is_out' : 'positive_is_in');
    return { value, confidence: 'given', evidence: ['parameter'], candidates: [] };
  }
  const spent = file.format === 'ofx' || file.format === 'qfx' ? contradicted(file) : null;
  if (!spent) return { value: 'format', confidence: 'certain', evidence: ['content'], candidates: [] };
  const cents = spent.amount_cents as number;
  const raw = `${spent.type} ${formatCents(-cents)}`;
  const candidate = (value: string, read: number) => ({
    value,
    line: spent.line,
    raw,
    read_as: read > 0 ? 'money out' : 'money in',
  });
  return {
    value: 'positive_is_in',
    confidence: 'ambiguous',
    evidence: ['type_words'],
    candidates: [candidate('positive_is_in', cents), candidate('positive_is_out', -cents)],
  };
}

/** The first entry whose type says spending and whose sign says money in, when nearly all entries of such types do. */
function contradicted(file: StatementFile): StatementEntry | null {
  let first: StatementEntry | null = null;
  let all = 0;
  let positive = 0;
  for (const { entries } of file.statements) {
    for (const entry of entries) {
      if (entry.outcome !== 'row' || entry.amount_cents === null || entry.amount_cents === 0) continue;
      if (typeDirection(entry.type ?? '', false) !== OUT) continue;
      all++;
      if (entry.amount_cents > 0) continue;
      positive++;
      first ??= entry;
    }
  }
  return all >= ENOUGH && positive >= all * SHARE ? first : null;
}

/** Whether an OFX file has no amount with a minus: only the types of its entries can tell money in from money out. */
export function isUnsigned(file: StatementFile): boolean {
  if (file.format !== 'ofx' && file.format !== 'qfx') return false;
  for (const { entries } of file.statements)
    for (const { outcome, amount_cents: cents } of entries) if (outcome === 'row' && (cents ?? 0) > 0) return false;
  return true;
}

/** Whether the type of an entry says that the money came in. */
export function isReceived({ type }: StatementEntry): boolean {
  return RECEIVED.has(type ?? '');
}
