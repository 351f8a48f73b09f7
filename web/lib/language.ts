/** Well-formed tags only: some systems have `en-US@posix`, which no format takes. */
const ENGLISH = /^en(-[a-z\d]{2,8})*$/i;

/** The English of the first English region that a browser asks for, or plain `en`. */
export function languageOf(wanted: readonly string[]): string {
  return wanted.find((language) => ENGLISH.test(language)) ?? 'en';
}

/** The language of dates, numbers and words: the texts of the pages are English, and one page has one language. */
export const LANGUAGE: string = languageOf(navigator.languages);
