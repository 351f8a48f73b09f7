import { expect, test } from 'vitest';

import { languageOf } from './language.ts';

test('formats are those of the first English region that the browser asks for', () => {
  expect(languageOf(['de-DE', 'de', 'en-GB', 'en-US'])).toBe('en-GB');
  expect(languageOf(['de-DE', 'ja'])).toBe('en');
  expect(languageOf([])).toBe('en');
});

test('a tag that no format takes is passed over', () => {
  for (const tags of [['en-US@posix'], ['en_US', 'C'], ['english', 'enx-GB']]) {
    expect(languageOf(tags)).toBe('en');
    expect(() => new Intl.NumberFormat(languageOf(tags))).not.toThrow();
  }
  expect(languageOf(['en-US@posix', 'en-CA'])).toBe('en-CA');
});
