import { validationError } from './errors.ts';
import { compareCodePoints } from './fold.ts';
import { LIMITS } from './limits.ts';

/** One open object or list on the way to the current position. */
interface Level {
  isList: boolean;
  /** Commas so far: the index of the item in a list. */
  commas: number;
  /** Start and end of the last string at this level: in an object, the key of the value that follows. */
  textStart: number;
  textEnd: number;
}

const PATH_SHOWN = 100;

/**
 * `JSON.parse` for text from outside. One pass over the text comes first: a value nested too deep, or with too many
 * members, is refused before it is built. `at` is the path of the text itself.
 * @throws VALIDATION_ERROR, SyntaxError
 */
export function parseBoundedJson(text: string, at = ''): unknown {
  refuseUnbounded(text, at);
  return JSON.parse(text) as unknown;
}

function refuseUnbounded(text: string, at: string): void {
  const levels: Level[] = [];
  let level: Level | undefined;
  for (let i = 0; i < text.length; i++) {
    switch (text.charCodeAt(i)) {
      case 0x22: {
        const end = endOfText(text, i + 1);
        if (level) [level.textStart, level.textEnd] = [i, end];
        i = end - 1;
        break;
      }
      case 0x5b: // [
      case 0x7b: // {
        if (levels.length >= LIMITS.jsonDepth) {
          const path = pathOf(text, at, levels);
          throw refused(path, `lists and objects can be at most ${LIMITS.jsonDepth} levels deep`);
        }
        level = { isList: text.charCodeAt(i) === 0x5b, commas: 0, textStart: 0, textEnd: 0 };
        levels.push(level);
        break;
      case 0x5d: // ]
      case 0x7d: // }
        levels.pop();
        level = levels.at(-1);
        break;
      case 0x2c: // ,
        if (!level) break;
        level.commas += 1;
        if (level.commas >= LIMITS.jsonMembers) {
          const path = pathOf(text, at, levels.slice(0, -1));
          throw refused(path, `a list or object can have at most ${LIMITS.jsonMembers} members`);
        }
        break;
    }
  }
}

/** The position after the closing quote, or the end of the text. `indexOf` finds it fast: files come as strings. */
function endOfText(text: string, start: number): number {
  for (let quote = text.indexOf('"', start); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    let backslashes = 0;
    while (quote - 1 - backslashes >= start && text.charCodeAt(quote - 1 - backslashes) === 0x5c) backslashes += 1;
    if (backslashes % 2 === 0) return quote + 1;
  }
  return text.length;
}

/** In the notation of error details, `filter.search[0]`, cut where it would fill a screen. */
function pathOf(text: string, at: string, levels: readonly Level[]): string {
  let path = at;
  for (const { isList, commas, textStart, textEnd } of levels) {
    if (path.length > PATH_SHOWN) return `${path.slice(0, PATH_SHOWN).toWellFormed()}…`;
    if (isList) path += `[${commas}]`;
    else path += `${path === '' ? '' : '.'}${text.slice(textStart + 1, Math.min(textEnd - 1, textStart + PATH_SHOWN))}`;
  }
  return path.length > PATH_SHOWN ? `${path.slice(0, PATH_SHOWN).toWellFormed()}…` : path;
}

function refused(path: string, what: string): Error {
  return validationError(path, path === '' ? `In the body, ${what}.` : `${path}: ${what}.`);
}

/** Whether two JSON values are equal; the order of keys does not matter. */
export function isEqualJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
    return a.every((item, index) => isEqualJson(item, b[index]));
  }
  const members = Object.entries(a);
  if (members.length !== Object.keys(b).length) return false;
  return members.every(
    ([key, item]) => Object.hasOwn(b, key) && isEqualJson(item, (b as Readonly<Record<string, unknown>>)[key]),
  );
}

/** The fields that are set: an undefined one is absent in JSON. */
export function withoutUndefined<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;
}

/**
 * JSON text that is the same for equal values: without spaces, and with the members of every object in the order of
 * their names.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null);
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => compareCodePoints(a, b));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`).join(',')}}`;
}
