import { RE2JS, RE2JSException } from 're2js';

import { analysePattern } from './pattern-literals.ts';
import { RULE_LIMITS } from './rule-limits.ts';

/** What is wrong with a regular expression, as a clause without its subject (contract 40.2.4); undefined if nothing is. */
export function patternFault(source: string): string | undefined {
  const tooLarge = `is too complex: it compiles to more than ${RULE_LIMITS.patternInstructions} instructions; use fewer or smaller repetitions`;
  // Expanding repetitions costs time and memory, so a pattern that is certainly too large is not compiled.
  if ((analysePattern(source)?.minimumSize ?? 0) > RULE_LIMITS.patternInstructions) return tooLarge;
  try {
    return RE2JS.compile(source).programSize() > RULE_LIMITS.patternInstructions ? tooLarge : undefined;
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    return `must be a regular expression in RE2 syntax, which has neither look-around nor back-references: ${error.message}`;
  }
}

/** The regular expressions of one rule set, each compiled at its first use. */
export class CompiledPatterns {
  readonly #compiled = new Map<string, RE2JS>();

  matches(source: string, text: string): boolean {
    let pattern = this.#compiled.get(source);
    if (pattern === undefined) {
      pattern = RE2JS.compile(source);
      this.#compiled.set(source, pattern);
    }
    return pattern.test(text);
  }
}
