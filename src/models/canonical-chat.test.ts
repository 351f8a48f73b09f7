import { describe, expect, test } from 'vitest';

import { canonicalChat } from './canonical-chat.ts';

// oxlint-disable-next-line typescript/no-explicit-any -- a test may look at any field
type Any = any;

function messageOf(message: unknown): Any {
  return JSON.parse(canonicalChat(JSON.stringify({ choices: [{ message }] }))).choices[0].message;
}

function callsOf(...calls: unknown[]): Any[] {
  return messageOf({ tool_calls: calls }).tool_calls;
}

describe('An answer of a model server of one’s own', () => {
  test.each([
    ['text', '{"a":1}', '{"a":1}'],
    ['an object', { a: 1 }, '{"a":1}'],
    ['null', null, '{}'],
    ['nothing', undefined, '{}'],
    ['an empty text', ' ', '{}'],
    ['text that is no JSON', '{"a":', '{"a":'],
  ])('has arguments as %s', (_how, sent, read) => {
    expect(callsOf({ id: 'x', type: 'function', function: { name: 'look', arguments: sent } })).toEqual([
      { id: 'x', type: 'function', function: { name: 'look', arguments: read } },
    ]);
  });

  test('gives calls no ids, empty ones, or the same twice', () => {
    const look = { function: { name: 'look' } };
    const ids = callsOf({ ...look, id: 'call_1' }, look, { ...look, id: '' }, { ...look, id: 'call_1' }).map(
      ({ id }) => id,
    );
    expect(ids[0]).toBe('call_1');
    expect(new Set(ids).size).toBe(4);
  });

  test('calls by the older function_call', () => {
    expect(messageOf({ content: null, function_call: { name: 'look', arguments: { a: 1 } } })).toEqual({
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'look', arguments: '{"a":1}' } }],
    });
  });

  test.each([
    ['text', 'Done.', 'Done.'],
    [
      'a list',
      [
        { type: 'text', text: 'Do' },
        { type: 'text', text: 'ne.' },
      ],
      'Done.',
    ],
    ['null', null, null],
    ['nothing', undefined, null],
  ])('has its text as %s', (_how, content, text) => {
    expect(messageOf({ content })).toEqual({ role: 'assistant', content: text });
  });

  test('is left as it is where it is none', () => {
    for (const body of ['<html>', '{"error":{"message":"no"}}', '[]', '', '{"choices":null}'])
      expect(canonicalChat(body)).toBe(body);
  });
});
