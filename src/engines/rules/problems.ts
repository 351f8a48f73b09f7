import { RULE_LIMITS } from './rule-limits.ts';

/** One thing that is wrong in a rule as sent; `path` leads to it in the body. */
export interface Problem {
  readonly path: string;
  readonly message: string;
  readonly code: 'VALIDATION_ERROR' | 'INVALID_PARAMETER';
}

/** Collects problems in the order of the body; what comes after the twentieth is not listed. */
export class Problems {
  readonly list: Problem[] = [];

  get isFull(): boolean {
    return this.list.length >= RULE_LIMITS.problems;
  }

  /** A value or form that breaks the rules. */
  invalid(path: string, message: string): undefined {
    this.#add({ path, message, code: 'VALIDATION_ERROR' });
  }

  /** A reference to nothing. */
  unknown(path: string, message: string): undefined {
    this.#add({ path, message, code: 'INVALID_PARAMETER' });
  }

  #add(problem: Problem): void {
    if (!this.isFull) this.list.push(problem);
  }
}

const SHOWN_CHARS = 64;

/** The path of a member; what somebody made up as a key is shown by its beginning. */
export function memberPath(path: string, key: string): string {
  return `${path}.${key.length > SHOWN_CHARS ? `${key.slice(0, SHOWN_CHARS)}…` : key}`;
}
