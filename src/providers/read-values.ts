/** Values from outside as this service keeps them (contract 30.7.5): what cannot be read is not guessed. */

import { instantNow, type Clock } from '../kernel/clock.ts';
import { addDays, isDateOnly } from '../kernel/dates.ts';
import { LIMITS } from '../kernel/limits.ts';
import { MAX_CENTS, parseCents, type Cents } from '../kernel/money.ts';
import type { UnreadableRow } from './provider.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

/** The members of an object; none of anything else. */
export function membersOf(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Text without U+0000 and halves of characters, cut to its limit; null if it is blank or not text. */
export function readText(value: unknown, maxChars: number = LIMITS.transactionNameChars): string | null {
  if (typeof value !== 'string') return null;
  // No character takes more than two units, so a text of any size is cut before it is taken apart.
  const text = value
    .slice(0, value.includes('\0') ? undefined : maxChars * 2)
    .replaceAll('\0', '')
    .slice(0, maxChars * 2)
    .toWellFormed();
  if (text.trim() === '') return null;
  return text.length <= maxChars ? text : [...text].slice(0, maxChars).join('');
}

/** An id is never changed: one that no database could hold counts as missing. */
export function readId(value: unknown): string | null {
  if (typeof value !== 'string' || value === '' || value.length > LIMITS.providerIdChars) return null;
  return value.includes('\0') || !value.isWellFormed() ? null : value;
}

const NUMBER = /^(-?)(\d{1,40})(?:\.(\d{1,40}))?(?:e([+-]?\d{1,3}))?$/i;

/**
 * Hundredths of a number of JSON, or of one that is sent as text, rounded half away from zero. The shortest digits that
 * identify a number are those that were sent, so 12.1 is 12.10. undefined if it is not a number or out of range.
 */
export function readAmount(value: unknown): { cents: Cents; isRounded: boolean } | undefined {
  if (typeof value !== 'number' && typeof value !== 'string') return undefined;
  const plain = parseCents(value);
  if (plain !== undefined) return { cents: plain, isRounded: false };
  const match = NUMBER.exec(String(value));
  if (!match) return undefined;
  const [, sign, whole = '', decimals = '', exponent = '0'] = match;
  const digits = whole + decimals;
  const end = whole.length + Number(exponent) + 2;
  const kept = digits.slice(0, Math.max(0, end)).padEnd(Math.max(0, end), '0');
  const rest = end < 0 ? '' : digits.slice(end);
  const cents = Number(kept === '' ? '0' : kept) + (rest.charAt(0) >= '5' ? 1 : 0);
  if (cents > MAX_CENTS) return undefined;
  const isRounded = /[1-9]/.test(end < 0 ? digits : rest);
  return { cents: sign === '-' && cents !== 0 ? -cents : cents, isRounded };
}

function isNumber(value: unknown): boolean {
  return typeof value === 'number' || (typeof value === 'string' && NUMBER.test(value));
}

/** A row's own JSON; undefined if it is nested deeper than databases and readers bear. */
export function readRaw(row: JsonObject): string | undefined {
  return isDeeperThan(row, LIMITS.jsonDepth) ? undefined : JSON.stringify(row);
}

function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((one) => isDeeperThan(one, levels - 1));
}

/** What a row cannot do without. */
export interface Essentials {
  externalId: string;
  externalAccountId: string;
  date: string;
  amountCents: Cents;
  isRounded: boolean;
  raw: string;
}

export interface EssentialMembers {
  id: unknown;
  accountId: unknown;
  date: unknown;
  amount: unknown;
}

/** The first date that a row can have. */
export const EARLIEST_DATE = '1970-01-01';

/** The last date that a row can have. */
export function latestDate(clock: Clock): string {
  return addDays(instantNow(clock).slice(0, 10), LIMITS.providerFutureDays);
}

/** The essential values of a row, or what is wrong with it. */
export function readEssentials(
  row: JsonObject,
  { id, accountId, date, amount }: EssentialMembers,
  latest: string,
): Essentials | UnreadableRow {
  const [externalId, externalAccountId] = [readId(id), readId(accountId)];
  const unreadable = (problem: string): UnreadableRow => ({ externalId, externalAccountId, problem });
  if (externalId === null) return unreadable('it has no id');
  if (externalAccountId === null) return unreadable('it names no account');
  if (date === undefined || date === null) return unreadable('it has no date');
  if (typeof date !== 'string' || !isDateOnly(date)) return unreadable('its date is not a day of the calendar');
  if (date < EARLIEST_DATE) return unreadable('its date is before 1970');
  if (date > latest) return unreadable(`its date is more than ${LIMITS.providerFutureDays} days ahead`);
  if (amount === undefined || amount === null) return unreadable('it has no amount');
  const read = readAmount(amount);
  if (!read) return unreadable(isNumber(amount) ? 'its amount is too large' : 'its amount is not a number');
  const raw = readRaw(row);
  if (raw === undefined) return unreadable('its data is nested too deep');
  return { externalId, externalAccountId, date, amountCents: read.cents, isRounded: read.isRounded, raw };
}
