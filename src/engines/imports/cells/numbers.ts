import { MAX_CENTS } from '../../../kernel/money.ts';
import { isInvisible, isSpace, withoutMarks } from '../text/cell-text.ts';
import {
  APOSTROPHE,
  COMMA,
  DIGIT_0,
  MINUS,
  PAREN_CLOSE,
  PAREN_OPEN,
  PLUS,
  POINT,
  SPACE,
  isAsciiLetter,
  isDigit,
} from '../text/char-codes.ts';
import { hasArabicPoint, inWesternDigits, isOtherDigit } from '../text/digits.ts';
import { currenciesOf, currencyOf, isCurrencyMark } from '../lexicon/currency.ts';
import { wordDirection } from '../lexicon/lexicon.ts';

export type DecimalSeparator = '.' | ',';

/** What the shape of a number says about the file's decimal separator (36.5.5). */
export const VOTE = { notANumber: 0, none: 1, point: 2, comma: 3, undecidedPoint: 4, undecidedComma: 5 } as const;

type NumberProblem = '' | 'empty' | 'invalid' | 'precision' | 'range';

interface Affix {
  readonly sign: -1 | 0 | 1;
  readonly paren: boolean;
  readonly currency: string | undefined;
  readonly currencies: ReadonlySet<string> | undefined;
  readonly hasCurrency: boolean;
  readonly direction: 0 | 1 | 2;
}

const PLAIN: Affix = {
  sign: 0,
  paren: false,
  currency: undefined,
  currencies: undefined,
  hasCurrency: false,
  direction: 0,
};
/** A soft hyphen where the sign would be: some program wrote a minus so. */
const LOST_MINUS = /^[^\d+\u2010-\u2014\u2212-]*\u00ad\s*[\d.,]/u;
const AFFIX_LIMIT = 16;
const CACHE_LIMIT = 2_000;
const prefixes = new Map<string, Affix | null>();
const suffixes = new Map<string, Affix | null>();

/**
 * Reads the number grammar of 36.5.5. One instance holds the parts of the last cell given to `read`, so that
 * a pass over a file allocates nothing; ask for `vote` and `cents` afterwards.
 */
export class NumberCell {
  /** What went wrong in the last `read` or `cents`. */
  problem: NumberProblem = 'empty';
  /** 1 out, 2 in, 0 not stated: a suffix such as DR or CR. */
  direction: 0 | 1 | 2 = 0;
  /** True for a minus or parentheses. */
  isNegative = false;
  /** True for any sign or parentheses. */
  isSigned = false;
  /** The currency that a symbol or code beside the number means. */
  currency: string | undefined = undefined;
  /** What a symbol of several currencies beside the number can mean. */
  currencies: ReadonlySet<string> | undefined = undefined;

  #text = '';
  #from = 0;
  #to = 0;
  #points = 0;
  #commas = 0;
  #lastPoint = -1;
  #lastComma = -1;
  #statesPoint = false;

  /** Takes a cell apart; false when it is empty or cannot be a number under any decimal separator. */
  read(cell: string): boolean {
    let text = cell;
    let from = 0;
    let to = text.length;
    while (from < to && isSpace(text.charCodeAt(from))) from++;
    while (to > from && isSpace(text.charCodeAt(to - 1))) to--;
    this.direction = 0;
    this.isNegative = false;
    this.isSigned = false;
    this.currency = undefined;
    this.currencies = undefined;
    this.#statesPoint = false;
    if (from === to) return this.#fail('empty');
    if (to - from > 64) return this.#fail('invalid');
    let first = -1;
    let last = -1;
    for (let i = from; i < to; i++) {
      const code = text.charCodeAt(i);
      if (isDigit(code)) {
        if (first < 0) first = i;
        last = i;
      } else if (code >= 0xff01 && code <= 0xff5e) {
        return this.read(text.normalize('NFKC'));
      } else if (isOtherDigit(code)) {
        const isRead = this.read(inWesternDigits(text));
        this.#statesPoint = hasArabicPoint(text);
        return isRead;
      } else if (isInvisible(code)) {
        return LOST_MINUS.test(text) ? this.#fail('invalid') : this.read(withoutMarks(text));
      }
    }
    if (first < 0) return this.#fail('invalid');
    if (
      first > from &&
      (text.charCodeAt(first - 1) === POINT || text.charCodeAt(first - 1) === COMMA) &&
      !endsWithLetter(text, first - 1)
    )
      first--;
    if (first > from) {
      if (first === from + 1 && text.charCodeAt(from) === MINUS) {
        this.isNegative = true;
        this.isSigned = true;
      } else if (!this.#prefix(text.slice(from, first), last + 1 < to ? text.slice(last + 1, to) : '')) {
        return this.#fail('invalid');
      }
    } else if (last + 1 < to && !this.#prefix('', text.slice(last + 1, to))) {
      return this.#fail('invalid');
    }
    if (
      first === from + 1 &&
      text.charCodeAt(from) === MINUS &&
      last + 1 < to &&
      !this.#prefix('-', text.slice(last + 1, to))
    ) {
      return this.#fail('invalid');
    }
    return this.#body(text, first, last + 1);
  }

  /** The vote of the last number for a decimal separator; one of VOTE. */
  vote(): number {
    if (this.problem !== '') return VOTE.notANumber;
    const points = this.#points;
    const commas = this.#commas;
    if (points === 0 && commas === 0) return this.#groups(0, 0) ? VOTE.none : VOTE.notANumber;
    if (points > 0 && commas > 0) {
      if (this.#lastPoint > this.#lastComma)
        return points === 1 && this.#groups(POINT, COMMA) ? VOTE.point : VOTE.notANumber;
      return commas === 1 && this.#groups(COMMA, POINT) ? VOTE.comma : VOTE.notANumber;
    }
    const separator = points > 0 ? POINT : COMMA;
    if (points + commas > 1) {
      if (!this.#groups(0, separator)) return VOTE.notANumber;
      return separator === POINT ? VOTE.comma : VOTE.point;
    }
    const at = separator === POINT ? this.#lastPoint : this.#lastComma;
    const behind = this.#to - at - 1;
    const before = at - this.#from;
    const decimal = separator === POINT ? VOTE.point : VOTE.comma;
    if (this.#statesPoint) return VOTE.point;
    if (!this.#groups(separator, 0)) return VOTE.notANumber;
    if (behind !== 3 || before > 3 || before === 0) return decimal;
    if (this.#text.charCodeAt(this.#from) === DIGIT_0) return decimal;
    return separator === POINT ? VOTE.undecidedPoint : VOTE.undecidedComma;
  }

  /** The last number in hundredths under a decimal separator; NaN with `problem` set when it has none. */
  cents(decimal: DecimalSeparator): number {
    if (this.#to === 0) return Number.NaN;
    this.problem = '';
    const point = decimal === '.' ? POINT : COMMA;
    const grouping = decimal === '.' ? COMMA : POINT;
    const text = this.#text;
    const decimals = decimal === '.' ? this.#points : this.#commas;
    const groups = decimal === '.' ? this.#commas : this.#points;
    if (decimals > 1 || !this.#groups(decimals === 1 ? point : 0, groups > 0 ? grouping : 0))
      return this.#noNumber('invalid');
    let units = 0;
    let i = this.#from;
    for (; i < this.#to; i++) {
      const code = text.charCodeAt(i);
      if (code === point) break;
      if (!isDigit(code)) continue;
      units = units * 10 + (code - DIGIT_0);
      if (units > 1e13) return this.#noNumber('range');
    }
    let hundredths = 0;
    let place = 10;
    for (i++; i < this.#to; i++) {
      const digit = text.charCodeAt(i) - 48;
      if (place === 0 && digit !== 0) return this.#noNumber('precision');
      hundredths += digit * place;
      place = place === 10 ? 1 : 0;
    }
    const cents = units * 100 + hundredths;
    if (cents > MAX_CENTS) return this.#noNumber('range');
    return this.isNegative && cents !== 0 ? -cents : cents;
  }

  #fail(problem: NumberProblem): boolean {
    this.problem = problem;
    this.#to = 0;
    return false;
  }

  #noNumber(problem: NumberProblem): number {
    this.problem = problem;
    return Number.NaN;
  }

  #prefix(prefix: string, suffix: string): boolean {
    const before = prefix === '' ? PLAIN : affix(prefix, prefixes, false);
    const after = suffix === '' ? PLAIN : affix(suffix, suffixes, true);
    if (before === null || after === null || before.paren !== after.paren) return false;
    if ((before.sign !== 0 || before.paren) && after.sign !== 0) return false;
    if (before.hasCurrency && after.hasCurrency) return false;
    const sign = before.paren ? -1 : before.sign + after.sign;
    if (before.paren && (before.sign !== 0 || after.sign !== 0)) return false;
    this.isNegative = sign < 0;
    this.isSigned = sign !== 0;
    this.direction = after.direction;
    this.currency = before.currency ?? after.currency;
    this.currencies = before.currencies ?? after.currencies;
    return true;
  }

  #body(text: string, from: number, to: number): boolean {
    let points = 0;
    let commas = 0;
    let lastPoint = -1;
    let lastComma = -1;
    for (let i = from; i < to; i++) {
      const code = text.charCodeAt(i);
      if (isDigit(code)) continue;
      if (code === POINT) {
        points++;
        lastPoint = i;
      } else if (code === COMMA) {
        commas++;
        lastComma = i;
      } else if (!isThinGroup(code)) {
        return this.#fail('invalid');
      }
    }
    this.#text = text;
    this.#from = from;
    this.#to = to;
    this.#points = points;
    this.#commas = commas;
    this.#lastPoint = lastPoint;
    this.#lastComma = lastComma;
    this.problem = '';
    if (this.vote() === VOTE.notANumber) return this.#fail('invalid');
    return true;
  }

  /** True when the digits before `decimal` are grouped correctly by `grouping` (or by spaces, apostrophes). */
  #groups(decimal: number, grouping: number): boolean {
    const text = this.#text;
    let separator = 0;
    let groupLengths = 0;
    let run = 0;
    let end = this.#to;
    if (decimal !== 0) end = decimal === POINT ? this.#lastPoint : this.#lastComma;
    for (let i = end + 1; i < this.#to; i++) {
      const code = text.charCodeAt(i);
      if (!isDigit(code)) return false;
    }
    let twos = false;
    for (let i = end - 1; i >= this.#from; i--) {
      const code = text.charCodeAt(i);
      if (isDigit(code)) {
        run++;
        continue;
      }
      const kind = isThinGroup(code) ? (code === APOSTROPHE || code === 0x2019 ? APOSTROPHE : SPACE) : code;
      if (kind !== grouping && kind !== APOSTROPHE && kind !== SPACE) return false;
      if (separator !== 0 && separator !== kind) return false;
      separator = kind;
      if (groupLengths === 0 ? run !== 3 : twos ? run !== 2 : run !== 3 && run !== 2) return false;
      if (groupLengths > 0 && run === 2) twos = true;
      if (groupLengths > 1 && run === 3 && twos) return false;
      groupLengths++;
      run = 0;
    }
    if (separator === 0) return true;
    if (text.charCodeAt(this.#from) === DIGIT_0) return false;
    return run >= 1 && run <= (twos ? 2 : 3);
  }
}

function endsWithLetter(text: string, end: number): boolean {
  if (end === 0) return false;
  const code = text.charCodeAt(end - 1);
  return isAsciiLetter(code) || code > 0xc0;
}

function isThinGroup(code: number): boolean {
  return (
    code === APOSTROPHE ||
    code === 0x2019 ||
    code === SPACE ||
    code === 0xa0 ||
    code === 0x202f ||
    code === 0x2009 ||
    code === 0x2007
  );
}

function isMinus(code: number): boolean {
  return code === MINUS || code === 0x2212 || (code >= 0x2010 && code <= 0x2014) || code === 0xfe63;
}

function affix(text: string, cache: Map<string, Affix | null>, isSuffix: boolean): Affix | null {
  if (text.length > AFFIX_LIMIT) return null;
  const known = cache.get(text);
  if (known !== undefined) return known;
  const parsed = parseAffix(text, isSuffix);
  if (cache.size < CACHE_LIMIT) cache.set(text, parsed);
  return parsed;
}

/** Length of `,-` or `.--` after whole units, which means "no hundredths". */
function dashedDecimals(text: string): number {
  const first = text.charCodeAt(0);
  if (first !== POINT && first !== COMMA) return 0;
  let end = 1;
  while (end < text.length && isMinus(text.charCodeAt(end))) end++;
  return end > 1 ? end : 0;
}

function parseAffix(text: string, isSuffix: boolean): Affix | null {
  let sign: -1 | 0 | 1 = 0;
  let paren = false;
  let rest = '';
  for (let i = isSuffix ? dashedDecimals(text) : 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (isSpace(code)) {
      if (rest !== '' && !rest.endsWith(' ')) rest += ' ';
    } else if (code === PLUS || isMinus(code)) {
      if (sign !== 0) return null;
      sign = code === PLUS ? 1 : -1;
    } else if (code === (isSuffix ? PAREN_CLOSE : PAREN_OPEN)) {
      if (paren) return null;
      paren = true;
    } else {
      rest += text.charAt(i);
    }
  }
  rest = rest.trim();
  if (rest === '') return { ...PLAIN, sign, paren };
  if (isSuffix) {
    const words = rest.split(' ');
    const word = (words.at(-1) as string).toLowerCase();
    const direction = wordDirection(word.endsWith('.') ? word.slice(0, -1) : word, 'suffix');
    if (direction !== 0 && words.length <= 2 && sign === 0 && !paren) {
      const mark = words.length === 2 ? (words[0] as string) : '';
      if (mark !== '' && !isCurrencyMark(mark)) return null;
      const [currency, currencies] = [currencyOf(mark), currenciesOf(mark)];
      return { ...PLAIN, direction, hasCurrency: mark !== '', currency, currencies };
    }
  }
  if (!isCurrencyMark(rest)) return null;
  return { ...PLAIN, sign, paren, hasCurrency: true, currency: currencyOf(rest), currencies: currenciesOf(rest) };
}
