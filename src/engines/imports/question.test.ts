import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { EVERY_QUESTION } from './questions/every-question.ts';
import { settle } from './question.ts';
import type { Question, Test } from './question.ts';

type Say = 'tea' | 'coffee';
type Facts = Readonly<Record<string, Say | readonly Say[] | null | undefined>>;

function says(code: string, more: Partial<Test<Say, Facts>> = {}): Test<Say, Facts> {
  return { code, confidence: 'likely', means: '', says: (facts) => facts[code] ?? null, ...more };
}

function question(...tests: Test<Say, Facts>[]): Question<Say, Facts> {
  return { name: 'drink', asks: '', tests: [...tests, says('rest', { says: () => ['tea', 'coffee'] })] };
}

describe('a question', () => {
  test('is settled by the first test that says anything', () => {
    const one = question(says('nose'), says('eye'));
    expect(settle(one, { eye: 'coffee' })).toEqual({ values: ['coffee'], confidence: 'likely', evidence: ['eye'] });
    expect(settle(one, { nose: 'tea', eye: 'coffee' }).values).toEqual(['tea']);
  });

  test('stays open if a test finds that only a person can tell, or if no test says anything', () => {
    const one = question(says('nose'), says('eye'));
    expect(settle(one, { nose: ['coffee', 'tea'], eye: 'tea' })).toEqual({
      values: ['coffee', 'tea'],
      confidence: 'ambiguous',
      evidence: ['nose'],
    });
    expect(settle(one, {})).toEqual({ values: ['tea', 'coffee'], confidence: 'ambiguous', evidence: ['rest'] });
  });

  test('is open between a test and one that opposes it', () => {
    const one = question(says('nose', { opposedBy: ['eye'] }), says('eye'));
    expect(settle(one, { nose: 'tea', eye: 'tea' }).evidence).toEqual(['nose']);
    expect(settle(one, { nose: 'tea', eye: 'coffee' })).toEqual({
      values: ['tea', 'coffee'],
      confidence: 'ambiguous',
      evidence: ['nose', 'eye'],
    });
  });

  test('takes what a test hints, where that takes less than settling the question', () => {
    const one = question(says('nose', { opposedBy: ['eye'] }), says('eye', { hints: ({ glance }) => glance as Say }));
    expect(settle(one, { nose: 'tea', glance: 'coffee' }).confidence).toBe('ambiguous');
  });

  test('needs the support of the strongest other test, and of all that are as strong', () => {
    const supportedBy = { codes: ['ear', 'eye', 'nose'], alone: 'assumed' } as const;
    const one = question(
      says('proof', { confidence: 'proved', supportedBy }),
      says('ear', { confidence: 'certain' }),
      says('eye'),
      says('nose'),
    );
    expect(settle(one, { proof: 'tea' })).toEqual({
      values: ['tea'],
      confidence: 'assumed',
      evidence: ['proof', 'default'],
    });
    expect(settle(one, { proof: 'tea', ear: 'tea', eye: 'coffee' }).evidence).toEqual(['proof', 'ear']);
    expect(settle(one, { proof: 'tea', eye: 'tea', nose: 'tea' }).confidence).toBe('proved');
    expect(settle(one, { proof: 'tea', eye: 'tea', nose: 'coffee' }).confidence).toBe('ambiguous');
  });

  test('never depends on weaker tests that are not named as opposing or supporting', () => {
    const drink = fc.constantFrom('tea', 'coffee', null);
    const one = question(says('a'), says('b', { opposedBy: ['c'] }), says('c'), says('d'));
    fc.assert(
      fc.property(drink, drink, drink, drink, (a, b, c, d) => {
        const facts = { a, b, c } as Facts;
        const first = [a, b, c].find((said) => said !== null);
        if (first) expect(settle(one, { ...facts, d })).toEqual(settle(one, facts));
      }),
    );
  });
});

describe.each(EVERY_QUESTION.map((one) => [`${one.name}: ${one.asks}`, one] as const))(
  '%s',
  (_, { tests, asks, explains }) => {
    test('is asked in words, and so is each of its tests explained', () => {
      expect(asks).toMatch(/^[A-Z].*\?$/);
      expect(explains).toMatch(/^[A-Z“].*\.$/);
      for (const { means } of tests) expect(means).toMatch(/^[A-Z“].*\.$/);
    });

    test('names only its own tests as opposing or supporting', () => {
      const codes = tests.map(({ code }) => code);
      const named = tests.flatMap(({ opposedBy, supportedBy }) => [
        ...(opposedBy ?? []),
        ...(supportedBy?.codes ?? []),
      ]);
      expect(codes).toEqual(expect.arrayContaining(named));
    });
  },
);
