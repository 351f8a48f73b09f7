/** Text as other people's programs may show it: notes on lock screens, lines in chats. */

/** Control characters but line feeds, and those that turn the direction of what follows. */
const CONTROLS = /(?!\n)\p{Cc}|[\u202A-\u202E\u2066-\u2069]/gu;

export function withoutControls(text: string): string {
  return text.toWellFormed().replaceAll('\r\n', '\n').replace(CONTROLS, '');
}

/** At most so many characters; an ellipsis is the last one if anything was cut off. */
export function shorten(text: string, chars: number): string {
  const all = [...text];
  return all.length <= chars ? text : `${all.slice(0, chars - 1).join('')}…`;
}

/** Bytes of text in one encoded word, which has at most 75 characters. */
const WORD_BYTES = 45;

/** A header value: as it is if that is ASCII, else in encoded words (RFC 2047), cut between characters. */
export function headerText(text: string): string {
  if (/^[ -~]*$/.test(text) && !text.includes('=?')) return text;
  const words = [''];
  for (const character of text) {
    const last = words.at(-1) as string;
    if (Buffer.byteLength(last + character) > WORD_BYTES) words.push(character);
    else words[words.length - 1] = last + character;
  }
  return words.map((word) => `=?UTF-8?B?${Buffer.from(word).toString('base64')}?=`).join(' ');
}
