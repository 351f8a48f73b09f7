import { LIMITS } from '../../../kernel/limits.ts';
import type { ImportWarning } from '../import-records.contract.ts';
import type { Plan, PlannedRow } from './plan.ts';
import type { ReadFile } from '../doors/read-file.ts';

/** All warnings of an import: from the reader, from the comparison with the ledger, `others`, and about its accounts. */
export function warningsOf(file: ReadFile, plan: Plan, others: readonly ImportWarning[]): ImportWarning[] {
  const { notes } = plan;
  const found: ImportWarning[] = file.analysis.warnings.map(({ code, message, lines }) =>
    warning(code, message, lines),
  );
  const linesWith = (matches: (planned: PlannedRow) => boolean): number[] => {
    const lines: number[] = [];
    for (const planned of plan.rows) {
      if (lines.length < LIMITS.importWarningLines && matches(planned)) lines.push(planned.line);
    }
    return lines;
  };
  const add = (code: string, message: string, lines: readonly number[]): void => {
    if (lines.length > 0 && !found.some((one) => one.code === code)) found.push(warning(code, message, lines));
  };
  add(
    'BANK_ID_REUSED',
    'The bank used the same reference number for two different transactions. These rows were compared by date, amount and text instead.',
    notes.reusedBankIds,
  );
  add(
    'BANK_ID_NOT_UNIQUE',
    'Some rows have the same reference number from the bank. They were compared by date, amount and text instead.',
    notes.sharedBankIds,
  );
  add('TEXT_CUT', 'Some texts were too long and were shortened.', notes.cutTexts);
  add(
    'PROBABLE_DUPLICATES',
    'Some rows may be rows that you already have, but it is not certain. Compare them: leave out what was added twice, or add what was taken for another row.',
    linesWith((planned) => planned.match === 'probable'),
  );
  return [...found, ...others, ...targetWarnings(plan)];
}

/** Warnings about the accounts that the rows go to. */
function targetWarnings({ accounts, target: { leftOut } }: Plan): ImportWarning[] {
  const warnings: ImportWarning[] = [];
  const assumed = accounts.flatMap(({ target: { found, account } }) =>
    found.confidence === 'assumed' && account ? [`${account.display_name ?? account.name} (${account.short_id})`] : [],
  );
  const sentences = [];
  if (assumed.length > 0) {
    sentences.push(
      `Earlier files with these columns belonged to ${assumed.join(', ')}, so we assumed that this one does too. If not, choose another account.`,
    );
  }
  if (leftOut.length > 0) {
    const values = leftOut.map((value) => `"${value}"`).join(', ');
    sentences.push(
      `The rows of ${values} were left out, as in the earlier import of this file. To import them too, choose an account for them.`,
    );
  }
  if (sentences.length > 0) warnings.push(warning('ACCOUNT_ASSUMED', sentences.join(' '), []));
  if (accounts.some(({ target }) => target.created !== null && target.found.isKnownFormat)) {
    const message = 'Earlier files with these columns belong to other accounts. This one goes into a new account.';
    warnings.push(warning('NEW_ACCOUNT_FOR_KNOWN_FORMAT', message, []));
  }
  return warnings;
}

export function warning(code: string, message: string, lines: readonly number[]): ImportWarning {
  return { code, message, lines: lines.slice(0, LIMITS.importWarningLines) };
}
