import { RULE_LIMITS } from './rule-limits.ts';

/** One thing that is wrong in a rule as sent; `path` is its place in the body. */
export interface Problem {
  readonly path: string;
  readonly message: string;
  readonly code: 'VALIDATION_ERROR' | 'INVALID_PARAMETER';
}

/** Collects the first twenty problems, in the order of the body. */
export class Problems {
  readonly list: Problem[] = [];

  get isFull(): boolean {
    return this.list.length >= RULE_LIMITS.problems;
  }

  /** A value or form that is not allowed. */
  invalid(path: string, message: string): undefined {
    this.#add({ path, message, code: 'VALIDATION_ERROR' });
  }

  /** A reference to a record that does not exist. */
  unknown(path: string, message: string): undefined {
    this.#add({ path, message, code: 'INVALID_PARAMETER' });
  }

  #add(problem: Problem): void {
    if (!this.isFull) this.list.push(problem);
  }
}

const SHOWN_CHARS = 64;

/** The path of a member; a long key is cut. */
export function memberPath(path: string, key: string): string {
  return `${path}.${key.length > SHOWN_CHARS ? `${key.slice(0, SHOWN_CHARS)}…` : key}`;
}
