const LENGTH = 8;

/** `XXXX-XXXX` from however a person types it; undefined when it cannot be a code. */
export function codeIn(text: string): string | undefined {
  const letters = text.replace(/[^\p{L}\p{N}]/gu, '').toUpperCase();
  return letters.length === LENGTH ? `${letters.slice(0, LENGTH / 2)}-${letters.slice(LENGTH / 2)}` : undefined;
}
