/**
 * The query of an address as text, both ways: what is not text, such as "2026" or "true", stays what was written. A name
 * given several times is a list, which the API writes with commas.
 */
export function readSearch(text: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const [name, value] of new URLSearchParams(text)) {
    const earlier = found[name];
    found[name] = earlier === undefined ? value : `${earlier},${value}`;
  }
  return found;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Commas and colons need no escape in a query, and addresses are read by people. */
export function writeSearch(values: Readonly<Record<string, unknown>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined && value !== null && value !== '') query.set(name, textOf(value));
  }
  const text = query.toString().replaceAll('%2C', ',').replaceAll('%3A', ':');
  return text === '' ? '' : `?${text}`;
}
