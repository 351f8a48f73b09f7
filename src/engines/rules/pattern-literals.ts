import { fold } from '../../kernel/fold.ts';

/** What the text of a regular expression says about its matches and its size. */
interface PatternAnalysis {
  /** The fold of every matching text contains at least one of these folded texts; null if none are known. */
  readonly literals: readonly string[] | null;
  /** A rough lower bound for the number of instructions. */
  readonly minimumSize: number;
}

/**
 * Reads the structure of a pattern in RE2 syntax; undefined if it finds something that it does not know. Only ASCII
 * characters become literals, because folding keeps those in place whatever surrounds them.
 */
export function analysePattern(source: string): PatternAnalysis | undefined {
  if (source.includes('\\Q')) return undefined;
  const reader = new PatternReader(source);
  const found = reader.alternation();
  return found === undefined || !reader.isAtEnd ? undefined : { literals: found.literals, minimumSize: found.size };
}

const USEFUL_CHARS = 2;

/** A piece of a pattern; it has `text` if it is one plain character. */
interface Piece {
  literals: readonly string[] | null;
  size: number;
  text?: string;
}

const CLASS: Piece = { literals: null, size: 1 };
const NO_WIDTH: Piece = { literals: null, size: 0 };

class PatternReader {
  readonly #source: string;
  #at = 0;

  constructor(source: string) {
    this.#source = source;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#source.length;
  }

  alternation(): Piece | undefined {
    const branches: Piece[] = [];
    do {
      const branch = this.#concatenation();
      if (branch === undefined) return undefined;
      branches.push(branch);
    } while (this.#take('|'));
    const isKnown = branches.every(({ literals }) => literals !== null);
    return {
      literals: isKnown ? branches.flatMap(({ literals }) => literals ?? []) : null,
      size: Math.max(...branches.map(({ size }) => size)),
    };
  }

  #concatenation(): Piece | undefined {
    let size = 0;
    let best: readonly string[] | null = null;
    let run = '';
    const endRun = (): void => {
      const folded = fold(run);
      if (folded.length >= USEFUL_CHARS) best = better(best, [folded]);
      run = '';
    };
    while (!this.isAtEnd && !'|)'.includes(this.#peek())) {
      const piece = this.#piece();
      if (piece === undefined) return undefined;
      const { min, copies } = this.#repetition();
      size += piece.size * copies;
      const isRequired = min > 0;
      if (piece.text !== undefined && isRequired) run += piece.text;
      if (piece.text === undefined || min !== 1 || copies !== 1 || this.#wasOpenEnded) endRun();
      if (piece.text === undefined && isRequired && piece.literals !== null) best = better(best, piece.literals);
    }
    endRun();
    return { literals: best, size };
  }

  #wasOpenEnded = false;

  /** How often the last piece must occur, and how many copies of it the program has. */
  #repetition(): { min: number; copies: number } {
    const match = /^(?:[*+?]|\{(\d{1,4})(?:(,)(\d{1,4})?)?\})\??/.exec(this.#source.slice(this.#at, this.#at + 16));
    this.#wasOpenEnded = match !== null;
    if (match === null) return { min: 1, copies: 1 };
    this.#at += match[0].length;
    if (match[1] === undefined) return { min: match[0].startsWith('+') ? 1 : 0, copies: 1 };
    const min = Number(match[1]);
    if (match[2] === undefined) return { min, copies: min };
    return { min, copies: match[3] === undefined ? Math.max(min, 1) : Number(match[3]) };
  }

  #piece(): Piece | undefined {
    const char = this.#next();
    if (char === '(') return this.#group();
    if (char === '[') return this.#class();
    if (char === '\\') return this.#escape();
    if (char === '.') return CLASS;
    if (char === '^' || char === '$') return NO_WIDTH;
    if (char === '*' || char === '+' || char === '?') return undefined;
    return plain(char);
  }

  #group(): Piece | undefined {
    if (this.#take('?')) {
      const opening = /^(?:P?<\w+>|[imsU-]*:|[imsU-]+(?=\)))/.exec(this.#source.slice(this.#at));
      if (opening === null) return undefined;
      this.#at += opening[0].length;
    }
    const inside = this.alternation();
    return inside === undefined || !this.#take(')') ? undefined : inside;
  }

  #class(): Piece | undefined {
    const match = /^\^?\]?(?:\[:\^?\w+:\]|\\[^]|[^\]\\])*\]/.exec(this.#source.slice(this.#at));
    if (match === null) return undefined;
    this.#at += match[0].length;
    return CLASS;
  }

  #escape(): Piece | undefined {
    const char = this.#next();
    if (/^[!-/:-@[-`{-~]$/.test(char)) return plain(char);
    if (/^[bBAz]$/.test(char)) return NO_WIDTH;
    if (/^[dDwWsSntrfva]$/.test(char)) return CLASS;
    const rest = /^[pPx]$/.test(char)
      ? /^(?:\{\^?\w+\}|[0-9A-Fa-f]{2}|[A-Z])/.exec(this.#source.slice(this.#at))
      : null;
    if (rest === null) return undefined;
    // \pL takes one letter, \x41 two digits.
    this.#at += char === 'x' || rest[0].startsWith('{') ? rest[0].length : 1;
    return CLASS;
  }

  #peek(): string {
    return this.#source.charAt(this.#at);
  }

  #next(): string {
    return this.#source.charAt(this.#at++);
  }

  #take(char: string): boolean {
    if (this.#peek() !== char) return false;
    this.#at += 1;
    return true;
  }
}

function plain(char: string): Piece {
  if (/^[ -~]$/.test(char)) return { literals: null, size: 1, text: char };
  return /^[\udc00-\udfff]$/.test(char) ? NO_WIDTH : CLASS;
}

/** The list that rules out more texts: the longer its shortest literal, the better. */
function better(a: readonly string[] | null, b: readonly string[]): readonly string[] {
  if (a === null) return b;
  const [of, other] = [shortest(a), shortest(b)];
  return of > other || (of === other && a.length <= b.length) ? a : b;
}

function shortest(texts: readonly string[]): number {
  return Math.min(...texts.map((text) => text.length));
}
