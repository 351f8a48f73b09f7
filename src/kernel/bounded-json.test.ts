import { assert, json, property } from 'fast-check';
import { expect, test } from 'vitest';

import { parseBoundedJson } from './json.ts';
import { AppError } from './errors.ts';
import { LIMITS } from './limits.ts';

const nested = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`;
const list = (count: number): string => `[${'1,'.repeat(count - 1)}1]`;

test('a value within the bounds is read as JSON.parse reads it', () => {
  assert(
    property(json({ maxDepth: 20 }), (text) => {
      expect(parseBoundedJson(text)).toEqual(JSON.parse(text));
    }),
  );
  const brackets = JSON.stringify({ '[[{"': '\\"[[[[[['.repeat(100), b: ['\\', '\\\\', '"'] });
  expect(parseBoundedJson(brackets)).toEqual(JSON.parse(brackets));
  for (const text of ['{"a":', '"\\', '[', ']]', '{"a"}', '', 'nul']) {
    expect(() => parseBoundedJson(text)).toThrow(SyntaxError);
  }
});

test('a value that nests too deeply is refused with its place', () => {
  const { jsonDepth } = LIMITS;
  expect(parseBoundedJson(nested(jsonDepth))).toEqual(JSON.parse(nested(jsonDepth)));
  for (const depth of [jsonDepth + 1, 4_000, 5_000_000]) {
    const fault = faultOf(nested(depth));
    expect([fault.code, fault.message]).toEqual(['VALIDATION_ERROR', expect.stringContaining(`${jsonDepth} levels`)]);
  }
  const fault = faultOf(`{"limit":1,"filter":{"account_id":"x","search":["a",${nested(100)}]}}`);
  expect(fault.extra.details?.[0]?.path).toMatch(/^filter\.search\[1\](\[0\])+…?$/);
  const deepObject = `${'{"\\"k":'.repeat(100)}1${'}'.repeat(100)}`;
  expect(faultOf(deepObject).extra.details?.[0]?.path).toMatch(/^(\\"k\.){2,}/);
  expect(faultOf(nested(65), 'column_mapping').message).toMatch(/^column_mapping\[0\]/);
});

test('a list or object with too many members is refused, and the place is named', () => {
  const { jsonMembers } = LIMITS;
  expect(parseBoundedJson(list(jsonMembers))).toHaveLength(jsonMembers);
  expect(faultOf(`{"a":{"b":${list(jsonMembers + 1)}}}`).extra.details?.[0]?.path).toBe('a.b');
  const keys = Array.from({ length: jsonMembers + 1 }, (_value, index) => `"k${index}":1`).join();
  expect(faultOf(`{${keys}}`).code).toBe('VALIDATION_ERROR');
  // Members are counted per list, so that a body of many small ones is read.
  expect(parseBoundedJson(`[${list(jsonMembers)},${list(jsonMembers)}]`)).toHaveLength(2);
});

function faultOf(text: string, at = ''): AppError {
  try {
    parseBoundedJson(text, at);
  } catch (error) {
    if (error instanceof AppError) return error;
  }
  throw new Error('It was read.');
}
