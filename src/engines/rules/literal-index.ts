import { RULE_LIMITS } from './rule-limits.ts';
import type { LiteralSearch } from './subject.ts';

/** A literal, and the index of the rule that needs it. */
export interface IndexedLiteral {
  readonly text: string;
  readonly isWhole: boolean;
  readonly rule: number;
}

const NOTHING: readonly number[] = [];

/** Finds the rules with a literal that occurs in a text; undefined if there are too many literals to index. */
export function indexLiterals(literals: readonly IndexedLiteral[]): LiteralSearch | undefined {
  const whole = new Map<string, number[]>();
  const parts = new Map<string, number[]>();
  for (const { text, isWhole, rule } of literals) {
    const map = isWhole ? whole : parts;
    const key = isWhole ? text : text.slice(0, RULE_LIMITS.literalChars);
    const known = map.get(key);
    if (known) known.push(rule);
    else map.set(key, [rule]);
  }
  const search = searchParts(parts);
  if (search === undefined) return undefined;
  return (folded) => {
    const exact = whole.get(folded) ?? NOTHING;
    const found = search(folded);
    return found.length === 0 ? exact : [...exact, ...found];
  };
}

const NONE = -1;

/** Aho-Corasick over the characters of the literals; every other character leads back to the root. */
function searchParts(parts: ReadonlyMap<string, readonly number[]>): LiteralSearch | undefined {
  if (parts.size === 0) return () => NOTHING;
  const classOf = new Uint16Array(65_536);
  let classes = 1;
  let states = 1;
  for (const text of parts.keys()) {
    states += text.length;
    for (let i = 0; i < text.length; i++)
      if (classOf[text.charCodeAt(i)] === 0) classOf[text.charCodeAt(i)] = classes++;
  }
  if (states * classes > RULE_LIMITS.automatonCells) return undefined;
  const next = new Int32Array(states * classes).fill(NONE);
  const rules: (readonly number[])[] = [NOTHING];
  for (const [text, numbers] of parts) {
    let state = 0;
    for (let i = 0; i < text.length; i++) {
      const cell = state * classes + (classOf[text.charCodeAt(i)] ?? 0);
      if (next[cell] === NONE) next[cell] = rules.push(NOTHING) - 1;
      state = next[cell] ?? 0;
    }
    rules[state] = numbers;
  }
  const shorter = completeTransitions(next, classes, rules);
  return (folded) => {
    let found: number[] | undefined;
    let state = 0;
    for (let i = 0; i < folded.length; i++) {
      state = next[state * classes + (classOf[folded.charCodeAt(i)] ?? 0)] ?? 0;
      for (let at = rules[state] === NOTHING ? (shorter[state] ?? 0) : state; at !== 0; at = shorter[at] ?? 0) {
        (found ??= []).push(...(rules[at] ?? NOTHING));
      }
    }
    return found === undefined ? NOTHING : [...new Set(found)];
  };
}

/** Fills in where a mismatch leads. Answers, per state, the next shorter state with rules; 0 for none. */
function completeTransitions(next: Int32Array, classes: number, rules: readonly (readonly number[])[]): Int32Array {
  const fallback = new Int32Array(rules.length);
  const shorter = new Int32Array(rules.length);
  const queue: number[] = [0];
  for (const state of queue) {
    const back = fallback[state] ?? 0;
    shorter[state] = rules[back] === NOTHING ? (shorter[back] ?? 0) : back;
    for (let one = 0; one < classes; one++) {
      const cell = state * classes + one;
      const after = state === 0 ? 0 : (next[back * classes + one] ?? 0);
      const child = next[cell] ?? NONE;
      if (child === NONE) next[cell] = after;
      else {
        fallback[child] = after;
        queue.push(child);
      }
    }
  }
  return shorter;
}
