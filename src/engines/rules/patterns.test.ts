import fc from 'fast-check';
import { RE2JS } from 're2js';
import { describe, expect, test } from 'vitest';

import { fold } from '../../kernel/fold.ts';
import { analysePattern } from './pattern-literals.ts';
import { patternFault, CompiledPatterns } from './patterns.ts';
import { foldText } from './subject.ts';

describe('a regular expression', () => {
  test.each(['(?=x)', '(?!x)', '(?<=x)y', '(?<!x)y', '(a)\\1', '[', 'a**', '(', 'a{2,1}', '\\p{Nowhere}', '(?z)'])(
    '%s is refused with the reason',
    (source) => {
      expect(patternFault(source)).toMatch(/RE2 syntax.*error parsing/);
    },
  );

  test('a program of more than 10,000 instructions is refused, at once if it is far larger', () => {
    expect(patternFault('(?:abcdefghi){1000}')).toBeUndefined();
    expect(patternFault('(?:abcdefghij){1000}')).toMatch(/10000 instructions/);
    expect(patternFault('(?:a|bcdefghijkl){1000}')).toMatch(/10000 instructions/);
    const started = performance.now();
    for (let i = 0; i < 100; i++) expect(patternFault(`(?:${'x'.repeat(490)}){1000}`)).toBeDefined();
    expect(performance.now() - started).toBeLessThan(1_000);
  });

  test('never takes more than linear time', () => {
    const patterns = new CompiledPatterns();
    const text = `${'a'.repeat(10_000)}b`;
    patterns.matches('(a+)+$', 'a');
    const started = performance.now();
    expect(patterns.matches('(a+)+$', text)).toBe(false);
    expect(performance.now() - started).toBeLessThan(250);
  });

  test.each<[string, readonly string[] | null]>([
    ['coffee', ['coffee']],
    ['(?i)COFFEE \\d+', ['coffee']],
    ['^SQ \\*', ['sq *']],
    ['uber|lyft', ['uber', 'lyft']],
    ['(?:uber|lyft) .*trips', ['trips']],
    ['(?:ubers|lyfts) .*trip', ['ubers', 'lyfts']],
    ['uber|.', null],
    ['ab?cde', ['cde']],
    ['ab+cde', ['cde']],
    ['abc{0,2}', ['ab']],
    ['(abc)*', null],
    ['(abc)+x', ['abc']],
    ['[abc]+', null],
    ['\\d{4}', null],
    ['[[:alpha:]]xyz', ['xyz']],
    ['[]x]abc', ['abc']],
    ['\\x41bcd', ['bcd']],
    ['\\pLabc', ['abc']],
    ['\\p{Greek}abc', ['abc']],
    ['(?P<n>abc)', ['abc']],
    ['CAFÉ BARS', ['bars']],
  ])('%s needs one of %j', (source, expected) => {
    expect(analysePattern(source)?.literals ?? null).toEqual(expected);
  });

  test('every text that a pattern matches contains one of its literals', () => {
    const atom = fc.constantFrom(
      'a',
      'b',
      'K',
      's',
      ' ',
      'é',
      '.',
      '\\.',
      '[ab]',
      '\\d',
      '\\b',
      '^',
      '$',
      '\\x41',
      '\\pL',
    );
    const { pattern } = fc.letrec<{ pattern: string }>((tie) => ({
      pattern: fc.oneof(
        { maxDepth: 4 },
        fc.array(atom, { minLength: 1, maxLength: 4 }).map((list) => list.join('')),
        fc.tuple(tie('pattern'), tie('pattern')).map(([a, b]) => `${a}${b}`),
        fc.tuple(tie('pattern'), tie('pattern')).map(([a, b]) => `(?:${a}|${b})`),
        fc
          .tuple(tie('pattern'), fc.constantFrom('?', '*', '+', '{2}', '{0,2}', '{1,}', '+?', '{0}'))
          .map(([a, times]) => `(${a})${times}`),
        fc
          .tuple(
            atom.filter((one) => !/^[\^$]|\\b/.test(one)),
            fc.constantFrom('?', '*', '+', '{2}'),
          )
          .map(([a, times]) => a + times),
      ),
    }));
    const text = fc
      .array(fc.constantFrom('a', 'b', 'k', 'K', '\u212a', 'ſ', 's', ' ', 'é', '.', '1', 'A', '\u0301'), {
        maxLength: 9,
      })
      .map((list) => list.join(''));
    fc.assert(
      fc.property(
        pattern,
        fc.boolean(),
        fc.array(text, { minLength: 4, maxLength: 8 }),
        (source, ignoresCase, texts) => {
          const whole = ignoresCase ? `(?i)${source}` : source;
          const analysis = analysePattern(whole);
          const compiled = RE2JS.compile(whole);
          expect(analysis).toBeDefined();
          expect(analysis?.minimumSize ?? 0).toBeLessThanOrEqual(compiled.programSize());
          for (const one of texts) {
            if (!compiled.test(one) || !analysis?.literals) continue;
            expect(analysis.literals.some((literal) => fold(one).includes(literal))).toBe(true);
          }
        },
      ),
      { numRuns: 1_000 },
    );
  });
});

test('the text of a row is folded as by fold()', () => {
  const units = fc.array(fc.oneof(fc.integer({ max: 0xffff, min: 0 }), fc.integer({ max: 0x7f, min: 0x1f })));
  fc.assert(
    fc.property(units, (codes) => {
      const text = String.fromCharCode(...codes);
      expect(foldText(text)).toBe(fold(text));
    }),
  );
});
