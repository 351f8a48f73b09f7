import { fold } from '../../../kernel/fold.ts';
import { isUuid } from '../../../kernel/ids.ts';
import { LIMITS } from '../../../kernel/limits.ts';
import { maskNumbers } from './mask-numbers.ts';

/** What nobody sees, or what changes how the rest is shown: it can hide an instruction from people, but not from a model. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;
/** One selector after a symbol or a digit of a key cap is part of an emoji. */
const EMOJI_STYLE = /(?<=[\p{Extended_Pictographic}\d#*])[\ufe0e\ufe0f](?![\ufe00-\ufe0f])/gu;
const LINES = /\r\n|[\n\t]/g;
/** As wide as amounts of the ledger: a card number is longer. */
const AMOUNT = /^-?\d{1,10}\.\d{2}$/;
/** Fields with text of several lines, which may be longer than others. */
const BODIES: ReadonlySet<string> = new Set(['body', 'comment', 'prompt', 'result_text']);

interface HowToClean {
  isMasked: boolean;
  isBody?: boolean;
}

/**
 * Cleans the text from outside at each of the paths, such as `transactions[].name`, and returns the paths at which there
 * is any. An object there is free-form: its keys are from outside, too.
 */
export function cleanUntrusted<T extends object>(
  result: T,
  paths: readonly string[],
  how: HowToClean,
): { result: T; found: string[] } {
  let cleaned: unknown = result;
  const found: string[] = [];
  for (const path of paths) {
    const steps = path.replaceAll('[]', '.[]').split('.');
    const name = steps.findLast((step) => step !== '[]') ?? '';
    let isThere = false;
    cleaned = replaceAt(cleaned, steps, (value) => {
      isThere = true;
      return cleanValue(value, { ...how, isBody: BODIES.has(name) });
    });
    if (isThere) found.push(path);
  }
  return { result: cleaned as T, found };
}

/** Whether a rule that compares with the text as it is shown matches what the text itself would. */
export function isShownInFull(text: string, how: HowToClean): boolean {
  return fold(cleanText(text, how)) === fold(text);
}

/** A copy in which whatever is at the path has been replaced; the rest is shared. */
function replaceAt(value: unknown, [step, ...rest]: readonly string[], replace: (value: unknown) => unknown): unknown {
  if (value === undefined || value === null) return value;
  if (step === undefined) return replace(value);
  if (step === '[]') return Array.isArray(value) ? value.map((item) => replaceAt(item, rest, replace)) : value;
  if (typeof value !== 'object' || !Object.hasOwn(value, step)) return value;
  const record = value as Readonly<Record<string, unknown>>;
  return { ...record, [step]: replaceAt(record[step], rest, replace) };
}

/** `isFreeForm`: within an object, where ids and amounts of ours are as well. */
function cleanValue(value: unknown, how: HowToClean, isFreeForm = false): unknown {
  if (typeof value === 'string') return isFreeForm && isOurs(value) ? value : cleanText(value, how);
  if (Array.isArray(value)) return value.map((item) => cleanValue(item, how, isFreeForm));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([key, held]) => [
        cleanText(key, { ...how, isBody: false }),
        cleanValue(held, how, true),
      ]),
    );
  }
  if (typeof value !== 'number' || !how.isMasked) return value;
  const masked = maskNumbers(String(value));
  return masked === String(value) ? value : masked;
}

/** They are no account numbers, and masked they would mislead. */
function isOurs(text: string): boolean {
  return isUuid(text) || AMOUNT.test(text);
}

/** Bodies keep their lines: a report is Markdown. */
function cleanText(text: string, { isMasked, isBody = false }: HowToClean): string {
  const kept = isBody ? new RegExp(`${EMOJI_STYLE.source}|${LINES.source}`, 'gu') : EMOJI_STYLE;
  const pieces = text.split(kept);
  const between = text.match(kept) ?? [];
  const clean = pieces.map((piece, index) => piece.replace(UNSEEN, ' ') + (between[index] ?? '')).join('');
  return cut(isMasked ? maskNumbers(clean) : clean, isBody ? LIMITS.agentBodyChars : LIMITS.agentTextChars);
}

/** At most so many code points. */
function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  const characters = [...text];
  return characters.length <= most ? text : characters.slice(0, most).join('');
}
