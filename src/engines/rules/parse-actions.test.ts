import { describe, expect, test } from 'vitest';

import { CATALOG, REFERENCES } from '../../../test/harness/rules/sample-rules.ts';
import { renderActions } from './actions.ts';
import type { StoredAction } from './definition.ts';
import { parseActions } from './parse-actions.ts';
import { Problems, type Problem } from './problems.ts';
import { isPlaceholder, WantedRecords, type Wanted } from './references.ts';
import { fillActions, fillCondition } from './stored-references.ts';

interface Read {
  actions: readonly StoredAction[];
  problems: readonly Problem[];
  wanted: readonly Wanted[];
}

function read(input: unknown, previous?: readonly StoredAction[]): Read {
  const problems = new Problems();
  const wanted = new WantedRecords();
  const context = { references: REFERENCES, wanted, problems, ...(previous && { previous }) };
  return { actions: parseActions(input, 'actions', context), problems: problems.list, wanted: wanted.list };
}

const UUID = '0199e000-0000-7000-8000-00000000c001';

describe('actions as sent', () => {
  test.each<[unknown, string, Problem['code']]>([
    [undefined, 'actions', 'VALIDATION_ERROR'],
    [[], 'actions', 'VALIDATION_ERROR'],
    [
      Array.from({ length: 21 }, (_, index) => ({ type: 'add_tag', tag_slug: `t${index}` })),
      'actions',
      'VALIDATION_ERROR',
    ],
    [['flag'], 'actions[0]', 'VALIDATION_ERROR'],
    [[{ type: 'flagg' }], 'actions[0].type', 'VALIDATION_ERROR'],
    [[{ type: 'toString' }], 'actions[0].type', 'VALIDATION_ERROR'],
    [[{ tag_slug: 'a' }], 'actions[0].type', 'VALIDATION_ERROR'],
    [[{ type: 'flag', tag_slug: 'a' }], 'actions[0].tag_slug', 'VALIDATION_ERROR'],
    [
      [{ type: 'assign_series', series_short_id: 's' }, { type: 'flag' }],
      'actions[0].series_short_id',
      'VALIDATION_ERROR',
    ],
    [[{ type: 'set_category' }], 'actions[0]', 'VALIDATION_ERROR'],
    [[{ type: 'set_category', category_slug: null }], 'actions[0].category_slug', 'VALIDATION_ERROR'],
    [[{ type: 'set_category', category_slug: 'nowhere' }], 'actions[0].category_slug', 'INVALID_PARAMETER'],
    [
      [{ type: 'set_category', category_slug: 'food', category_id: 'id-salary' }],
      'actions[0].category_slug',
      'VALIDATION_ERROR',
    ],
    [[{ type: 'set_category', category_slug: 'rent' }], 'actions[0].category_slug', 'VALIDATION_ERROR'],
    [[{ type: 'flag' }, { type: 'add_tag', tag_slug: 'Bad Slug' }], 'actions[1].tag_slug', 'VALIDATION_ERROR'],
    [[{ type: 'add_tag', tag_slug: 'x-' }], 'actions[0].tag_slug', 'VALIDATION_ERROR'],
    [[{ type: 'add_tag', tag_slug: 'x'.repeat(65) }], 'actions[0].tag_slug', 'VALIDATION_ERROR'],
    [[{ type: 'add_tag', tag_slug: UUID }], 'actions[0].tag_slug', 'INVALID_PARAMETER'],
    [[{ type: 'add_tag' }], 'actions[0].tag_slug', 'VALIDATION_ERROR'],
    [[{ type: 'remove_tag', tag_slug: 'nowhere' }], 'actions[0].tag_slug', 'INVALID_PARAMETER'],
    [[{ type: 'assign_series' }], 'actions[0]', 'VALIDATION_ERROR'],
    [[{ type: 'assign_series', series_id: 'nowhere' }], 'actions[0].series_id', 'INVALID_PARAMETER'],
    [[{ type: 'assign_series', series_name: 'new' }], 'actions[0].series_name', 'INVALID_PARAMETER'],
    [[{ type: 'assign_series', series_name: ' ' }], 'actions[0].series_name', 'VALIDATION_ERROR'],
    [[{ type: 'assign_series', series_id: 's', series_name: 'T' }], 'actions[0].series_name', 'VALIDATION_ERROR'],
    [
      [{ type: 'assign_series', series_id: 's', create_if_missing: true }],
      'actions[0].create_if_missing',
      'VALIDATION_ERROR',
    ],
    [
      [{ type: 'assign_series', series_name: 'new', create_if_missing: 1 }],
      'actions[0].create_if_missing',
      'VALIDATION_ERROR',
    ],
    [
      [{ type: 'assign_series', series_name: 'new', create_if_missing: true, series_type: 'x' }],
      'actions[0].series_type',
      'VALIDATION_ERROR',
    ],
    [
      [{ type: 'assign_counterparty', counterparty_name: 'new', series_type: 'bill' }, { type: 'flag' }],
      'actions[0].series_type',
      'VALIDATION_ERROR',
    ],
    [[{ type: 'set_metadata', metadata_value: 1 }], 'actions[0].metadata_key', 'VALIDATION_ERROR'],
    [[{ type: 'set_metadata', metadata_key: 'k' }], 'actions[0].metadata_value', 'VALIDATION_ERROR'],
    [
      [{ type: 'set_metadata', metadata_key: 'a\nb', metadata_value: 1 }],
      'actions[0].metadata_key',
      'VALIDATION_ERROR',
    ],
    [
      [{ type: 'set_metadata', metadata_key: 'k', metadata_value: 2 ** 53 }],
      'actions[0].metadata_value',
      'VALIDATION_ERROR',
    ],
    [
      [{ type: 'set_metadata', metadata_key: 'k', metadata_value: [Number.POSITIVE_INFINITY] }],
      'actions[0].metadata_value',
      'VALIDATION_ERROR',
    ],
    [
      [{ type: 'set_metadata', metadata_key: 'k', metadata_value: 'é'.repeat(2_048) }],
      'actions[0].metadata_value',
      'VALIDATION_ERROR',
    ],
    [
      [
        {
          type: 'set_metadata',
          metadata_key: 'k',
          metadata_value: JSON.parse('['.repeat(100_000) + ']'.repeat(100_000)),
        },
      ],
      'actions[0].metadata_value',
      'VALIDATION_ERROR',
    ],
    [[{ type: 'remove_metadata', metadata_key: '' }], 'actions[0].metadata_key', 'VALIDATION_ERROR'],
    [[{ type: 'add_comment', content: ' ' }], 'actions[0].content', 'VALIDATION_ERROR'],
    [[{ type: 'add_comment', content: 'x'.repeat(10_001) }], 'actions[0].content', 'VALIDATION_ERROR'],
    [
      [
        { type: 'set_category', category_slug: 'food' },
        { type: 'set_category', category_slug: 'salary' },
      ],
      'actions[1]',
      'VALIDATION_ERROR',
    ],
    [
      [
        { type: 'add_tag', tag_slug: 'a' },
        { type: 'remove_tag', tag_slug: 'id-a' },
      ],
      'actions[1]',
      'VALIDATION_ERROR',
    ],
    [
      [
        { type: 'set_metadata', metadata_key: 'k', metadata_value: 1 },
        { type: 'remove_metadata', metadata_key: 'k' },
      ],
      'actions[1]',
      'VALIDATION_ERROR',
    ],
    [[{ type: 'flag' }, { type: 'unflag' }], 'actions[1]', 'VALIDATION_ERROR'],
    [
      [
        { type: 'add_comment', content: 'x' },
        { type: 'add_comment', content: ' x ' },
      ],
      'actions[1]',
      'VALIDATION_ERROR',
    ],
  ])('are refused with the path and code (%#)', (input, path, code) => {
    expect(read(input).problems.slice(0, 1)).toMatchObject([{ path, code }]);
  });

  test('an unknown type is answered with the list of types', () => {
    expect(read([{ type: 'set_tag' }]).problems[0]?.message).toContain('add_tag, remove_tag');
  });

  test('are stored by id, and can be sent back as returned', () => {
    const sent = [
      { type: 'set_category', category_slug: 'food' },
      { type: 'add_tag', tag_slug: 'a' },
      { type: 'assign_series', series_name: 's' },
      { type: 'assign_counterparty', counterparty_id: 'c' },
      { type: 'set_metadata', metadata_key: 'k', metadata_value: { __proto__: null, x: [null] } },
      { type: 'remove_metadata', metadata_key: 'l' },
      { type: 'unflag' },
      { type: 'add_comment', content: ' Look here ' },
      { type: 'add_comment', content: 'and there' },
    ];
    const { actions, problems } = read(sent);
    expect(problems).toEqual([]);
    const returned = renderActions(actions, CATALOG);
    expect(returned.slice(0, 4)).toEqual([
      { type: 'set_category', category_id: 'id-food', category_slug: 'food' },
      { type: 'add_tag', tag_slug: 'a' },
      { type: 'assign_series', series_id: 'id-s', series_name: 'S' },
      { type: 'assign_counterparty', counterparty_id: 'id-c', counterparty_name: 'C' },
    ]);
    expect(read(JSON.parse(JSON.stringify(returned)))).toMatchObject({ actions, problems: [] });
  });

  test('a category that was archived after the rule was saved may stay, but cannot be added', () => {
    const sent = [{ type: 'set_category', category_id: 'id-rent', category_slug: 'rent' }];
    expect(read(sent, [{ type: 'set_category', category_id: 'id-rent' }]).problems).toEqual([]);
    expect(read(sent, [{ type: 'set_category', category_id: 'id-food' }]).problems).toHaveLength(1);
  });
});

describe('records to create', () => {
  test('are listed once, however many actions name them, and every action gets the id', () => {
    const problems = new Problems();
    const context = { references: REFERENCES, wanted: new WantedRecords(), problems };
    const first = parseActions(
      [
        { type: 'add_tag', tag_slug: 'trip' },
        { type: 'assign_series', series_name: 'Gym', create_if_missing: true, series_type: 'bill' },
      ],
      'rules[0].actions',
      context,
    );
    const second = parseActions(
      [
        { type: 'remove_tag', tag_slug: 'trip' },
        { type: 'assign_series', series_name: ' GYM ' },
        { type: 'assign_counterparty', counterparty_name: 'Gym', create_if_missing: true },
      ],
      'rules[1].actions',
      context,
    );
    expect(problems.list).toEqual([]);
    const { list } = context.wanted;
    expect(list).toMatchObject([
      { kind: 'tag', name: 'trip', seriesType: null, path: 'rules[0].actions[0].tag_slug' },
      { kind: 'series', name: 'Gym', seriesType: 'bill', path: 'rules[0].actions[1].series_name' },
      { kind: 'counterparty', name: 'Gym', path: 'rules[1].actions[2].counterparty_name' },
    ]);
    expect(list.every(({ placeholder }) => isPlaceholder(placeholder))).toBe(true);
    const ids = new Map(list.map(({ placeholder, kind }) => [placeholder, `new ${kind}`]));
    expect(fillActions([...first, ...second], ids)).toEqual([
      { type: 'add_tag', tag_id: 'new tag' },
      { type: 'assign_series', series_id: 'new series' },
      { type: 'remove_tag', tag_id: 'new tag' },
      { type: 'assign_series', series_id: 'new series' },
      { type: 'assign_counterparty', counterparty_id: 'new counterparty' },
    ]);
    const tag = list[0]?.placeholder ?? '';
    const text = { field: 'name', op: 'eq', value: tag } as const;
    const leaf = { field: 'tags', op: 'in', value: [tag] } as const;
    expect(fillCondition({ not: { or: [leaf, text] } }, ids)).toEqual({
      not: { or: [{ ...leaf, value: ['new tag'] }, text] },
    });
  });

  test('do not include records that exist', () => {
    const sent = [
      { type: 'add_tag', tag_slug: 'a' },
      { type: 'assign_series', series_name: 'S', create_if_missing: true },
    ];
    expect(read(sent)).toMatchObject({ wanted: [], problems: [] });
  });
});
