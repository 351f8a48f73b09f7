import { invalidParameter } from '../../kernel/errors.ts';
import { fold } from '../../kernel/fold.ts';
import { LIMITS } from '../../kernel/limits.ts';

/** Split at commas, folded, without duplicates. @throws INVALID_PARAMETER naming the filter. */
export function searchTerms(parameter: string, value: string): string[] {
  const terms = [...new Set(value.split(',').map(fold))].filter((term) => term !== '');
  if (terms.length === 0) throw invalidParameter(parameter, `${parameter} holds no term to search for.`);
  if (terms.length > LIMITS.searchTerms) {
    throw invalidParameter(parameter, `${parameter} takes at most ${LIMITS.searchTerms} terms.`);
  }
  for (const term of terms) {
    const length = [...term].length;
    if (length < LIMITS.searchTermMinChars || length > LIMITS.searchTermMaxChars) {
      throw invalidParameter(
        parameter,
        `Every term of ${parameter} needs ${LIMITS.searchTermMinChars} to ${LIMITS.searchTermMaxChars} characters.`,
      );
    }
  }
  return terms;
}
