import { describe, expect, test } from 'vitest';

import { LIMITS } from '../../../kernel/limits.ts';
import { readForm } from './read-form.ts';

const TYPE = 'multipart/form-data; boundary="b--1"';
const LARGE = Buffer.alloc(LIMITS.bodyReadInPlaceBytes + 1, '--b\r\n--\r\n\r\n-1');

function part(head: string, content: Uint8Array | string): Buffer {
  return Buffer.concat([
    Buffer.from(`--b--1\r\nContent-Disposition: form-data; ${head}\r\n\r\n`),
    Buffer.from(content),
    Buffer.from('\r\n'),
  ]);
}

function form(...parts: readonly Buffer[]): Buffer {
  return Buffer.concat([...parts, Buffer.from('--b--1--\r\n')]);
}

/** What the platform makes of a form, whatever its size. */
async function asPlatform(bytes: Buffer): Promise<[string, unknown][]> {
  const read = await new Response(bytes, { headers: { 'content-type': TYPE } }).formData();
  return Promise.all(
    [...read].map(async ([name, value]) => [name, typeof value === 'string' ? value : await same(value)]),
  );
}

async function same(file: File): Promise<unknown> {
  return { fileName: file.name, bytes: Buffer.from(await file.arrayBuffer()) };
}

async function asOurs(bytes: Buffer): Promise<[string, unknown][]> {
  const read = await readForm(TYPE, bytes);
  return read.map(([name, value]) => [
    name,
    typeof value === 'string' ? value : { ...value, bytes: Buffer.from(value.bytes) },
  ]);
}

describe('a form is read as the platform reads it', () => {
  const file = part('name="file"; filename="ä.csv"', LARGE);
  const small = part('name="file"; filename="b.csv"', 'a,b\r\n1,2');
  const field = part('name="user_id"', 'me');
  const cases: Record<string, Buffer> = {
    'with a large file alone': form(file),
    'with fields around a large file': form(field, file, part('name="note"', 'ü\r\nß')),
    'with text before the first part and after the last': Buffer.concat([
      Buffer.from('A form.\r\n'),
      form(field, file),
      Buffer.from('The end.\r\n'),
    ]),
    'with a large text that is no file': form(part('name="note"', LARGE), small),
    'with a large file without a name': form(part('name="file"; filename=""', LARGE)),
    'with a large file in base64': form(
      part('name="file"; filename="a.csv"\r\nContent-Transfer-Encoding: base64', LARGE.toString('base64')),
    ),
    'with a small file and a large one': form(small, file),
    'with two large files': form(file, part('name="file"; filename="c.csv"', Buffer.concat([LARGE, LARGE]))),
    'with an empty file': form(field, part('name="file"; filename="c.csv"', '')),
  };
  for (const [name, bytes] of Object.entries(cases)) {
    test(name, async () => {
      const read = await asOurs(bytes);
      expect(read).toEqual(await asPlatform(bytes));
    });
  }

  test('a large file is not copied', async () => {
    const bytes = form(field, file);
    const [, [, read] = []] = await readForm(TYPE, bytes);
    expect(typeof read === 'object' && read.bytes.buffer === bytes.buffer).toBe(true);
  });

  test('with as many parts as a form can have, and no more', async () => {
    const most = Array.from({ length: LIMITS.formParts }, () => field);
    expect(await readForm(TYPE, form(...most))).toHaveLength(LIMITS.formParts);
    await expect(readForm(TYPE, form(...most, field))).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE' });
  });

  test('what is no form, or is cut off, is refused', async () => {
    for (const bytes of [Buffer.alloc(0), LARGE, form(field, file).subarray(0, -20), file.subarray(0, 60)])
      await expect(readForm(TYPE, bytes)).rejects.toMatchObject({ code: 'INVALID_BODY' });
  });
});
