import { isEqualJson } from '../kernel/json.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Only the fields that differ. */
export interface Difference {
  before: Fields;
  after: Fields;
}

/** The fields in which two states of an entity differ; null if in none. A field may exist in one of them only. */
export function differenceOf(was: Fields, is: Fields): Difference | null {
  const names = [...new Set([...Object.keys(was), ...Object.keys(is)])].filter(
    (name) => name !== 'updated_at' && !isSameField(name, was, is),
  );
  if (names.length === 0) return null;
  const pick = (from: Fields): Fields =>
    Object.fromEntries(names.flatMap((name) => (Object.hasOwn(from, name) ? [[name, from[name]]] : [])));
  return { before: pick(was), after: pick(is) };
}

/** The same, if only some fields of a state get new values. */
export function differenceMadeBy(patch: Fields, was: Fields): Difference | null {
  return differenceOf(Object.fromEntries(Object.keys(patch).map((name) => [name, was[name] ?? null])), patch);
}

/** Whether a field has the same value on both sides, or exists on neither. */
export function isSameField(name: string, one: Fields, other: Fields): boolean {
  return Object.hasOwn(one, name) === Object.hasOwn(other, name) && isEqualJson(one[name], other[name]);
}
