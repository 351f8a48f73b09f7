import { normalisedText } from './cell-text.ts';

/** A text, followed by another one if that has words which the first lacks. */
export function withAddedWords(text: string, more: string): string {
  if (more === '' || more === text) return text;
  if (text === '') return more;
  const known = new Set(wordsOf(text));
  return wordsOf(more).every((word) => known.has(word)) ? text : `${text} ${more}`;
}

function wordsOf(text: string): string[] {
  return normalisedText(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}
