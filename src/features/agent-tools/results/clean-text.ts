import { isDateOnly } from '../../../kernel/dates.ts';
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
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
export interface HowToClean {
  /** Whether account and card numbers are shortened. */
  isMasked: boolean;
  /** Whether it has several lines, and may be longer. */
  isBody?: boolean;
}

/** Whether a rule that compares with the text as it is shown matches what the text itself would. */
export function isShownInFull(text: string, how: HowToClean): boolean {
  return fold(cleanText(text, how)) === fold(text);
}

/** A free-form value, such as metadata: its keys are from outside too, and ids and values of ours may be in it. */
export function cleanFreeForm(value: unknown, how: HowToClean): unknown {
  if (typeof value === 'string') return isOurs(value) ? value : cleanText(value, how);
  if (Array.isArray(value)) return value.map((item) => cleanFreeForm(item, how));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([key, held]) => [cleanText(key, how), cleanFreeForm(held, how)]),
    );
  }
  if (typeof value !== 'number' || !how.isMasked) return value;
  const masked = maskNumbers(String(value));
  return masked === String(value) ? value : masked;
}

/** They are no account numbers, and masked they would mislead. */
function isOurs(text: string): boolean {
  return isUuid(text) || AMOUNT.test(text) || isDateOnly(text) || INSTANT.test(text);
}

/** Bodies keep their lines: a report is Markdown. */
export function cleanText(text: string, { isMasked, isBody = false }: HowToClean): string {
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
