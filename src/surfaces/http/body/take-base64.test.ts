import { randomBytes } from 'node:crypto';

import { describe, expect, test } from 'vitest';

import { LIMITS } from '../../../kernel/limits.ts';
import { TAKEN, takeBase64 } from './take-base64.ts';

const FIELDS = ['csv_base64', 'file_base64'];

function taken(json: string): { json: unknown; file: Buffer } | null {
  const found = takeBase64(Buffer.from(json), FIELDS);
  return found && { json: JSON.parse(found.json.toString()), file: found.file };
}

describe('a large file in JSON', () => {
  for (const size of [0, 1, 2, 3, 65_536, 200_000].map((more) => LIMITS.bodyReadInPlaceBytes + more)) {
    test(`of ${size} bytes is taken out, whatever its alphabet`, () => {
      const file = randomBytes(size);
      for (const text of [file.toString('base64'), file.toString('base64url')]) {
        const found = taken(`{"user_id":"é","csv_base64" :\n "${text}","note":"\\"file_base64\\":\\"a\\""}`);
        expect(found?.json).toEqual({ user_id: 'é', csv_base64: TAKEN, note: '"file_base64":"a"' });
        expect(found?.file.equals(file)).toBe(true);
      }
    });
  }

  test('is found behind a text like the name of its field', () => {
    const file = randomBytes(LIMITS.bodyReadInPlaceBytes);
    const found = taken(`{"name":"csv_base64","csv_base64":"${file.toString('base64')}"}`);
    expect(found?.json).toEqual({ name: 'csv_base64', csv_base64: TAKEN });
    expect(found?.file.equals(file)).toBe(true);
  });

  test('stays where it is small, no base64, of a length that base64 never has, or escaped', () => {
    const text = Buffer.alloc(LIMITS.bodyReadInPlaceBytes, 'x').toString('base64');
    for (const value of [
      'QUJD',
      `${text}\u00a0`,
      `${text} `,
      `${text.slice(0, -2)}=A`,
      `\\/${text}`,
      `${text}A===`,
      `${text}A`,
    ])
      expect(taken(`{"csv_base64":"${value}"}`)).toBeNull();
    expect(taken(`{"other":"${text}"}`)).toBeNull();
    expect(taken(`{"csv_base64":"${text}`)).toBeNull();
    expect(taken(`{"csv_base64":["${text}"]}`)).toBeNull();
  });
});
