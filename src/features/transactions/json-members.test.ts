import fc from 'fast-check';
import { expect, test } from 'vitest';

import { anyCharacter } from '../../../test/harness/any-character.ts';
import { memberTexts } from './csv-text.ts';

test('members are in their order, whatever their values and the spaces between them', () => {
  const spaced = fc.boolean();
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.string({ unit: anyCharacter }), fc.jsonValue()), { maxLength: 6 }),
      spaced,
      (all, isSpaced) => {
        const [colon, comma] = isSpaced ? [' : ', ', '] : [':', ','];
        const json = `{${all.map(([key, value]) => `${JSON.stringify(key)}${colon}${JSON.stringify(value)}`).join(comma)}}`;
        expect(memberTexts(json)).toEqual(all.map(([, value]) => JSON.stringify(value)));
      },
    ),
    { numRuns: 500 },
  );
});

test.each([
  ['{}', []],
  ['{"a":"\\\\"}', ['"\\\\"']],
  ['{"a\\"}":"}","b":[{"c":"]"}],"d":-1.50}', ['"}"', '[{"c":"]"}]', '-1.50']],
])('%s', (json, values) => {
  expect(memberTexts(json)).toEqual(values);
});
