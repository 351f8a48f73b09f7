/** Equal JSON; the order of keys does not matter. */
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
