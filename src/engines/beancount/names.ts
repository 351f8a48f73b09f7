/** Names that Beancount accepts, made from names of people and banks. */

const NOT_IN_NAMES = /[^\p{L}\p{Nd}]+/gu;
const BEGINS_WELL = /^[\p{Lu}\p{Nd}]/u;

/** One component of an account's name: it begins with a capital or a digit, and has letters, digits and `-` only. */
export function component(name: string, otherwise: string): string {
  const letters = name
    .normalize('NFC')
    .replace(NOT_IN_NAMES, '-')
    .replace(/^-+|-+$/g, '');
  if (letters === '') return otherwise;
  const [first = '', ...others] = letters;
  const capital = first.toUpperCase();
  // Some capitals are several letters, and many scripts have none.
  return BEGINS_WELL.test(capital) && /^.$/u.test(capital) ? capital + others.join('') : `X${letters}`;
}

/** Gives each name once: one that is taken gets the id at its end. */
export function uniqueNames(): (name: string, id: string) => string {
  const taken = new Set<string>();
  return (name, id) => {
    const unique = taken.has(name) ? `${name}-${id}` : name;
    taken.add(unique);
    return unique;
  };
}

/** A tag: of the characters that slugs have, Beancount lacks the colon. */
export function beancountTag(slug: string): string {
  return slug.replaceAll(':', '/');
}

/** A text in quotes, on one line. */
export function quotedText(text: string): string {
  return `"${oneLine(text).replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}

/** A text for a comment, which must not reach into the next line. */
export function oneLine(text: string): string {
  // oxlint-disable-next-line no-control-regex -- Control characters are what is replaced.
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ').trim();
}
