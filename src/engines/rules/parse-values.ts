import { isDateOnly } from '../../kernel/dates.ts';
import { fold } from '../../kernel/fold.ts';
import { formatCents, parseCents } from '../../kernel/money.ts';
import type { Scalar } from './definition.ts';
import type { Field } from './fields.ts';
import { isStorableText, isWithin, numberFault } from './json.ts';
import { isOrdered, isTextual, type LeafKey, type Operator, type ReferenceKind } from './language.ts';
import { patternFault } from './patterns.ts';
import type { Problems } from './problems.ts';
import type { References, WantedRecords } from './references.ts';
import { RULE_LIMITS } from './rule-limits.ts';

export interface ValueContext {
  readonly references: References;
  readonly wanted: WantedRecords;
  readonly problems: Problems;
}

/** One value of a leaf in its stored form; undefined if it is wrong, which is then noted. */
export function parseValue(
  field: Field,
  op: Operator,
  key: LeafKey,
  input: unknown,
  path: string,
  context: ValueContext,
): Scalar | undefined {
  const { problems } = context;
  switch (field.kind) {
    case 'text':
      return parseText(op, input, path, problems);
    case 'money':
      return parseMoney(field.isSigned && key !== 'tolerance', input, path, problems);
    case 'integer': {
      const [min, max] = key === 'tolerance' ? [0, RULE_LIMITS.cyclicTolerance] : [field.min, field.max];
      const fits = typeof input === 'number' && Number.isInteger(input) && input >= min && input <= max;
      return fits ? input : problems.invalid(path, `must be a whole number from ${min} to ${max}`);
    }
    case 'date':
      return typeof input === 'string' && isDateOnly(input)
        ? input
        : problems.invalid(path, 'must be a calendar date as YYYY-MM-DD');
    case 'boolean':
      return typeof input === 'boolean' ? input : problems.invalid(path, 'must be true or false');
    case 'choice':
      return typeof input === 'string' && field.choices.includes(input)
        ? input
        : problems.invalid(path, `must be one of ${field.choices.join(', ')}`);
    case 'reference':
      return parseReference(field.refersTo, input, path, context);
    case 'category':
      // Its slug is compared as text, the category itself by id.
      return isTextual(op)
        ? parseText(op, input, path, problems)
        : parseReference(field.refersTo, input, path, context);
    case 'tags':
      return parseReference(field.refersTo, input, path, context);
    case 'metadata':
      if (isOrdered(op)) return parseNumber(input, path, problems);
      return isTextual(op) ? parseText(op, input, path, problems) : parseMetadataValue(op, input, path, problems);
    default:
      return field satisfies never;
  }
}

const MAY_BE_BLANK: readonly Operator[] = ['eq', 'neq', 'in', 'not_in'];

function parseText(op: Operator, input: unknown, path: string, problems: Problems): string | undefined {
  if (typeof input !== 'string') return problems.invalid(path, 'must be a string');
  if (!isWithin(input, RULE_LIMITS.textChars)) {
    return problems.invalid(path, `must have at most ${RULE_LIMITS.textChars} characters`);
  }
  if (!isStorableText(input)) return problems.invalid(path, 'must not contain U+0000 or unpaired surrogates');
  if (op === 'matches') {
    const fault = input === '' ? 'must not be empty' : problems.isFull ? undefined : patternFault(input);
    return fault === undefined ? input : problems.invalid(path, fault);
  }
  if (!MAY_BE_BLANK.includes(op) && fold(input) === '') {
    return problems.invalid(path, 'must not be blank; use exists or not_exists to test whether there is any text');
  }
  return input;
}

function parseMoney(isSigned: boolean, input: unknown, path: string, problems: Problems): string | undefined {
  const cents = typeof input === 'string' || typeof input === 'number' ? parseCents(input) : undefined;
  if (cents === undefined) {
    return problems.invalid(
      path,
      'must be an amount with at most two decimals, such as "12.34" or 12.34, within ±9999999999.99',
    );
  }
  return cents < 0 && !isSigned ? problems.invalid(path, 'must not be negative') : formatCents(cents);
}

function parseNumber(input: unknown, path: string, problems: Problems): number | undefined {
  if (typeof input !== 'number') return problems.invalid(path, 'must be a number');
  const fault = numberFault(input);
  return fault === undefined ? input : problems.invalid(path, fault);
}

function parseMetadataValue(op: Operator, input: unknown, path: string, problems: Problems): Scalar | undefined {
  if (typeof input === 'boolean') return input;
  if (typeof input === 'number') return parseNumber(input, path, problems);
  return typeof input === 'string'
    ? parseText(op, input, path, problems)
    : problems.invalid(path, 'must be a string, a number or a boolean');
}

const WHAT: Readonly<Record<ReferenceKind, string>> = {
  category: 'the slug or id of a category',
  tag: 'the slug or id of a tag',
  series: 'the id of a series',
  counterparty: 'the id of a counterparty',
  account: 'the id of an account',
  user: 'the id of a household member',
};

/** The UUID of a record; tags that an earlier rule of the request wants count as existing. */
export function parseReference(
  kind: ReferenceKind,
  input: unknown,
  path: string,
  { references, wanted, problems }: ValueContext,
): string | undefined {
  if (typeof input !== 'string') return problems.invalid(path, `must be a string: ${WHAT[kind]}`);
  const id = references[kind](input) ?? (kind === 'tag' ? wanted.find('tag', input) : undefined);
  return id ?? problems.unknown(path, `must be ${WHAT[kind]}; this one does not exist`);
}
