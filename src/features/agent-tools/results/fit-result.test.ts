import { array, assert, integer, property, string } from 'fast-check';
import { describe, expect, test } from 'vitest';

import { AppError } from '../../../kernel/errors.ts';
import { compact } from './finish-result.ts';
import { fitRead, fitWritten, jsonBytes } from './fit-result.ts';

const rows = (count: number, chars = 100): { id: string; name: string }[] =>
  Array.from({ length: count }, (_, index) => ({ id: `Row${index}`, name: 'x'.repeat(chars) }));

function refusal(fn: () => unknown): AppError {
  try {
    fn();
  } catch (error) {
    if (error instanceof AppError) return error;
  }
  throw new Error('It was not refused.');
}

describe('A result that is read', () => {
  test('is refused when it is too large, with what narrows it', () => {
    const error = refusal(() =>
      fitRead({ text: 'x'.repeat(2_000) }, 1_000, { names: ['date_from', 'limit'], sent: {} }),
    );
    expect(error.code).toBe('RESPONSE_TOO_LARGE');
    const [size, narrower] = [
      'The result has 2011 bytes; at most 1000 are allowed.',
      'To narrow it, send date_from, limit.',
    ];
    expect(error.message).toBe(`${size} ${narrower}`);
    expect(error.extra.members).toBeUndefined();
    const paged = { names: ['date_from', 'limit'], sent: { limit: 20 } };
    expect(refusal(() => fitRead({ rows: rows(20) }, 2_000, paged)).message).toMatch(
      /^The result has \d+ bytes; at most 2000 are allowed\. It fits with limit \d+\. To narrow it, send date_from, limit\.$/,
    );
  });

  test('fits with the suggested limit, whichever end the page keeps', () => {
    const sizes = array(integer({ min: 0, max: 300 }), { minLength: 2, maxLength: 200 });
    assert(
      property(sizes, integer({ min: 2_000, max: 20_000 }), (chars, maxBytes) => {
        const all = chars.map((count, index) => ({ id: `Row${index}`, name: 'é'.repeat(count) }));
        const result = { rows: all, totals: [{ amount: '1.00' }], next_cursor: '' };
        if (jsonBytes(result) <= maxBytes) return;
        const error = refusal(() => fitRead(result, maxBytes, { names: ['limit'], sent: { limit: 200 } }));
        const limit = error.extra.members?.['suggested_limit'] as number;
        expect(limit).toBeGreaterThan(0);
        for (const page of [all.slice(0, limit), all.slice(-limit)]) {
          fitRead({ ...result, rows: page, next_cursor: 'c'.repeat(300) }, maxBytes, { names: [], sent: { limit } });
        }
      }),
    );
  });

  test('suggests no limit when one row alone is too large', () => {
    const error = refusal(() => fitRead({ rows: rows(3, 5_000) }, 1_000, { names: ['limit'], sent: { limit: 50 } }));
    expect(error.extra.members).toBeUndefined();
  });
});

describe('A result that was written', () => {
  test('says less when it is too large: ids, what became of them, and counts', () => {
    const results = rows(20, 500).map((row, index) => ({
      index,
      status: 'ok',
      ...row,
      transaction: { name: row.name },
    }));
    const less = fitWritten({ results, succeeded: 20, change_set_id: 'aB3dE5gH' }, 2_000);
    expect(less).toEqual({
      results: results.map(({ index, status, id }) => ({ index, status, id })),
      succeeded: 20,
      change_set_id: 'aB3dE5gH',
      truncated: true,
    });
  });

  test('fits whatever is in it', () => {
    const texts = array(string({ maxLength: 400 }), { maxLength: 300 });
    assert(
      property(texts, (names) => {
        const result = {
          rows: names.map((name, id) => ({ id: `Row${id}`, status: name.slice(0, 20), name })),
          count: 7,
        };
        const less = fitWritten({ ...result, report: { body: names.join('') } }, 1_000);
        expect(jsonBytes(less)).toBeLessThanOrEqual(1_000);
        expect(less).toMatchObject({ count: 7 });
      }),
    );
  });
});

describe('A compact record', () => {
  test('has no nulls, and short ids for all that are known', () => {
    const record = { id: 'uuid-1', short_id: 'aaaaaaaa', parent_id: 'uuid-2', user_id: 'uuid-3', name: null, tags: [] };
    expect(compact({ rows: [record] }, new Map([['uuid-2', 'bbbbbbbb']]))).toEqual({
      rows: [{ id: 'aaaaaaaa', parent_id: 'bbbbbbbb', user_id: 'uuid-3', tags: [] }],
    });
  });

  test('keeps free-form values as they are', () => {
    const metadata = { id: 'x', short_id: 'y', none: null };
    const condition = { field: 'category', op: 'eq', value: null };
    const payload = { set: { order_id: 'uuid-2', none: null } };
    const values = {
      metadata,
      payload,
      condition,
      before: { category_id: null },
      after: { 'metadata.a_id': 'uuid-2' },
    };
    expect(compact(values, new Map([['uuid-2', 'bbbbbbbb']]))).toEqual(values);
  });

  test('has short ids in what rows hold and rules set, and all else there as it is', () => {
    const action = { type: 'set_metadata', metadata_key: 'k', metadata_value: { category_id: 'uuid-2', none: null } };
    const states = {
      actions: [{ type: 'set_category', category_id: 'uuid-2' }, action],
      before: { category_id: null, account_ids: ['uuid-2', 'uuid-3'] },
      after: { id: 'uuid-1', short_id: 'aaaaaaaa', category_id: 'uuid-2', actions: [action] },
      value: { id: 'uuid-2', name: 'Streaming' },
    };
    expect(compact(states, new Map([['uuid-2', 'bbbbbbbb']]))).toEqual({
      actions: [{ type: 'set_category', category_id: 'bbbbbbbb' }, action],
      before: { category_id: null, account_ids: ['bbbbbbbb', 'uuid-3'] },
      after: { id: 'aaaaaaaa', category_id: 'bbbbbbbb', actions: [action] },
      value: { id: 'bbbbbbbb', name: 'Streaming' },
    });
  });
});
