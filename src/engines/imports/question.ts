import type { Confidence } from './analysis.ts';

/**
 * Something that a file may leave open, as data: the tests that can settle it, the strongest first. Nothing else decides,
 * so a new heuristic is one more test. `docs/reference/import-evidence.md` is generated from these.
 */
export interface Question<Value extends string, Facts> {
  /** Its name in `detection`; also the parameter that answers it. */
  readonly name: string;
  /** What is to be decided, in the words of a household. */
  readonly asks: string;
  /** Why a file may leave it open, with an example, for people who do not know the terms. */
  readonly explains?: string;
  readonly tests: readonly Test<Value, Facts>[];
}

export interface Test<Value extends string, Facts> {
  /** The code in `evidence`. */
  readonly code: string;
  /** `ambiguous` for a test that can only find that a person must be asked. */
  readonly confidence: Confidence;
  /** What it finds and what follows, for people who wonder about an answer. */
  readonly means: string;
  /** The value that it shows; several if it shows that only a person can tell, the likeliest first; null if it is silent. */
  says(facts: Facts): Value | readonly Value[] | null;
  /** What it says for or against the value of another test, where that takes less than settling the question by itself. */
  hints?(facts: Facts): Value | null;
  /** Weaker tests: if the first of them that says anything says otherwise, it is a question for a person. */
  readonly opposedBy?: readonly string[];
  /** Other tests of which the strongest must agree, or, where none says anything, how far the value counts alone. */
  readonly supportedBy?: { readonly codes: readonly string[]; readonly alone: Confidence };
}

/** How a question was settled. With several `values` it was not: the first is the likeliest. */
export interface Settled<Value extends string> {
  readonly values: readonly Value[];
  readonly confidence: Confidence;
  readonly evidence: readonly string[];
}

/** The answer of the first test that says anything. The last test of a question always does. */
export function settle<Value extends string, Facts>(question: Question<Value, Facts>, facts: Facts): Settled<Value> {
  for (const test of question.tests) {
    const said = test.says(facts);
    if (said === null) continue;
    return typeof said === 'string' ? weigh(question, test, said, facts) : open(said, [test.code]);
  }
  throw new Error(`No test of the question ${question.name} says anything.`);
}

/** A value against the tests that may oppose it, and with those that must support it. */
function weigh<Value extends string, Facts>(
  question: Question<Value, Facts>,
  test: Test<Value, Facts>,
  value: Value,
  facts: Facts,
): Settled<Value> {
  const hintsOf = (codes: readonly string[]): Hint<Value>[] => codes.flatMap((code) => hintOf(question, code, facts));
  const [opposed] = hintsOf(test.opposedBy ?? []);
  if (opposed && opposed.value !== value) return open([value, opposed.value], [test.code, opposed.code]);
  if (!test.supportedBy) return { values: [value], confidence: test.confidence, evidence: [test.code] };
  const support = hintsOf(test.supportedBy.codes);
  const strongest = support.filter(({ confidence }) => confidence === support[0]?.confidence);
  if (strongest.length === 0)
    return { values: [value], confidence: test.supportedBy.alone, evidence: [test.code, 'default'] };
  const evidence = [test.code, ...strongest.map(({ code }) => code)];
  const other = strongest.find((hint) => hint.value !== value);
  return other ? open([value, other.value], evidence) : { values: [value], confidence: test.confidence, evidence };
}

interface Hint<Value> {
  readonly code: string;
  readonly confidence: Confidence;
  readonly value: Value;
}

function hintOf<Value extends string, Facts>(
  { name, tests }: Question<Value, Facts>,
  code: string,
  facts: Facts,
): Hint<Value>[] {
  const test = tests.find((one) => one.code === code);
  if (!test) throw new Error(`The question ${name} has no test ${code}.`);
  const said = test.hints ? test.hints(facts) : test.says(facts);
  return typeof said === 'string' ? [{ code, confidence: test.confidence, value: said }] : [];
}

function open<Value extends string>(values: readonly Value[], evidence: readonly string[]): Settled<Value> {
  return { values, confidence: 'ambiguous', evidence };
}
