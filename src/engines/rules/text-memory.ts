import { fold } from '../../kernel/fold.ts';
import { RULE_LIMITS } from './rule-limits.ts';

// Within printable ASCII with single spaces, folding is lower-casing.
const PLAIN_ASCII = /^[!-~]+(?: [!-~]+)*$/;

/** The same as fold(), at once for what bank texts mostly are. */
export function foldText(text: string): string {
  return PLAIN_ASCII.test(text) ? text.toLowerCase() : fold(text);
}

/** Remembers what was worked out for a text, across rows: banks repeat themselves. Bounded, the old goes first. */
export class TextMemory<T> {
  readonly #make: (text: string) => T;
  #recent = new Map<string, T>();
  #older = new Map<string, T>();

  constructor(make: (text: string) => T) {
    this.#make = make;
  }

  get(text: string): T {
    if (text.length > RULE_LIMITS.rememberedChars) return this.#make(text);
    const known = this.#recent.get(text);
    if (known !== undefined) return known;
    const value = this.#older.get(text) ?? this.#make(text);
    if (this.#recent.size >= RULE_LIMITS.rememberedTexts) {
      this.#older = this.#recent;
      this.#recent = new Map();
    }
    this.#recent.set(text, value);
    return value;
  }
}
