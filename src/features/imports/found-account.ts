import type { Confidence } from '../../engines/imports/analysis.ts';
import type { AppError } from '../../kernel/errors.ts';
import type { AccountRow } from './targets.queries.ts';

/** How the account of a file was found, in the words of `detection.account` (36.9.2). */
export interface HowFound {
  readonly confidence: Confidence;
  readonly evidence: readonly string[];
  /** Found by what the file or an earlier one says, not by the request. */
  readonly suggested: boolean;
}

export interface Found extends HowFound {
  readonly account: AccountRow | null;
  /** What a preview reports and an import is refused for. */
  readonly conflict: AppError | null;
  /** A new account although files with this header were imported before. */
  readonly isKnownFormat: boolean;
}

const BY_REQUEST = { evidence: ['parameter'], suggested: false, account: null, conflict: null, isKnownFormat: false };
const BY_FILE = { ...BY_REQUEST, confidence: 'certain', suggested: true } as const;

export const FOUND = {
  given: { ...BY_REQUEST, confidence: 'given' },
  named: { ...BY_REQUEST, confidence: 'certain' },
  number: { ...BY_FILE, evidence: ['content'] },
  file: { ...BY_FILE, evidence: ['content', 'header_names'] },
  undone: { ...BY_FILE, confidence: 'assumed', evidence: ['content', 'header_names'] },
  rows: { ...BY_FILE, evidence: ['header_names', 'ledger_overlap'] },
  balances: { ...BY_FILE, evidence: ['header_names', 'balance_proof'] },
  assumed: { ...BY_FILE, confidence: 'assumed', evidence: ['header_names', 'default'] },
  bank: { ...BY_FILE, evidence: ['ledger_overlap'] },
  open: { ...BY_FILE, confidence: 'ambiguous', evidence: ['header_names'], suggested: false },
  none: { ...BY_REQUEST, confidence: 'none', evidence: ['default'] },
} as const satisfies Record<string, Found>;
