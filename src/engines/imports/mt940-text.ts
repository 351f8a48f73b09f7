import { collapsed } from './cell-text.ts';
import { readLabels } from './mt940-labels.ts';
import { readPairs } from './mt940-pairs.ts';
import { readSepaMarks } from './mt940-sepa.ts';
import { said } from './placeholder.ts';

/** What a bank says about a movement in `:86:`. Empty texts are ''. */
export interface Mt940Text {
  readonly description: string;
  readonly otherSide: string;
  readonly otherAccount: string;
  readonly bookingText: string;
}

/** Width at which SWIFT breaks a line, within words if need be; texts of pairs are also broken one earlier. */
const FULL_LINE = 65;
const NOTHING: Mt940Text = { description: '', otherSide: '', otherAccount: '', bookingText: '' };

/**
 * Reads all `:86:` of a movement; one that holds nothing but a code says nothing beside others. `isOut`: of two sides
 * that are named, the beneficiary is the other one.
 */
export function readTexts(texts: readonly (readonly string[])[], isOut: boolean): Mt940Text {
  const telling = texts.filter((lines) => !/^\s*\d{3}\s*$/.test(lines.join('').slice(0, 12)));
  const all = (telling.length > 0 ? telling : texts).map((lines) => readText(lines, isOut));
  const first = (name: keyof Mt940Text): string => all.find((text) => text[name] !== '')?.[name] ?? '';
  return {
    description: collapsed(all.map((text) => said(text.description)).join(' ')),
    otherSide: first('otherSide'),
    otherAccount: first('otherAccount'),
    bookingText: first('bookingText'),
  };
}

/** Reads the lines of a `:86:` in whichever of its three forms they are (36.14.4). */
function readText(lines: readonly string[], isOut: boolean): Mt940Text {
  const whole = lines.join('');
  const mark = subfieldMark(whole);
  if (mark !== null) return ofSubfields(splitSubfields(whole, mark));
  const pairs = readPairs(wrapped(lines, FULL_LINE - 1), isOut);
  return pairs ? { ...NOTHING, ...pairs } : plain(lines);
}

/** The character that introduces the two digits of a subfield, when the text is made of subfields. */
function subfieldMark(text: string): string | null {
  const start = /^\s*(?:\d{3})?\s?([?>~<^!|§@])(\d\d)/.exec(text.slice(0, 12));
  if (!start) return null;
  const code = Number(start[2]);
  const isKnown = code <= 1 || code === 10 || (code >= 20 && code <= 39) || (code >= 60 && code <= 69);
  return isKnown ? (start[1] as string) : null;
}

/** The subfields by their numbers; one that stands there again goes on. Text before the first is left out. */
function splitSubfields(text: string, mark: string): Map<number, string> {
  const found = new Map<number, string>();
  let code = -1;
  let from = 0;
  const close = (to: number): void => {
    if (code >= 0) found.set(code, (found.get(code) ?? '') + text.slice(from, to));
  };
  for (let at = text.indexOf(mark); at >= 0; at = text.indexOf(mark, at + 1)) {
    const next = twoDigits(text, at + 1);
    if (next < 0 || !isSubfield(next)) continue;
    close(at);
    code = next;
    from = at + 3;
  }
  close(text.length);
  return found;
}

function isSubfield(code: number): boolean {
  return code <= 19 || (code >= 20 && code <= 39) || (code >= 60 && code <= 69);
}

function twoDigits(text: string, at: number): number {
  const [a, b] = [text.charCodeAt(at) - 48, text.charCodeAt(at + 1) - 48];
  return a >= 0 && a <= 9 && b >= 0 && b <= 9 ? a * 10 + b : -1;
}

function ofSubfields(fields: ReadonlyMap<number, string>): Mt940Text {
  const joined = (from: number, to: number): string => {
    let text = '';
    for (let code = from; code <= to; code++) text += fields.get(code) ?? '';
    return text;
  };
  const sepa = readSepaMarks(joined(20, 29) + joined(60, 63));
  const bookingText = collapsed(fields.get(0) ?? '');
  return {
    description: said(sepa.purpose),
    otherSide: said(joined(32, 33)) || sepa.otherSide,
    otherAccount: (fields.get(38) ?? fields.get(31) ?? '').replaceAll(/\s/g, '') || sepa.otherAccount,
    bookingText,
  };
}

const IBAN_FIRST = /^([A-Z]{2}\d{2}[A-Z0-9]{11,30})(?:\s|$)/;

function plain(lines: readonly string[]): Mt940Text {
  const description = collapsed(wrapped(lines, FULL_LINE));
  const first = (lines[0] ?? '').trim();
  const iban = IBAN_FIRST.exec(first)?.[1];
  if (iban === undefined) {
    const sepa = readSepaMarks(description);
    if (!sepa.hasMarks) {
      const labelled = readLabels(description);
      return labelled ? { ...NOTHING, ...labelled } : { ...NOTHING, description };
    }
    const { otherSide, otherAccount } = sepa;
    return { ...NOTHING, otherSide, otherAccount, description: collapsed(sepa.purpose) || description };
  }
  return { ...NOTHING, description, otherAccount: iban, otherSide: collapsed(first.slice(iban.length)) };
}

/** Lines as one text: a full line was broken wherever it was full, a shorter one between words. */
function wrapped(lines: readonly string[], full: number): string {
  let text = '';
  let previous: string | null = null;
  for (const line of lines) {
    const isFull = previous !== null && previous.length >= full && previous.length <= FULL_LINE;
    text += previous === null || isFull ? line : ` ${line}`;
    previous = line;
  }
  return text;
}
