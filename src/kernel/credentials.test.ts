import { assert, emailAddress, property, string } from 'fast-check';
import { expect, test } from 'vitest';

import { hasPasswordLength, parseEmail, passwordLength } from './credentials.ts';

test('addresses are trimmed and put in lower case', () => {
  expect(parseEmail('  Ada.Lovelace+bank@Home.Example ')).toBe('ada.lovelace+bank@home.example');
  expect(parseEmail('ada@localhost')).toBe('ada@localhost');
  expect(parseEmail('ädä@bücher.example')).toBe('ädä@bücher.example');
});

test('anything but a bare address is refused', () => {
  for (const text of [
    '',
    'ada',
    '@home.example',
    'ada@',
    'a@b@c',
    'ada @home.example',
    'Ada <ada@home.example>',
    'ada@-home.example',
    'ada@home-.example',
    'ada@.example',
    'ada@home..example',
    'ada@home.example.',
    '"a b"@home.example',
    'a,b@home.example',
    'ada@home.example\n.x',
    'a\0@home.example',
    `${'a'.repeat(65)}@home.example`,
    `ada@${'a'.repeat(64)}.example`,
    `ada@${'a.'.repeat(130)}example`,
  ]) {
    expect([text, parseEmail(text)]).toEqual([text, undefined]);
  }
});

test('an accepted address is parsed to itself again', () => {
  assert(
    property(string({ unit: 'grapheme' }), (text) => {
      const read = parseEmail(text);
      if (read !== undefined) expect(parseEmail(read)).toBe(read);
    }),
  );
  assert(
    property(emailAddress(), (text) => {
      expect(parseEmail(text) ?? text.toLowerCase()).toBe(text.toLowerCase());
    }),
  );
});

test('passwords are counted in normalised code points; a huge one is not normalised as a whole', () => {
  for (const [text, length] of [
    ['', 0],
    ['😀é', 2],
    ['e\u0301', 1],
    ['\u1112\u1161\u11ab', 1],
    ['ﷺ', 18],
  ] as const) {
    expect([text, passwordLength(text)]).toEqual([text, length]);
  }
  expect(hasPasswordLength('e\u0301'.repeat(200))).toBe(true);
  expect(hasPasswordLength('\u1112\u1161\u11ab'.repeat(201))).toBe(false);
  expect(hasPasswordLength('ﷺ'.repeat(1_000_000))).toBe(false);
  expect(passwordLength('ﷺ'.repeat(1_000_000))).toBe(Infinity);
});
