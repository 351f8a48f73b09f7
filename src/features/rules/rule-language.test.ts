import { expect, test } from 'vitest';
import type { z } from 'zod';

import { GROUPS } from '../../contract/groups.ts';
import { ACTION_TYPES, entryOf } from '../../engines/rules/actions.ts';
import { FIELD_NAMES, findField } from '../../engines/rules/fields.ts';
import { operatorsOf } from '../../engines/rules/language.ts';
import { RuleAction } from './rule-language.contract.ts';

const REFERENCE = GROUPS['rules'] ?? '';

function codesIn(text: string): string[] {
  return Array.from(text.matchAll(/`([^`]+)`/g), ([, code = '']) => code);
}

test('the reference lists every field once, with the operators it has', () => {
  const rows = REFERENCE.split('\n').flatMap((line) => {
    const [, fields, operators] = /^\| (`.*) \| (.*) \|$/.exec(line) ?? [];
    return fields === undefined ? [] : [{ fields: codesIn(fields), operators: codesIn(operators ?? '') }];
  });
  expect(rows.flatMap(({ fields }) => fields).sort()).toEqual([...FIELD_NAMES].sort());
  for (const { fields, operators } of rows.filter((row) => row.operators.length > 0)) {
    for (const name of fields) {
      const field = findField(name);
      expect([name, field && [...operatorsOf(field)].sort()]).toEqual([name, operators.toSorted()]);
    }
  }
});

test('the reference and the documented schema have every action, with its members', () => {
  const [, listed = ''] = /Actions run in order: ([^.]*)\./.exec(REFERENCE) ?? [];
  expect(codesIn(listed)).toEqual(ACTION_TYPES);
  const documented = RuleAction.options.map((option) => {
    const { type, ...members } = option.shape;
    return [(type as z.ZodLiteral).value, Object.keys(members).sort()];
  });
  expect(documented).toEqual(ACTION_TYPES.map((type) => [type, [...entryOf(type).members].sort()]));
});
