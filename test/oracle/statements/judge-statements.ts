import { judge } from '../verdict.ts';
import type { Judgement } from '../verdict.ts';
import { camtCase } from './camt-dialect.ts';
import { mt940Case } from './mt940-dialect.ts';
import { ofxCase } from './ofx-dialect.ts';
import { qifCase } from './qif-dialect.ts';
import type { StatementCase } from './statement-pieces.ts';

/** The statement formats of the oracle, each with the file of a number. */
export const STATEMENT_CASES = { ofx: ofxCase, qif: qifCase, camt: camtCase, mt940: mt940Case } as const;
export type StatementFormatName = keyof typeof STATEMENT_CASES;

/** The file of a number and what became of it. */
export function judgeStatementFile(
  format: StatementFormatName,
  seed: number,
): StatementCase & { readonly judgement: Judgement } {
  const one = STATEMENT_CASES[format](seed);
  return { ...one, judgement: judge(one.file) };
}
