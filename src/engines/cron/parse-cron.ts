import { LIMITS } from '../../kernel/limits.ts';

/** An expression of five fields, as what it matches. */
export interface Cron {
  /** Minutes of the day, ascending. */
  readonly times: readonly number[];
  readonly months: ReadonlySet<number>;
  readonly days: ReadonlySet<number>;
  /** 0 is Sunday. */
  readonly weekdays: ReadonlySet<number>;
  /** Day and weekday both leave some days out, so that either is enough. */
  readonly isEither: boolean;
}

interface Field {
  readonly name: string;
  readonly min: number;
  readonly max: number;
  /** Stand for `min` and what follows it. */
  readonly names?: readonly string[];
}

const MINUTE: Field = { name: 'minute', min: 0, max: 59 };
const HOUR: Field = { name: 'hour', min: 0, max: 23 };
const DAY: Field = { name: 'day', min: 1, max: 31 };
const MONTH: Field = {
  name: 'month',
  min: 1,
  max: 12,
  names: ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'],
};
/** 7 is Sunday, too. */
const WEEKDAY: Field = { name: 'weekday', min: 0, max: 7, names: ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'] };

const ORDER = 'minute hour day month weekday';
const SHOWABLE = /^[\w*,/+@#?-]{1,20}$/;

/** What is wrong, to follow the name of the field or parameter. */
class Refusal extends Error {}

/**
 * Reads a schedule (contract 60.1). Five fields with `*`, numbers, names, lists, ranges, and steps of `*` or a range.
 * Anything that programs read differently is refused: `5/15`, `@daily`, `L`, `W`, `#`, `?`, seconds, reversed ranges.
 */
export function parseCron(expression: string): { cron: Cron } | { problem: string } {
  try {
    return { cron: read(expression) };
  } catch (error) {
    if (error instanceof Refusal) return { problem: error.message };
    throw error;
  }
}

function read(expression: string): Cron {
  if (expression.length > LIMITS.workflowCronChars) {
    throw new Refusal(`must have at most ${LIMITS.workflowCronChars} characters`);
  }
  const texts = expression.trim().split(/[ \t]+/);
  if (texts.length !== 5) {
    const found = texts[0] === '' ? 'is empty' : texts[0]?.startsWith('@') ? 'is a nickname' : `has ${texts.length}`;
    throw new Refusal(`must have five fields (${ORDER}), such as 0 7 * * MON; this ${found}`);
  }
  const [minute, hour, day, month, weekday] = texts as [string, string, string, string, string];
  const minutes = ascending(readField(MINUTE, minute));
  const hours = ascending(readField(HOUR, hour));
  const days = readField(DAY, day);
  const months = readField(MONTH, month);
  const weekdays = new Set([...readField(WEEKDAY, weekday)].map((value) => value % 7));
  return {
    times: hours.flatMap((h) => minutes.map((m) => h * 60 + m)),
    months,
    days,
    weekdays,
    isEither: days.size < 31 && weekdays.size < 7,
  };
}

function readField(field: Field, text: string): Set<number> {
  const values = new Set<number>();
  for (const item of text.split(',')) {
    const { from, to, step } = readItem(field, item);
    for (let value = from; value <= to; value += step) values.add(value);
  }
  return values;
}

function readItem(field: Field, item: string): { from: number; to: number; step: number } {
  if (item === '') throw new Refusal(`${field.name}: there is nothing before or after a comma`);
  const [, range, stepText] = /^([^/]*)(?:\/(.*))?$/s.exec(item) as unknown as [string, string, string | undefined];
  const step = stepText === undefined ? 1 : readStep(field, item, stepText);
  if (range === '*') return { from: field.min, to: field.max, step };
  const [, first, last] = /^([^-]*)(?:-(.*))?$/s.exec(range) as unknown as [string, string, string | undefined];
  const from = readValue(field, item, first);
  if (last === undefined) {
    if (stepText === undefined) return { from, to: from, step };
    throw new Refusal(`${field.name}: ${shown(item)} has a step without a range; write ${first}-${field.max}/${step}`);
  }
  const to = readValue(field, item, last);
  if (to >= from) return { from, to, step };
  const hint = field === WEEKDAY && to === 0 ? '; at the end of a range, Sunday is 7' : '';
  throw new Refusal(`${field.name}: ${shown(item)} runs backwards${hint}`);
}

function readStep(field: Field, item: string, text: string): number {
  const step = /^\d{1,2}$/.test(text) ? Number(text) : 0;
  if (step >= 1 && step <= field.max) return step;
  throw new Refusal(`${field.name}: the step of ${shown(item)} must be a whole number from 1 to ${field.max}`);
}

function readValue({ name, min, max, names }: Field, item: string, text: string): number {
  const value = /^\d{1,2}$/.test(text) ? Number(text) : NaN;
  if (value >= min && value <= max) return value;
  const place = /^[a-z]{3}$/i.test(text) ? (names?.indexOf(text.toUpperCase()) ?? -1) : -1;
  if (place !== -1) return min + place;
  const orNames = names ? ` or ${names[0]} to ${names.at(-1)}` : '';
  throw new Refusal(`${name}: ${shown(item)} is not understood; a value is ${min} to ${max}${orNames}`);
}

/** Only what cannot be read as anything else is repeated. */
function shown(item: string): string {
  return SHOWABLE.test(item) ? item : 'an entry';
}

function ascending(values: Set<number>): number[] {
  return [...values].sort((a, b) => a - b);
}
