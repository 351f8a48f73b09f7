/**
 * The language of dates, numbers and words: the English of the first English region that the browser asks for, or plain
 * `en`. The texts of the pages are English, and a page in two languages reads worse than one in another.
 */
export const LANGUAGE: string = navigator.languages.find((language) => /^en\b/i.test(language)) ?? 'en';
